"""The host class `Engine`, which writes settings, sends tables to an engine and returns rows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from .backend import Backend
from .columns import is_nan
from .control import TERMS, Control
from .description import Description
from .errors import DeviceError, HostError, SettingError, TableError
from .opening import backend_of
from .punctuations import punctuated
from .rows import rows_of
from .run import Run, check_counts, check_evictions, error_text
from .tables import table_of
from .tuples import packed, raw_columns

#: Largest number of windows of a run, as of golden.
_MOST_WINDOWS = 100_000_000


class Engine:
    """An engine on a board or in simulation; created by :meth:`open`.

    A run is one stream: ``run`` blocks until all rows have arrived. Runs follow each other without
    a reset. Opening an engine writes the query's settings; ``configure`` changes settings for all
    later runs.

    Example: two runs over the same table, with windows of 1,024 and of 256 tuples.

    >>> with Engine.open("build/sensors") as engine:  # doctest: +SKIP
    ...     first = engine.configure(ws=1024, wa=64).run(table)
    ...     second = engine.configure(ws=256, wa=1).run(table)
    ...     print(engine.last.dropped, engine.counters()["stall_in"])
    """

    def __init__(self, description: Description, backend: Backend) -> None:
        self.description = description
        self.control = Control(description, backend)
        self.last: Run | None = None
        self._backend: Any = backend  # None once the engine is closed
        self._configured: set[str] = set()  # names of the settings that configure has written
        self._uncertain: set[str] = set()  # names that an interrupted configure may have written
        self.control.check()
        for name, setting in description.settings.items():
            value = setting.value
            if setting.area is not None:
                value = backend.memory(name, setting.area, setting.multiple, value)
            if value is not None:
                self._set_checked(name, value)

    @classmethod
    def open(
        cls,
        directory: str | os.PathLike[str],
        backend: Backend | str | None = None,
        *,
        at: str | None = None,
        **options: Any,
    ) -> Engine:
        """Opens the engine of a generated directory.

        Parameters
        ----------
        directory : path-like
        backend : Backend, or "simulation" or "pynq", or None
            None is the link with ``at``; else "pynq" if the module ``pynq`` is installed, else
            "simulation". A design with datagrams needs ``at`` or a Backend.
        at : str or None
            Address of an engine with a host link: ``udp://HOST`` or ``udp://HOST:PORT`` in a
            network, ``serial:///dev/ttyUSB0`` on a serial line. Either ``at`` or ``backend`` may be
            set; see :class:`~host.udp_board.UdpBoard`.
        options
            Arguments of the back end's class, for example ``seconds`` of
            :class:`~host.pynq_board.PynqBoard`.

        Raises
        ------
        HostError
            When the directory has no manifest, the back end is not installed, or the arguments
            exclude each other.
        DeviceError
            When no engine answers, or an engine of another design answers.
        """
        description = Description.read(directory)
        chosen = backend_of(description, directory, backend, at, options)
        try:
            return cls(description, chosen)
        except BaseException:
            chosen.close()
            raise

    def configure(self, **settings: Any) -> Engine:
        """Writes settings for all later runs, and returns the engine itself.

        Settings have the names of their registers; ``ws`` is also accepted for ``size``, and ``wa``
        for ``slide``. Values are in tuples, or in the unit of the time column. Nothing is written
        if a value is refused, or if the values break a rule together with each other or with the
        settings written before.

        Raises SettingError. If the link fails while the settings are written, some of them are old
        and some are new; then no run begins until all of them are written again.
        """
        self.control.check_open()
        raws = {}
        for name, value in settings.items():
            setting = self.control.setting(name)
            if setting.area is not None:
                raise SettingError(f"{name} is where the memory lies; the back end sets it")
            if setting.name in raws:
                raise SettingError(
                    f"{name} must be set once: it has two names, {_names_text(setting)}"
                )
            raws[setting.name] = self.control.raw(name, value)
        self.control.check_together(self.control.values | raws)
        self._uncertain |= raws.keys()
        for name, raw in raws.items():
            self.control.set_raw(name, raw)
        self._uncertain -= raws.keys()
        self._configured |= raws.keys()
        return self

    def run(
        self,
        table: Any,
        *,
        raw: bool = False,
        allow_evictions: bool = False,
        punctuations: Iterable[tuple[int, Any]] | None = None,
    ) -> Any:
        """Sends a table to the engine as one stream, and returns the rows.

        With ``results=select`` the table is sent once for each function of the query.

        Parameters
        ----------
        table : pyarrow.Table, pandas.DataFrame, mapping of str to arrays, or structured array
            Tuples in the order of arrival; the method sorts them if the engine needs a sorted
            stream. Columns that the query does not use are ignored.
        raw : bool
            True if fixed-point columns of the table and of the rows hold raw integers.
        allow_evictions : bool
            True if the engine may evict keys from its table of keys; ``last.evicted`` reports them.
            Over Ethernet or a serial line ``last.evicted`` is empty, and only the counter
            ``collision`` has their number.
        punctuations : iterable of (int, number), or None
            For a design with ``punctuations=stream``: pairs of a position and a time, in the unit
            of the time column. A punctuation precedes the tuple of its position, counted from 0.
            None: the punctuations that follow from the query's SLACK.

        Returns
        -------
        a table of the same kind
            The columns of `sluice golden`; in a mapping, columns that may be NULL are masked.

        Raises
        ------
        TableError, SettingError
            When the table or a setting is wrong; no tuple was sent.
        HostError
            When the engine is closed, when ``punctuations`` do not fit the design or the back end,
            or when the board has no memory for the table.
        OverrunError
            When the engine dropped tuples for lack of room; the error has the ``rows``.
        OverflowedWindowError
            When windows had no room in the rings of their keys; the error has the ``rows``.
        EvictionError
            When keys were evicted, unless ``allow_evictions``; the error has the ``rows``.
        DeviceError
            When the engine is busy or has an error bit before the run, when it sets an error bit,
            or when rows are missing. The subclass LossError says that rows were lost on the
            network, HangError that the engine did not answer in time.
        """
        description = self.description
        self.control.check_open()
        self.last = None
        self._check_punctuations(punctuations)
        columns = raw_columns(description, table, raw)
        self._check_settings()
        if errors := self.control.errors():
            raise DeviceError(f"{error_text(errors)}; call reset() before the next run")
        if self.control.busy:
            raise DeviceError("the engine is busy with an earlier stream; call reset()")
        self._set_start(columns)
        self._check_span(columns)
        # An array that is True for each punctuation of the stream; no array without punctuations.
        flags: list[np.ndarray] = []
        if description.host["punctuations"]:
            times = self._times()
            columns, is_punctuation = punctuated(description, columns, punctuations, times, raw)
            flags.append(is_punctuation)
        tuples = packed(description, columns)
        counters_before = self.control.counters()
        streams = []
        link: Counter[str] = Counter()
        evicted: list[np.ndarray] = []
        for function in range(max(1, len(description.functions))):
            if description.functions:
                self.control.write("function", function)
            received = self._backend.transfer(tuples, lambda: not self.control.busy, *flags)
            streams.append(received["m_axis"])
            link.update(self._backend.link_counts())
            for name, packets in received.items():
                if name != "m_axis":
                    evicted += packets
        counters_after = self.control.counters()
        counts = {name: count - counters_before[name] for name, count in counters_after.items()}
        self.last = Run.of(description, counts, len(streams), evicted, dict(link))
        self._check_errors()  # before the rows are read, which an error may have damaged
        rows = rows_of(description, streams, raw)
        result = table_of(rows, table)
        tuple_count = len(streams) * (len(tuples) - int(np.count_nonzero(flags)))
        check_counts(description, tuple_count, streams, counts, result)
        if not allow_evictions:
            check_evictions(counts, len(streams), result)
        return result

    def counters(self) -> dict[str, int]:
        """Returns all counters by name, counted since power-up or the last reset."""
        return self.control.counters()

    def errors(self) -> dict[str, str]:
        """Returns the meaning of each error bit that is set, by the name of the bit."""
        return self.control.errors()

    def reset(self) -> Engine:
        """Drops all data in the engine, clears counters and errors, and returns the engine itself.

        Settings keep their values.
        """
        self.control.reset()
        return self

    def close(self) -> None:
        """Releases the resources of the back end; a second call does nothing."""
        backend, self._backend = self._backend, None
        self.control.close()
        if backend is not None:
            backend.close()

    def __enter__(self) -> Engine:
        self.control.check_open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ settings
    def _set_checked(self, name, value):
        """Writes a setting by its raw number; raises SettingError as `configure` does."""
        fraction = self.description.settings[name].fraction
        self.control.set(name, Fraction(value, 1 << fraction))

    def _check_settings(self):
        """Raises SettingError if settings break a rule, or may be those of an interrupted call."""
        if self._uncertain:
            names = ", ".join(sorted(self._uncertain))
            raise SettingError(f"configure was interrupted: call it again, with {names}")
        self.control.check_together(self.control.values)

    def _set_start(self, columns):
        """Writes the setting ``start``, the time at which window 0 begins.

        The start is the first tuple's time less the slack, rounded down to a multiple of the slide.
        Tuples with a NaN do not count, because the engine drops them. The method does nothing if
        the engine has no such setting, or if ``configure`` has written it. Otherwise it raises
        SettingError for a query with WHERE.
        """
        settings = self.description.settings
        if "start" not in settings or "start" in self._configured:
            return
        if self.description.host["filtered"]:
            raise SettingError(
                "start must be set: it follows from the first tuple that WHERE lets pass, which "
                "the host does not know"
            )
        passing = self._times_without_nan(columns)
        if not len(passing):
            return
        slack, slide = (self._time(name) for name in ("slack", "slide"))
        self._set_checked("start", (int(passing[0]) - slack) // slide * slide)

    def _check_span(self, columns):
        """Raises TableError if the times extend over more than `_MOST_WINDOWS` windows.

        An engine with windows of time of the whole stream sends a row for each window between two
        tuples. For instance one wrong time stamp, 50 years later, makes 1.6 thousand million rows
        of windows of a second. With WHERE nothing is checked, because the host does not know which
        tuples pass.
        """
        description = self.description
        if description.host["filtered"]:
            return
        window = description.host["window"]
        start = self.control.values.get("start")
        has_key = any(field.role == "key" for field in description.rows.fields)
        if window["kind"] != "range" or has_key or start is None:
            return
        times = self._times_without_nan(columns)
        count = (int(times.max()) - start) // self._time("slide") + 1 if len(times) else 0
        if count > _MOST_WINDOWS:
            raise TableError(
                f"column {window['time']} has times up to {count:,} windows after the start of "
                f"window 0, and at most {_MOST_WINDOWS:,} are answered: is a time wrong, or the "
                "setting start?"
            )

    def _times_without_nan(self, columns):
        """Returns the times of the tuples that the engine does not drop for a NaN."""
        types = {field.name: field.type for field in self.description.tuples.fields}
        nan = [is_nan(columns[name], type_) for name, type_ in types.items()]
        return columns[self.description.host["window"]["time"]][~np.any(nan, axis=0)]

    def _times(self):
        """Returns the raw numbers of ``slide`` and ``slack``, and of ``start`` if it is written."""
        times = {name: self._time(name) for name in ("slide", "slack")}
        start = self.control.values.get("start")
        return times if start is None else times | {"start": start}

    def _time(self, name):
        """Returns the raw number of a time setting, or the query's number without a setting."""
        return self.control.values.get(name, self.description.host["window"][name])

    def _check_errors(self):
        """Raises DeviceError if the stream has set an error bit."""
        if errors := self.control.errors():
            raise DeviceError(f"{error_text(errors)}; the rows may be wrong; call reset()")

    def _check_punctuations(self, punctuations):
        """Raises HostError if punctuations do not fit the design, or the back end sends none."""
        expects = self.description.host["punctuations"]
        if punctuations is not None and not expects:
            raise HostError(
                "punctuations must not be given: this engine makes its own; generate the design "
                "with punctuations=stream"
            )
        if expects and not self._backend.takes_punctuations:
            raise HostError(
                "this build expects punctuations in its stream, and this back end cannot send any; "
                "generate the design with punctuations=made"
            )


def _names_text(setting):
    """Returns the two names of a setting: "ws and size"."""
    words = [word for word, name in TERMS.items() if name == setting.name]
    return " and ".join([*words, setting.name])
