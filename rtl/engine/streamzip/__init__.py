"""The streamzip engine: windows of a key's own, for many thousand keys, in three memory levels."""

from rtl.contract.design import Engine
from rtl.engine.streamzip.design import design
from rtl.engine.streamzip.options import Options, refusal

ENGINE = Engine(
    name="streamzip",
    about="runs PARTITION BY over ROWS or RANGE; keeps windows of each key in DRAM (seed 000).",
    options=Options,
    refusal=refusal,
    design=design,
)
