"""The two ends of a stream, and the rules between them, as state that a bench steps each cycle."""

from dataclasses import dataclass, field

from amaranth.hdl import Value

from sim.errors import ProtocolError
from tb.bench.payload import decode, encode

PATIENT = 0.25  # share of an output's pauses that wait for valid


@dataclass(frozen=True)
class StreamRun:
    """What passed one stream: payloads as plain values, and the cycle in which each was taken.

    Cycles are counted from 0 at the first clock edge, the same for all streams of a run.
    """

    payloads: list = field(default_factory=list)
    cycles: list = field(default_factory=list)

    def __len__(self):
        return len(self.payloads)


class Source:
    """Offers payloads to one stream; rubbish with ``valid`` low between and after them.

    A stream that is always valid gets no gaps, and its last payload for ever.
    """

    def __init__(self, stream, payloads, stall, rng):
        shape = stream.payload.shape()
        self.stream, self.stall, self.rng = stream, stall, rng
        self.always_valid = stream.signature.always_valid
        if self.always_valid and stall:
            raise ValueError(f"stall of an always valid stream must be 0, not {stall}")
        self.payload = Value.cast(stream.payload)
        self.bits = [encode(shape, value) for value in payloads]
        self.plain = [decode(shape, bits) for bits in self.bits]
        self.run = StreamRun()
        self.offered = False

    @property
    def done(self):
        return len(self.run) == len(self.bits)

    def drive(self, ctx):
        if self.offered or (self.always_valid and self.done):
            return
        at = len(self.run)
        self.offered = not self.done and not (self.stall and self.rng.random() < self.stall)
        width = len(self.payload)
        bits = self.bits[at] if self.offered else self.rng.getrandbits(width) if width else 0
        ctx.set(self.payload, _signed(self.payload, bits))
        if not self.always_valid:
            ctx.set(self.stream.valid, self.offered)

    def sample(self, cycle, valid, ready, bits):
        """Takes note of a clock edge; returns whether a payload was transferred."""
        taken = self.offered and ready
        if taken:
            self.run.payloads.append(self.plain[len(self.run)])
            self.run.cycles.append(cycle)
            self.offered = False
        return taken

    def stop(self, ctx):
        if not self.always_valid:
            ctx.set(self.stream.valid, 0)


class Sink:
    """Takes payloads from one stream; some of its pauses end only when ``valid`` is high."""

    def __init__(self, stream, stall, rng):
        self.stream, self.stall, self.rng = stream, stall, rng
        self.shape = stream.payload.shape()
        self.always_ready = stream.signature.always_ready
        if self.always_ready and stall:
            raise ValueError(f"stall of an always ready stream must be 0, not {stall}")
        self.run = StreamRun()
        self.patient = False

    def drive(self, ctx):
        if self.always_ready:
            return
        ready = not self.patient and not (self.stall and self.rng.random() < self.stall)
        if not ready and not self.patient:
            self.patient = self.rng.random() < PATIENT
        ctx.set(self.stream.ready, ready)

    def sample(self, cycle, valid, ready, bits):
        """Takes note of a clock edge; returns whether a payload was transferred."""
        if valid:
            self.patient = False
        taken = valid and ready
        if taken:
            self.run.payloads.append(decode(self.shape, bits))
            self.run.cycles.append(cycle)
        return taken

    def stop(self, ctx):
        if not self.always_ready:
            ctx.set(self.stream.ready, 0)


class Rules:
    """State of the stream-rule checker for one stream."""

    def __init__(self, name):
        self.name = name
        self.stalled = None

    def sample(self, cycle, valid, ready, bits):
        if self.stalled is not None:
            if not valid:
                raise ProtocolError(f"{self.name}: valid withdrawn before ready (cycle {cycle})")
            if bits != self.stalled:
                raise ProtocolError(f"{self.name}: payload changed before ready (cycle {cycle})")
        self.stalled = bits if valid and not ready else None


def as_unsigned(payload):
    """The bits of a payload as an unsigned expression."""
    return Value.cast(payload).as_unsigned()


def _signed(value, bits):
    width = len(value)
    return bits - (1 << width) if value.shape().signed and bits >> (width - 1) else bits
