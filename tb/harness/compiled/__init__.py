"""The compiled runner: C++ agents around a Verilated top.

``CompiledModel`` is what callers used before :class:`tb.harness.bench.Bench`.
"""

from dataclasses import dataclass

from tb.harness.job import ResetInStream as ResetInStream
from tb.harness.simulators import old_bench


@dataclass(frozen=True)
class CompiledModel:
    bench: object

    @classmethod
    def build(cls, verilog, top, in_bytes_per_beat, out_bytes_per_beat, cache_dir, *, user=False):
        from tb.harness.compiled.runner import build

        sizes = in_bytes_per_beat, out_bytes_per_beat
        bench = old_bench(verilog, top, sizes, cache_dir, user, "compiled")
        build(bench)
        return cls(bench)

    def run(self, beats, **options):
        return self.bench.run(beats, **options)
