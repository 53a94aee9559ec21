"""The plan of an aggregation of groups, :class:`~rtl.engine.parts.aggregation.Aggregation`."""

from dataclasses import dataclass, field

from amaranth.hdl import Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.contract.rows import Packet, Role, RowField, RowSchema
from rtl.engine.parts.results import Results
from rtl.network.boundaries import GroupBoundaries
from rtl.network.compactor import Router
from rtl.network.ranks import Ranks
from rtl.network.rolling import RollingScan


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """Describes an aggregation with one row for each group of a sorted stream, P tuples per cycle.

    Attributes
    ----------
    row : data.StructLayout
        Layout of a tuple.
    lanes : int
        P.
    key : str
        Column by which the tuples are grouped.
    results : Results
        Results of each group.
    tuples : int
        Number of tuples of the largest group whose count does not overflow.
    distinct : tuple of str
        Columns whose distinct values are counted: none or one.
    targets : tuple of Fraction or str
        Targets of the percentiles, see :class:`~rtl.network.ranks.Ranks`; empty without.
    context : data.StructLayout
        Settings that steer the aggregation of a stream: ``function``, if the row has one selected
        result, and the percentiles that are set at run time.
    order : mapping of str to bool
        Fields by which the input stream must be sorted; the value is True for a floating field. A
        flag reports a stream that is not sorted. Empty if an earlier component sorts.
    scan : str
        Shape of the prefix networks, see :mod:`rtl.network.plan`.
    """

    row: data.StructLayout
    lanes: int
    key: str
    results: Results
    tuples: int
    context: data.StructLayout
    distinct: tuple[str, ...] = ()
    targets: tuple = ()
    order: dict[str, bool] = field(default_factory=dict)
    scan: str = "sklansky"

    @property
    def key_shape(self):
        return Shape.cast(self.row[self.key].shape)

    @property
    def cardinality_bits(self):
        """Bits of the group size that each tuple carries; 0 without percentiles."""
        return bits_for(self.tuples) if self.targets else 0

    def rows(self, packet):
        """Returns the schema of the rows: the key, then the results.

        ``packet`` is a :class:`~rtl.contract.rows.Packet`: the rows that share a ``tlast``.
        """
        key = RowField(name=self.key, shape=self.key_shape, role=Role.KEY)
        return RowSchema(
            layout=data.StructLayout(
                {"key": self.key_shape, "results": self.results.operator.result}
            ),
            fields=(key, *self.results.fields),
            lanes=self.lanes,
            packet=Packet(packet),
            selected=self.results.selected,
        )

    @property
    def latency(self):
        """Latency from the last beat of a stream to its last row, in cycles.

        The rows that remain at the end of a stream leave one cycle later than a full beat.
        """
        parts = [
            GroupBoundaries.latency,
            RollingScan.latency_of(self.lanes, self.scan),
            self.results.divider_latency,
            Router.latency_of(self.lanes),
        ]
        if self.targets:
            sizes = {"targets": self.targets, "tuples": self.tuples}
            parts.append(Ranks.latency_of(self.lanes, scan=self.scan, **sizes))
        return sum(parts) + 1
