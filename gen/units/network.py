"""Units of the networks between lanes: scans, boundaries of groups, butterfly and compactor."""

from fractions import Fraction

from amaranth.hdl import signed
from amaranth.lib import data

from gen.units.pivot_pass import PivotPass
from gen.units.unit import Unit
from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Operator, Segmented
from rtl.aggregate.sum import Sum
from rtl.network.boundaries import GroupBoundaries
from rtl.network.butterfly import ReverseButterfly
from rtl.network.compactor import RoundRobinCompactor
from rtl.network.plan import SHAPES
from rtl.network.reduction import Reduction
from rtl.network.rolling import RollingScan
from rtl.network.scan import PrefixScan

_SHAPES = f"scan is one of {', '.join(sorted(SHAPES))}"
_NAMES = "count, max, min, sum, segmented-sum"
_OPERATORS = f"operator is one of {_NAMES}"


def operator_of(name: str, width: int, tuples: int) -> Operator:
    """Returns the operator ``name`` of a signed column ``value`` of ``width`` bits.

    States cover up to ``tuples`` tuples, a power of two. "segmented-sum" is the sum since the last
    tuple whose ``first`` is high, and does not commute.
    """
    column = "value", signed(width)
    if name == "count":
        return Count(tuples.bit_length())
    if name == "sum":
        return Sum(*column, (tuples - 1).bit_length())
    if name in ("min", "max"):
        return {"min": Min, "max": Max}[name](*column, False)
    if name == "segmented-sum":
        return Segmented(operator_of("sum", width, tuples))
    raise ValueError(f"operator must be one of {_NAMES}, not {name}")


def _prefix_scan(*, operator, lanes, width, scan):
    return PrefixScan(operator_of(operator, width, lanes), lanes, shape=scan)


def _rolling_scan(*, operator, lanes, width, tuples, scan):
    return RollingScan(operator_of(operator, width, tuples), lanes, tuples=tuples, shape=scan)


def _boundaries(*, lanes, width, order):
    if order not in ("checked", "free"):
        raise ValueError(f"order must be checked or free, not {order}")
    row = data.StructLayout({"key": width, "value": width})
    fields = {"key": False, "value": False} if order == "checked" else None
    return GroupBoundaries(row, lanes, key="key", distinct=("value",), order=fields)


def _butterfly(*, lanes, width, radix):
    return ReverseButterfly(width, lanes, radix=radix)


def _compactor(*, lanes, width, scan, context):
    return RoundRobinCompactor(width, lanes, scan=scan, context=context)


def _reduction(*, operator, lanes, width, tuples, passenger):
    row = data.StructLayout({"value": signed(width)})
    state = operator_of(operator, width, tuples)
    return Reduction(state, row, lanes, tuples=tuples, passenger=passenger)


def _pivot_pass(*, lanes, width, tuples, neighbours, percent):
    if not 1 <= percent <= 100:
        raise ValueError(f"percent must be from 1 to 100, not {percent}")
    sizes = {"tuples": tuples, "neighbours": neighbours, "fraction": Fraction(percent, 100)}
    return PivotPass(signed(width), lanes, **sizes)


UNITS = {
    "prefix-scan": Unit(
        about=f"states of lanes 0 to i in each beat; {_SHAPES}; {_OPERATORS}",
        settings={"operator": "sum", "lanes": 4, "width": 32, "scan": "sklansky"},
        create=_prefix_scan,
    ),
    "rolling-scan": Unit(
        about=f"states of a stream's tuples up to lane i; {_SHAPES}; {_OPERATORS}",
        settings={"operator": "sum", "lanes": 4, "width": 32, "tuples": 1024, "scan": "sklansky"},
        create=_rolling_scan,
    ),
    "boundaries": Unit(
        about="marks of the first and the last tuple of each group, and of new values; order is "
        "free or checked: a bit shows beats with a tuple that descends",
        settings={"lanes": 4, "width": 32, "order": "free"},
        create=_boundaries,
    ),
    "butterfly": Unit(
        about="reverse butterfly: moves each tuple to its lane; radix is 2 or 4",
        settings={"lanes": 4, "width": 64, "radix": 4},
        create=_butterfly,
    ),
    "compactor": Unit(
        about=f"round-robin compactor: {_SHAPES}; context is the bits of a stream's context, or 0",
        settings={"lanes": 4, "width": 64, "scan": "sklansky", "context": 0},
        create=_compactor,
    ),
    "reduction": Unit(
        about="state of each window of lines; operator is one of count, max, min, sum; passenger "
        "is the bits of data that a window carries to its state",
        settings={"operator": "sum", "lanes": 4, "width": 32, "tuples": 1024, "passenger": 8},
        create=_reduction,
    ),
    "pivot-pass": Unit(
        about="a percentile of each window of lines by a pass with a pivot, without sorting: the "
        "answer, or the next pivot; neighbours is the number K of values next to the pivot, a "
        "power of two; percent is 100 p",
        settings={"lanes": 8, "width": 64, "tuples": 4096, "neighbours": 1, "percent": 50},
        create=_pivot_pass,
    ),
}
