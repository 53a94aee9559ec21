"""Writes the table of runs anew: ``python -m tb.gen.pairs``."""

from tb.gen.pairs.table import TABLE, design_of, generate, missing, write

if __name__ == "__main__":
    rows = generate()
    write(rows)
    designs = len(set(map(design_of, rows)))
    print(f"{len(rows)} runs of {designs} designs in {TABLE}; {len(missing(rows))} pairs missing")
