"""Describes a design for its host, which sends tables and reads rows: plain data.

The description is part of the manifest, from which :mod:`host` takes everything.
"""

from dataclasses import asdict

from gen.design.columns import chosen_columns, row_columns, tuple_columns
from gen.design.register_writes import TIMES
from query.window import Range, WholeStream
from rtl.bus.registers import BUSY, MAGIC
from rtl.bus.setting_registers import register_names
from rtl.bus.top_registers import counters_of, flags_of
from rtl.contract.design import Design
from rtl.contract.rows import Role


def host_view(design: Design) -> dict:
    """Returns the types of columns, the limits of settings, and all counters and error bits."""
    target, rows, query = design.input, design.rows, design.query
    return {
        "magic": f"{MAGIC:#010x}",
        "tuple": [_column(c) for c in tuple_columns(design)],
        "row": [_column(c) for c in row_columns(design)],
        "rows": list(query.row_names),
        "chosen": [
            _column(column) | {"width": shape.width, "signed": shape.signed}
            for column, shape in zip(chosen_columns(design), rows.selected, strict=False)
        ],
        "sorted_by": list(target.sorted_by),
        "punctuations": target.punctuations,
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
    return {"type": None if column.type is None else str(column.type), "fraction": column.fraction}


def _window(query):
    """Returns the kind of the window.

    A window of time also has its column, the unit that the column declares, and SLIDE and SLACK in
    raw steps of the column.
    """
    window = query.window
    if isinstance(window, Range):
        times = {"slide": window.slide, "slack": window.slack}
        time = {"time": window.attribute.name, "unit": window.attribute.unit}
        return {"kind": "range", **time, **times}
    return {"kind": "whole" if isinstance(window, WholeStream) else "rows"}


def _setting(number, window):
    """Returns a setting. A time has the fraction bits of the time column."""
    least, most = number.limits
    timed = isinstance(window, Range) and number.name in TIMES
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
        "fraction": window.attribute.type.fraction if timed else 0,
    }
