"""The engine for windows of each key, described."""

from dataclasses import replace
from functools import partial

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.contract.buses import MemoryBus, StreamBus
from rtl.contract.counters import MEMORY_ERROR, together
from rtl.contract.design import Design
from rtl.contract.packing import Packing
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Order, Packet, Role, RowField, RowSchema
from rtl.contract.settings import HostSetting, HostSettings
from rtl.contract.shape import Shape
from rtl.engine.parts.columns import shape_of, tuple_layout, value_layout
from rtl.engine.parts.constants import asked_where, constant_settings
from rtl.engine.parts.intake import IntakePlan
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.operators import operator_of
from rtl.engine.parts.percentiles import Percentiles
from rtl.engine.parts.results import Results
from rtl.engine.parts.row_windows import longer_slide, row_window_settings
from rtl.engine.streamzip.answers import kernel_passenger
from rtl.engine.streamzip.core import StreamZip
from rtl.engine.streamzip.key_windows import KeyWindows, evicted_layout, key_counters
from rtl.engine.streamzip.plan import KeyPlan
from rtl.engine.streamzip.rates import lines_of, rate_of
from rtl.memory.line_plan import LinePlan
from rtl.memory.lines import PAGE_BYTES, LineMap
from rtl.window.key_rows import KeyRows


def design(options):
    """The :class:`~rtl.contract.design.Design` for ``options``."""
    built, query = options.resolved, options.query
    row = tuple_layout(query.columns)
    keys = _keys(built)
    settings = HostSettings(
        numbers=(
            *row_window_settings(query.window, built.window_max),
            *_bases(built),
            *constant_settings(query, built.constants),
        ),
        rule=longer_slide,
    )
    intake = IntakePlan(query=query, row=row, lanes=1, settings=settings, dense=False)
    kernels = _kernels(built, keys)
    rows = _rows(built, kernels.results)
    asked = replace(
        query,
        window=replace(query.window, size=1, slide=1),
        where=asked_where(query, built.constants),
    )
    return Design(
        engine="streamzip",
        options=options,
        asked=str(asked),
        settings=settings,
        input=InputSchema(layout=row, lanes=1, gaps=True),
        rows=rows,
        counters=together(intake.counters, key_counters(keys.lines)),
        flags=(*intake.flags, MEMORY_ERROR),
        predict=partial(_predict, query.window, intake.latency, keys, kernels),
        create=partial(StreamZip, intake, keys, query.key.name, kernels, rows.layout),
        more=(_evicted(query.key), *_memories(built)),
    )


def _keys(built):
    """The plan of the table and the three levels of memory."""
    items = built.items
    return KeyPlan(
        key=unsigned(built.query.key.type.width),
        line=LinePlan(item=value_layout(built.query), items=items, word_items=max(1, items // 4)),
        rows=KeyRows(window_max=built.window_max, places=built.ring_lines * items),
        lines=LineMap(
            rings=built.entries,
            ring_lines=built.ring_lines,
            ports=built.ports,
            data_width=built.port_bits,
            address_width=built.address_bits,
        ),
        ways=built.ways,
        memory=built.memory,
    )


def _kernels(built, keys):
    percentiles = Percentiles(query=built.query, run_time=False, select=False)
    items = built.query.items
    operators = tuple(
        operator_of(item.aggregate, built.window_max, percentiles.hit_of(item.aggregate))
        for item in items
    )
    return KernelPlan(
        row=keys.line.item,
        lanes=keys.line.items,
        results=Results(items=items, operators=operators),
        window_max=max(built.window_max, keys.line.items),
        targets=percentiles.targets,
        passenger=kernel_passenger(keys),
        capacity=built.capacity,
        passes=built.passes,
    )


def _bases(built):
    """Where the lines begin behind each port."""
    return tuple(
        HostSetting(
            name=f"base_{k}",
            doc=f"byte address of the memory behind m_axi_{k}; {built.port_bytes} bytes are used",
            width=built.address_bits,
            bits=built.address_bits,
            unit="bytes",
            most=(1 << built.address_bits) - built.port_span,
            multiple=PAGE_BYTES,
            value=built.base_of(k),
        )
        for k in range(built.ports)
    )


def _rows(built, results):
    key = built.query.key
    layout = {
        "window": unsigned(KeyRows.numbers),
        "valid": 1,
        "key": shape_of(key.type),
        "results": results.operator.result,
    }
    return RowSchema(
        layout=data.StructLayout(layout),
        fields=(
            RowField(name="window", shape=layout["window"], role=Role.WINDOW),
            RowField(name="valid", shape=unsigned(1), role=Role.VALID),
            RowField(name=key.name, shape=layout["key"], role=Role.KEY),
            *results.fields,
        ),
        lanes=1,
        packet=Packet.STREAM,
        order=Order.TRIGGERS,
    )


def _evicted(key):
    layout = evicted_layout(shape_of(key.type))
    return StreamBus(
        name="m_axis_evicted",
        port="evicted",
        layout=layout,
        packing=Packing((name, field.shape) for name, field in layout),
        lanes=1,
    )


def _memories(built):
    return tuple(
        MemoryBus(
            name=f"m_axi_{k}",
            port=f"m_axi_{k}",
            data_width=built.port_bits,
            address_width=built.address_bits,
        )
        for k in range(built.ports)
    )


def _predict(window, before, keys, kernels, *, size=None, slide=None, shape=None):
    """What to expect with windows of ``size`` every ``slide``; without, those of the query."""
    size = window.size if size is None else size
    slide = window.slide if slide is None else slide
    shape, items = shape or Shape(), keys.line.items
    read, _ = lines_of(size, slide, items)
    latency = Latency(
        begin="last tuple of a window that is not in DRAM",
        end="its row",
        cycles=before + KeyWindows.latency_of(keys) + kernels.latency_of(min(size, items)),
    )
    return Prediction(
        tuples_per_cycle=rate_of(keys, kernels, size, slide, shape.kept),
        latencies=(latency,),
        memory_bits=keys.memory_bits + kernels.memory_bits,
        memory_traffic={"lines read": read / slide, "lines written": 1 / items},
        pause=keys.entries // keys.ways + kernels.latency_of(size),
    )
