"""The window-ID engine: one module for each window that may be open; tuples go to all modules."""

from rtl.contract.design import Engine
from rtl.engine.window_id.design import design
from rtl.engine.window_id.options import Options, refusal

ENGINE = Engine(
    name="window-id",
    about="runs RANGE without GROUP BY; has a module for each open window (seed 002, section V).",
    options=Options,
    refusal=refusal,
    design=design,
)
