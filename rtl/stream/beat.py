"""Beats, and how their parts are wired together.

A *beat* is what one transfer of a wide stream carries: ``lanes`` tuples, a valid bit for each, and
``last``, the end of the stream. Lane 0 is the first in stream order. A beat is *dense* when its
valid lanes are the lowest ones; a stream is dense when every beat is, and all but the last are
full. The last beat may be empty: so an empty stream is one empty beat, with ``last``.
"""

from amaranth.lib import data


def beat(shape, lanes):
    """Layout of a beat of ``lanes`` tuples of ``shape``.

    Members: ``tuples`` (array of ``lanes``), ``valid`` (``lanes`` bits, lane i is bit i), ``last``.
    """
    if not isinstance(lanes, int) or lanes < 1:
        raise ValueError(f"lanes must be an integer of at least 1, not {lanes!r}")
    return data.StructLayout(
        {"tuples": data.ArrayLayout(shape, lanes), "valid": lanes, "last": 1},
    )


def wire(target, source):
    """Statements that assign ``source`` to ``target``, member by member where it has members.

    ``source`` may be a view, or a mapping or sequence of values; a member narrower than its target
    is extended by its own sign. Members of ``source`` that ``target`` does not have are left out.
    """
    layout = target.shape() if isinstance(target, data.View) else None
    if isinstance(layout, data.StructLayout):
        return [s for name, _ in layout for s in wire(target[name], source[name])]
    if isinstance(layout, data.ArrayLayout):
        return [s for i in range(layout.length) for s in wire(target[i], source[i])]
    return [target.eq(source)]
