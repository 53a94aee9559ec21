"""Checks the delays of windows: cycles by which a window ends later than an unloaded one."""

from rtl.engine.streamzip.schedule.stream_times import UNLOADED, StreamTimes


def test_delays_count_from_the_tuple_that_closes_a_window():
    """Tuples 1 and 3 of four close windows; the second window waits for 7 cycles."""
    times = StreamTimes(inputs=[0, 1, 2, 3], closers=[1, 3], ends=[1 + UNLOADED, 3 + UNLOADED + 7])
    assert times.delays().tolist() == [0, 7]
    assert times.delays(1).tolist() == [0, 7]  # the step at ``begin`` counts
    assert times.delays(2).tolist() == [7]
    assert times.delays(3).tolist() == [7]
    assert times.delays(4).tolist() == []


def test_a_stream_without_windows_has_no_delays():
    assert StreamTimes(inputs=[0, 1], closers=[], ends=[]).delays().tolist() == []
