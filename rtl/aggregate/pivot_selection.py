"""Selects a percentile from the neighbours of a pivot, or chooses the next pivot."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.targets import CompiledTargets

#: Width of the number of a window's earlier passes, in bits.
TRIES_BITS = 7
#: Levels of registers.
LEVELS = 6


def most_passes(width):
    """Returns the greatest number of passes that a search among keys of ``width`` bits takes.

    The distances of the pivots double until the answer lies between two pivots, and then halve. So
    each bit takes two passes at most, and the first and the last pass come in addition.
    """
    return 2 * width + 2


def search_layout(width):
    """Returns the layout of a search for a rank among keys of ``width`` bits.

    Members: ``pivot``, the pivot of the next pass; ``low`` and ``high``, the answer is neither
    below ``low`` nor above ``high``; ``tries``, the number of earlier passes, at most 127.
    """
    return data.StructLayout({"pivot": width, "low": width, "high": width, "tries": TRIES_BITS})


def new_search(width, pivot=0):
    """Returns the members of a new search: every key may be the answer."""
    return {"pivot": pivot, "low": 0, "high": Const((1 << width) - 1, width), "tries": 0}


class PivotSelection(wiring.Component):
    """Selects the value of rank ceil(p n) of a window of n values, by one pass with a pivot.

    Let r be the rank, from 1, and ``less`` and ``upto`` the numbers of values below and up to the
    pivot. If less < r <= upto, the pivot is the answer. If r <= less, the answer is number less - r
    of the values below the pivot, counted from 0 and from the nearest value; if r > upto, number
    r - upto - 1 of the values above it. The pass has the K nearest values of either side, so it
    finds the answer if this number is less than K. For instance the window 5 5 7 8 9, K = 1, pivot
    5, p = 1/2: r = 3, less = 0, upto = 2, so the answer is number 0 of the values above: 7.

    Otherwise the pass narrows the search, and the output has the next pivot. If the answer is below
    the pivot, the K-th value below the pivot becomes ``high``. If it is above, the same circuit
    works on inverted keys, which have the reverse order. For an answer below the pivot:

    - If ``low`` is 0, no lower bound is known. The distance from the pivot to the K-th value covers
      K ranks. So the next pivot lies below the K-th value by this distance times number // K, both
      rounded down to powers of two, times 2 for the rounding, and twice as far with each further
      pass. For instance K = 2, pivot 100, values 98 and 96 next to it, and number 9 wanted: the
      distance is 4, and 9 // 2 = 4, so the next pivot is 96 - 4 * 4 * 2 = 64.
      A pivot that would be negative becomes 0.
    - Otherwise the next pivot is the middle of ``low`` and the new ``high``, rounded down.

    Invariant: **low <= answer <= high**, and each pass takes the pivot out of the interval. With
    steps that double and then halves, keys of w bits take at most 2 w + 2 passes
    (:func:`most_passes`). A pass with the answer as its pivot finds it. So a caller may search
    several ranks together, and repeat the pass of a window until all are found. A window without
    values counts as found.

    Order is kept. Latency 6 cycles, initiation interval 1 cycle. All levels advance together: they
    stop, and ``i`` stalls, while the last level is full and ``o`` stalls.

    Parameters
    ----------
    operator : Neighbours
    fraction : Fraction
        p, with 0 < p <= 1.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(data.StructLayout({"state": operator.result, "search": ..., ...})))
        ``search``, of ``search_layout``, has the pivot of the pass; ``passenger`` passes through.
    o : Out(stream.Signature(data.StructLayout({"found": 1, "search": ..., "passenger": ...})))
        With ``found`` the answer is ``search.pivot``; otherwise ``search`` is the next one.

    Source: ours.
    """

    latency = LEVELS
    initiation_interval = 1

    def __init__(self, operator, fraction, passenger=0):
        self._operator = operator
        self._width = operator.shape.width
        self._target = CompiledTargets(fraction, 1, operator.tuples)
        search = {"search": search_layout(self._width), "passenger": passenger}
        arriving = data.StructLayout({"state": operator.result, **search})
        result = data.StructLayout({"found": 1, **search})
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(result))})

    def elaborate(self, platform):
        m = Module()
        m.submodules.target = target = self._target
        enable = Signal()
        full = [self.i.valid]
        for level in range(LEVELS):
            next_full = Signal(name=f"full{level}")
            with m.If(enable):
                m.d.sync += next_full.eq(full[-1])
            full.append(next_full)
        m.d.comb += [
            enable.eq(~full[-1] | self.o.ready),
            self.i.ready.eq(enable),
            self.o.valid.eq(full[-1]),
            target.enable.eq(enable),
            target.counts[0].eq(self.i.p.state["count"]),
        ]

        def register(values, level):
            """Registers the values, and returns the registers; ``enable`` must be high to load."""
            later = {}
            for name, value in values.items():
                later[name] = Signal(value.shape(), name=f"{name}{level}", reset_less=True)
                with m.If(enable):
                    m.d.sync += later[name].eq(value)
            return later

        search = self.i.p.search
        fields = {name: search[name] for name in search.shape().members}
        fields |= {"passenger": self.i.p.passenger} if "passenger" in self._passenger else {}
        state = {name: self.i.p.state[name] for name in self._operator.result.members}
        parts = register(fields | {f"state_{name}": value for name, value in state.items()}, 0)
        parts = register(self._choose_side(parts, target.targets[0]), 1)
        parts = register(self._look_up(parts), 2)
        parts = register(self._measure(parts), 3)
        parts = register(self._reach(parts), 4)
        self._answer(m, register(self._continue(parts), 5))
        return m

    @property
    def _passenger(self):
        """Names of the members that pass through unchanged."""
        return [name for name, field in self.o.p.shape() if name == "passenger" and field.width]

    def _choose_side(self, parts, rank):
        """Compares the rank with the counts, and takes the entries of the answer's side.

        If the answer is above the pivot, inverts the pivot and the bounds; the entries above the
        pivot arrive inverted.
        """
        state = {name[6:]: parts.pop(name) for name in list(parts) if name.startswith("state_")}
        less = state["less"]
        upto = state["upto"]
        bits = len(state["count"])
        is_below = rank <= less
        is_above = rank > upto
        low, high, pivot = (parts.pop(name) for name in ("low", "high", "pivot"))
        names = zip(self._operator.below, self._operator.above, strict=True)
        entries = {
            f"entry{k}": Mux(is_above, state[above], state[below])[: self._width]
            for k, (below, above) in enumerate(names)
        }
        return (
            parts
            | entries
            | {
                "inverted": is_above,
                "hit": ~(is_below | is_above) | ~state["count"].any(),
                "index": Mux(is_above, rank - upto - 1, less - rank)[:bits],
                "pivot": Mux(is_above, ~pivot, pivot)[: self._width],
                "low": Mux(is_above, ~high, low)[: self._width],
                "high": Mux(is_above, ~low, high)[: self._width],
            }
        )

    def _look_up(self, parts):
        """Takes the answer from the list, and computes the distance that the list covers."""
        count = self._operator.neighbours
        entries = [parts.pop(f"entry{k}") for k in range(count)]
        hit, index, pivot = (parts.pop(name) for name in ("hit", "index", "pivot"))
        selected = entries[0]
        for k, entry in enumerate(entries[1:], 1):
            selected = Mux(index == k, entry, selected)
        return parts | {
            "found": hit | (index < count),
            "key": Mux(hit, pivot, selected)[: self._width],
            "last": entries[-1],
            "spread": (pivot - entries[-1])[: self._width],
            "lists": index >> (count.bit_length() - 1),
        }

    def _measure(self, parts):
        """Computes the exponent of number // K, and the quarters of the distance."""
        lists = _top(parts.pop("lists"))
        quarters = _quarters(parts.pop("spread"))
        spread = {f"spread_{name}": value for name, value in quarters.items()}
        return parts | {"lists": lists} | spread

    def _reach(self, parts):
        """Computes the exponent of the distance to the next pivot, and the middle of the bounds."""
        quarters = {name[7:]: parts.pop(name) for name in list(parts) if name.startswith("spread_")}
        spread = _joined(quarters)
        lists = parts.pop("lists")
        return parts | {
            "exponent": spread + lists + 1 + parts["tries"],
            "middle": ((parts["low"] + parts["last"]) >> 1)[: self._width],
        }

    def _continue(self, parts):
        """Chooses the answer or the next pivot."""
        low = parts["low"]
        last = parts.pop("last")
        exponent = parts.pop("exponent")
        middle = parts.pop("middle")
        found = parts["found"]
        key = parts.pop("key")
        tries = parts["tries"]
        step = Cat(exponent == k for k in range(self._width))
        beyond = (exponent >= self._width) | (last < step)
        far = Mux(beyond, 0, last - step)[: self._width]
        next_pivot = Mux(low.any(), middle, far)
        return parts | {
            "pivot": Mux(found, key, next_pivot),
            "high": Mux(found, parts["high"], last),
            "tries": (tries + ~tries.all())[:TRIES_BITS],
        }

    def _answer(self, m, parts):
        """Turns keys above the pivot back, and sends the result."""
        search = self.o.p.search
        inverted = parts["inverted"]
        low, high, pivot = (parts[name] for name in ("low", "high", "pivot"))
        m.d.comb += [
            self.o.p.found.eq(parts["found"]),
            search.pivot.eq(Mux(inverted, ~pivot, pivot)),
            search.low.eq(Mux(inverted, ~high, low)),
            search.high.eq(Mux(inverted, ~low, high)),
            search.tries.eq(parts["tries"]),
        ]
        if "passenger" in parts:
            m.d.comb += self.o.p.passenger.eq(parts["passenger"])


def _top(value):
    """Returns the index of the highest bit that is 1, such as 2 for 0b110; 0 for the value 0."""
    return _joined(_quarters(value))


def _quarters(value):
    """Returns for each quarter of a value if a bit is set, and the index of its highest bit.

    The members are ``any0`` to ``any3`` and ``number0`` to ``number3``, for `_joined`. The value is
    extended by zeros to a power of four of bits.
    """
    width = 4
    while width < len(value):
        width *= 4
    value = Cat(value, Const(0, width - len(value)))
    size = width // 4
    quarters = [value.word_select(k, size) for k in range(4)]
    numbers = [Const(0, 0) if size == 1 else _top(quarter) for quarter in quarters]
    return {
        **{f"any{k}": quarter.any() for k, quarter in enumerate(quarters)},
        **{f"number{k}": number for k, number in enumerate(numbers)},
    }


def _joined(quarters):
    """Returns the index of a value's highest 1 from the results of :func:`_quarters`."""
    _, second, third, fourth = (quarters[f"any{k}"] for k in range(4))
    number = quarters["number0"]
    for k in range(1, 4):
        number = Mux(quarters[f"any{k}"], quarters[f"number{k}"], number)
    return Cat(number, fourth | (second & ~third), third | fourth)
