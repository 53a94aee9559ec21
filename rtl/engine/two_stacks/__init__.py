"""The two-stacks engine: a window of the last ws tuples after every wa, one tuple per cycle."""

from rtl.contract.design import Engine
from rtl.engine.two_stacks.design import design
from rtl.engine.two_stacks.options import Options, refusal

ENGINE = Engine(
    name="two-stacks",
    about="runs ROWS without GROUP BY, with up to a row in every cycle (seed 004, 2 and 3).",
    options=Options,
    refusal=refusal,
    design=design,
)
