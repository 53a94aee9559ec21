"""Runs the proofs, which must succeed, and the mutants, which the solver must refute."""

import pytest

from rtl.stream.skid import SkidBuffer
from tb.formal.mutants import MUTANTS, Mutant
from tb.formal.proofs import PROOFS
from tb.formal.queue import skid_bench
from tb.formal.yosys import solve


def params(questions, name):
    """Returns test parameters with names as ids; slow ones are for `make regress`."""
    return [
        pytest.param(
            question,
            marks=() if question.quick else pytest.mark.regress,
            id=getattr(question, name).replace(" ", "-"),
        )
        for question in questions
    ]


@pytest.mark.in_turn
@pytest.mark.parametrize("proof", params(PROOFS, "claim"))
def test_proved(proof):
    verdict = proof.run()
    assert verdict.bounded if proof.cycles else verdict.proved, str(verdict)


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize("mutant", params(MUTANTS, "mistake"))
def test_mutant_is_refuted(mutant):
    verdict = mutant.run()
    assert verdict.counterexample
    assert not verdict.proved
    assert not verdict.bounded


def test_search_alone_proves_nothing():
    verdict = solve(*skid_bench(), depth=3, induction=False)
    assert not verdict.proved
    assert verdict.counterexample is None
    assert "OPEN" in str(verdict)


@pytest.mark.parametrize("old", ["no such text", "self.i.ready"])
def test_mutation_must_hit_one_place(old):
    """The second text occurs more than once."""
    mutant = Mutant("none", SkidBuffer, old, "", skid_bench)
    with pytest.raises(ValueError, match=f"^old must occur once in rtl.stream.skid, not '{old}'$"):
        mutant.build()
