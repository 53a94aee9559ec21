"""Proves everything and refutes every mutant, one line each; exit code 1 when one fails."""

import sys

from sim.errors import ToolMissingError
from tb.formal.mutants import MUTANTS
from tb.formal.proofs import PROOFS
from tb.formal.yosys import SolverError


def main():
    failed, total = 0, len(PROOFS) + len(MUTANTS)
    for proof in PROOFS:
        verdict = _shown(proof, proof.claim)
        failed += not (verdict.proved or verdict.bounded)
        if verdict.counterexample:
            print(verdict.counterexample)
    for mutant in MUTANTS:
        failed += _shown(mutant, f"mutant: {mutant.mistake}").counterexample is None
    print(f"{total - failed} of {total} as expected")
    return 1 if failed else 0


def _shown(question, text):
    print(f"{text} ... ", end="", flush=True)
    verdict = question.run()
    print(f"{verdict}, {verdict.seconds:.1f} s", flush=True)
    return verdict


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (SolverError, ToolMissingError) as error:
        sys.exit(f"\n{error}")
