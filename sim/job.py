"""Describes one run of a bench, checked against the ports of the top."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from sim.beats import Beats
from sim.memory import MOST_STALLS, Memory

EACH = "each"  # one packet for each stream of the main slave
ANY = None  # any number of packets; the run waits for none
ANY_NUMBER = "any"  # the caller's word for ANY; the caller's None is EACH
ENDLESS = -1  # a number of packets that is never reached


@dataclass(frozen=True)
class ResetInStream:
    """A reset during a run: ``aresetn`` falls at ``cycle``.

    After the reset the main slave continues at ``beat``, and other slaves start again at their
    first beats. Register writes before these beats are repeated, because the reset cleared the
    registers. The memory keeps its contents, and drops the outstanding bursts.
    """

    cycle: int
    beat: int = 0


@dataclass(frozen=True)
class SoftReset:
    """A soft reset during a run: the host writes ``control`` at about ``cycle``.

    Sources continue, and send every beat once; register writes are not repeated. With ``wait`` the
    sources first complete only the streams that have begun, and the host reads ``status`` until
    the top is not busy; then all sources continue. Which streams the reset cuts is unknown in
    advance, so the run waits for no packets and accepts any number.
    """

    cycle: int
    wait: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """The arguments of :meth:`sim.bench.Bench.run` that describe the run, checked.

    Attributes that are not listed are the parameters of ``run`` with the same names.

    Attributes
    ----------
    streams : dict of str to Beats
        Beats of every slave, the main slave first.
    packets : dict of str to int or None
        Number of tlasts to wait for from every master, the main master first, or :data:`ANY`.
    packets_before : dict of str to int or None
        Numbers of tlasts to wait for before a reset. A number from the caller counts only after
        the reset, and is :data:`ENDLESS` before it.
    writes : tuple of (stream, address, value)
        Register writes in order, each before the first beats of the streams with that index.
    """

    streams: dict[str, Beats]
    packets: dict[str, int | None]
    packets_before: dict[str, int | None]
    writes: tuple[tuple[int, int, int], ...]
    reads: tuple[int, ...]
    stall_input: float
    stall_output: float
    hold_output: int
    seed: int
    reset: ResetInStream | SoftReset | None
    early: bool
    background_reads: tuple[int, ...]
    background_rate: float
    idle_timeout: int
    drain: int
    limit: int | None
    memory: Memory

    @classmethod
    def of(cls, buses, streams, *, writes, reads, packets, background_reads, reset, **options):
        """Builds the job for a top with ``buses``; raises ValueError for arguments that do not fit.

        The other parameters are those of :meth:`sim.bench.Bench.run`.
        """
        check_stalls(options["stall_input"], options["stall_output"])
        beats_by_slave = _beats_by_slave([bus for bus in buses if bus.slave], streams)
        main = next(iter(beats_by_slave.values()), None)
        length = 0 if main is None else len(main)
        masters = [bus.name for bus in buses if not bus.slave]
        expected = _packets(masters, packets)
        if isinstance(reset, SoftReset):
            if packets is not None:
                raise ValueError("packets must not be given with a soft reset")
            expected = dict.fromkeys(masters, ANY)
        elif reset is not None and not 0 <= reset.beat < max(1, length):
            raise ValueError(f"reset.beat must be below {max(1, length)}, not {reset.beat}")
        hard_reset = reset if isinstance(reset, ResetInStream) else None
        return cls(
            streams=beats_by_slave,
            packets=_resolved(expected, main, hard_reset),
            packets_before=_resolved(
                {
                    name: ENDLESS if type(n) is int and hard_reset else n
                    for name, n in expected.items()
                },
                main,
            ),
            writes=_writes(
                writes, max((len(beats.starts) for beats in beats_by_slave.values()), default=0)
            ),
            reads=tuple(reads),
            background_reads=tuple(background_reads),
            reset=reset,
            **options,
        )

    def with_any_packets(self):
        """Returns this job with any number of packets from every master."""
        packets = dict.fromkeys(self.packets, ANY)
        return replace(self, packets=packets, packets_before=packets)


def _beats_by_slave(buses, streams):
    """Returns the beats of each slave; a slave without beats has an empty array."""
    if isinstance(streams, Beats):
        if len(buses) != 1:
            raise ValueError(f"streams must be named, as there are {len(buses)} slaves")
        streams = {buses[0].name: streams}
    if unknown := set(streams) - {bus.name for bus in buses}:
        raise ValueError(f"streams must name slaves of the top, not {', '.join(sorted(unknown))}")
    beats_by_slave = {}
    for bus in buses:
        beats = streams.get(bus.name)
        if beats is None:
            empty = np.zeros((0, bus.bytes), np.uint8)
            beats = Beats(empty, empty.astype(np.bool_), np.zeros(0, np.bool_))
        if beats.bytes != bus.bytes:
            raise ValueError(f"beats of {bus.name} must be of {bus.bytes} bytes, not {beats.bytes}")
        if beats.user is not None and not bus.user:
            raise ValueError(
                f"beats of {bus.name} must be without user, as the top has no {bus.name}_tuser"
            )
        beats_by_slave[bus.name] = beats
    return beats_by_slave


def _packets(masters, packets):
    """Returns for each master a number, EACH or ANY."""
    if not isinstance(packets, Mapping):
        packets = {masters[0]: packets} if masters else {}
    if unknown := set(packets) - set(masters):
        raise ValueError(f"packets must name masters of the top, not {', '.join(sorted(unknown))}")
    for number in packets.values():
        if number not in (None, ANY_NUMBER) and number < 0:
            raise ValueError(f"packets must be at least 0, not {number}")
    expected = dict.fromkeys(masters, ANY) | dict.fromkeys(masters[:1], EACH)
    words = {None: EACH, ANY_NUMBER: ANY}
    return expected | {name: words[n] if n in words else int(n) for name, n in packets.items()}


def _resolved(expected, main, reset=None):
    """Replaces EACH by the number of stream ends, counted from the reset's beat on."""
    start = 0 if reset is None else reset.beat
    ends = 0 if main is None else int(main.last[start:].sum())
    return {name: ends if number == EACH else number for name, number in expected.items()}


def check_stalls(stall_input, stall_output):
    """Raises ValueError unless both are probabilities of at most :data:`MOST_STALLS`."""
    for name, share in (("stall_input", stall_input), ("stall_output", stall_output)):
        if not isinstance(share, Real) or not 0 <= share <= MOST_STALLS:
            raise ValueError(f"{name} must be between 0 and {MOST_STALLS}, not {share!r}")


def _writes(writes, stream_count):
    """Returns the writes as (stream, address, value)."""
    by_stream = writes if isinstance(writes, Mapping) else {0: writes}
    triples = []
    for stream, pairs in sorted(by_stream.items()):
        if not 0 <= stream < max(1, stream_count):
            raise ValueError(
                f"writes must name a stream below {max(1, stream_count)}, not {stream}"
            )
        triples += [(int(stream), int(address), int(value)) for address, value in pairs]
    return tuple(triples)
