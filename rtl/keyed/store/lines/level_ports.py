"""The ports of the levels of memory, and the way of an item into them."""

from amaranth.hdl import Value
from amaranth.lib import data, stream
from amaranth.lib.wiring import In, Out

from rtl.keyed.dram.line_stripes import marked_line
from rtl.keyed.dram.word_map import WORD_BITS
from rtl.keyed.step import step_layout
from rtl.keyed.store.lines.line_commands import ask
from rtl.keyed.store.lines.window_lines import window_layout
from rtl.memory.axi4 import Axi4


def level_ports(plan):
    """Returns the ports of a component that stores the items of steps, and reads windows.

    The ports are equal for all memories, so the components are interchangeable:

    - ``i``: steps. ``windows``: the windows that the steps close, in order.
    - ``commands`` to the line memory, and its ``lines``. ``collected``: the lines of windows.
    - ``updated``: an item is put into a line that was read. ``failed``: the access to a line that
      is to be changed, or to a word of M2 outside, failed, so the lines of ``entry`` are undefined
      from now on.
    - ``busy``: a write is pending, even if nothing more arrives at ``i``.

    With M2 outside of the chip also ``m2_base``, the base address of its memory, and ``m_axi_m2``.
    """
    windows = window_layout(plan.line, plan.window_info)
    m2_ports = {}
    if (words := plan.outer_m2) is not None:
        axi = Axi4(data_width=WORD_BITS, address_width=words.address_width)
        m2_ports = {"m2_base": In(words.base_bits), "m_axi_m2": Out(axi)}
    return {
        "i": In(stream.Signature(step_layout(plan))),
        "commands": Out(stream.Signature(plan.lines.command())),
        "windows": Out(stream.Signature(windows)),
        "lines": In(stream.Signature(marked_line())),
        "collected": Out(stream.Signature(marked_line())),
        "updated": Out(1),
        "failed": Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)})),
        "busy": Out(1),
        **m2_ports,
    }


def enter(m, steps, target):
    """Sends the item and the request of each step to ``target``, which fills lines with items."""
    step = steps.p
    into = target.p
    m.d.comb += [
        target.valid.eq(steps.valid),
        steps.ready.eq(target.ready),
        into.entry.eq(step.window_info.entry),
        into.place.eq(step.place),
        into.valid.eq(step.valid),
        Value.cast(into.item).eq(Value.cast(step.item)),
        *ask(into.passenger, step),
    ]
