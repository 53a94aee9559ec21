"""Describes the engine for windows of each key."""

from dataclasses import replace
from functools import partial

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.contract.buses import MemoryBus, StreamBus
from rtl.contract.counters import MEMORY_ERROR, merged_counters
from rtl.contract.design import Design
from rtl.contract.packing import Packing
from rtl.contract.prediction import Latency, Prediction
from rtl.contract.rows import InputSchema, Order, Packet, Role, RowField, RowSchema
from rtl.contract.settings import HostSetting, HostSettings
from rtl.engine.parts.columns import shape_of, tuple_layout
from rtl.engine.parts.constants import built_where, constant_settings
from rtl.engine.parts.intake import IntakePlan
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.operators import float_sum_refusal, operator_of
from rtl.engine.parts.percentiles import Percentiles
from rtl.engine.parts.pivot_kernels import PivotKernels
from rtl.engine.parts.results import Results
from rtl.engine.streamzip.answers import Answers, kernel_passenger
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.core import StreamZip
from rtl.engine.streamzip.memory_bits import memory_bits_of
from rtl.engine.streamzip.rates.key_rate import KeyRate
from rtl.engine.streamzip.rates.loaded_latency import LoadedLatency
from rtl.engine.streamzip.rings import Rings
from rtl.engine.streamzip.schedule.stream_rate import stream_rate
from rtl.keyed.dram.dram_model import ON_CHIP, dram_of
from rtl.keyed.dram.line_port import READS, WRITES
from rtl.keyed.dram.lines import PAGE_BYTES, LineMap
from rtl.keyed.dram.word_port import BURSTS
from rtl.keyed.key_windows import KeyWindows, evicted_layout, key_counters
from rtl.keyed.plan import KeyedPlan
from rtl.keyed.store.blocks.block_store import BlockStore
from rtl.keyed.store.blocks.outer_copies import READS as COPY_READS
from rtl.keyed.store.lines.cached_line_store import CachedLineStore
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.outer_words import SLOTS
from rtl.keyed.store.lines.second_level import SecondLevel


def design(options):
    """Returns the :class:`~rtl.contract.design.Design` for ``options``."""
    built = options.resolved
    query = options.query
    kind = options.resolved.kind
    row = tuple_layout(query.columns)
    keys = _keys(built)
    settings = HostSettings(
        numbers=(*kind.settings, *_bases(built), *constant_settings(query, built.constants)),
        rule=kind.rule,
        rules=kind.rules,
    )
    intake = IntakePlan(query=query, row=row, lanes=1, settings=settings, dense=False)
    kernels = _kernels(built, keys)
    rows = _rows(built, keys, kernels.results)
    built_query = replace(
        query, window=kind.built_window, where=built_where(query, built.constants)
    )
    return Design(
        engine="streamzip",
        options=options,
        query_text=str(built_query),
        settings=settings,
        input=InputSchema(layout=row, lanes=1, gaps=True),
        rows=rows,
        counters=merged_counters(intake.counters, keys.window.drops, key_counters(keys)),
        flags=(*intake.flags, MEMORY_ERROR),
        predict=partial(_predict, built, intake.latency, keys, kernels),
        create=partial(StreamZip, intake, keys, kind.columns, kernels, rows.layout),
        extra_buses=(_evicted(query.key), *_memories(built)),
    )


def _keys(built):
    """Returns the plan of the windows of keys."""
    return KeyedPlan(
        key=unsigned(built.query.key.type.width),
        window=built.kind.window_kind,
        store=_store(built),
        lines=LineMap(
            rings=built.entries,
            ring_lines=Rings(built).lines,
            ports=built.ports,
            stripe_lines=built.coding.stripe_lines,
            data_width=built.port_bits,
            address_width=built.address_bits if areas_of(built) else 32,
        ),
        ways=built.ways,
        pivots=built.pivoting.plan(_window_lines(built)),
        m3_kind=built.m3_kind,
    )


def _window_lines(built):
    """Returns an upper bound of the number of lines, or blocks, of a window."""
    if (blocks := built.coding.blocks) is not None:
        return blocks + 1
    return Rings(built).lines + 2


def _store(built):
    """Returns the store of values, which a codec decides."""
    items = built.line_values
    line = LinePlan(item=built.kind.stored_item, items=items, word_items=max(1, items // 4))
    if (ring := built.coding.ring) is not None:
        return BlockStore(line=line, ring=ring, m2=built.coding.m2)
    store = LineStore(
        line=line,
        memory=built.memory,
        m2=SecondLevel(lines=built.m2_lines, kind=built.m2_kind),
        ordered=float_sum_refusal(built.query) is not None,
    )
    cache = built.coding.cache
    return CachedLineStore(store=store, cache=cache) if cache.keys else store


def _kernels(built, keys):
    percentiles = Percentiles(query=built.query, run_time=False, select=False)
    items = built.query.items
    window_max = built.kind.tuples
    operators = [
        operator_of(item.aggregate, window_max, percentiles.target_index_of(item.aggregate))
        for item in items
    ]
    searched = built.pivoting.operators
    if (fold := built.coding.fold) is not None:
        lifted = {k: fold.lifted.get(f"r{k}") for k in range(len(items))}
        operators = [
            operator if k in searched else operator.over_states(lifted[k])
            for k, operator in enumerate(operators)
        ]
        searched = {k: lifted[k] for k in searched}
    return KernelPlan(
        row=keys.line_format.shape,
        lanes=keys.line_format.lanes,
        results=Results(items=items, operators=tuple(operators)),
        window_max=max(window_max, keys.line_format.lanes),
        targets=percentiles.targets,
        passenger=kernel_passenger(keys),
        capacity=built.capacity,
        passes=built.passes,
        lines=keys.line_format.lines,
        nodes=built.coding.sums,
        pivots=PivotKernels(plan=keys.pivots, operators=searched) if searched else None,
    )


def _bases(built):
    """Returns the host settings for the base address of the memory behind each master.

    An address of 33 to 63 bits, in two registers, has one further bit that marks a misfit.
    """
    bits = built.address_bits
    return tuple(
        HostSetting(
            name=f"base_{name}",
            doc=f"byte address of the memory behind m_axi_{name}; {area.bytes} bytes are used",
            width=bits + (32 < bits < 64),
            bits=bits,
            unit="bytes",
            maximum=(1 << bits) - area.span,
            multiple=PAGE_BYTES,
            value=area.base,
            area=area.bytes,
        )
        for name, area in areas_of(built).items()
    )


def _rows(built, keys, results):
    key = built.query.key
    fields = built.kind.fields(keys) | {
        "valid": RowField(name="valid", shape=unsigned(1), role=Role.VALID),
        "key": RowField(name=key.name, shape=shape_of(key.type), role=Role.KEY),
    }
    layout = {name: field.shape for name, field in fields.items()}
    return RowSchema(
        layout=data.StructLayout(layout | {"results": results.operator.result}),
        fields=(*fields.values(), *results.fields),
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
    """Returns the buses of the memories, with the numbers of bursts that may be under way."""
    of_sram = (COPY_READS, WRITES) if built.m2_blocks else (BURSTS, 2 * SLOTS)
    return tuple(
        MemoryBus(
            name=f"m_axi_{name}",
            port=f"m_axi_{name}",
            data_width=area.width,
            address_width=built.address_bits,
            sram=area.sram,
            reads=of_sram[0] if area.sram else READS,
            writes=of_sram[1] if area.sram else WRITES,
        )
        for name, area in areas_of(built).items()
    )


def _predict(
    built,
    before,
    keys,
    kernels,
    /,
    *,
    shape=None,
    dram="ideal",
    stream=None,
    gaps=(1, 1),
    **numbers,
):
    """Returns the Prediction for windows of these numbers; without numbers, for the query's.

    ``dram`` names the memory behind the masters, one of :data:`rtl.keyed.dram.dram_model.DRAMS`.
    For a known ``stream``, a :class:`~rtl.engine.streamzip.schedule.key_stream.KeyStream`, the rate
    and the loaded latency (a median) are those of its schedule; ``gaps`` are the cycles between two
    tuples and between two rows there.
    """
    kind = built.kind
    load = kind.load(keys.line.items, shape, **numbers)
    bases = tuple(area.base for area in areas_of(built).values() if not area.sram)
    memory = dram_of(dram) if keys.masters else ON_CHIP
    rate = KeyRate(keys=keys, kernels=kernels, load=load, dram=memory, bases=bases)
    around = before + KeyWindows.latency_of(keys) + keys.window.row_ends_latency
    latency = Latency(
        begin=kind.latency_from,
        end="its row",
        cycles=around + Answers.latency_of(kernels, min(load.size, keys.line_format.lanes)),
    )
    tuples_per_cycle = rate.tuples_per_cycle
    loaded_cycles = LoadedLatency(rate=rate, on_chip=latency.cycles).cycles
    if stream is not None and stream.count > 1:
        by_stream = stream_rate(built, keys, kernels, memory, stream, gaps, numbers)
        tuples_per_cycle = by_stream.tuples_per_cycle
        if by_stream.delay is not None:
            loaded_cycles = latency.cycles + round(by_stream.delay)
    loaded = Latency(
        begin="tuple that closes a window, with tuples as fast as they go in",
        end="its row",
        cycles=loaded_cycles,
    )
    lines = {"lines read": load.read * load.windows, "lines written": rate.memory.written}
    return Prediction(
        tuples_per_cycle=tuples_per_cycle,
        latencies=(latency, loaded),
        memory_bits=memory_bits_of(keys) + kernels.memory_bits,
        memory_traffic=lines,
        pause=keys.entries // keys.ways + kernels.latency_of(load.largest_size),
        search=rate.kernel_rate.longest_search,
        clearing=keys.entries // keys.ways,
        slowest_stage=rate.slowest_stage,
    )
