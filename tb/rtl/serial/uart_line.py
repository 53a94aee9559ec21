"""A serial line in amaranth's simulator, whose edges come at any time between clock edges."""


def levels_of(line, stops=()):
    """Returns the levels of the bytes of ``line``, each with its length in bits.

    The stop bit of a byte at one of ``stops`` is low, and a high bit follows.
    """
    levels = []
    for place, byte in enumerate(line):
        bits = [0, *(byte >> k & 1 for k in range(8)), int(place not in stops)]
        levels += [(bit, 1) for bit in [*bits, *([1] if place in stops else [])]]
    return levels


def driver(pin, levels, bit_seconds, phase=0.0):
    """Returns a process that drives ``pin`` by pairs of a level and its length in bits."""

    async def process(ctx):
        await ctx.delay((20 + phase) * bit_seconds)
        for level, bits in levels:
            ctx.set(pin, level)
            await ctx.delay(bits * bit_seconds)

    return process


def bytes_of(samples, cycles_per_bit):
    """Returns the bytes in samples of a line, one of each cycle, and the longest pause in bits.

    Each bit is read in its middle; start and stop bits must be right. The pause is between the stop
    bit of a byte and the next byte.
    """
    line, longest, position = [], 0.0, 0
    end = None
    while 0 in samples[position:]:
        start = samples.index(0, position)
        if end is not None:
            longest = max(longest, (start - end) / cycles_per_bit)
        places = [int(start + (k + 0.5) * cycles_per_bit) for k in range(10)]
        bits = [samples[place] for place in places]
        assert (bits[0], bits[9]) == (0, 1), f"no start or stop bit: {bits}"
        line.append(sum(bit << k for k, bit in enumerate(bits[1:9])))
        end = start + 10 * cycles_per_bit
        position = places[9]
    return bytes(line), longest
