"""Checks whether the FPGA of the board has enough resources for a design.

Each engine predicts the bits of its memories. For instance `streamzip` predicts 10,668,032 bits for
16,384 keys with 32-bit values (``examples/rows_per_key.cql``), which fill 290 block RAMs; synthesis
takes 294. Only ``sluice report`` counts the logic, see :func:`counted_warnings`.
"""

from dataclasses import replace
from typing import Any

from boards.board import Board
from rtl.contract.design import Design
from rtl.engine import ENGINES

#: Options that set the size of an engine's memories. A warning names a smaller value of the first
#: of these options that the engine has.
_SIZES = ("entries", "window_max", "panes")


def refusal(design: Design, board: Board) -> str | None:
    """Returns a refusal if the design needs UltraRAM and the board's FPGA has none, else None."""
    resources = board.resources
    if resources is None or resources.uram:
        return None
    for name in ("m2_kind", "m3_kind"):
        if design.parameters.get(name) == "ultra":
            return (
                f"{name} must be block or external for board {board.name}, not ultra: its "
                f"{board.part} has no UltraRAM ({resources.source})"
            )
    return None


def warnings(design: Design, board: Board | None) -> list[str]:
    """Returns a line if the FPGA has too few block RAMs. The line names options that would fit."""
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


def counted_warnings(design: Design, board: Board | None, figures: Any) -> list[str]:
    """Returns a line for each resource of which the design needs more than the FPGA has.

    For another target than the board's, only the estimate of :func:`warnings` is returned. For
    families with ALMs this estimate replaces the count of block RAMs, as Yosys counts blocks of
    another family.
    """
    if board is None or board.resources is None:
        return []
    if figures.target != board.target:
        return warnings(design, board)
    resources = board.resources
    if figures.alm is None:
        counts = [
            ("LUTs", figures.lut + figures.lutram, resources.lut),
            ("block RAMs", resources.blocks_for(figures.block_ram_bits), resources.blocks),
            ("UltraRAMs", figures.uram, resources.uram),
        ]
        estimated = []
    else:
        counts = [("ALMs", figures.alm[0], resources.lut)]
        estimated = warnings(design, board)
    counts += [
        ("DSP blocks", figures.dsp, resources.dsp),
        ("registers", figures.ff, resources.ff),
    ]
    return estimated + [
        f"the design takes {count:,} {name}, and the {board.part} of {board.name} has {most:,}"
        for name, count, most in counts
        if count > most
    ]


def _memory_bits(design):
    return design.predict().memory_bits or 0


def _smaller(design, resources):
    """Returns the text of smaller options, for instance ``entries=4096``; None if nothing fits."""
    tries = []
    if design.parameters.get("m2_blocks"):
        tries.append({"m2_blocks": 0})
    if not design.face.network:  # the top of a board with a network has no memory outside
        tries += [
            {name: "external"}
            for name in ("m2_kind", "m3_kind")
            if design.parameters.get(name) == "block"
        ]
    name = next((name for name in _SIZES if design.parameters.get(name)), None)
    if name is not None:
        size = design.parameters[name]
        tries += [{name: size >> k} for k in range(1, size.bit_length())]
    fitting: list[dict[str, Any]] = []
    for options in tries:
        if name in options and any(name in earlier for earlier in fitting):
            continue  # a larger size fits
        try:
            other = ENGINES[design.engine].design(replace(design.options, **options))
            if resources.blocks_for(_memory_bits(other)) <= resources.blocks:
                fitting.append(options)
        except ValueError:  # the engine cannot have this size, nor a smaller one
            if name in options:
                break
    return " or ".join(f"{key}={value}" for each in fitting for key, value in each.items()) or None
