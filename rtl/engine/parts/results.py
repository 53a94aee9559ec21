"""Describes the results of a query: an operator for each item, and the fields of their row."""

from dataclasses import dataclass

from amaranth.hdl import Shape, signed
from amaranth.lib import data

from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.select import Select
from rtl.contract.rows import Role, RowField, RowSchema


@dataclass(frozen=True, kw_only=True)
class Results:
    """Describes the results of each group or window.

    Attributes
    ----------
    items : tuple of query.query.Item
    operators : tuple of Operator
        One for each item.
    select : bool
        True if the row has one column, ``result``, and the function register selects its item.
    """

    items: tuple
    operators: tuple[Operator, ...]
    select: bool = False

    @property
    def operator(self):
        """The product of all operators, named r0, r1, ...; with ``select``, of one part r0."""
        if self.select:
            return Product(r0=Select(self.operators))
        return Product(**{f"r{k}": operator for k, operator in enumerate(self.operators)})

    @property
    def functions(self):
        """Names of the results that the function register can select; empty without a register."""
        return tuple(item.name for item in self.items) if self.select else ()

    @property
    def selected(self):
        """Shape of each item's own result, if the row has one selected result; else empty."""
        if not self.select:
            return ()
        return tuple(Shape.cast(operator.result) for operator in self.operators)

    @property
    def fields(self):
        """A :class:`RowField` for each result; a VALID bit precedes a result that may be NULL."""
        names = ["result"] if self.select else [item.name for item in self.items]
        fields = []
        for name, part in zip(names, self.operator.parts.values(), strict=True):
            shape = part.result
            if isinstance(shape, data.StructLayout):  # of `valid` and `value`
                valid = f"valid({name})"
                fields.append(RowField(name=valid, shape=Shape(1), role=Role.VALID, of=name))
                shape = shape["value"].shape
            fields.append(RowField(name=name, shape=Shape.cast(shape), role=Role.VALUE))
        return tuple(fields)

    @property
    def queued_rows(self):
        """Number of beats of rows that wait in the engine while the output is slow.

        With windows a beat has the row of one window. Registers hold 4 beats. Of the stages of the
        division about half hold a beat: all stages stop while a beat waits in the last stage, so
        gaps between beats do not close.
        """
        return 4 + self.divider_latency // 2

    @property
    def divider_latency(self):
        """Latency of the division for averages, in cycles; 0 without averages."""
        return Lower.latency_of(self.operator)


def window_rows(results, end_width=0):
    """Returns the schema of rows, one for each window and each in its own packet.

    The core delivers ``end``, if ``end_width`` is not 0, and ``results``: r0, r1, ...
    """
    end = signed(end_width) if end_width else None
    first = [RowField(name="window_end", shape=end, role=Role.WINDOW_END)] if end_width else []
    layout = ({"end": end} if end_width else {}) | {"results": results.operator.result}
    return RowSchema(layout=data.StructLayout(layout), fields=(*first, *results.fields), lanes=1)
