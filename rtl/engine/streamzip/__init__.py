"""The streamzip engine: windows of a key's own, for many thousand keys, in three memory levels."""

from rtl.contract.design import Engine
from rtl.engine.streamzip.design import design
from rtl.engine.streamzip.options import Options, fits

ENGINE = Engine(
    name="streamzip",
    about="PARTITION BY over ROWS or RANGE, windows of each key, in block RAM and DRAM (seed 000).",
    options=Options,
    fits=fits,
    design=design,
)
