"""Runs a compiled network face: converts packets of bytes to beats, and beats to packets."""

import ctypes
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sim.errors import HangError
from sim.verilator import shared_library

FOLDER = Path(__file__).parent
#: A beat of any stream, as in ``wire.h``. In the beats that a run takes, ``valid`` is 0 for a cycle
#: without a beat, and ``cycle`` has no meaning. In the beats that a run returns, ``cycle`` is the
#: number of the cycle in which the beat was transferred. ``rest`` fills 24 bytes.
BEAT = np.dtype(
    [
        ("data", "<u8"),
        ("cycle", "<u8"),
        ("keep", "u1"),
        ("last", "u1"),
        ("user", "u1"),
        ("valid", "u1"),
        ("rest", "u1", 4),
    ]
)
#: Settings of a face: its own end, the receiver of rows, and the only sender of tuples (0: any).
SETTINGS = (
    *("mac", "address", "port", "to_mac", "to_address", "to_port"),
    *("from_mac", "from_address"),
)


class _Job(ctypes.Structure):
    """Mirrors ``Job`` of ``wire.h``: the input of a run, and the arrays for its output."""

    _fields_ = [
        *((name, ctypes.c_uint64) for name in SETTINGS),
        *((name, ctypes.c_uint64) for name in ("seed", "limit", "drain")),
        *((name, ctypes.c_uint64) for name in ("stall_tuples", "stall_rows", "stall_tx", "hold")),
        ("rx", ctypes.c_void_p),
        ("rx_beats", ctypes.c_uint64),
        ("rows", ctypes.c_void_p),
        ("row_beats", ctypes.c_uint64),
        ("room", ctypes.c_uint64),
        *((name, ctypes.c_void_p) for name in ("tuples", "tx", "events")),
    ]


class _Outcome(ctypes.Structure):
    """Mirrors ``Outcome`` of ``wire.h``: counts, of beats for the output arrays."""

    _fields_ = [
        (name, ctypes.c_uint64)
        for name in ("cycles", "tuples", "tx", "events", "rows", "refused", "broken")
    ]


def beats(packets, users=None, gaps=None):
    """Returns the beats of packets of bytes; the last beat of each packet has ``last``.

    Parameters
    ----------
    packets : list of bytes
        An empty packet is one beat without a valid byte.
    users : list of bool or None
        ``tuser`` of a packet's last beat.
    gaps : list of int or None
        Number of cycles without a beat after each beat; None is 0 for all beats.
    """
    counts = np.array([max(1, -(-len(packet) // 8)) for packet in packets], np.int64)
    array = np.zeros(counts.sum(), BEAT)
    ends = np.cumsum(counts) - 1
    array["valid"], array["keep"] = 1, 0xFF
    array["data"] = np.frombuffer(
        b"".join(p.ljust(8 * int(n), b"\0") for p, n in zip(packets, counts, strict=True)), "<u8"
    )
    array["last"][ends] = 1
    last_bytes = np.array([len(p) for p in packets], np.int64) - 8 * (counts - 1)
    array["keep"][ends] = (1 << last_bytes) - 1
    if users is not None:
        array["user"][ends] = users
    if gaps is None:
        return array
    spread = np.zeros(len(array) + sum(gaps), BEAT)
    spread[np.arange(len(array)) + np.concatenate([[0], np.cumsum(gaps)[:-1]])] = array
    return spread


def packets(beat_array):
    """Returns the list of complete packets, as bytes, and the bytes after the last ``last``.

    Raises ValueError if the valid bytes of a beat are not the lowest bytes.
    """
    complete = []
    partial = b""
    for data, keep, last in zip(
        beat_array["data"].tolist(),
        beat_array["keep"].tolist(),
        beat_array["last"].tolist(),
        strict=True,
    ):
        size = keep.bit_length()
        if keep != (1 << size) - 1:
            raise ValueError(f"keep must have its ones lowest, not {keep:08b}")
        partial += data.to_bytes(8, "little")[:size]
        if last:
            complete.append(partial)
            partial = b""
    return complete, partial


@dataclass(frozen=True, kw_only=True)
class Run:
    """Holds the results of a run of a face.

    Attributes
    ----------
    tuples, tx : numpy.ndarray
        Transferred beats of type `BEAT`: of tuples to the engine, and of frames to the MAC.
    events : list of (int, str)
        Cycle and name of each event.
    refused : int
        Number of beats that the face did not accept in their cycle. They are lost, because a MAC
        does not wait.
    broken : int
        Number of times that the face withdrew or changed a beat that it had offered to the engine
        or to the MAC.
    rows : int
        Number of accepted beats of rows.
    cycles : int
        Number of cycles of the run.
    """

    tuples: np.ndarray
    tx: np.ndarray
    events: list
    refused: int
    broken: int
    rows: int
    cycles: int

    @property
    def totals(self):
        """Number of events by name, such as 3 of "datagrams"."""
        return Counter(name for _, name in self.events)


class Wire:
    """Compiles a network face, or takes its compiled library from a cache, and runs it.

    Parameters
    ----------
    verilog : str
        Text of the Verilog.
    top : str
        Name of the top module.
    names : sequence of str
        Names of the events, from the lowest bit on.
    cache : path-like
        Folder of compiled libraries.
    """

    def __init__(self, verilog, top, names, cache):
        library = shared_library(
            verilog, top, '#include "wire.h"\n', cache, headers=[FOLDER / "wire.h"]
        )
        self._run = ctypes.CDLL(str(library)).wire_run
        self._run.restype = None
        self._names = tuple(names)

    def run(
        self,
        rx=None,
        rows=None,
        *,
        settings,
        stall_tuples=0.0,
        stall_rows=0.0,
        stall_tx=0.0,
        hold=0,
        seed=1,
        drain=2000,
        room=1 << 16,
    ):
        """Runs the face until nothing happens for ``drain`` cycles; returns a `Run`.

        Nothing happens in a cycle without a transfer, an event or a further beat of ``rx``, after
        the first ``hold`` cycles. Raises HangError if a face does not come to rest in ``hold`` +
        100 * (beats of ``rx`` and ``rows``) + 100,000 cycles.

        Parameters
        ----------
        rx, rows : numpy.ndarray or None
            Beats of type `BEAT` from the MAC, and of rows from the engine; None for no beats.
        settings : mapping of str to int
            A number for each name in `SETTINGS`.
        stall_tuples, stall_rows, stall_tx : float
            Probability in a cycle that no tuple is accepted, no row is offered, or no beat of a
            frame is accepted.
        hold : int
            Number of first cycles in which no tuple is accepted.
        seed : int
            Seed of the stalls.
        drain : int
            Number of cycles at the end of a run in which nothing happens.
        room : int
            Number of beats of tuples, of beats of frames, and of cycles with an event that can be
            recorded. The method takes more room for long inputs. Raises ValueError if the room is
            too small.
        """
        rx = np.zeros(0, BEAT) if rx is None else rx
        rows = np.zeros(0, BEAT) if rows is None else rows
        room = max(room, 2 * len(rx), 4 * len(rows))
        outputs = {name: np.zeros(room, BEAT) for name in ("tuples", "tx", "events")}
        stalls = {"stall_tuples": stall_tuples, "stall_rows": stall_rows, "stall_tx": stall_tx}
        limit = hold + 100 * (len(rx) + len(rows)) + 100_000
        job = _Job(
            **{name: settings[name] for name in SETTINGS},
            **{name: int(share * (1 << 32)) for name, share in stalls.items()},
            **{name: array.ctypes.data for name, array in outputs.items()},
            seed=seed,
            limit=limit,
            drain=drain,
            hold=hold,
            rx=rx.ctypes.data,
            rx_beats=len(rx),
            rows=rows.ctypes.data,
            row_beats=len(rows),
            room=room,
        )
        outcome = _Outcome()
        self._run(ctypes.byref(job), ctypes.byref(outcome))
        for name in outputs:
            if getattr(outcome, name) > room:
                raise ValueError(f"room must be at least {getattr(outcome, name)}, not {room}")
        if outcome.cycles >= limit:
            raise HangError(f"the face has not come to rest in {limit} cycles")
        event_beats = outputs["events"][: outcome.events]  # bit k of ``data``: event k
        return Run(
            tuples=outputs["tuples"][: outcome.tuples],
            tx=outputs["tx"][: outcome.tx],
            events=[
                (cycle, name)
                for cycle, bits in zip(
                    event_beats["cycle"].tolist(), event_beats["data"].tolist(), strict=True
                )
                for k, name in enumerate(self._names)
                if bits >> k & 1
            ],
            refused=outcome.refused,
            broken=outcome.broken,
            rows=outcome.rows,
            cycles=outcome.cycles,
        )
