"""Decides whether the input bus, the output bus or a stage of the engine bounds the rate."""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import pyarrow as pa

from gen.prediction.expected_rate import gaps_of, leaving_rate
from rtl.contract.design import Design
from rtl.contract.prediction import Prediction


@dataclass(frozen=True, kw_only=True)
class RateBound:
    """Number of tuples and rows per transfer, and the resulting rates in tuples per cycle.

    Attributes
    ----------
    bits : int
        Width of a transfer on ``s_axis``, in bits; with ``bus_bits`` or ``network`` also of a
        transfer on the output.
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
    slowest_stage : str or None
        Stage of the engine that is slowest on average; None if the engine has one stage only, or
        takes a tuple in every cycle.
    """

    bits: int
    carried: int | Fraction
    rows: int | Fraction
    lanes: int
    entering: float
    leaving: float
    predicted: float
    slowest_stage: str | None

    @classmethod
    def of(cls, design: Design, prediction: Prediction) -> "RateBound":
        """Returns the bound of a design before a run, when its number of rows is unknown."""
        bus, out = design.streams[:2]
        face = design.face
        carried: int | Fraction = bus.lanes
        rows: int | Fraction = out.lanes
        bits = 8 * bus.bytes
        if face.bits is not None:
            bits = face.bits
            carried = Fraction(bits, 8 * design.input.packing.bytes)
            rows = Fraction(bits, 8 * design.rows.packing.bytes)
        return cls(
            bits=bits,
            carried=carried,
            rows=rows,
            lanes=design.input.lanes,
            entering=float(carried),
            leaving=inf,
            predicted=prediction.tuples_per_cycle,
            slowest_stage=prediction.slowest_stage,
        )

    @classmethod
    def of_run(
        cls,
        design: Design,
        prediction: Prediction,
        tuples: int,
        stretch: Any,
        rows: pa.Table,
        stalls: tuple[float, float],
    ) -> "RateBound":
        """Returns the bound of a run.

        Parameters
        ----------
        tuples : int
            Number of tuples of the input.
        stretch : gen.simulate.steady_part.Stretch or None
            Part of the stream from the end of the first window to the end of the last. With a
            stretch only the rows of its windows bound the rate.
        rows : pyarrow.Table
            Golden's rows.
        stalls : (float, float)
            Probabilities that the input and the output stall in a cycle.
        """
        bound = cls.of(design, prediction)
        input_gap, output_gap = gaps_of(design, rows, stalls)
        leaving = leaving_rate(tuples, stretch, rows, output_gap)
        if prediction.waits_for_rows:  # though the mean of the rows would allow a higher rate
            leaving = min(leaving, prediction.tuples_per_cycle)
        return cls(**vars(bound) | {"entering": 1 / input_gap, "leaving": leaving})

    @property
    def name(self) -> str:
        """Name of the bound.

        ``engine`` if the predicted rate is below the rates that the input and the output allow.
        Otherwise ``rows`` if the output allows less than the input. Otherwise ``stalls`` if stalls
        of the input cost tuples, ``bus`` if a beat carries fewer tuples than the engine takes, and
        ``engine`` if neither is the case. For instance with 1 tuple in a beat and 2 lanes, a rate
        of 0.3 is bounded by the ``engine``, and a rate of 1 by the ``bus``.
        """
        if self.predicted < min(self.entering, self.leaving) * (1 - 1e-9):
            return "engine"
        if self.leaving < self.entering:
            return "rows"
        if self.entering < min(float(self.carried), self.lanes) * (1 - 1e-9):
            return "stalls"
        return "bus" if self.carried < self.lanes else "engine"

    def values(self) -> dict[str, str | float]:
        """Returns the entries for ``--json``."""
        return {"rate_bounded_by": self.name, "tuples_per_beat": float(self.carried)}

    @property
    def text(self) -> str:
        """The bound as a phrase: ``the bus of 64 bits: it carries 1 tuple per beat, ...``."""
        carried = _counted(self.carried, "tuple")
        if self.name == "bus":
            return (
                f"the bus of {self.bits} bits: it carries {carried}, the engine takes {self.lanes}"
            )
        if self.name == "rows":
            return f"the rows: m_axis carries {_counted(self.rows, 'row')}"
        if self.name == "stalls":
            return f"the stalls of the input; without stalls the bus carries {carried}"
        return f"{self._engine}; the bus of {self.bits} bits carries {carried}"

    @property
    def _engine(self):
        """Phrase that names the engine, and the slowest stage if tuples wait for this stage."""
        waits = self.predicted < self.lanes * (1 - 1e-9)
        return (
            f"the engine, by its {self.slowest_stage}"
            if waits and self.slowest_stage
            else "the engine"
        )


def _counted(count, word):
    return f"{float(count):.3g} {word if count == 1 else f'{word}s'} per beat"
