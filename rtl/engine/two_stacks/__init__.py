"""The two-stacks engine: a window of the last ws tuples after every wa, one tuple per cycle."""

from rtl.contract.design import Engine
from rtl.engine.two_stacks.design import design
from rtl.engine.two_stacks.options import Options, fits

ENGINE = Engine(
    name="two-stacks",
    about="ROWS without groups, a row in every cycle if need be (seed 004, sections 2 and 3).",
    options=Options,
    fits=fits,
    design=design,
)
