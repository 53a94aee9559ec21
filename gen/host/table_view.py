"""Describes a design, as plain data, for a host that sends tables and reads rows.

The description is the part ``host`` of the manifest. :mod:`host` knows an engine by its manifest
alone.
"""

from dataclasses import asdict

from gen.design.columns import item_columns, row_columns, tuple_columns
from gen.design.register_writes import TIMES
from query.window import Range, WholeStream
from rtl.bus.registers import BUSY, MAGIC
from rtl.bus.setting_registers import register_names
from rtl.bus.top_registers import counters_of, flags_of
from rtl.contract.design import Design
from rtl.contract.rows import Role


def host_view(design: Design) -> dict:
    """Returns all that the host class must know of a design beside its streams and registers.

    ``tuple`` and ``row`` have the column of each field, ``rows`` the names of the columns of a
    result, and ``chosen`` the column of each aggregate that a selected result can show. ``longest``
    is the most tuples of a stream. Other entries are the window, the settings with their limits,
    and all counters and error bits.
    """
    rows, query = design.rows, design.query
    return {
        "magic": f"{MAGIC:#010x}",
        "tuple": [_column(c) for c in tuple_columns(design)],
        "row": [_column(c) for c in row_columns(design)],
        "rows": list(query.row_names),
        "chosen": [  # empty unless a result is selected: only then `selected` has shapes
            _column(column) | {"width": shape.width, "signed": shape.signed}
            for column, shape in zip(item_columns(design), rows.selected, strict=False)
        ],
        "sorted_by": list(design.input.sorted_by),
        "punctuations": design.input.punctuations,
        "longest": design.stream_max,
        "window": _window(query),
        "row_is_window": design.face.joins(rows) and not rows.with_role(Role.WINDOW),
        "filtered": query.where is not None,
        "settings": [_setting(number, query.window) for number in design.settings.numbers],
        "rules": [asdict(rule) for rule in design.settings.rules],
        "counters": [
            {"name": c.name, "doc": c.doc, "dropped": c.dropped} for c in counters_of(design)
        ],
        "errors": [
            {"name": f.name, "bit": k, "doc": f.doc} for k, f in enumerate(flags_of(design))
        ],
        "busy": BUSY.low,
    }


def _column(column):
    """Returns the type of a column as text, such as "fixed(9,7)", and its fraction bits.

    The type of a plain number, such as a count, is None.
    """
    return {"type": None if column.type is None else str(column.type), "fraction": column.fraction}


def _window(query):
    """Returns the kind of the window: "range", "rows", or "whole" for a whole stream.

    A window of time also has the name of its column, the unit that the column declares, and SLIDE
    and SLACK in raw units of the column.
    """
    window = query.window
    if isinstance(window, Range):
        times = {"slide": window.slide, "slack": window.slack}
        time = {"time": window.attribute.name, "unit": window.attribute.unit}
        return {"kind": "range", **time, **times}
    return {"kind": "whole" if isinstance(window, WholeStream) else "rows"}


def _setting(number, window):
    """Returns the description of a setting; a time has the fraction bits of the time column.

    If the time column has 8 fraction bits, the host writes a SLIDE of 1.5 as 384.
    """
    least, most = number.limits
    is_time = isinstance(window, Range) and number.name in TIMES
    return {
        "name": number.name,
        "doc": number.doc,
        "unit": number.unit,
        "registers": list(register_names(number)),
        "least": least,
        "most": most,
        "multiple": number.multiple,
        "value": number.value,
        "area": number.area,
        "fraction": window.attribute.type.fraction if is_time else 0,
    }
