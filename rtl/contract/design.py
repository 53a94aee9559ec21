"""The contract: an engine, and a design, which is an engine with its options for one query."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import gcd

from amaranth.lib import data

from query.query import Query
from rtl.contract.buses import MemoryBus, StreamBus
from rtl.contract.counters import Counter, Flag
from rtl.contract.face import NETWORK_BITS, PLAIN, Face
from rtl.contract.options import values
from rtl.contract.packing import Packing
from rtl.contract.prediction import Prediction
from rtl.contract.rows import InputSchema, RowSchema
from rtl.contract.settings import HostSettings

#: Where frames come from a MAC, and where they go to it: bytes.
FRAMES = tuple(
    StreamBus(
        name=name,
        port="",
        layout=data.StructLayout({"byte": 8}),
        packing=Packing([("byte", 8)]),
        lanes=NETWORK_BITS // 8,
        user=user,
    )
    for name, user in (("s_axis_rx", 1), ("m_axis_tx", 0))
)


@dataclass(frozen=True, kw_only=True)
class Design:
    """All that the rest of the house knows of an engine's hardware for a query.

    It is plain data: to have it, and to ask it, makes no hardware; only ``create`` does. Two
    designs are equal when engine, options and face are, as everything else follows from these.

    Attributes
    ----------
    engine : str
    options : dataclass
        As they were given, with ``query``; not given is None. ``options.resolved`` has all.
    asked : str
        The query as far as the hardware depends on it.
    settings : HostSettings
    input : InputSchema
    rows : RowSchema
    counters : tuple of Counter
        Those of the core, which has a port ``events`` (:func:`rtl.contract.counters.events`) when
        there are any.
    flags : tuple of Flag
        Those of the core, which has a port ``errors`` (:func:`rtl.contract.counters.errors`) when
        there are any.
    predict : callable
        The :class:`Prediction` for numbers that are given by name, and the query's for the others;
        and for data of a ``shape`` (:class:`~rtl.contract.shape.Shape`), the default's when None.
        With windows of keys it takes how many ``keys`` come, too, and with memories the ``dram``
        behind them, by the name that a simulation has for it (``"ideal"`` when not given). Of what
        else data are like, such as the ``mix`` of keys, it is told what it has a parameter for.
    create : callable
        Makes the core, a component with the streams ``i`` and ``o``, the ports of ``extra_buses``, and
        ``busy : Out(1)``: a stream whose end was taken before this cycle, or what comes of it, has
        not left the core, or a burst on a memory is under way.
    stream_max : int or None
        Tuples of the longest stream that is counted right; None without a limit.
    extra_buses : tuple of StreamBus and MemoryBus
        The buses beside ``s_axis`` and ``m_axis``.
    face : Face
        Of the buses; the core knows nothing of it. See :meth:`faced`.
    """

    engine: str
    options: object
    asked: str = field(compare=False)
    settings: HostSettings = field(compare=False)
    input: InputSchema = field(compare=False)
    rows: RowSchema = field(compare=False)
    counters: tuple[Counter, ...] = field(default=(), compare=False)
    flags: tuple[Flag, ...] = field(default=(), compare=False)
    predict: Callable[..., Prediction] = field(compare=False)
    create: Callable[[], object] = field(compare=False)
    stream_max: int | None = field(default=None, compare=False)
    extra_buses: tuple[StreamBus | MemoryBus, ...] = field(default=(), compare=False)
    face: Face = PLAIN

    def faced(self, face):
        """The same with another face; raises ValueError when it cannot have that."""
        face.check(self.rows, self.streams, self.memories)
        return replace(self, face=face)

    @property
    def query(self) -> Query:
        return self.options.query

    @property
    def parameters(self):
        """Every option and its value, none left open."""
        return values(self.options)

    @property
    def streams(self):
        """Every :class:`StreamBus`: ``s_axis``, ``m_axis``, and what more there are.

        With a network the first two are inside of the top, between the network face and the rest.
        """
        into, rows = self.input, self.rows
        tuples = StreamBus(
            name="s_axis",
            port="i",
            layout=into.layout,
            packing=into.packing,
            lanes=into.lanes,
            gaps=into.gaps,
            user=int(into.punctuations),
            settings=self.settings.layout.size,
        )
        given = StreamBus(
            name="m_axis", port="o", layout=rows.layout, packing=rows.packing, lanes=rows.lanes
        )
        streams = (tuples, given, *(bus for bus in self.extra_buses if isinstance(bus, StreamBus)))
        bits = self.face.bits
        if self.face.network:
            streams = (replace(tuples, short=_short(into.packing.bytes, bits // 8)), *streams[1:])
        return streams if bits is None else tuple(replace(bus, bits=bits) for bus in streams)

    @property
    def pins(self):
        """The streams as the top has them: frames in place of the first two with a network."""
        return (*FRAMES, *self.streams[2:]) if self.face.network else self.streams

    @property
    def memories(self):
        """Every :class:`MemoryBus`."""
        return tuple(bus for bus in self.extra_buses if isinstance(bus, MemoryBus))

    @property
    def prediction(self):
        """That for the query's own numbers, and data of the default shape, at the pins."""
        return self.at_pins(self.predict())

    def at_pins(self, prediction):
        """A prediction of the core as it is behind pins that may let in fewer tuples a cycle."""
        bits, size = self.face.bits, 8 * self.input.packing.bytes
        if bits is None or prediction.tuples_per_cycle <= bits / size:
            return prediction
        return replace(prediction, tuples_per_cycle=bits / size)

    def configuration(self):
        """Everything that the hardware depends on, as plain data."""
        face = self.face.values()
        return {
            "engine": self.engine,
            "stream": str(self.query.schema),
            "query": self.asked,
            "parameters": self.parameters,
        } | ({"bus": face} if face else {})

    @property
    def configuration_hash(self):
        """First 32 bits of the SHA-256 of the configuration as compact JSON with sorted keys."""
        text = json.dumps(self.configuration(), sort_keys=True, separators=(",", ":"))
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def _short(size, width):
    """What short transfers are a multiple of, where datagrams of tuples may leave them so."""
    return gcd(size, width) if size % width else None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """What stands behind one name of ``sluice engines``.

    Attributes
    ----------
    name : str
    about : str
        One line for a user.
    options : type
        A frozen, keyword-only dataclass: ``query``, and fields made by
        :func:`rtl.contract.options.option`. It raises TypeError or ValueError.
    fits : callable
        From a query to what stands in the way, and what would remove it, as the end of a sentence;
        None when the engine can run it.
    design : callable
        From options to a :class:`Design`.
    """

    name: str
    about: str
    options: type
    fits: Callable[[Query], str | None]
    design: Callable[[object], Design]

    def __call__(self, **given):
        """The design for options given by name, ``query`` among them.

        Raises TypeError or ValueError, the latter also for a query that does not fit.
        """
        options = self.options(**given)
        if reason := self.fits(options.query):
            raise ValueError(f"query must be one that {self.name} can run: {reason}")
        return self.design(options)
