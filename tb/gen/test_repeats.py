"""Checks that the shipped Verilog hardly repeats an expression.

Amaranth writes an expression out at each use. A sum in slices becomes many sums, and an expression
of these slices doubles again: a divider had ten times the necessary text. Synthesis merges the
copies, but nobody can read the text, and simulators need more time to build a model.
"""

import re

import pytest

from tb.gen.examples import EXAMPLES

#: Greatest share of a module's characters that repeated expressions may have.
MAX_SHARE = 0.3
#: Number of repeated characters that a module of any size may have.
WORTH = 20_000

ASSIGNED = re.compile(r"^  assign (_\d+_) = (.*);$", re.MULTILINE)


def repeats(module):
    """Returns the characters of assignments to numbered wires that repeat an earlier assignment."""
    first, equal_part, result = {}, {}, 0
    for wire, expression in ASSIGNED.findall(module):
        expression = re.sub(r"_\d+_", lambda name: equal_part.get(name[0], name[0]), expression)
        if expression in first:
            equal_part[wire] = first[expression]
            result += len(expression)
        first.setdefault(expression, wire)
    return result


def modules(text):
    """Returns the text of each module by its name."""
    parts = re.split(r"^module ", text, flags=re.MULTILINE)[1:]
    return {part.split("(")[0].strip(): part for part in parts}


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(
    "engine", [pytest.param(e, marks=pytest.mark.regress) if e == "swag" else e for e in EXAMPLES]
)
def test_no_module_repeats_itself(engine, sluice_files):
    name, files = sluice_files(engine)
    text = files[f"{name}.v"]
    assert ASSIGNED.search(text)  # otherwise nothing would be compared
    result = {part: (repeats(body), len(body)) for part, body in modules(text).items()}
    assert {part: r for part, r in result.items() if r[0] > max(WORTH, MAX_SHARE * r[1])} == {}


def test_what_repeats_is_found():
    text = "  assign _1_ = a + b;\n  assign _2_ = a + b;\n  assign _3_ = _2_ - c;\n"
    assert repeats(text) == len("a + b")
    assert repeats(f"{text}  assign _4_ = _1_ - c;\n") == len("a + b") + len("_1_ - c")
