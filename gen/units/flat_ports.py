"""Wraps a block in a component with plain signals as ports, one for each field of a payload."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amaranth.hdl import Module, Shape, Value
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out


@dataclass(frozen=True)
class Port:
    """Describes a port of the wrapper.

    Attributes
    ----------
    name : str
        Name in Verilog: ``i_payload_lane0_key``.
    stream : str or None
        Name of the stream that the port belongs to: ``i``; None for a port of no stream.
    field : str or None
        Name of the payload's field: ``lane0_key``, or empty if the payload is a single number. None
        for valid, for ready, and for a port of no stream.
    is_input : bool
    width : int
        In bits, at least 1.
    is_signed : bool
    """

    name: str
    stream: str | None
    field: str | None
    is_input: bool
    width: int
    is_signed: bool


class FlatPorts(wiring.Component):
    """Wraps a block, and gives each plain field of the block's members a port.

    The name of a port is the path of the field: member, then field after field. Item k of an array
    is the array's name followed by k; but an array whose name ends in ``tuples``, as in a beat, has
    ``lane<k>`` instead::

        i: stream of a beat of 2 tuples (key, value)     i_payload_lane0_key, i_payload_lane0_value
                                                         i_payload_lane1_key, i_payload_lane1_value
                                                         i_payload_valid, i_payload_last
                                                         i_valid, i_ready
        bases: array of 2 numbers                        bases0, bases1

    Fields without bits have no port. A stream that is always ready has no port ``ready``, and a
    stream that is always valid has no port ``valid``. A block with an array of members (``.array``
    of Amaranth) cannot be wrapped. The wrapper has no register, so its latency
    is 0 cycles.

    Parameters
    ----------
    block : wiring.Component

    Members
    -------
    The ports in :attr:`ports`, with their directions.
    """

    def __init__(self, block: wiring.Component):
        self._block = block
        self._values: dict[str, Value] = {}
        self.ports: list[Port] = []
        for port, value in _ports(block):
            if port.name in self._values:
                raise ValueError(f"{port.name} must be the name of one port, not of two")
            self._values[port.name] = value
            self.ports.append(port)
        super().__init__(
            {
                port.name: (In if port.is_input else Out)(Shape(port.width, port.is_signed))
                for port in self.ports
            }
        )

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.submodules.block = self._block
        for port in self.ports:
            inner = self._values[port.name]
            outer = getattr(self, port.name)
            m.d.comb += inner.eq(outer) if port.is_input else outer.eq(inner)
        return m


def _ports(block) -> Iterator[tuple[Port, Value]]:
    """Yields the ports of a block, each with the part of the block that it is connected to."""
    for name, member in block.signature.members.items():
        yield from _member_ports(name, member, getattr(block, name))


def _member_ports(name, member, value):
    """Yields the ports of a member: a signal, a stream, or an interface such as AXI4."""
    if member.is_port:
        yield from _field_ports(name, member.shape, value, None, "", member.flow == In)
    elif hasattr(member.signature, "always_ready"):
        yield from _stream_ports(name, member.signature, value)
    else:  # the signature of a member that is ``In`` has its directions reversed already
        for part, inner in member.signature.members.items():
            yield from _member_ports(f"{name}_{part}", inner, getattr(value, part))


def _stream_ports(name, signature, value):
    """Yields the ports of a stream: valid and ready, if they are no constants, and the payload."""
    payload = signature.members["payload"]
    is_input = payload.flow == In
    if not signature.always_valid:
        yield Port(f"{name}_valid", name, None, is_input, 1, False), value.valid
    if not signature.always_ready:
        yield Port(f"{name}_ready", name, None, not is_input, 1, False), value.ready
    yield from _field_ports(f"{name}_payload", payload.shape, value.payload, name, "", is_input)


def _field_ports(name, shape, value, of_stream, field, is_input):
    """Yields a port for each field of ``value`` that is a number, lowest bits first.

    ``name`` is the path of the value from the block, and ``field`` its path from the payload of
    ``of_stream``, which is None for a value of no stream.
    """
    layout = _layout(shape)
    if layout is None:
        plain = Shape.cast(shape)
        if plain.width:
            path = None if of_stream is None else field
            port = Port(name, of_stream, path, is_input, plain.width, plain.signed)
            yield port, Value.cast(value)
        return
    is_array = isinstance(layout, data.ArrayLayout)
    for key, inner in layout:
        if is_array:
            inner_name, inner_field = f"{_array_name(name)}{key}", f"{_array_name(field)}{key}"
        else:
            inner_name, inner_field = f"{name}_{key}", f"{field}_{key}" if field else key
        yield from _field_ports(
            inner_name, inner.shape, value[key], of_stream, inner_field, is_input
        )


def _layout(shape: Any) -> data.Layout | None:
    """Returns the layout of a shape with fields; None for a number."""
    is_struct = isinstance(shape, type) and issubclass(shape, data.Struct | data.Union)
    return data.Layout.cast(shape) if is_struct or isinstance(shape, data.Layout) else None


def _array_name(name):
    """Returns the name to which an item's index is appended: ``lane`` for the tuples of a beat."""
    return name.removesuffix("tuples") + "lane" if name.endswith("tuples") else name
