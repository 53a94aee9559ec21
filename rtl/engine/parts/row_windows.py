"""The settings of windows by rows: size and slide, which the host sets."""

from amaranth.utils import bits_for

from rtl.contract.settings import HostSetting


def row_window_settings(window, most, multiple=1):
    """``size`` and ``slide`` of windows of up to ``most`` tuples.

    Parameters
    ----------
    window : query.window.Rows
        The query's.
    most : int
    multiple : int
        A power of two: both must be multiples of it.
    """
    told = (
        ("size", "tuples of a window (ws)", window.size),
        ("slide", "tuples from one window to the next (wa)", window.slide),
    )
    return tuple(
        HostSetting(
            name=name,
            doc=doc,
            width=bits_for(most + 1),
            unit="tuples",
            minimum=1,
            maximum=most,
            multiple=multiple,
            value=value,
        )
        for name, doc, value in told
    )


def longer_slide(settings):
    """High when the slide is longer than a window: tuples between two would have no say."""
    return settings["slide"] > settings["size"]
