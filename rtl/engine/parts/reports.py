"""The ports by which components report counters and flags to the registers."""

from functools import reduce
from operator import add, or_

from amaranth.lib.wiring import Out

from rtl.contract.counters import errors, events


def reports(counters, flags=()):
    """Returns the ports ``events``, if there are counters, and ``errors``, if there are flags."""
    ports = {"events": Out(events(counters))} if counters else {}
    return ports | ({"errors": Out(errors(flags))} if flags else {})


def gather(m, component, *blocks):
    """Drives the ports ``events`` and ``errors`` of ``component`` from the reports of its blocks.

    A block is a component with ports of the same names, or a mapping of name to value. The counts
    of several blocks are added, and a flag is set if any block sets it.
    """
    reported = [_reported(block) for block in blocks]
    for port, join in (("events", add), ("errors", or_)):
        if port in component.signature.members:
            target = getattr(component, port)
            for name, _ in target.shape():
                parts = [values[name] for values in reported if name in values]
                m.d.comb += target[name].eq(reduce(join, parts))


def _reported(block):
    """Returns the mapping of name to value that a block reports."""
    if isinstance(block, dict):
        return block
    ports = [getattr(block, p) for p in ("events", "errors") if p in block.signature.members]
    return {name: port[name] for port in ports for name, _ in port.shape()}
