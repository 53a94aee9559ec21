"""Represents AXI4-Stream beats as arrays, and converts beats to tuples and fields.

Lane 0 has the least significant bytes of a beat. The first field has the least significant bytes of
a tuple, and every field occupies whole bytes, the lowest byte first. A stream ends with the beat
whose ``last`` is set. Only the last beat may be short: its tuples are in the lowest lanes. An empty
stream is one beat without a valid byte.

If the top has ``tuser``, it flags beats that carry a punctuation instead of a tuple.
"""

from dataclasses import dataclass

import numpy as np

from sim.errors import ProtocolError


@dataclass(frozen=True, eq=False)
class Beats:
    """Beats of any number of streams, one after the other.

    Attributes
    ----------
    data : numpy.ndarray of uint8, shape (beats, bytes)
    keep : numpy.ndarray of bool, shape (beats, bytes)
    last : numpy.ndarray of bool, shape (beats,)
    user : numpy.ndarray of bool, shape (beats,), or None
        ``tuser``; None, if the top has no ``tuser``, counts as False for all beats.
    pause : numpy.ndarray of uint32, shape (beats,), or None
        Cycles between the transfer of the previous beat and the offer of a beat; None is 0 for all
        beats. Only the compiled runner supports pauses.
    """

    data: np.ndarray
    keep: np.ndarray
    last: np.ndarray
    user: np.ndarray | None = None
    pause: np.ndarray | None = None

    def __post_init__(self):
        if self.data.ndim != 2 or self.data.dtype != np.uint8:
            raise ValueError(
                "data must be a 2-dimensional array of uint8, not "
                f"{self.data.ndim}-dimensional of {self.data.dtype}"
            )
        for name, array, shape in (
            ("keep", self.keep, self.data.shape),
            ("last", self.last, self.data.shape[:1]),
            ("user", self.users, self.data.shape[:1]),
        ):
            if array.dtype != np.bool_ or array.shape != shape:
                raise ValueError(
                    f"{name} must be bool of shape {shape}, not {array.dtype} of {array.shape}"
                )
        if self.pauses.dtype != np.uint32 or self.pauses.shape != self.data.shape[:1]:
            raise ValueError(
                f"pause must be uint32 of shape {self.data.shape[:1]}, not {self.pauses.dtype} of "
                f"{self.pauses.shape}"
            )

    @classmethod
    def from_streams(cls, streams, lanes, users=None):
        """Builds the beats of ``streams``: arrays of uint8 of shape (tuples, bytes of a tuple).

        ``users`` has an array of bool for each stream, the ``tuser`` of each tuple; it requires one
        lane.
        """
        if not streams:
            raise ValueError("streams must hold at least one stream, not none")
        parts = [_stream_beats(np.asarray(stream), lanes) for stream in streams]
        user = None if users is None else _users(streams, lanes, users)
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)), user)

    def __len__(self):
        return len(self.data)

    @property
    def bytes(self):
        """Number of bytes in a beat."""
        return self.data.shape[1]

    @property
    def ends(self):
        """Index of the last beat of each complete stream."""
        return np.flatnonzero(self.last)

    @property
    def starts(self):
        """Index of the first beat of each stream."""
        ends = self.ends
        starts = np.concatenate([[0], ends + 1])
        return starts[starts < len(self)]

    @property
    def users(self):
        """``tuser`` of each beat; False if ``user`` is None."""
        return np.zeros(len(self), np.bool_) if self.user is None else self.user

    @property
    def pauses(self):
        """``pause`` of each beat; 0 if ``pause`` is None."""
        return np.zeros(len(self), np.uint32) if self.pause is None else self.pause

    def __getitem__(self, rows):
        """Returns the beats of a slice."""
        user, pause = (None if a is None else a[rows] for a in (self.user, self.pause))
        return Beats(self.data[rows], self.keep[rows], self.last[rows], user, pause)

    def streams(self, tuple_bytes):
        """Returns the tuples of each stream: arrays of uint8, shape (tuples, ``tuple_bytes``).

        Raises ProtocolError for a short beat without ``last``, a gap between lanes, a tuple with
        only some valid bytes, or a final beat without ``last``; raises ValueError unless
        ``tuple_bytes`` divides the bytes of a beat.
        """
        if self.bytes % tuple_bytes:
            raise ValueError(f"tuple_bytes must divide {self.bytes}, not {tuple_bytes}")
        if len(self) and not self.last[-1]:
            raise ProtocolError("the last beat has no tlast")
        byte_valid = self.keep.reshape(len(self), self.bytes // tuple_bytes, tuple_bytes)
        present = byte_valid[:, :, 0]
        if (byte_valid != present[:, :, None]).any():
            beat = np.flatnonzero((byte_valid != present[:, :, None]).any(axis=(1, 2)))[0]
            raise ProtocolError(f"beat {beat} keeps a part of a tuple")
        if (present[:, 1:] > present[:, :-1]).any():
            beat = np.flatnonzero((present[:, 1:] > present[:, :-1]).any(axis=1))[0]
            raise ProtocolError(f"beat {beat} has a gap between its lanes")
        short = ~present.all(axis=1) & ~self.last
        if short.any():
            raise ProtocolError(f"beat {np.flatnonzero(short)[0]} is short, but has no tlast")
        tuples = self.data.reshape(-1, tuple_bytes)[present.reshape(-1)]
        counts = np.cumsum(present.sum(axis=1))[self.ends]
        return np.split(tuples, counts[:-1]) if len(counts) else []

    def same(self, other):
        """Returns True if both have equal beats; ignores pauses, and bytes without ``keep``."""
        return (
            self.data.shape == other.data.shape
            and np.array_equal(self.last, other.last)
            and np.array_equal(self.keep, other.keep)
            and np.array_equal(self.users, other.users)
            and np.array_equal(self.data * self.keep, other.data * other.keep)
        )


def _stream_beats(tuples, lanes):
    """Returns data, keep and last of one stream."""
    if tuples.ndim != 2 or tuples.dtype != np.uint8:
        raise ValueError(
            f"a stream must be a 2-dimensional array of uint8, not {tuples.ndim}-dimensional of "
            f"{tuples.dtype}"
        )
    count, size = tuples.shape
    beats = max(1, -(-count // lanes))
    data = np.zeros((beats * lanes, size), np.uint8)
    data[:count] = tuples
    keep = np.zeros((beats * lanes, size), np.bool_)
    keep[:count] = True
    last = np.zeros(beats, np.bool_)
    last[-1] = True
    return data.reshape(beats, -1), keep.reshape(beats, -1), last


def _users(streams, lanes, users):
    """Returns ``tuser`` of each beat of all streams."""
    if lanes != 1:
        raise ValueError(f"lanes must be 1 where there are users, not {lanes}")
    parts = []
    for stream, user in zip(streams, users, strict=True):
        user = np.asarray(user)
        if user.dtype != np.bool_ or user.shape != (len(stream),):
            raise ValueError(
                f"users of a stream must be bool of shape {(len(stream),)}, not {user.dtype} of "
                f"{user.shape}"
            )
        parts.append(user if len(user) else np.zeros(1, np.bool_))  # an empty stream is one beat
    return np.concatenate(parts)


def pack_fields(columns, fields):
    """Packs one column of raw integers for each field into tuples.

    Parameters
    ----------
    columns : sequence of array-like of int
        Columns of equal length, of int64, uint64 or Python integers.
    fields : sequence of objects with ``bytes``, ``width`` and ``signed``
        For example ``rtl.contract.packing.Packing.fields``.

    Returns
    -------
    numpy.ndarray of uint8, shape (tuples, bytes of a tuple)
    """
    parts = []
    for column, field in zip(columns, fields, strict=True):
        column = column if isinstance(column, np.ndarray) else np.array(column, object)
        if field.bytes > 8 or column.dtype == object:
            mask = (1 << 8 * field.bytes) - 1
            raw = b"".join((int(v) & mask).to_bytes(field.bytes, "little") for v in column)
            parts.append(np.frombuffer(raw, np.uint8).reshape(len(column), field.bytes))
        else:
            words = np.ascontiguousarray(column.astype("<u8" if column.dtype == "u8" else "<i8"))
            parts.append(words.view(np.uint8).reshape(len(column), 8)[:, : field.bytes])
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def unpack_fields(tuples, fields):
    """Returns the columns of raw integers in ``tuples``: the inverse of :func:`pack_fields`.

    Padding bits are ignored. A column is int64 if its field is signed and has at most 64 bits, or
    is unsigned and has at most 63 bits. A wider column is an array of Python integers.
    """
    columns = []
    offset = 0
    for field in fields:
        part = np.ascontiguousarray(tuples[:, offset : offset + field.bytes])
        offset += field.bytes
        narrow = field.width <= 63 + field.signed
        columns.append((_narrow if narrow else _wide)(part, field.width, field.signed))
    return columns


def _narrow(part, width, signed):
    words = np.zeros((len(part), 8), np.uint8)
    words[:, : part.shape[1]] = part
    shift = 64 - width  # moves the sign bit to bit 63; the shift back extends it
    raised = words.view("<u8").reshape(-1) << np.uint64(shift)
    if signed:
        return raised.view("<i8").astype(np.int64) >> np.int64(shift)
    return (raised >> np.uint64(shift)).astype(np.int64)


def _wide(part, width, signed):
    column = np.empty(len(part), object)
    half, modulus = 1 << (width - 1), 1 << width
    for row_index, row in enumerate(part):
        raw = int.from_bytes(row.tobytes(), "little") % modulus
        column[row_index] = raw - modulus if signed and raw >= half else raw
    return column
