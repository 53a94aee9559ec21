"""The ports by which blocks report what they count and what went wrong, up to the registers."""

from functools import reduce
from operator import add, or_

from amaranth.lib.wiring import Out

from rtl.contract.counters import errors, events


def reports(counters, flags=()):
    """The ports ``events`` and ``errors`` of a component that has these; none that is empty."""
    ports = {"events": Out(events(counters))} if counters else {}
    return ports | ({"errors": Out(errors(flags))} if flags else {})


def gather(m, component, *blocks):
    """Drives the ports ``events`` and ``errors`` of ``component`` by what its blocks report.

    A block is a component that has such ports too, or a mapping of name to value. What several
    blocks count adds up; what several warn of is set by any of them.
    """
    reported = [_reported(block) for block in blocks]
    for port, join in (("events", add), ("errors", or_)):
        if port in component.signature.members:
            target = getattr(component, port)
            for name, _ in target.shape():
                parts = [values[name] for values in reported if name in values]
                m.d.comb += target[name].eq(reduce(join, parts))


def _reported(block):
    if isinstance(block, dict):
        return block
    ports = [getattr(block, p) for p in ("events", "errors") if p in block.signature.members]
    return {name: port[name] for port in ports for name, _ in port.shape()}
