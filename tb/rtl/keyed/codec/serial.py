"""Shared parts of the tests of serial decoders: damaged blocks, and checks by the plain model."""

from golden.codecs.blocks import decompress, is_coded
from golden.codecs.symbols import BLOCK_BITS, BrokenBlockError
from tb.bench.unit import run_streams

COUNT_AT = BLOCK_BITS - 16


def damaged_blocks(blocks, rng, most):
    """Yields ``most`` full blocks; of each coded block also one with a wrong bit or wrong count."""
    for block in rng.sample(blocks[:-1], min(most, len(blocks) - 1)):
        yield block
        if is_coded(block):
            count = (block >> COUNT_AT) % 512
            wrong_count = rng.choice((0, 1, count + 1, 511))
            yield block ^ 1 << rng.randrange(COUNT_AT)
            yield block & ~(511 << COUNT_AT) | wrong_count << COUNT_AT


def check(dut, model, blocks, steps, rng, stall_in, stall_out, sound=None):
    """Checks the values by the model, and that a block takes twice ``steps(block, values)`` cycles.

    ``values`` is None for a broken block. Blocks and their values alternate between two slots.
    Without stalls the next block of a slot enters as soon as possible. A damaged block, which is
    not among the ``sound`` ones, may take a step for each value.
    """
    inputs, expected = [], []
    for block in blocks:
        count = (block >> COUNT_AT) % 512 if is_coded(block) else BLOCK_BITS // model.width
        try:
            values = decompress(model, block)
        except BrokenBlockError as error:
            if "between" in str(error):
                continue  # the hardware ignores these bits
            values = None
        skip = rng.choice((0, 0, rng.randrange(count + 1)))
        info = {"last": rng.randrange(2), "passenger": rng.randrange(256)}
        inputs.append(
            {"block": block, "coded": is_coded(block), "count": count, "skip": skip, **info}
        )
        expected.append((info, skip, values, steps(block, values)))
    run = run_streams(
        dut,
        {"i": inputs},
        {"o": None},
        stall_in=stall_in,
        stall_out=stall_out,
        max_cycles=2 * sum(step_count for *_, step_count in expected) * (2 if stall_out else 1)
        + 20,
        seed=2,
    )
    slots = [iter([p for p in run["o"].payloads if p["slot"] == slot]) for slot in range(2)]
    for k, (info, skip, values, _) in enumerate(expected):
        received, part = [], {"last": 0}
        while not part["last"]:
            part = next(slots[k % 2])
            received += [part["value"]] * part["times"]
            assert part["passenger"] == info
        assert part["error"] == (values is None)
        if values is not None:
            assert received == values[skip:]
    assert [next(slot, None) for slot in slots] == [None, None]
    assert sum(values is None for *_, values, _ in expected) > 2
    if not (stall_in or stall_out):
        starts = run["i"].cycles
        assert run["o"].cycles[0] == starts[0] + dut.latency
        assert starts[1] == starts[0] + 1
        for k, (*_, values, step_count) in enumerate(expected[:-2]):
            # After the block of the other slot, and after the end of the block before in its slot.
            earliest = max(starts[k] + 2 * step_count, starts[k + 1] + 1)
            if values is None:
                continue
            if sound is None or inputs[k]["block"] in sound:
                assert starts[k + 2] == earliest
            else:
                assert (
                    earliest <= starts[k + 2] <= max(starts[k] + 2 * len(values), starts[k + 1] + 1)
                )
