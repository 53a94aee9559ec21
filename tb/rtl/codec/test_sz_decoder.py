"""SZ's blocks, value by value, against the plain model."""

import random
from dataclasses import replace

import pytest

from golden.codecs import sz as model
from golden.codecs.blocks import BLOCK_BITS, BrokenBlockError, compress, decompress, is_coded
from rtl.codec.sz import Sz
from rtl.codec.sz_decoder import RUN, SzDecoder
from tb.golden.codecs.kinds import kinds
from tb.harness.unit import run_streams

COUNT_AT = BLOCK_BITS - 16
CODECS = [
    model.Sz(64, "float", -20),
    model.Sz(32, "signed", 2),
    *(
        pytest.param(codec, marks=pytest.mark.regress)
        for codec in (model.Sz(64, "unsigned", 13), model.Sz(32, "float", -9), model.Sz(64))
    ),
]


def walks(codec, rng):
    """What predictions are for: slow changes, straight lines and curves, with jumps between."""
    for bend in (0, 1, 9):
        place, step, values = 1 << 20, 3, []
        for _ in range(600):
            step += rng.randint(-bend, bend)
            place += step
            if rng.random() < 0.01 or not 0 < place < 1 << 23:
                place, step = rng.randrange(1 << 10, 1 << 22), rng.randint(-999, 999)
            values.append(codec.pattern(min(place, codec.most)))
        yield values


def blocks_of(codec, rng):
    """Of all kinds of values, some with a bit, or a count, that is wrong."""
    narrow = replace(codec, relative=2)
    for values in (*walks(codec, rng), *(v for _, v in kinds(codec.width, 700, seed=rng.random()))):
        for blocks in (compress(codec, values), compress(narrow, values)):
            for block in rng.sample(blocks[:-1], min(2, len(blocks) - 1)):
                yield block
                if is_coded(block):
                    count = (block >> COUNT_AT) % 512
                    other = rng.choice((0, 1, count + 1, 511))
                    yield block ^ 1 << rng.randrange(COUNT_AT)
                    yield block & ~(511 << COUNT_AT) | other << COUNT_AT


def steps(codec, block):
    """Cycles of the decoder for a block: one for a symbol, one for some constant ones."""
    if not is_coded(block):
        return BLOCK_BITS // codec.width
    left, bits, taken = (block >> COUNT_AT) % 512, block, 0
    while left > 0:
        run = next((k for k in range(RUN) if bits >> 2 * k & 3), RUN) or 1
        left, bits, taken = left - run, bits >> 2 * run, taken + 1
    return taken


@pytest.mark.parametrize("codec", CODECS, ids=str)
@pytest.mark.parametrize(
    ("stall_in", "stall_out"), [(0, 0), pytest.param(0.3, 0.4, marks=pytest.mark.regress)]
)
def test_values_are_those_of_the_model(codec, stall_in, stall_out):
    rng, inputs, wanted = random.Random(f"{codec} {stall_in}"), [], []
    for block in blocks_of(codec, rng):
        count = (block >> COUNT_AT) % 512 if is_coded(block) else BLOCK_BITS // codec.width
        try:
            values = decompress(codec, block)
        except BrokenBlockError as error:
            if "between" in str(error):
                continue  # the hardware does not look there
            values = None
        skip = rng.choice((0, 0, rng.randrange(count + 1)))
        goes = {"last": rng.randrange(2), "passenger": rng.randrange(256)}
        inputs.append(
            {"block": block, "coded": is_coded(block), "count": count, "skip": skip, **goes}
        )
        wanted.append((goes, skip, values, steps(codec, block)))
    dut = SzDecoder(Sz(codec.width, codec.kind, codec.exponent), 8)
    run = run_streams(
        dut,
        {"i": inputs},
        {"o": None},
        stall_in=stall_in,
        stall_out=stall_out,
        max_cycles=sum(least for *_, least in wanted) * (2 if stall_out else 1) + 20,
        seed=2,
    )
    given = iter(run["o"].payloads)
    for goes, skip, values, _ in wanted:
        got, part = [], {"last": 0}
        while not part["last"]:
            part = next(given)
            got += [part["value"]] * part["times"]
            assert part["passenger"] == goes
        assert part["error"] == (values is None)
        if values is not None:
            assert got == values[skip:]
    assert next(given, None) is None
    assert sum(values is None for *_, values, _ in wanted) > 5
    if not (stall_in or stall_out):
        begins = run["i"].cycles
        assert run["o"].cycles[0] == begins[0] + dut.latency
        for k, (*_, values, least) in enumerate(wanted[:-1]):
            assert values is None or begins[k + 1] - begins[k] == least
