"""Window aggregation in software: what a user would run instead of an FPGA (seed 004).

The way of the data: `golden.cpu.windows` cuts the stream, `golden.cpu.operators` lift, combine and
lower values, and four modules hold one algorithm each: `non_incremental`, `subtract_on_evict`,
`two_stacks` and `bulk_two_stacks`. `golden.cpu.engines.run` puts them together, and
`golden.cpu.bench` times them. Nothing here needs Spark.

Every kernel is compiled when it is first called for a type, in about a third of a second, and not
kept on disk: a kept kernel does not notice that an operator in another file has changed.
"""
