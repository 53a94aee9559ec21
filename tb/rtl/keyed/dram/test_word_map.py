"""Checks addresses of words by hand, with bases that are no multiple of the memory's size."""

import pytest
from amaranth.hdl import Module, Signal
from amaranth.lib.wiring import Component, In, Out

from rtl.keyed.dram.word_map import WordMap
from tb.bench.unit import simulate

PAGE = 4096


class Addresses(Component):
    """Computes the address of a word."""

    def __init__(self, words):
        self._words = words
        super().__init__(
            {
                "base": In(words.base_bits),
                "entry": In(range(words.entries)),
                "word": In(range(words.words)),
                "address": Out(words.address_width),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.d.comb += self.address.eq(self._words.address(self.base, self.entry, self.word))
        unused = Signal()  # the simulator's clock needs a domain
        m.d.sync += unused.eq(1)
        return m


@pytest.mark.parametrize(
    ("words", "base", "entry", "word", "address"),
    [
        (WordMap(entries=4, lines=2), 0, 3, 1, 3 * 128 + 16),
        (WordMap(entries=4, lines=2), 5, 3, 5, 5 * PAGE + 3 * 128 + 64 + 16),
        # 8,192 entries of 64 bytes from page 3 on: the last entry begins 64 bytes below 512 KiB
        (WordMap(entries=8192), 3, 8191, 3, 3 * PAGE + 8191 * 64 + 48),
        (WordMap(entries=8192), 127, 64, 0, 127 * PAGE + PAGE),
        (WordMap(entries=256, address_width=40), (1 << 28) - 4, 255, 3, (1 << 40) - 16),
        # the memory continues at address 0 after the last address
        (WordMap(entries=256), (1 << 20) - 1, 64, 1, 16),
    ],
)
def test_address_is_that_of_the_base_and_the_words_before(words, base, entry, word, address):
    dut, actual = Addresses(words), []

    async def bench(ctx):
        for name, value in (("base", base), ("entry", entry), ("word", word)):
            ctx.set(getattr(dut, name), value)
        actual.append(ctx.get(dut.address))
        await ctx.tick()

    simulate(dut, bench)
    assert actual == [address]
