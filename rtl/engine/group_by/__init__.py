"""The group-by engine: aggregates a sorted stream, P tuples per cycle, without a stall."""

from rtl.contract.design import Engine
from rtl.engine.group_by.design import design
from rtl.engine.group_by.options import Options, refusal

ENGINE = Engine(
    name="group-by",
    about="runs GROUP BY without a window over a sorted stream, and never stalls (seed 003, 3.1).",
    options=Options,
    refusal=refusal,
    design=design,
)
