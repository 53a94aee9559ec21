"""What the tests of serial decoders share: damaged blocks, and values against the plain model."""

from golden.codecs.blocks import BLOCK_BITS, BrokenBlockError, decompress, is_coded
from tb.bench.unit import run_streams

COUNT_AT = BLOCK_BITS - 16


def some_of(blocks, rng, most):
    """Full blocks, at ``most``, and of each that is coded one with a wrong bit, a wrong count."""
    for block in rng.sample(blocks[:-1], min(most, len(blocks) - 1)):
        yield block
        if is_coded(block):
            count = (block >> COUNT_AT) % 512
            other = rng.choice((0, 1, count + 1, 511))
            yield block ^ 1 << rng.randrange(COUNT_AT)
            yield block & ~(511 << COUNT_AT) | other << COUNT_AT


def check(dut, model, blocks, steps, rng, stall_in, stall_out, sound=None):
    """Values are those of the model, and blocks take twice ``steps(block, values)`` cycles.

    ``values`` is None of a block that is none. Blocks are in two slots in turn, and so are their
    values. Without stalls a slot's next block comes as soon as it may; of those that are not among
    the ``sound`` ones, if told, the damage may be that values stay the same one by one.
    """
    inputs, wanted = [], []
    for block in blocks:
        count = (block >> COUNT_AT) % 512 if is_coded(block) else BLOCK_BITS // model.width
        try:
            values = decompress(model, block)
        except BrokenBlockError as error:
            if "between" in str(error):
                continue  # the hardware does not look there
            values = None
        skip = rng.choice((0, 0, rng.randrange(count + 1)))
        goes = {"last": rng.randrange(2), "passenger": rng.randrange(256)}
        inputs.append(
            {"block": block, "coded": is_coded(block), "count": count, "skip": skip, **goes}
        )
        wanted.append((goes, skip, values, steps(block, values)))
    run = run_streams(
        dut,
        {"i": inputs},
        {"o": None},
        stall_in=stall_in,
        stall_out=stall_out,
        max_cycles=2 * sum(least for *_, least in wanted) * (2 if stall_out else 1) + 20,
        seed=2,
    )
    slots = [iter([p for p in run["o"].payloads if p["slot"] == slot]) for slot in range(2)]
    for k, (goes, skip, values, _) in enumerate(wanted):
        got, part = [], {"last": 0}
        while not part["last"]:
            part = next(slots[k % 2])
            got += [part["value"]] * part["times"]
            assert part["passenger"] == goes
        assert part["error"] == (values is None)
        if values is not None:
            assert got == values[skip:]
    assert [next(slot, None) for slot in slots] == [None, None]
    assert sum(values is None for *_, values, _ in wanted) > 2
    if not (stall_in or stall_out):
        begins = run["i"].cycles
        assert run["o"].cycles[0] == begins[0] + dut.latency
        assert begins[1] == begins[0] + 1
        for k, (*_, values, least) in enumerate(wanted[:-2]):
            # Behind the other slot's, and when the one before it in its own has ended.
            earliest = max(begins[k] + 2 * least, begins[k + 1] + 1)
            if values is None:
                continue
            if sound is None or inputs[k]["block"] in sound:
                assert begins[k + 2] == earliest
            else:
                assert (
                    earliest <= begins[k + 2] <= max(begins[k] + 2 * len(values), begins[k + 1] + 1)
                )
