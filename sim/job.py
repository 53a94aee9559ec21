"""What a bench is asked to do in one run, checked against its ports."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sim.beats import Beats
from sim.memory import Memory

EACH = "each"  # one packet for each stream of the main slave
ANY = None  # any number of packets, and none is waited for
ANY_NUMBER = "any"  # the same for a caller, whose None is EACH
ENDLESS = -1  # a number of packets that is never reached


@dataclass(frozen=True)
class ResetInStream:
    """A reset during a run: ``aresetn`` falls at ``cycle``, then feeding restarts at ``beat``.

    ``beat`` is of the main slave; other slaves begin again. Register writes that are due by then
    are made again, as the reset has undone them. The memory keeps what it holds, and forgets the
    bursts that are under way.
    """

    cycle: int
    beat: int = 0


@dataclass(frozen=True)
class SoftReset:
    """A soft reset during a run: about ``cycle`` the host writes it to ``control``.

    Sources go on meanwhile, and feed every beat once; writes are not made again. With ``wait`` they
    feed only the streams that have begun, and the host reads ``status`` until nothing is busy;
    then all goes on. As it is not known before which streams are cut by it, packets are not
    counted: the run waits for none.
    """

    cycle: int
    wait: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """The arguments of :meth:`sim.bench.Bench.run`, with nothing left open.

    Attributes
    ----------
    streams : dict of str to Beats
        For every slave, the main one first.
    packets : dict of str to int or None
        How many tlasts to wait for, from every master, the main one first, or :data:`ANY`.
    packets_before : dict of str to int or None
        The same up to a reset: a number that the caller gave holds from there on only, and is
        :data:`ENDLESS` before it.
    writes : tuple of (stream, address, value)
        In order; each is made before the first beats of the streams of that index.
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
        """The job for streams ``buses``; raises ValueError with what does not fit."""
        for name in ("stall_input", "stall_output"):
            if not 0 <= options[name] <= 0.99:
                raise ValueError(f"{name} must be between 0 and 0.99, not {options[name]}")
        fed = _fed([bus for bus in buses if bus.slave], streams)
        main = next(iter(fed.values()), None)
        length = 0 if main is None else len(main)
        masters = [bus.name for bus in buses if not bus.slave]
        wanted = _packets(masters, packets)
        if isinstance(reset, SoftReset):
            if packets is not None:
                raise ValueError("packets must not be given with a soft reset")
            wanted = dict.fromkeys(masters, ANY)
        elif reset is not None and not 0 <= reset.beat < max(1, length):
            raise ValueError(f"reset.beat must be below {length}, not {reset.beat}")
        hard = reset if isinstance(reset, ResetInStream) else None
        return cls(
            streams=fed,
            packets=_counted(wanted, main, hard),
            packets_before=_counted(
                {name: ENDLESS if type(n) is int and hard else n for name, n in wanted.items()},
                main,
            ),
            writes=_writes(writes, max((len(beats.starts) for beats in fed.values()), default=0)),
            reads=tuple(reads),
            background_reads=tuple(background_reads),
            reset=reset,
            **options,
        )

    def waiting_for_none(self):
        """This job, with any number of packets of every master."""
        none = dict.fromkeys(self.packets, ANY)
        return replace(self, packets=none, packets_before=none)


def _fed(buses, streams):
    """Beats for each slave, those that get none included."""
    if isinstance(streams, Beats):
        if len(buses) != 1:
            raise ValueError(f"streams must be named, as there are {len(buses)} slaves")
        streams = {buses[0].name: streams}
    if unknown := set(streams) - {bus.name for bus in buses}:
        raise ValueError(f"streams must name slaves of the top, not {', '.join(sorted(unknown))}")
    fed = {}
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
        fed[bus.name] = beats
    return fed


def _packets(masters, packets):
    """Of each master a number, EACH or ANY."""
    if not isinstance(packets, Mapping):
        packets = {masters[0]: packets} if masters else {}
    if unknown := set(packets) - set(masters):
        raise ValueError(f"packets must name masters of the top, not {', '.join(sorted(unknown))}")
    for number in packets.values():
        if number not in (None, ANY_NUMBER) and number < 0:
            raise ValueError(f"packets must be at least 0, not {number}")
    wanted = dict.fromkeys(masters, ANY) | dict.fromkeys(masters[:1], EACH)
    named = {None: EACH, ANY_NUMBER: ANY}
    return wanted | {name: named[n] if n in named else int(n) for name, n in packets.items()}


def _counted(wanted, main, reset=None):
    """The numbers, with EACH as the ends of streams from the reset's beat on."""
    start = 0 if reset is None else reset.beat
    ends = 0 if main is None else int(main.last[start:].sum())
    return {name: ends if number == EACH else number for name, number in wanted.items()}


def _writes(writes, streams):
    by_stream = writes if isinstance(writes, Mapping) else {0: writes}
    made = []
    for stream, pairs in sorted(by_stream.items()):
        if not 0 <= stream < max(1, streams):
            raise ValueError(f"writes must name a stream below {streams}, not {stream}")
        made += [(int(stream), int(address), int(value)) for address, value in pairs]
    return tuple(made)
