"""Writes the table of runs; ``--anew`` drops the old runs, else the allowed runs stay."""

import sys

from tb.gen.pairs.table import TABLE, design_of, extended, generate, missing, read, write

if __name__ == "__main__":
    rows = generate() if sys.argv[1:] == ["--anew"] else extended(read())
    write(rows)
    designs = len(set(map(design_of, rows)))
    print(f"{len(rows)} runs of {designs} designs in {TABLE}; {len(missing(rows))} pairs missing")
