"""Converts payloads of amaranth streams to Python values: int, dict (struct) or list (array)."""

from collections.abc import Mapping, Sequence

from amaranth.hdl import Const, Shape, Value
from amaranth.lib import data


def encode(shape, value):
    """Returns the bits of a payload of ``shape`` as an unsigned int.

    ``value`` is an int in the range of the shape (for a struct or array: the bits), a constant such
    as an enum member or a ``data.Const``, or a mapping or sequence of values for a struct or array.
    Missing fields are 0. Raises ValueError for a number that does not fit.
    """
    layout, plain = _layout(shape), Shape.cast(shape)
    if layout is not None and isinstance(value, Mapping | Sequence):
        items = value.items() if isinstance(value, Mapping) else enumerate(value)
        fields = ((layout[name], item) for name, item in items)
        return sum(encode(field.shape, item) << field.offset for field, item in fields)
    if not isinstance(value, int):
        value = Const.cast(Value.cast(value)).value
    half = (1 << plain.width) >> plain.signed
    if not -half * plain.signed <= value < half:
        raise ValueError(f"payload must fit {plain!r}, not {value}")
    return value & ((1 << plain.width) - 1)


def decode(shape, bits):
    """Returns the Python value of the unsigned int ``bits``: the inverse of :func:`encode`."""
    layout, plain = _layout(shape), Shape.cast(shape)
    if layout is not None:
        items = [(name, decode(field.shape, _part(field, bits))) for name, field in layout]
        return [item for _, item in items] if isinstance(layout, data.ArrayLayout) else dict(items)
    negative = plain.signed and bits >> (plain.width - 1)
    return bits - (1 << plain.width) if negative else bits


def _layout(shape):
    """Returns the layout of a struct, union or array, or None for any other shape."""
    is_struct = isinstance(shape, type) and issubclass(shape, data.Struct | data.Union)
    return data.Layout.cast(shape) if is_struct or isinstance(shape, data.Layout) else None


def _part(field, bits):
    """Returns the bits of a field."""
    return (bits >> field.offset) & ((1 << Shape.cast(field.shape).width) - 1)
