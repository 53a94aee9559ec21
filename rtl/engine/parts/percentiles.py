"""Percentiles of a query: p built in, or set at run time."""

from dataclasses import dataclass, replace
from fractions import Fraction

from amaranth.hdl import Const, Mux
from amaranth.utils import bits_for

from query.query import Query
from rtl.contract.options import option
from rtl.contract.settings import HostSetting

#: Unit of a percentile that is set at run time: 1 / PARTS.
PARTS = 1 << 16
RUN_TIME = "run-time"


def percentiles_option():
    """Returns the option ``percentiles``: p as in the query, or each in a register."""
    return option(
        "p of percentile(x, p): built in, or set at run time in units of 1/65536",
        default="compiled",
        choices=("compiled", RUN_TIME),
        needs=("a percentile in the query", lambda options: bool(fractions_of(options.query))),
    )


def fractions_of(query):
    """Returns p of each percentile of a query, each once, in the order of the query text."""
    fractions = (item.aggregate.fraction for item in query.items)
    return tuple(dict.fromkeys(p for p in fractions if p is not None))


def check_percentiles(query, percentiles):
    """Raises ValueError if a p does not fit its register, or more than 4 p have registers."""
    if percentiles != RUN_TIME:
        return
    for item in query.items:
        aggregate = item.aggregate
        if aggregate.fraction is not None and (aggregate.fraction * PARTS).denominator != 1:
            raise ValueError(
                f"{aggregate} must be a multiple of 1/{PARTS} to be set at run time, "
                f"not {aggregate.fraction}"
            )
    if (count := len(fractions_of(query))) > 4:
        raise ValueError(
            f"percentiles must be at most 4 different ones to be set at run time, not {count}"
        )


@dataclass(frozen=True, kw_only=True)
class Percentiles:
    """Describes how the percentiles of a query reach the tuples that they select.

    For instance ``median(x), percentile(x, 0.9)``, set at run time, have the settings percentile0
    and percentile1. If rows have all results, a stream has both fractions with it, as two targets.
    If rows have one selected result, a stream has only the fraction of the selected result, as the
    target ``percentile``.

    Attributes
    ----------
    query : Query
    run_time : bool
        True if each fraction has a register.
    select : bool
        True if the function register chooses among the results.
    """

    query: Query
    run_time: bool
    select: bool

    @property
    def fractions(self):
        return fractions_of(self.query)

    @property
    def names(self):
        """Names of the settings, one for each fraction; empty if the fractions are built in."""
        return (
            tuple(f"percentile{k}" for k, _ in enumerate(self.fractions)) if self.run_time else ()
        )

    @property
    def targets(self):
        """Targets for the ranks, see :class:`~rtl.network.ranks.Ranks`."""
        if not self.names:
            return self.fractions
        return ("percentile",) if self.select else self.names

    def target_index_of(self, aggregate):
        """Returns the index into :attr:`targets` of an aggregate; None if it is no percentile."""
        if aggregate.fraction is None:
            return None
        return 0 if self.names and self.select else self.fractions.index(aggregate.fraction)

    @property
    def settings(self):
        """A :class:`HostSetting` for each fraction that is set at run time."""
        return tuple(
            HostSetting(
                name=name,
                width=bits_for(PARTS),
                doc=f"p of a percentile in units of 1/{PARTS}, from 1 to {PARTS}; the query's is "
                f"{fraction * PARTS}",
                unit=f"1/{PARTS}",
                minimum=1,
                maximum=PARTS,
                value=int(fraction * PARTS),
            )
            for name, fraction in zip(self.names, self.fractions, strict=False)
        )

    @property
    def context(self):
        """Members of a stream's context that are percentiles, with their widths in bits."""
        members = [name for name in self.targets if not isinstance(name, Fraction)]
        return dict.fromkeys(members, bits_for(PARTS))

    def context_of(self, settings):
        """Returns the values of :attr:`context` out of a stream's settings, a view or a mapping."""
        if "percentile" not in self.context:
            return {name: settings[name] for name in self.context}
        fraction = Const(PARTS)
        for k, item in enumerate(self.query.items):
            if item.aggregate.fraction is not None:
                name = self.names[self.fractions.index(item.aggregate.fraction)]
                fraction = Mux(settings["function"] == k, settings[name], fraction)
        return {"percentile": fraction}

    @property
    def built_items(self):
        """Items of the query as built in: without the fractions that are set at run time."""
        return tuple(self._built_item(item) for item in self.query.items)

    def _built_item(self, item):
        aggregate = item.aggregate
        if aggregate.fraction is None or not self.names:
            return item
        name = self.names[self.fractions.index(aggregate.fraction)]
        text = f"percentile({aggregate.column.name}, {name})"
        named = text if item.name == str(aggregate) else item.name
        return replace(item, aggregate=replace(aggregate, text=text, fraction=None), name=named)
