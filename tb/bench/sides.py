"""Source, sink and rule checker of a stream, for benches that step through the cycles.

Before each clock edge a bench calls ``drive`` of its sources and sinks. After the edge it calls
``sample`` with ``valid``, ``ready`` and the payload's bits, which it has sampled at the edge.
"""

from dataclasses import dataclass, field

from amaranth.hdl import Value

from sim.errors import ProtocolError
from tb.bench.payload import decode, encode

PATIENT = 0.25  # share of an output's pauses that last until valid is high


@dataclass(frozen=True)
class StreamRun:
    """Transfers of one stream: payloads as Python values, and the cycle of each transfer.

    Cycle 0 is the first clock edge of the run, for all streams of the run.
    """

    payloads: list = field(default_factory=list)
    cycles: list = field(default_factory=list)

    def __len__(self):
        return len(self.payloads)


class Source:
    """Offers payloads to one stream; while ``valid`` is low, the payload is random.

    In each cycle without an offer a stall is drawn with the probability ``stall``; an offer remains
    until its transfer. A stream that is always valid has no gaps, and keeps the last payload until
    the end.
    """

    def __init__(self, stream, payloads, stall, rng):
        shape = stream.payload.shape()
        self.stream = stream
        self.stall = stall
        self.rng = rng
        self.always_valid = stream.signature.always_valid
        if self.always_valid and stall:
            raise ValueError(f"stall of an always valid stream must be 0, not {stall}")
        self.payload = Value.cast(stream.payload)
        self.bits = [encode(shape, value) for value in payloads]
        self.plain = [decode(shape, bits) for bits in self.bits]  # payloads as Python values
        self.run = StreamRun()
        self.offered = False

    @property
    def is_complete(self):
        """True once all payloads are transferred."""
        return len(self.run) == len(self.bits)

    def drive(self, ctx):
        """Sets ``valid`` and the payload for the next clock edge."""
        if self.offered or (self.always_valid and self.is_complete):
            return
        index = len(self.run)
        self.offered = not self.is_complete and not (self.stall and self.rng.random() < self.stall)
        width = len(self.payload)
        bits = self.bits[index] if self.offered else self.rng.getrandbits(width) if width else 0
        ctx.set(self.payload, _signed(self.payload, bits))
        if not self.always_valid:
            ctx.set(self.stream.valid, self.offered)

    def sample(self, cycle, valid, ready, bits):
        """Records a clock edge; returns True if a payload was transferred."""
        transfers = self.offered and ready
        if transfers:
            self.run.payloads.append(self.plain[len(self.run)])
            self.run.cycles.append(cycle)
            self.offered = False
        return transfers

    def stop(self, ctx):
        """Sets ``valid`` low."""
        if not self.always_valid:
            ctx.set(self.stream.valid, 0)


class Sink:
    """Accepts payloads from one stream; a quarter of the pauses last until ``valid`` is high."""

    def __init__(self, stream, stall, rng):
        self.stream = stream
        self.stall = stall
        self.rng = rng
        self.shape = stream.payload.shape()
        self.always_ready = stream.signature.always_ready
        if self.always_ready and stall:
            raise ValueError(f"stall of an always ready stream must be 0, not {stall}")
        self.run = StreamRun()
        self.waits_for_valid = False

    def drive(self, ctx):
        """Sets ``ready`` for the next clock edge."""
        if self.always_ready:
            return
        ready = not self.waits_for_valid and not (self.stall and self.rng.random() < self.stall)
        if not ready and not self.waits_for_valid:
            self.waits_for_valid = self.rng.random() < PATIENT
        ctx.set(self.stream.ready, ready)

    def sample(self, cycle, valid, ready, bits):
        """Records a clock edge; returns True if a payload was transferred."""
        if valid:
            self.waits_for_valid = False
        transfers = valid and ready
        if transfers:
            self.run.payloads.append(decode(self.shape, bits))
            self.run.cycles.append(cycle)
        return transfers

    def stop(self, ctx):
        """Sets ``ready`` low."""
        if not self.always_ready:
            ctx.set(self.stream.ready, 0)


class Rules:
    """Checks that an offer of one stream remains unchanged until its transfer."""

    def __init__(self, name):
        self.name = name
        self.stalled = None  # payload of a stalled offer

    def sample(self, cycle, valid, ready, bits):
        """Raises ProtocolError if a stalled offer was withdrawn or changed."""
        if self.stalled is not None:
            if not valid:
                raise ProtocolError(f"{self.name}: valid withdrawn before ready (cycle {cycle})")
            if bits != self.stalled:
                raise ProtocolError(f"{self.name}: payload changed before ready (cycle {cycle})")
        self.stalled = bits if valid and not ready else None


def as_unsigned(payload):
    """Returns the bits of a payload as an unsigned expression."""
    return Value.cast(payload).as_unsigned()


def _signed(value, bits):
    """Returns ``bits`` as a number, in two's complement if ``value`` is signed."""
    width = len(value)
    return bits - (1 << width) if value.shape().signed and bits >> (width - 1) else bits
