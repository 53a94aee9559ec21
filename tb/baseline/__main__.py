"""Writes the baseline anew: ``python -m tb.baseline [words of names]``, all points without any."""

import json
import sys

from tb.baseline.points import KEPT, POINTS, differences, figures, kept


def main(words):
    told = kept() if KEPT.exists() else {}
    told = {name: told[name] for name in POINTS if name in told}
    for name, point in POINTS.items():
        if words and not any(word in name for word in words):
            continue
        now = figures(point)
        changes = differences(told[name], now) if name in told else ["new"]
        print(f"{name}: {now}" + "".join(f"\n    {change}" for change in changes), flush=True)
        told[name] = now
        KEPT.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
