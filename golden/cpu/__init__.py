"""Aggregates windows in software, as a user without an FPGA would do (seed 004).

`golden.cpu.windows` cuts the stream, and `golden.cpu.operators` lift, combine and lower values.
Each of four modules holds one algorithm: `non_incremental`, `subtract_on_evict`, `two_stacks` and
`bulk_two_stacks`. `golden.cpu.engines.run` combines these modules, and `golden.cpu.bench` measures
them. The package does not need Spark.

The first call of a kernel for a type compiles it, in about a third of a second. Compiled kernels
are not stored on disk, since a stored kernel does not notice a changed operator in another file.
"""
