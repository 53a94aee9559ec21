"""Whether the input's bus, the output's bus or the engine bounds the rate of a design."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from gen.predicted import gaps_of


@dataclass(frozen=True, kw_only=True)
class RateBound:
    """Tuples and rows of a transfer, and the rates that follow, in tuples per cycle.

    Attributes
    ----------
    bits : int
        Width of a transfer on ``s_axis`` and ``m_axis``.
    carried : int or Fraction
        Number of tuples in a transfer; a tuple may be spread over several transfers.
    rows : int or Fraction
        Number of rows in a transfer.
    lanes : int
        Greatest number of tuples that the engine takes in a cycle.
    entering : float
        Greatest rate at which tuples can enter, stalls of the input included.
    leaving : float
        Greatest rate with which all rows can leave; infinite where the rows are not known.
    predicted : float
        Rate of the design with its buses, as predicted.
    """

    bits: int
    carried: int | Fraction
    rows: int | Fraction
    lanes: int
    entering: float
    leaving: float
    predicted: float

    @classmethod
    def of(cls, design, predicted):
        """The bound of a design whose rate is predicted, for rows that are not known."""
        bus, out, lanes, face = *design.streams[:2], design.input.lanes, design.face
        carried, rows, bits = bus.lanes, out.lanes, 8 * bus.bytes
        if face.bits is not None:
            bits = face.bits
            carried = Fraction(bits, 8 * design.input.packing.bytes)
            rows = Fraction(bits, 8 * design.rows.packing.bytes)
        return cls(
            bits=bits,
            carried=carried,
            rows=rows,
            lanes=lanes,
            entering=float(carried),
            leaving=inf,
            predicted=predicted,
        )

    @classmethod
    def of_run(cls, design, predicted, tuples, rows, stalls):
        """The bound of a run with so many tuples, golden's ``rows``, and stalls at both sides."""
        known, (into, out) = cls.of(design, predicted), gaps_of(design, rows, stalls)
        leaving = tuples / (rows.num_rows * out) if rows.num_rows else inf
        return cls(**vars(known) | {"entering": 1 / into, "leaving": leaving})

    @property
    def name(self):
        """``engine``; or ``bus``, or ``rows``, if the input's or the output's is used fully."""
        if self.predicted < min(self.entering, self.leaving) * (1 - 1e-9):
            return "engine"
        if self.leaving < self.entering:
            return "rows"
        return "bus" if self.carried < self.lanes else "engine"

    def values(self):
        """Plain data for ``--json``."""
        return {"rate_bounded_by": self.name, "tuples_per_beat": float(self.carried)}

    @property
    def text(self):
        """One phrase for a table."""
        carried = _counted(self.carried, "tuple")
        if self.name == "bus":
            return (
                f"the bus of {self.bits} bits: it carries {carried}, the engine takes {self.lanes}"
            )
        if self.name == "rows":
            return f"the rows: m_axis carries {_counted(self.rows, 'row')}"
        return f"the engine; the bus of {self.bits} bits carries {carried}"


def _counted(count, word):
    return f"{float(count):.3g} {word if count == 1 else f'{word}s'} per beat"
