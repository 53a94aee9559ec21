"""Runs designs with their bus, as shipped Verilog, with registers by their names."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gen.verilog.shipped_verilog import verilog_of
from rtl.bus.register import Register
from rtl.bus.top_registers import registers_of
from rtl.contract.design import Design
from sim.bench import Bench

CACHE = Path(".cache/tb")


@dataclass(frozen=True)
class Top:
    """The bench of a design, and its registers."""

    design: Design
    bench: Bench
    registers: dict[str, Register]

    def run(self, streams, writes=None, reads=(), **options):
        """Returns the outcome of a run that broke no rule, and the values of the registers
        ``reads`` by name.

        ``writes`` maps the index of a stream to pairs (name, value) that are written before it. The
        value of a status register is a set of names.
        """
        address = {name: register.address for name, register in self.registers.items()}
        addressed_writes = {
            k: [(address[n], value) for n, value in w] for k, w in (writes or {}).items()
        }
        addresses = [address[name] for name in reads]
        outcome = self.bench.run(
            streams, writes=addressed_writes, reads=addresses, **options
        ).checked()
        values = dict(zip(reads, outcome.reads, strict=True))
        if "status" in values:
            fields, status = self.registers["status"].fields, values["status"]
            values["status"] = {field.name for field in fields if status >> field.low & 1}
        return outcome, values


def bench_of(design, simulator="compiled"):
    """Returns the bench of a design's top, as it is shipped."""
    name = "sluice_" + design.engine.replace("-", "_")
    return Bench(
        top=name,
        streams=design.pins,
        memories=design.memories,
        verilog=verilog_of(design, name, CACHE),
        cache=CACHE,
        simulator=simulator,
        level="-O0",
    )


@cache
def top_of(design):
    """Builds a design, once."""
    return Top(design, bench_of(design), registers_of(design))
