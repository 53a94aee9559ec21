"""Parts that several benches in cocotb share: streams, scoreboard, coverage, rows, runs."""
