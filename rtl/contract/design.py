"""Describes an engine, and its design: plain data for one query and the engine's options."""

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

#: Streams of frames from a MAC, and to a MAC; a beat has 8 bytes.
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
    """Describes an engine's hardware for one query, to all code outside of the engine.

    A design is plain data. Creating and querying a design makes no hardware; only ``create`` makes
    hardware. Two designs are equal when engine, options and face are equal, because everything else
    follows from these three.

    Attributes
    ----------
    engine : str
        Name of the engine.
    options : dataclass
        The options that the user set, and ``query``; an option that the user did not set is None.
        ``options.resolved`` has a value for each option.
    query_text : str
        The part of the query on which the hardware depends.
    settings : HostSettings
        Numbers that the host sets for each stream.
    input : InputSchema
        The tuples that the engine takes.
    rows : RowSchema
        The rows that the engine offers.
    counters : tuple of Counter
        Counters of the core. If there are any, the core has a port ``events``
        (:func:`rtl.contract.counters.events`).
    flags : tuple of Flag
        Error flags of the core. If there are any, the core has a port ``errors``
        (:func:`rtl.contract.counters.errors`).
    predict : callable
        Returns the :class:`Prediction` for numeric settings, which are keyword arguments; the
        query has the defaults. ``shape`` (:class:`~rtl.contract.shape.Shape`) describes the data,
        None is the default shape. Engines with windows of keys also have a parameter ``keys``, the
        number of keys in the data, and engines with memories a parameter ``dram``, the name of the
        simulated memory behind the masters (by default ``"ideal"``). A caller passes a further
        property of the data, such as the ``mix`` of keys, if ``predict`` has a parameter of the
        same name.
    create : callable
        Makes the core: a component with the streams ``i`` and ``o``, the ports of ``extra_buses``,
        and ``busy : Out(1)``. ``busy`` is high while the core has tuples or rows of a stream whose
        end it accepted in an earlier cycle, or while a burst on a memory is under way. ``busy`` may
        be high before the end of a stream, too.
    stream_max : int or None
        Number of tuples in the longest stream that is counted correctly; None without a limit.
    extra_buses : tuple of StreamBus and MemoryBus
        The buses in addition to ``s_axis`` and ``m_axis``.
    face : Face
        The form of the buses at the top, on which the core does not depend. See :meth:`with_face`.
    """

    engine: str
    options: object
    query_text: str = field(compare=False)
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

    def with_face(self, face):
        """Returns the same design with another face.

        Raises ValueError if the face does not fit the rows, the streams or the memories.
        """
        face.check(self.rows, self.streams, self.memories)
        return replace(self, face=face)

    @property
    def query(self) -> Query:
        return self.options.query

    @property
    def parameters(self):
        """Every option and its resolved value, by name."""
        return values(self.options)

    @property
    def streams(self):
        """Every :class:`StreamBus`: ``s_axis``, ``m_axis``, and the streams among ``extra_buses``.

        With a network, ``s_axis`` and ``m_axis`` lie within the top, between the network face and
        the skid buffers.
        """
        schema = self.input
        rows = self.rows
        tuples = StreamBus(
            name="s_axis",
            port="i",
            layout=schema.layout,
            packing=schema.packing,
            lanes=schema.lanes,
            gaps=schema.gaps,
            user=int(schema.punctuations),
            settings=self.settings.layout.size,
        )
        rows_bus = StreamBus(
            name="m_axis", port="o", layout=rows.layout, packing=rows.packing, lanes=rows.lanes
        )
        streams = (
            tuples,
            rows_bus,
            *(bus for bus in self.extra_buses if isinstance(bus, StreamBus)),
        )
        bits = self.face.bits
        if self.face.network:
            short = _short(schema.packing.bytes, bits // 8)
            streams = (replace(tuples, short=short), *streams[1:])
        return streams if bits is None else tuple(replace(bus, bits=bits) for bus in streams)

    @property
    def pins(self):
        """The streams at the top's ports. With a network, streams of frames replace ``s_axis`` and
        ``m_axis``."""
        return (*FRAMES, *self.streams[2:]) if self.face.network else self.streams

    @property
    def memories(self):
        """Every :class:`MemoryBus`."""
        return tuple(bus for bus in self.extra_buses if isinstance(bus, MemoryBus))

    @property
    def prediction(self):
        """The prediction at the pins, for the query's own numbers and data of the default shape."""
        return self.at_pins(self.predict())

    def at_pins(self, prediction):
        """Returns the core's prediction, with no more tuples per cycle than the pins let in.

        For instance pins of 64 bits let in 2/3 of a tuple of 12 bytes per cycle.
        """
        bits = self.face.bits
        size = 8 * self.input.packing.bytes
        if bits is None or prediction.tuples_per_cycle <= bits / size:
            return prediction
        return replace(prediction, tuples_per_cycle=bits / size)

    def configuration(self):
        """Returns everything on which the hardware depends, as plain data."""
        face = self.face.values()
        return {
            "engine": self.engine,
            "stream": str(self.query.schema),
            "query": self.query_text,
            "parameters": self.parameters,
        } | ({"bus": face} if face else {})

    @property
    def configuration_hash(self):
        """First 32 bits of the SHA-256 of the configuration as compact JSON with sorted keys."""
        text = json.dumps(self.configuration(), sort_keys=True, separators=(",", ":"))
        return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def _short(size, width):
    """Returns the greatest number of bytes that divides the length of every short transfer.

    ``size`` are the bytes of a tuple, ``width`` those of a full transfer. Returns None if no
    datagram ends within a transfer. With tuples of 12 bytes and transfers of 8, a datagram of 3
    tuples ends after 4 bytes of its last transfer, so the number is 4.
    """
    return gcd(size, width) if size % width else None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Describes an engine, as ``sluice engines`` lists it.

    Attributes
    ----------
    name : str
        Name for ``--engine``.
    about : str
        One line for a user.
    options : type
        A frozen, keyword-only dataclass: ``query``, and fields made by
        :func:`rtl.contract.options.option`. Its constructor raises TypeError or ValueError.
    refusal : callable
        Takes a query and returns None when the engine can run it. Otherwise it returns the obstacle
        and the remedy, as the end of a sentence.
    design : callable
        Returns the :class:`Design` for options.
    """

    name: str
    about: str
    options: type
    refusal: Callable[[Query], str | None]
    design: Callable[[object], Design]

    def __call__(self, **option_values):
        """Returns the design for options, which are passed by name, ``query`` among them.

        Raises TypeError for an option of the wrong type, and ValueError for a bad value or a query
        that the engine cannot run.
        """
        options = self.options(**option_values)
        if reason := self.refusal(options.query):
            raise ValueError(f"query must be one that {self.name} can run: {reason}")
        return self.design(options)
