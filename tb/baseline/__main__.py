"""Rewrites the baseline: ``python -m tb.baseline [words]``.

The words select points by their names; without words all points are synthesised.
"""

import json
import sys

from tb.baseline.points import BASELINE, POINTS, baseline, differences, figures


def main(words):
    recorded = baseline() if BASELINE.exists() else {}
    recorded = {name: recorded[name] for name in POINTS if name in recorded}
    for name, point in POINTS.items():
        if words and not any(word in name for word in words):
            continue
        current = figures(point)
        changes = differences(recorded[name], current) if name in recorded else ["new"]
        print(f"{name}: {current}" + "".join(f"\n    {change}" for change in changes), flush=True)
        recorded[name] = current
        BASELINE.write_text(json.dumps(recorded, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
