"""From the blocks of windows of time to their values."""

from rtl.keyed.store.blocks.coded_windows import CodedWindows
from rtl.keyed.store.blocks.stamped_windows import StampedWindows


class CodedTimeWindows(CodedWindows):
    """Collects the blocks of windows of time and decompresses them.

    As :class:`~rtl.keyed.store.blocks.coded_windows.CodedWindows`, but for blocks of one slide
    each; there is no cache. A line may be left without any value, a window is not. Latency and
    initiation interval are the same.

    Parameters
    ----------
    plan : CodedTimePlan

    Members
    -------
    windows : In(stream.Signature(coded_window_layout(plan.coded, plan.told)))
    lines : In(stream.Signature(marked_line()))
    o : Out(stream.Signature(plan.given.line(plan.told)))
    feedback : Out(stream.Signature(plan.coded.feedback, always_ready=True))

    Source: seed 000, sections 3.4 and 3.4.5.
    """

    @staticmethod
    def _blocks_of(plan):
        return StampedWindows(plan.coded, plan.times, plan.told)
