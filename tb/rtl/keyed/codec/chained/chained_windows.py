"""Generates windows of blocks that form chains, with what a pool of decoders makes of them."""

import random

from golden.codecs.blocks import compress, decompress_chains, is_coded, is_dependent, open_coded
from golden.codecs.symbols import BLOCK_BITS
from golden.codecs.xor_chained import XorChained
from tb.golden.codecs.kinds import kinds


def states_of(model, blocks):
    """Returns the values of each block, and the model's state before it; None if unknown.

    The state is unknown before a block that needs none, because it has a seed or is raw.
    """
    values, states, state = [], [], None
    for block in blocks:
        dependent = is_dependent(block, model)
        states.append(state if dependent else None)
        if is_coded(block, model):
            reader, count = open_coded(block)
            decoded, state = model.decode_on(reader, count, state if dependent else None)
        else:
            (decoded,), state = decompress_chains(model, [block]), None
        values.append(decoded)
    return values, states


def seed_of(state):
    """Returns a state as the bits of a seed: value, leading zeros in 5 bits, length in 6."""
    value, (leading, length) = state
    return value << 11 | leading << 6 | length % 64


class Window:
    """A window of successive blocks, as inputs of a pool, and what comes out.

    Attributes
    ----------
    inputs : list of dict
    chains : list of list of int
        Values of each chain that are in the window.
    start : int or None
        Seed that is fed back; None if the next window begins in a block that needs none.
    broken : int or None
        Index of a damaged chain.
    lost : bool
        The state that is fed back is unknown: a block of its chain is damaged, or its read failed.
    """

    def __init__(self, model, blocks, values, states, place, rng, passenger):
        following, self.lost = rng.randrange(len(blocks)), rng.random() < 0.1
        skips = [0] * len(blocks)
        opening = rng.randrange(len(blocks))  # first block with values in the window
        for k in range(opening):
            skips[k] = len(values[k])
        skips[opening] = rng.choice((0, rng.randrange(len(values[opening]))))
        self.inputs, self.chains = [], []
        for k, block in enumerate(blocks):
            dependent = is_dependent(block, model)
            if k == 0 or not dependent:
                self.chains.append([])
            self.chains[-1] += values[k][skips[k] :]
            is_first, is_last = k == 0, k == len(blocks) - 1
            state = states[0] if is_first else None
            self.inputs.append(
                {
                    "block": block,
                    "coded": is_coded(block, model),
                    "count": len(values[k]),
                    "skip": skips[k],
                    "last": is_last,
                    "passenger": {
                        "m3": not is_last or rng.random() < 0.5,
                        "number": passenger if is_last else rng.randrange(256),
                    },
                    "dependent": dependent,
                    "opens": is_first,
                    "start": {
                        "seed": rng.getrandbits(8) if state is None else seed_of(state),
                        "known": state is not None,
                    },
                    "save": is_first or k <= following,
                    "feed": {"valid": is_last, "lost": self.lost, "place": place},
                }
            )
        self.broken = None
        state = states[following]
        self.start = None if state is None else seed_of(state)

    def blocks_of(self, chain):
        """Returns the inputs that are blocks of a chain, which is an index in ``chains``."""
        number, blocks = -1, []
        for k, block in enumerate(self.inputs):
            number += not k or not block["dependent"]
            blocks += [block] * (number == chain)
        return blocks


def windows(width, count, seed, longest=24):
    """Returns windows of blocks of all kinds of values."""
    rng, model = random.Random(seed), XorChained(width)
    sources = [compress(model, values)[:-1] for _, values in kinds(width, 4000, seed=rng.random())]
    sources = [(blocks, *states_of(model, blocks)) for blocks in sources]
    generated = []
    for number in range(count):
        blocks, values, states = rng.choice(sources)
        begin = rng.randrange(len(blocks))
        end = min(len(blocks), begin + rng.randint(1, longest))
        span = slice(begin, end)
        arguments = blocks[span], values[span], states[span]
        generated.append(Window(model, *arguments, number % 64, rng, number % 256))
    return generated


def damage(window, rng):
    """Damages a coded block, or the state before the window; returns whether it has.

    Afterwards ``window.broken`` has the index of the chain, and ``window.lost`` is true if the
    state that is fed back is not known.
    """
    first = window.inputs[0]
    if first["dependent"] and rng.random() < 0.3:
        first["start"] = {"seed": rng.getrandbits(43), "known": 0}
        number = -1
    else:
        coded = [k for k, one in enumerate(window.inputs) if one["coded"] and one["count"] > 1]
        if not coded:
            return False
        number = rng.choice(coded)
        block = window.inputs[number]
        block["block"] &= ~(511 << BLOCK_BITS - 16)
        block |= {"count": 0, "skip": 0}
    heads = [k for k, one in enumerate(window.inputs) if not (k and one["dependent"])]
    window.broken = sum(head <= max(number, 0) for head in heads) - 1
    saved = max(k for k, one in enumerate(window.inputs) if one["save"])
    is_of_chain = sum(head <= saved for head in heads) - 1 == window.broken
    window.lost |= bool(window.inputs[saved]["dependent"]) and is_of_chain and saved > number
    return True
