"""Layout of beats, and functions that split, build and connect their members.

A *beat* is one transfer of a wide stream: ``lanes`` tuples, a valid bit for each, and ``last``, the
end of the stream. Lane 0 is the first in stream order. A beat is *dense* when its valid lanes are
the lowest lanes; a stream is dense when every beat is dense, and every beat but the last is full.
The last beat may be empty, so an empty stream is one empty beat, with ``last``.
"""

from amaranth.hdl import Cat, Signal, Value
from amaranth.lib import data


def beat(shape, lanes, context=0, user=0):
    """Returns the layout of a beat of ``lanes`` tuples of ``shape``.

    Members: ``tuples`` (array of ``lanes``), ``valid`` (``lanes`` bits, lane i is bit i) and
    ``last``. If ``context`` is not 0, also ``context``: bits that control the processing of the
    stream, the same in all of its beats. If ``user`` is not 0, also ``user``: bits that describe
    this beat alone.
    """
    if not isinstance(lanes, int) or lanes < 1:
        raise ValueError(f"lanes must be an integer of at least 1, not {lanes!r}")
    members = {"tuples": data.ArrayLayout(shape, lanes), "valid": lanes, "last": 1}
    sideband = {"context": context, "user": user}
    return data.StructLayout(members | {name: bits for name, bits in sideband.items() if bits})


def copy_sideband(target, source):
    """Returns statements that copy all members of a beat except its tuples and valid bits."""
    members = [name for name in ("last", "context", "user") if name in target.shape().members]
    return [target[name].eq(source[name]) for name in members]


def wire(target, source):
    """Returns statements that assign ``source`` to ``target``, member by member where it has
    members.

    Either may be a view, a value, or a mapping or sequence of them. A value narrower than its
    target is extended by its own sign. Members that only ``source`` has are skipped.
    """
    if isinstance(target, (dict, list, data.View)):
        return [s for key, part in _items(target) for s in wire(part, source[key])]
    return [target.eq(source)]


def split(m, view, name, *, deep=False):
    """Returns the members of ``view`` as separate signals, driven by ``view``: a list, or a dict.

    With ``deep``, nested members are split too, down to plain values. A wide payload should be
    split once with this function. Member accesses of the view itself make the same hardware, but
    elaboration then processes the whole payload for each member, which is quadratic in lanes.
    """
    members = _members(view.shape(), name, deep)
    m.d.comb += Cat(_flat(members)).eq(view.as_value())
    return members


def build(m, view, name, *, deep=False):
    """Returns signals for the members of ``view``, which drive ``view``: the reverse of
    :func:`split`."""
    members = _members(view.shape(), name, deep)
    m.d.comb += view.as_value().eq(Cat(_flat(members)))
    return members


def leaves(view):
    """Returns every member of a view of nested structures, in order, as plain values."""
    shape = view.shape() if isinstance(view, data.View) else None
    if isinstance(shape, data.StructLayout):
        return [leaf for name, _ in shape for leaf in leaves(view[name])]
    return [view]


def valid_count(m, valid, name):
    """Returns the number of 1s in ``valid``, through a new signal ``name`` for the valid bits."""
    lanes = Signal(len(valid), name=name)
    m.d.comb += lanes.eq(valid)
    return sum(lanes[k] for k in range(len(valid)))


def _items(value):
    """Returns (key, member) of a view, mapping or sequence."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list):
        return enumerate(value)
    return [(key, value[key]) for key, _ in value.shape()]


def _members(layout, name, deep):
    def member(key, shape):
        inner = f"{name}{key}" if isinstance(key, int) else f"{name}_{key}"
        if not isinstance(shape, data.Layout):
            return Signal(shape, name=inner)
        if deep:
            return _members(shape, inner, deep)
        return shape(Signal(shape.size, name=inner))

    members = {key: member(key, field.shape) for key, field in layout}
    return list(members.values()) if isinstance(layout, data.ArrayLayout) else members


def _flat(members):
    if isinstance(members, (dict, list)):
        values = members.values() if isinstance(members, dict) else members
        return [leaf for member in values for leaf in _flat(member)]
    return [Value.cast(members)]
