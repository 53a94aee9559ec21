"""Runs all proofs and refutes all mutants, and prints a line for each; exit code 1 on a failure."""

import sys

from sim.errors import ToolMissingError
from tb.formal.mutants import MUTANTS
from tb.formal.proofs import PROOFS
from tb.formal.yosys import SolverError


def main():
    failed = 0
    total = len(PROOFS) + len(MUTANTS)
    for proof in PROOFS:
        verdict = _run_and_print(proof, proof.claim)
        failed += not (verdict.proved or verdict.bounded)
        if verdict.counterexample:
            print(verdict.counterexample)
    for mutant in MUTANTS:
        failed += _run_and_print(mutant, f"mutant: {mutant.mistake}").counterexample is None
    print(f"{total - failed} of {total} as expected")
    return 1 if failed else 0


def _run_and_print(question, text):
    print(f"{text} ... ", end="", flush=True)
    verdict = question.run()
    print(f"{verdict}, {verdict.seconds:.1f} s", flush=True)
    return verdict


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (SolverError, ToolMissingError) as error:
        sys.exit(f"\n{error}")
