"""The host settings of windows by rows: size and slide."""

from amaranth.utils import bits_for

from rtl.contract.settings import HostSetting


def row_window_settings(window, window_max, multiple=1):
    """Returns the settings ``size`` and ``slide`` of windows of up to ``window_max`` tuples.

    Parameters
    ----------
    window : query.window.Rows
        The window of the query.
    window_max : int
    multiple : int
        A power of two: size and slide must be multiples of it.
    """
    numbers = (
        ("size", "tuples of a window (ws)", window.size),
        ("slide", "tuples from one window to the next (wa)", window.slide),
    )
    return tuple(
        HostSetting(
            name=name,
            doc=doc,
            width=bits_for(window_max + 1),
            unit="tuples",
            minimum=1,
            maximum=window_max,
            multiple=multiple,
            value=value,
        )
        for name, doc, value in numbers
    )


def longer_slide(settings):
    """Returns a signal: the slide is longer than a window, so some tuples are in no window."""
    return settings["slide"] > settings["size"]
