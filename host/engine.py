"""An engine, from the side of its user: settings in, a table in, rows out."""

from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec

import numpy as np

from .backend import Backend
from .columns import is_nan
from .control import TERMS, Control
from .description import Description
from .errors import DeviceError, EvictionError, HostError, OverrunError, SettingError
from .rows import rows_of
from .tables import table_of
from .tuples import packed, raw_columns

#: Where each back end is: beside this file, or in the project, which has the simulations.
_BACKENDS = {
    "simulation": ("sim.host_simulation", "CompiledSimulation"),
    "pynq": (".pynq_board", "PynqBoard"),
}


@dataclass(frozen=True)
class Run:
    """What the last run counted.

    Attributes
    ----------
    tuples, rows : int
    dropped : dict of str to int
        Tuples without a say in any row, by the reason.
    counters : dict of str to int
        All of them, this run's alone.
    evicted : list of numpy.ndarray
        Packets of the stream of keys that were thrown out, where there is one.
    """

    tuples: int
    rows: int
    dropped: dict
    counters: dict
    evicted: tuple


class Engine:
    """An engine on a board or in simulation; made by :meth:`open`.

    A run is one stream: ``run`` blocks until all of its rows are there. Runs follow each other
    without a reset; settings hold until they are set again. What the query says is set when the
    engine is opened.

    Example: 100,000 tuples twice, with two sizes of window.

    >>> with Engine.open("build/sensors") as engine:  # doctest: +SKIP
    ...     first = engine.configure(ws=1024, wa=64).run(table)
    ...     second = engine.configure(ws=256, wa=1).run(table)
    ...     print(engine.last.dropped, engine.counters()["stall_in"])
    """

    def __init__(self, description, backend):
        self.description, self._backend = description, backend
        self.control = Control(description, backend)
        self._chosen, self.last = set(), None  # names of the settings of configure
        self.control.check()
        for name, setting in description.settings.items():
            value = setting.value
            if setting.area is not None:
                value = backend.memory(name, setting.area, setting.multiple, value)
            if value is not None:
                self._raw(name, value)

    @classmethod
    def open(cls, directory, backend=None, **options):
        """The engine of a generated directory.

        Parameters
        ----------
        directory : path-like
        backend : Backend, or "simulation" or "pynq", or None
            None is the board where ``pynq`` is installed, and the simulation elsewhere.
        options
            Of the back end; see there.

        Raises
        ------
        HostError
            When the directory is none, or the back end is not there.
        DeviceError
            When no engine answers, or one of another design.
        """
        description = Description.read(directory)
        if description.network is not None:
            raise HostError(
                f"{directory}: tuples and rows of this design are in datagrams: send them by "
                "host.datagrams.DatagramLink, as README.md there shows, or generate the design "
                "without network=true"
            )
        if not isinstance(backend, Backend):
            backend = _backend(backend, description, options)
        elif options:
            raise HostError(f"options must go with a back end's name, not {', '.join(options)}")
        try:
            return cls(description, backend)
        except BaseException:
            backend.close()
            raise

    def configure(self, **settings):
        """Sets what holds from the next run on; gives the engine back.

        Names are those of the registers, in units of their own: tuples, or the time column's.
        ``ws`` and ``wa`` are ``size`` and ``slide``. Nothing is written if one of them is refused,
        or if they do not go together, with each other or with what is set already.

        Raises SettingError.
        """
        self.control.check_open()
        raws = {}
        for name, value in settings.items():
            setting = self.control.setting(name)
            if setting.area is not None:
                raise SettingError(f"{name} is where the memory lies; the back end sets it")
            if setting.name in raws:
                raise SettingError(f"{name} must be set once: it has two names, {_both(setting)}")
            raws[setting.name] = self.control.raw(name, value)
        self.control.check_together(self.control.values | raws)
        for name, raw in raws.items():
            self.control.put(name, raw)
        self._chosen |= raws.keys()
        return self

    def run(self, table, *, raw=False, allow_evictions=False):
        """The rows for a table, one stream.

        Parameters
        ----------
        table : pyarrow.Table, pandas.DataFrame, mapping of str to arrays, or structured array
            In the order of arrival; sorted here where the engine wants it. Columns that the query
            does not use may lack.
        raw : bool
            Fixed point, and what is made of it, is whole numbers of its last place, both ways.
        allow_evictions : bool
            Whether keys may be evicted from the table of keys; ``last.evicted`` reports them.

        Returns
        -------
        of the same kind
            Columns as `sluice golden` has them; a mapping has masked arrays where NULL may be.

        Raises
        ------
        TableError, SettingError
            When nothing was sent yet.
        HostError
            When the engine is closed.
        OverrunError
            When tuples were lost; it has the ``rows``.
        EvictionError
            When keys were evicted, unless ``allow_evictions``; it has the ``rows``.
        DeviceError
            When the engine has set an error bit, or rows lack.
        """
        told = self.description
        self.control.check_open()
        if told.host["punctuations"]:
            raise HostError(
                "this build takes punctuations from its stream, which tables have not; generate "
                "it with punctuations=made"
            )
        columns = raw_columns(told, table, raw)
        self.control.check_together(self.control.values)
        if errors := self.control.errors():
            raise DeviceError(f"{_listed(errors)}; call reset() before the next run")
        self._start(columns)
        tuples = packed(told, columns)
        before = self.control.counters()
        streams, evicted = [], []
        for function in range(max(1, len(told.functions))):
            if told.functions:
                self.control.write("function", function)
            given = self._backend.transfer(tuples, lambda: not self.control.busy)
            streams.append(given["m_axis"])
            evicted += [p for name, packets in given.items() if name != "m_axis" for p in packets]
        after = self.control.counters()
        counts = {name: after[name] - before[name] for name in after}
        rows = rows_of(told, streams, raw)
        self.last = self._counted(counts, len(streams), evicted)
        result = table_of(rows, table)
        self._check(len(tuples) * len(streams), streams, counts, result)
        if not allow_evictions:
            _check_evictions(counts, result)
        return result

    def counters(self):
        """All counters since power-up or the last reset, by name."""
        return self.control.counters()

    def errors(self):
        """The error bits that are set: what each means, by name."""
        return self.control.errors()

    def reset(self):
        """Drops what is inside, and clears counters and errors; settings stay."""
        self.control.reset()
        return self

    def close(self):
        """Gives back what the back end has taken; a second call does nothing."""
        backend, self._backend = self._backend, None
        self.control.close()
        if backend is not None:
            backend.close()

    def __enter__(self):
        self.control.check_open()
        return self

    def __exit__(self, *_):
        self.close()

    # ------------------------------------------------------------------ in
    def _raw(self, name, value):
        """A setting as the manifest has it, which is in units of its register."""
        fraction = self.description.settings[name].fraction
        self.control.set(name, Fraction(value, 1 << fraction))

    def _start(self, columns):
        """Where window 0 begins, unless that was set: at the first tuple's time less the slack,
        rounded down to a multiple of the slide."""
        window, settings = self.description.host["window"], self.description.settings
        if "start" not in settings or "start" in self._chosen:
            return
        if self.description.host["filtered"]:
            raise SettingError(
                "start must be set: it follows from the first tuple that WHERE lets pass, which "
                "the host does not know"
            )
        types = {field.name: field.type for field in self.description.tuples.fields}
        nan = [is_nan(columns[name], type_) for name, type_ in types.items()]
        passing = columns[window["time"]][~np.any(nan, axis=0)]
        if not len(passing):
            return
        slack, slide = (self._time(name) for name in ("slack", "slide"))
        self._raw("start", (int(passing[0]) - slack) // slide * slide)

    def _time(self, name):
        """The raw number of a time that is set, or else that of the query."""
        return self.control.values.get(name, self.description.host["window"][name])

    # ------------------------------------------------------------------ out
    def _counted(self, counts, streams, evicted):
        dropped = {c["name"]: counts[c["name"]] for c in self.description.counters if c["dropped"]}
        each = {name: n // streams for name, n in dropped.items()}
        return Run(
            tuples=counts["tuples"] // streams,
            rows=counts["rows"] // streams,
            dropped=each,
            counters=counts,
            evicted=tuple(evicted),
        )

    def _check(self, tuples, streams, counts, rows):
        if errors := self.control.errors():
            raise DeviceError(f"{_listed(errors)}; rows are not to be trusted; call reset()")
        if counts["tuples"] != tuples:
            raise DeviceError(
                f"{counts['tuples']} of {tuples} tuples have come in: was the stream cut by a "
                "reset? run it again"
            )
        came = sum(len(packet) for packets in streams for packet in packets)
        if counts["rows"] != came:
            raise DeviceError(
                f"{came} of {counts['rows']} rows have come out: the buffer or the DMA has lost "
                "some; run it again"
            )
        if lost := counts.get("overrun", 0):
            doc = next(c["doc"] for c in self.description.counters if c["name"] == "overrun")
            raise OverrunError(
                f"{lost} were lost ({doc}): change the settings, or generate the design with more "
                "room; the rows that came are in `rows` of this error",
                rows,
            )


def _both(setting):
    words = [word for word, name in TERMS.items() if name == setting.name]
    return " and ".join([*words, setting.name])


def _check_evictions(counts, rows):
    """Raises EvictionError if the run has evicted a key; ``collision`` counts them."""
    if evicted := counts.get("collision", 0):
        raise EvictionError(
            f"{evicted} times a key was evicted from the table of keys, so rows of the query are "
            "missing or differ: generate the design with more entries, or accept it by "
            "run(table, allow_evictions=True); the rows that came are in `rows` of this error",
            rows,
        )


def _listed(errors):
    return "; ".join(f"{name}: {doc}" for name, doc in errors.items())


def _backend(name, description, options):
    """The back end of that name; its module is imported only when it is asked for."""
    if name is None:
        name = "pynq" if find_spec("pynq") else "simulation"
    if name not in _BACKENDS:
        known = ", ".join(_BACKENDS)
        raise HostError(f"backend must be one of {known}, or a Backend, not {name!r}")
    module, kind = _BACKENDS[name]
    try:
        return getattr(import_module(module, __package__), kind)(description, **options)
    except ModuleNotFoundError as error:
        raise HostError(
            f"the back end {name} needs {error.name}: on a board install pynq, elsewhere sluice"
        ) from None
