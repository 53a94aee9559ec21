"""Decides whether the input bus, the output bus or the engine bounds the rate of a design."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

from gen.prediction.expected_rate import gaps_of


@dataclass(frozen=True, kw_only=True)
class RateBound:
    """Number of tuples and rows per transfer, and the resulting rates in tuples per cycle.

    Attributes
    ----------
    bits : int
        Width of a transfer on ``s_axis``, in bits; with ``bus_bits`` also on ``m_axis``.
    carried : int or Fraction
        Number of tuples in a transfer; a tuple may be spread over several transfers.
    rows : int or Fraction
        Number of rows in a transfer.
    lanes : int
        Greatest number of tuples that the engine takes in a cycle.
    entering : float
        Greatest rate at which tuples can enter, stalls of the input included.
    leaving : float
        Greatest rate at which the output can carry all rows; infinite if the rows are unknown.
    predicted : float
        Predicted rate of the design with its buses.
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
        """Returns the bound of a design before a run, when its number of rows is unknown."""
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
        """Returns the bound of a run of ``tuples`` tuples with golden's ``rows`` and ``stalls``."""
        known, (into, out) = cls.of(design, predicted), gaps_of(design, rows, stalls)
        leaving = tuples / (rows.num_rows * out) if rows.num_rows else inf
        return cls(**vars(known) | {"entering": 1 / into, "leaving": leaving})

    @property
    def name(self):
        """Name of the bound: ``bus`` if the input is full, ``rows`` the output, else ``engine``."""
        if self.predicted < min(self.entering, self.leaving) * (1 - 1e-9):
            return "engine"
        if self.leaving < self.entering:
            return "rows"
        return "bus" if self.carried < self.lanes else "engine"

    def values(self):
        """Returns the entries for ``--json``."""
        return {"rate_bounded_by": self.name, "tuples_per_beat": float(self.carried)}

    @property
    def text(self):
        """Phrase for the table that commands print."""
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
