"""The sliding-window engine: aggregates and percentiles of the last ws tuples, after every wa."""

from rtl.contract.design import Engine
from rtl.engine.swag.design import design
from rtl.engine.swag.options import Options, refusal

ENGINE = Engine(
    name="swag",
    about="runs ROWS with GROUP BY, medians too; sorts each window (seed 003, section 3.2).",
    options=Options,
    refusal=refusal,
    design=design,
)
