"""Runs a design point of the group-by engine as shipped Verilog on streams of raw tuples."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from gen.verilog import convert
from query.parser import parse
from rtl.bus.top import AxiTop
from rtl.engine.group_by import GroupByParameters
from tb.harness.beats import Beats, pack_fields, unpack_fields
from tb.harness.compiled import CompiledModel
from tb.harness.random_streams import KINDS, random_raw, random_stream

CACHE = Path(".cache/tb")
HALF = {"stall_input": 0.5, "stall_output": 0.5}

ALL = "min(x), max(x), sum(x), count(*), count(distinct x), avg(x)"


def point(group, value, select=ALL, where="", **settings):
    """Parameters of ``SELECT select ... GROUP BY g`` over columns g, x and y."""
    text = (
        f"CREATE INPUT STREAM S (g {group}, x {value}, y int(7));"
        f"SELECT g, {select} FROM S {where} GROUP BY g;"
    )
    return GroupByParameters(query=parse(text), **settings)


@dataclass(frozen=True)
class Design:
    """The compiled model of a design point, and how its beats are read."""

    parameters: GroupByParameters
    model: CompiledModel
    text: str
    top: object

    def beats(self, streams):
        """Beats of ``streams``, lists of mappings of column name to raw."""
        names = [column.name for column in self.parameters.query.columns]
        arrays = []
        for stream in streams:
            columns = [np.array([t[name] for t in stream], object) for name in names]
            arrays.append(pack_fields(columns, self.top.input_packing.fields))
        return Beats.from_streams(arrays, self.parameters.lanes)

    def rows(self, beats):
        """Rows of each stream, as tuples of raw integers in the order of the bus's fields."""
        packing = self.top.row_packing
        return [
            list(zip(*(map(int, c) for c in unpack_fields(t, packing.fields)), strict=True))
            for t in beats.streams(packing.bytes)
        ]

    def run(self, streams, **options):
        """The result of a run without any broken rule, and its rows."""
        result = self.model.run(self.beats(streams), **options).checked()
        return result, self.rows(result.beats)


@cache
def design(parameters):
    """Builds a design point, or finds it built."""
    top = AxiTop(parameters)
    text = convert(AxiTop(parameters), top.name, CACHE)
    lanes = parameters.lanes
    model = CompiledModel.build(
        text, top.name, top.input_packing.bytes * lanes, top.row_packing.bytes * lanes, CACHE
    )
    return Design(parameters, model, text, top)


def streams_of(parameters, rng, counts):
    """Random streams of so many tuples, each of another kind, sorted as the engine asks."""
    columns = {column.name: column.type for column in parameters.query.columns}
    group, value = columns["g"], columns.get("x", columns["g"])
    streams = []
    for count in counts:
        roomy = count <= 1 << group.width
        kinds = [kind for kind in sorted(KINDS) if roomy or kind != "all distinct"]
        pairs = random_stream(
            rng.choice(kinds),
            count,
            group,
            value,
            lanes=parameters.lanes,
            seed=rng.getrandbits(32),
        )
        stream = [{"g": g, "x": x} for g, x in pairs]
        for tuple_ in stream:
            tuple_ |= {"y": random_raw(rng, columns["y"])} if "y" in columns else {}
        streams.append(stream)
    return streams
