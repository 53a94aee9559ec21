"""Checks rows and predictions of `sluice simulate` with random options on random streams.

A call ends with exit code 0, or is refused in one line with exit code 2.
"""

import json

import pytest

from tb.gen.random_calls import LONG, call, design, shown

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

DESIGNS, CALLS = 54, 12
#: How far a rate may be from its prediction.
NEAR = 0.15


def outcome(random_call, sluice, directory):
    """Runs a call; returns its figures or its refusal, and a line if a check fails, or None."""
    arguments = random_call.write(directory)
    code, out, err = sluice(*arguments, "--json")
    if code == 2 and out == "":
        said = [line for line in err.splitlines() if line.startswith("sluice: ")]
        return said[-1] if said else err, None if len(said) == 1 else f"refused by {err[-300:]!r}"
    if code != 0:
        return None, f"exit code {code}: {err[-300:]!r}"
    output = json.loads(out)
    if output["problems"] or output["mismatches"] or output["rows"] != output["rows_expected"]:
        return output, f"{output['mismatches']} mismatches, {output['problems']}"
    return output, wrong_rate(random_call, output)


def wrong_rate(random_call, actual):
    """Returns a line if the rate of a long run without stalls is far from its prediction."""
    rate, predicted = actual["sustained_tuples_per_cycle"], actual["predicted_tuples_per_cycle"]
    if not random_call.checks_rate or rate is None or random_call.tuples < LONG:
        return None
    if abs(predicted / rate - 1) <= NEAR:
        return None
    return f"rate {rate:.4f}, predicted {predicted:.4f} ({predicted / rate - 1:+.0%})"


@pytest.mark.parametrize("number", range(DESIGNS))
def test_calls_of_a_design(number, sluice, tmp_path):
    created, failed, refused = design(number), [], 0
    for each in (call(created, k) for k in range(CALLS)):
        try:
            result, problems = outcome(each, sluice, tmp_path)
        except Exception as error:  # of the program under test: the command is worth more
            result, problems = None, f"{type(error).__name__}: {error}"
        refused += isinstance(result, str)
        if problems:
            failed.append(f"{shown(each.write(tmp_path))}\n    {problems}")
    print(f"design {number}: {CALLS} calls, {refused} refused, {len(failed)} failed")
    assert refused < CALLS
    if failed:
        pytest.fail("\n".join(failed), pytrace=False)
