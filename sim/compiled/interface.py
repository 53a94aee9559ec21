"""Declares the functions and structures of the bench's C interface, for ctypes and numpy.

The fields have the order of the C++ structures, which explain them: ``Config`` and ``Stats`` in
bench.cpp, ``Feed`` and ``Wanted`` in streams.h, ``Access`` and ``Seen`` in registers.h, and
``Fault`` in ideal.h. No compiler checks the order.
"""

import ctypes

import numpy as np

#: A cycle that never comes. As the stream of an access: at the end of the run, after ``drain``. As
#: a number of tlasts: more than ever come.
NEVER = (1 << 64) - 1
U32, U64, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p

ACCESS = np.dtype(
    [("stream", "<u8"), ("write", "<u4"), ("address", "<u4"), ("value", "<u4")], align=True
)
SEEN = np.dtype([("cycle", "<u8"), ("address", "<u4"), ("value", "<u4")], align=True)
WANTED = np.dtype([(name, "<u8") for name in ("before", "after", "awaited")])
FAULT = np.dtype([(name, "<u8") for name in ("response", "by_access", "number", "reads", "writes")])


def _struct(name, **fields):
    """Returns a ctypes structure with these fields."""
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


def _each(kind, *names):
    """Returns a dict that maps each name to the type ``kind``."""
    return dict.fromkeys(names, kind)


Feed = _struct(
    "Feed",
    **_each(U64, "beats", "streams", "restart"),
    **_each(POINTER, "data", "keep", "last", "user", "starts", "pause"),
)
FeedStats = _struct("FeedStats", **_each(U64, "beat", "accepted", "stalled", "first", "last"))
SinkStats = _struct(
    "SinkStats", **_each(U64, "beats", "before_reset", "stalled", "tlasts", "wanted")
)
MemoryStats = _struct(
    "MemoryStats",
    **_each(U64, "lines_read", "lines_written", "read_bursts", "write_bursts", "errors"),
    open_at_reset=U64,
)
Stats = _struct(
    "Stats",
    **_each(U64, "cycles", "background_reads", "violations", "accesses", "reset_done", "pages"),
    soft_written=U64,
)
Pace = _struct("Pace", **_each(U64, "outstanding", "reorder"), stall=U32)
SoftReset = _struct("SoftReset", **_each(U32, "control", "status", "busy", "wait"))
Ddr3Library = _struct("Ddr3Library", **_each(POINTER, "make", "step", "drop"), ports=U64)
Config = _struct(
    "Config",
    **_each(U64, "accesses", "background", "idle_limit", "drain", "limit", "reset_cycle", "seed"),
    **_each(POINTER, "feeds", "wanted", "access", "background_address", "faults"),
    **_each(POINTER, "make_dut", "ddr3"),
    **_each(U64, "fault_count", "latency", "delay", "fill", "hold_output"),
    pace=Pace,
    soft=SoftReset,
    **_each(U32, "early", "stall_input", "stall_output", "background_rate"),
)


def load(path):
    """Returns the bench's library, with the types of ``simulation_new`` and its other functions."""
    library = ctypes.CDLL(str(path))
    for name, arguments in {
        "new": [POINTER],
        "again": [POINTER, POINTER],
        "run": [POINTER, U64],
        "stats": [POINTER, POINTER],
        "source": [POINTER, ctypes.c_int, POINTER],
        "sink": [POINTER, ctypes.c_int, POINTER],
        "memory": [POINTER, ctypes.c_int, POINTER],
        "output": [POINTER, ctypes.c_int, *[POINTER] * 5],
        "taken": [POINTER, ctypes.c_int, POINTER],
        "background": [POINTER, POINTER],
        "preset": [POINTER, U64, POINTER, U64],
        "contents": [POINTER, POINTER, POINTER],
        "violation": [POINTER, ctypes.c_int],
        "delete": [POINTER],
    }.items():
        getattr(library, f"simulation_{name}").argtypes = arguments
    library.simulation_new.restype = POINTER
    library.simulation_violation.restype = ctypes.c_char_p
    return library


def address_of(path, *names):
    """Returns the list of the addresses of functions in the library at ``path``."""
    library = ctypes.CDLL(str(path))
    return [ctypes.cast(getattr(library, name), POINTER).value for name in names]


def threshold(rate):
    """Returns the threshold of a probability: a random number of 32 bits is below the threshold
    with probability ``rate``. For instance 2**31 for 0.5.
    """
    return min(int(rate * (1 << 32)), (1 << 32) - 1)
