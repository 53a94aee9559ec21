"""Windows of tuples (group, value) for sorters of windows: their order, random tuples and beats."""

from dataclasses import dataclass

from amaranth.hdl import signed
from amaranth.lib import data

from rtl.sort.order import SortOrder

USER = data.StructLayout({"group": 6, "value": signed(7)})


def order_of(cardinality=0):
    return SortOrder(USER, ("group", "value"), group="group", cardinality=cardinality)


@dataclass
class Stream:
    """Windows of one size, and the tuples of an incomplete last window (``cut_short``)."""

    size: int
    windows: list
    cut_short: list

    def beats(self, lanes):
        beats = []
        for items in [*self.windows, self.cut_short]:
            for k in range(0, len(items), lanes):
                tuples = [{"group": g, "value": v} for g, v in items[k : k + lanes]]
                last = k + lanes == self.size
                beats.append(
                    {"tuples": tuples, "valid": (1 << lanes) - 1, "last": int(last), "context": 0}
                )
        empty_lanes = [{"group": 0, "value": 0}] * lanes
        return [*beats, {"tuples": empty_lanes, "valid": 0, "last": 1, "context": 1}]


def random_tuples(rng, kind, count, position=0):
    groups = {"one group": 1, "few groups": 3}.get(kind, 64)
    tuples = [(rng.randrange(groups), rng.randrange(-64, 64)) for _ in range(count)]
    if kind == "sorted":
        tuples.sort()
    elif kind == "reversed":
        tuples.sort(reverse=True)
    elif kind == "equal":
        tuples = [(5, -3)] * count
    elif kind == "sawtooth":
        tuples = [((position + k) % 8, k % 8) for k in range(count)]
    return tuples
