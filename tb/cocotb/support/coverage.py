"""Functional coverage: points with bins, counted by cocotb-coverage over a whole simulation."""

from cocotb_coverage.coverage import CoverPoint, coverage_db

#: Bins of the standard point ``pace`` of a stream.
AT_ONCE, STALLED = "at once", "after a stall"


class Coverage:
    """Counts how often each bin of each declared point is hit.

    Parameters
    ----------
    block : str
        Name of the block, the first part of the points' names.
    """

    def __init__(self, block):
        self._block = block
        self._points = {}

    def declare(self, name, bins):
        """Declares a point; a point that was declared by an earlier test keeps its counts."""

        @CoverPoint(f"{self._block}.{name}", xf=lambda value: value, bins=list(bins))
        def sample(value):
            pass

        self._points[name] = sample

    def hit(self, name, value):
        """Counts a value of a point; a value outside of the bins counts for no bin."""
        self._points[name](value)


def hits(block):
    """Returns the hits of each bin of the block's points, by point and bin."""
    points = {
        name: item for name, item in coverage_db.items() if hasattr(item, "detailed_coverage")
    }
    return {
        name.partition(".")[2]: {str(bin_): n for bin_, n in item.detailed_coverage.items()}
        for name, item in points.items()
        if name.startswith(f"{block}.")
    }
