"""AXI4-Stream beats as arrays, and the tuples and fields inside them.

Lane 0 is in the least significant bytes of a beat, the first field in the least significant bytes
of a tuple, and every field takes whole bytes, little end first. A stream is the beats up to and
with the one that has ``last``; only that one may be short, then holds its tuples in its lowest
lanes, and an empty stream is that one beat with no byte kept.

Where the top has ``tuser``, it flags beats whose bytes are no tuple but a punctuation.
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
        ``tuser``; None is for a top that has none, and the same as nowhere set.
    pause : numpy.ndarray of uint32, shape (beats,), or None
        Cycles in which a beat is not offered, once the one before it is taken; None is without any.
        Only the compiled runner keeps them.
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
        """The beats of ``streams``, each an array of uint8 of shape (tuples, bytes of a tuple).

        ``users`` has ``tuser`` of each stream's tuples, a bool array each, for one lane only.
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
        """Bytes of a beat."""
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
        """``tuser`` of each beat, also where ``user`` is None."""
        return np.zeros(len(self), np.bool_) if self.user is None else self.user

    @property
    def pauses(self):
        """``pause`` of each beat, also where it is None."""
        return np.zeros(len(self), np.uint32) if self.pause is None else self.pause

    def __getitem__(self, rows):
        """The beats of a slice."""
        user, pause = (None if a is None else a[rows] for a in (self.user, self.pause))
        return Beats(self.data[rows], self.keep[rows], self.last[rows], user, pause)

    def streams(self, tuple_bytes):
        """The tuples of each stream, as arrays of uint8 of shape (tuples, ``tuple_bytes``).

        Raises ProtocolError where the beats are not as the module says: a short beat that is not
        the last, a gap between lanes, a tuple kept in part, an end without ``last``.
        """
        if self.bytes % tuple_bytes:
            raise ValueError(f"tuple_bytes must divide {self.bytes}, not {tuple_bytes}")
        if len(self) and not self.last[-1]:
            raise ProtocolError("the last beat has no tlast")
        kept = self.keep.reshape(len(self), self.bytes // tuple_bytes, tuple_bytes)
        present = kept[:, :, 0]
        if (kept != present[:, :, None]).any():
            beat = np.flatnonzero((kept != present[:, :, None]).any(axis=(1, 2)))[0]
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
        """Whether both hold the same beats; bytes that are not kept do not count."""
        return (
            self.data.shape == other.data.shape
            and np.array_equal(self.last, other.last)
            and np.array_equal(self.keep, other.keep)
            and np.array_equal(self.users, other.users)
            and np.array_equal(self.data * self.keep, other.data * other.keep)
        )


def _stream_beats(tuples, lanes):
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
    """Tuples from one column of raw integers for each field.

    Parameters
    ----------
    columns : sequence of array-like of int
        Equally long; of int64, uint64 or Python integers.
    fields : sequence of objects with ``bytes``, ``width`` and ``signed``
        As ``rtl.contract.packing.Packing.fields``.

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
    """The columns of raw integers in ``tuples``: the reverse of :func:`pack_fields`.

    Padding bits are ignored. Fields up to 63 bits, and signed ones of 64, come as int64, wider ones
    as arrays of Python integers.
    """
    columns, offset = [], 0
    for field in fields:
        part = np.ascontiguousarray(tuples[:, offset : offset + field.bytes])
        offset += field.bytes
        narrow = field.width <= 63 + field.signed
        columns.append((_narrow if narrow else _wide)(part, field.width, field.signed))
    return columns


def _narrow(part, width, signed):
    words = np.zeros((len(part), 8), np.uint8)
    words[:, : part.shape[1]] = part
    shift = 64 - width  # the sign to the top, and back with it
    raised = words.view("<u8").reshape(-1) << np.uint64(shift)
    if signed:
        return raised.view("<i8").astype(np.int64) >> np.int64(shift)
    return (raised >> np.uint64(shift)).astype(np.int64)


def _wide(part, width, signed):
    column = np.empty(len(part), object)
    half, whole = 1 << (width - 1), 1 << width
    for at, row in enumerate(part):
        raw = int.from_bytes(row.tobytes(), "little") % whole
        column[at] = raw - whole if signed and raw >= half else raw
    return column
