"""The levels of memory of compressed values, with windows of time."""

from rtl.keyed.store.blocks.coded_levels import CodedLevels


class CodedTimeLevels(CodedLevels):
    """Compresses values into blocks of one slide each, and asks for the windows that close.

    A window comes before the value that closes it, and is told by the numbers from which on there
    are values of it, and of the next: as many before that value as the step says. For instance with
    100 values of the key, 30 of them from the window's head on, and 12 from the next one's: it
    begins with number 70, ends before 100, and the next one begins with 88.

    All else is as in :class:`~rtl.keyed.store.blocks.coded_levels.CodedLevels`, latency and
    initiation interval too; there is no cache.

    Parameters
    ----------
    plan : CodedTimePlan

    Members
    -------
    i : In(stream.Signature(step_layout(plan)))
    commands : Out(stream.Signature(plan.lines.command()))
    windows : Out(stream.Signature(coded_window_layout(plan.coded, plan.told)))
    lines : In(stream.Signature(marked_line()))
    collected : Out(stream.Signature(marked_line()))
    feedback : In(stream.Signature(plan.coded.feedback, always_ready=True))
    updated : Out(1)
    failed : Out(data.StructLayout({"valid": 1, "entry": range(plan.entries)}))
    busy : Out(1)

    Source: seed 000, sections 3.2 to 3.4.
    """

    def _value(self, goes, item):
        return [*super()._value(goes, item.item), goes.stamp.eq(item.stamp)]

    def _span(self, window, shown):
        asked = shown.passenger
        return [
            window.begin.eq(shown.number - asked.told.bound),
            window.end.eq(shown.number),
            window.next.eq(shown.number - asked.left),
            window.window.eq(asked.told.window),
        ]
