"""Units of windows of each key."""

from gen.units.counting_table import CountingTable, KeyIndices
from gen.units.key_stores import fold_of, key_windows, line_memory, window_cache
from gen.units.unit import Unit
from rtl.keyed.codec.codec import Codec
from rtl.keyed.codec.codecs import CODEC_ENTRIES
from rtl.keyed.codec.compressor import Compressor
from rtl.keyed.codec.decompressor import Decompressor
from rtl.keyed.codec.sz.scaled import ScaledSz
from rtl.keyed.codec.sz.sz import EXPONENTS, Sz

_PASSENGER_BITS = 8
#: Class of each codec by its name; ``float-sz`` is ``sz`` for floats, and ``scaled-sz`` is ``sz``
#: with an adaptive exponent.
_CLASSES = {name: entry.codec for name, entry in CODEC_ENTRIES.items()}
_CLASSES |= {"float-sz": Sz, "scaled-sz": ScaledSz}
_CODECS = f"codec is one of {', '.join(sorted(_CLASSES))}; exponent only for sz and float-sz"


def codec_of(codec: str, width: int, exponent: int, stamp_bits: int) -> Codec:
    """Returns the codec with this name for values of ``width`` bits.

    Values are signed numbers, and floats with ``float-sz`` and ``scaled-sz``.
    """
    if codec not in _CLASSES:
        raise ValueError(f"codec must be one of {', '.join(sorted(_CLASSES))}, not {codec}")
    class_ = _CLASSES[codec]
    if class_ is Sz:
        kind = "float" if codec == "float-sz" else "signed"
        _check_exponent(width, kind, exponent)
        return Sz(width, kind, exponent, stamp_bits=stamp_bits)
    if exponent:
        raise ValueError(f"exponent is for codec sz and float-sz, not for {codec}")
    return class_(width, stamp_bits=stamp_bits)


def _check_exponent(width, kind, exponent):
    """Raises ValueError for an exponent or a width of values that ``sz`` does not have."""
    if width not in EXPONENTS:
        raise ValueError(f"width must be 32 or 64, not {width}")
    low, high = EXPONENTS[width] if kind == "float" else (0, width - 1)
    if not low <= exponent <= high:
        raise ValueError(
            f"exponent must be from {low} to {high} for {kind} numbers of {width} bits, not "
            f"{exponent}"
        )


def _compressor(*, codec, width, entries, stamp_bits, exponent):
    return Compressor(codec_of(codec, width, exponent, stamp_bits), entries, _PASSENGER_BITS)


def _decompressor(*, codec, width, tuples, decoders, exponent):
    built = codec_of(codec, width, exponent, 0)
    fold = fold_of(width, tuples, decoders, built.format.chain)
    return Decompressor(built, fold, _PASSENGER_BITS)


UNITS = {
    "key-hash": Unit(
        about="index of a key in each way of a hash table, by CRCs; ways is 1 to 4",
        settings={"key_width": 32, "bits": 12, "ways": 4},
        create=KeyIndices,
    ),
    "hash-table": Unit(
        about="hash table of keys with a count of each key's tuples; ways is 1, 2 or 4",
        settings={
            "key_width": 32,
            "entries": 1024,
            "ways": 2,
            "epoch": 8,
            "stamp": 24,
            "state_bits": 16,
        },
        create=CountingTable,
    ),
    "compressor": Unit(
        about=f"compressor of the values of keys to blocks; {_CODECS}",
        settings={"codec": "xor", "width": 64, "entries": 1024, "stamp_bits": 0, "exponent": 0},
        create=_compressor,
    ),
    "decompressor": Unit(
        about=f"max, count and sum of the values of each compressed block; {_CODECS}",
        settings={"codec": "xor", "width": 32, "tuples": 1023, "decoders": 4, "exponent": 0},
        create=_decompressor,
    ),
    "line-memory": Unit(
        about="rings of lines of 64 bytes in memory behind AXI4 masters; ports is 1, 2 or 4",
        settings={
            "rings": 4,
            "ring_lines": 128,
            "ports": 1,
            "stripe_lines": 1,
            "data_width": 512,
            "buffer_lines": 512,
        },
        create=line_memory,
    ),
    "key-windows": Unit(
        about="windows of rows of each key in lines, behind AXI4; memory is mlq or dram-only",
        settings={
            "key_width": 16,
            "width": 32,
            "entries": 64,
            "ways": 2,
            "ring_lines": 32,
            "items": 16,
            "memory": "mlq",
            "m2_lines": 1,
            "ports": 1,
            "data_width": 512,
        },
        create=key_windows,
    ),
    "window-cache": Unit(
        about="cache of the last values of some keys, and max, count and sum of their windows",
        settings={
            "places": 4,
            "lanes": 8,
            "values": 64,
            "width": 32,
            "entries": 1024,
        },
        create=window_cache,
    ),
}
