"""The pane engine: each tuple goes to one pane, and each window is computed from its panes."""

from rtl.contract.design import Engine
from rtl.engine.pane.design import design
from rtl.engine.pane.options import Options, refusal

ENGINE = Engine(
    name="pane",
    about="runs RANGE without GROUP BY; adds each tuple to one pane (seed 001, III and IV).",
    options=Options,
    refusal=refusal,
    design=design,
)
