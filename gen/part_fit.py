"""Whether a design fits the part of its board: refusals and warnings, without any synthesis.

Memories decide: an engine says how many bits they have. With 16,384 keys of 64-bit values these are
10,668,032 bits, 290 block RAMs if each is full; synthesised they are 294. The logic is counted only
by ``sluice report``, see :func:`counted_warnings`.
"""

from dataclasses import replace

from rtl.engine import ENGINES

#: Options that decide how much memory an engine has, the first that there is being halved.
_SIZES = ("entries", "window_max", "panes")


def refusal(design, board):
    """Reason why the board's part can never have the design; None if nothing stands against it."""
    resources = board.resources
    if resources is None or resources.uram or design.parameters.get("m2_kind") != "ultra":
        return None
    return (
        f"m2_kind must be block or external for board {board.name}, not ultra: its {board.part} "
        f"has no UltraRAM ({resources.source})"
    )


def warnings(design, board):
    """Lines about memory that the board's part has not; each says what would fit."""
    if board is None or board.resources is None:
        return []
    resources = board.resources
    blocks = resources.blocks_for(_memory_bits(design))
    if blocks <= resources.blocks:
        return []
    smaller = _smaller(design, resources)
    return [
        f"the engine's memories fill about {blocks:,} block RAMs ({resources.block_name}), and the "
        f"{board.part} of {board.name} has {resources.blocks:,}"
        + (f": {smaller} would fit" if smaller else "")
    ]


def counted_warnings(build, figures):
    """Lines about what a report has counted and the board's part has not.

    Block RAMs are counted only for the board's own target, and not for families with ALMs, for
    which Yosys counts blocks of another family: there it is the estimate of :func:`warnings`.
    """
    board = build.board
    if board is None or board.resources is None:
        return []
    if figures.target != board.target:
        return warnings(build.design, board)
    resources = board.resources
    if figures.alm is None:
        counts = [
            ("LUTs", figures.lut, resources.lut),
            ("block RAMs", figures.bram36, resources.blocks),
            ("UltraRAMs", figures.uram, resources.uram),
            ("DSP blocks", figures.dsp, resources.dsp),
        ]
        estimated = []
    else:
        counts = [("ALMs", figures.alm[0], resources.lut)]
        estimated = warnings(build.design, board)
    counts.append(("registers", figures.ff, resources.ff))
    return estimated + [
        f"the design takes {count:,} {name}, and the {board.part} of {board.name} has {most:,}"
        for name, count, most in counts
        if count > most
    ]


def _memory_bits(design):
    return design.predict().memory_bits or 0


def _smaller(design, resources):
    """Options with which the memories fit, as they are written; None if halving finds none."""
    tries = []
    if design.parameters.get("m2_kind") == "block":
        tries.append({"m2_kind": "external"})
    name = next((name for name in _SIZES if design.parameters.get(name)), None)
    if name is not None:
        size = design.parameters[name]
        tries += [{name: size >> k} for k in range(1, size.bit_length())]
    found = []
    for options in tries:
        if name in options and any(name in known for known in found):
            continue
        try:
            other = ENGINES[design.engine].design(replace(design.options, **options))
            if resources.blocks_for(_memory_bits(other)) <= resources.blocks:
                found.append(options)
        except ValueError:  # a size that the engine cannot have, and none below it
            break
    return " or ".join(f"{key}={value}" for each in found for key, value in each.items()) or None
