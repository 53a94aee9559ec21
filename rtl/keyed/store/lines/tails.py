"""Assembles the line that each key is filling, in the memories M1 and M2; full lines go to M3."""

from amaranth.hdl import Cat, Module, Mux, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.memory.bank import Bank


def item_layout(plan, entries, passenger):
    """Returns the layout of an item of a key.

    Members: ``entry`` of the key, ``place`` in the line, ``item``, ``valid`` and ``passenger``. If
    ``valid`` is low there is no item: nothing is written, and the line at the output has the items
    before ``place``.
    """
    members = {"place": range(plan.items), "valid": 1, "passenger": passenger}
    return data.StructLayout({"entry": range(entries), "item": plan.item, **members})


def tail_layout(plan, entries, passenger, lines):
    """Returns the layout of a key's line up to an item.

    Members: ``line``, ``entry``, ``place``, ``valid``, ``passenger``; with 2 ``lines`` also
    ``previous``, the line before.
    """
    members = {"place": range(plan.items), "valid": 1, "passenger": passenger}
    previous_line = {"previous": plan.line} if lines == 2 else {}
    return data.StructLayout(
        {"line": plan.line, "entry": range(entries), **members, **previous_line}
    )


class Tails(wiring.Component):
    """Appends each item to the line of its key, and outputs the line up to the item.

    ::

        i --+--> M1: items of the word that is being filled ---+--> the line, up to the item --> o
            +--> M2: words of the line that is being filled ---+

    Each item causes at most one write to each level. Items wait in M1 for a full word, which is
    added to the words in M2; words wait in M2 for a full line, and the whole line is written to M3.
    So no line of M3 is read to be changed. The item that completes a word is not written to M1, and
    the word that completes a line is not written to M2. With 8 items in words of 2::

        place of the item   0    1     2    3     4    5     6    7
        M1 is written       a          c          e          g
        M2 gains                 ab         cd         ef
        line shown          a    ab    abc  abcd  ...             abcdefgh, which goes to M3

    With 2 ``lines`` of each key M2 also stores the last full line, ``previous``, which is output
    beside the line being filled. Invariant: **``previous`` is the line before ``line``**, also for
    the item that completes a line. ``previous`` is undefined until the key has filled a line since
    a reset, or since it took its entry over from another key. With 2 items in a line::

        place of the item   0    1    0    1    0    1
        line shown          a    ab   c    cd   e    ef
        previous            .    .    ab   ab   cd   cd

    The places of a key's items ascend from 0, and 0 follows the last place of a line; the parent
    counts them. A key that takes an entry over, and each key after a reset, begins with place 0.
    Keys may follow each other in any order, also in successive cycles: each line at the output has
    all earlier items of the line. Places above the item's place are undefined in ``line``.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` in
    the same cycle. A reset leaves the memories as they are.

    Parameters
    ----------
    plan : LinePlan
        With at least 2 items in a line.
    entries : int
        Keys, a power of two of at least 2.
    passenger : ShapeLike
    lines : int
        Number of lines of each key in M2: 1, or 2 with the last full line.
    kind : str
        Kind of M2's memory, as for :class:`~rtl.memory.block.BlockMemory`.

    Members
    -------
    i : In(stream.Signature(item_layout(plan, entries, passenger)))
    o : Out(stream.Signature(tail_layout(plan, entries, passenger, lines)))

    Source: seed 000, sections 3.2 and 3.3 (M1, M2, and flushes without read-modify-write).
    """

    latency = Bank.latency
    initiation_interval = 1

    def __init__(self, plan, entries, passenger=0, *, lines=1, kind="block"):
        if lines not in (1, 2):
            raise ValueError(f"lines must be 1 or 2, not {lines!r}")
        if plan.items < 2:
            raise ValueError(f"items must be at least 2, not {plan.items}")
        self._plan = plan
        self._item_layout = item_layout(plan, entries, passenger)
        levels = {"m1": (plan.first_bits, "block"), "m2": (plan.second_bits, kind)}
        levels["m2_previous"] = (plan.line.size if lines == 2 else 0, kind)
        # All banks take and offer items in the same cycles, so only the first one carries them.
        self._banks = {}
        passed_on = self._item_layout
        for name, (bits, ram) in levels.items():
            if bits:
                self._banks[name] = Bank(bits, entries, passed_on, kind=ram)
                passed_on = 0
        super().__init__(
            {
                "i": In(stream.Signature(self._item_layout)),
                "o": Out(stream.Signature(tail_layout(plan, entries, passenger, lines))),
            }
        )

    @staticmethod
    def memory_bits_of(plan, entries, lines=1):
        """Returns the bits of M1 and of M2, without building them."""
        previous_bits = plan.line.size if lines == 2 else 0
        return plan.first_bits * entries, (plan.second_bits + previous_bits) * entries

    def elaborate(self, platform):
        m = Module()
        for name, bank in self._banks.items():
            m.submodules[name] = bank
            m.d.comb += [
                bank.i.valid.eq(self.i.valid),
                bank.i.p.index.eq(self.i.p.entry),
                bank.o.ready.eq(self.o.ready),
            ]
        lead = next(iter(self._banks.values()))
        item = lead.o.p.passenger
        m.d.comb += [
            lead.i.p.passenger.eq(self.i.p),
            self.i.ready.eq(lead.i.ready),
            self.o.valid.eq(lead.o.valid),
            *(self.o.p[name].eq(item[name]) for name in ("entry", "place", "valid", "passenger")),
        ]
        self._show(m, item)
        return m

    def _show(self, m, item):
        """Outputs the line, and writes the levels."""
        plan = self._plan
        # Numbers of items and of words are powers of two, so all bits of the last number are 1.
        word_number = item.place[plan.word_items.bit_length() - 1 :]
        complete_words = self._stored("m2", plan.second_bits)
        growing_word = Signal(plan.word_bits)
        word_items = self._stored("m1", plan.first_bits)
        m.d.comb += growing_word.eq(plan.filled(word_items, item.place, item.item))
        words = [
            complete_words[k * plan.word_bits :][: plan.word_bits] for k in range(plan.words - 1)
        ]
        words = [Mux(word_number == k, growing_word, part) for k, part in enumerate(words)]
        m.d.comb += Value.cast(self.o.p.line).eq(Cat(*words, growing_word))
        completes_word = plan.fills(item.place)
        self._write(m, "m1", growing_word[: plan.first_bits], item.valid & ~completes_word)
        self._write(m, "m2", Cat(*words), item.valid & completes_word & ~word_number.all())
        self._write(m, "m2_previous", self.o.p.line, item.valid & item.place.all())
        if "m2_previous" in self._banks:
            m.d.comb += Value.cast(self.o.p.previous).eq(self._stored("m2_previous", 0))

    def _stored(self, name, bits):
        """Returns the bits that a level stores for the key.

        Without the level it is a signal of ``bits`` bits without a driver.
        """
        bank = self._banks.get(name)
        return Value.cast(bank.o.p.entry) if bank is not None else Signal(bits)

    def _write(self, m, name, value, update):
        """Writes the bits that a level stores for the key, if the level exists."""
        if name in self._banks:
            m.d.comb += [self._banks[name].next.eq(value), self._banks[name].update.eq(update)]
