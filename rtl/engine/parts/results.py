"""The results of a query in hardware: an operator for each item, and the fields of their row."""

from dataclasses import dataclass

from amaranth.hdl import Shape, signed
from amaranth.lib import data

from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Operator, Product
from rtl.aggregate.select import Select
from rtl.contract.rows import Role, RowField, RowSchema


@dataclass(frozen=True, kw_only=True)
class Results:
    """What is computed for each group or window.

    Attributes
    ----------
    items : tuple of query.query.Item
    operators : tuple of Operator
        One for each item.
    select : bool
        The row has one column, ``result``, and the function register says which item it shows.
    """

    items: tuple
    operators: tuple[Operator, ...]
    select: bool = False

    @property
    def operator(self):
        """All of them as one operator; its parts are named r0, r1, ..."""
        if self.select:
            return Product(r0=Select(self.operators))
        return Product(**{f"r{k}": operator for k, operator in enumerate(self.operators)})

    @property
    def functions(self):
        """What the function register chooses from; empty without one."""
        return tuple(item.name for item in self.items) if self.select else ()

    @property
    def selected(self):
        """Shape of each item's own result, where one column shows them all."""
        if not self.select:
            return ()
        return tuple(Shape.cast(operator.result) for operator in self.operators)

    @property
    def fields(self):
        """A :class:`RowField` for each result; one that may be NULL has a bit before it."""
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
    def divider_latency(self):
        """Cycles of the division for averages; 0 without any."""
        return Lower.latency_of(self.operator)


def window_rows(results, end_width=0):
    """The schema of one row for each window, in a packet of its own.

    The core gives ``end``, of ``end_width`` bits, when there is one, and ``results``: r0, r1, ...
    """
    end = signed(end_width) if end_width else None
    first = [RowField(name="window_end", shape=end, role=Role.WINDOW_END)] if end_width else []
    layout = ({"end": end} if end_width else {}) | {"results": results.operator.result}
    return RowSchema(layout=data.StructLayout(layout), fields=(*first, *results.fields), lanes=1)
