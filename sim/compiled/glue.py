"""Generates the constructor of the C++ class ``Top``: it names the ports for the bench's agents."""

#: Members of the C++ class ``Top`` for clock and reset, and the names of their ports.
CLOCKING = (("clock", "aclk"), ("reset_n", "aresetn"))
#: Widths in bits of the signals of an address channel, except ID and address.
ADDRESS = {"len": 8, "size": 3, "burst": 2}


def glue(streams, memories):
    """Returns the C++ text for a top with these streams and memory masters.

    The classes are in ``ports.h`` and ``top.h``. The registers are always at ``s_axil``. If the top
    lacks a port, the text does not compile, and the compiler's message names the port. The same
    holds if Verilator stores the port in another number of bytes than a port of the expected width:
    3 instead of 12 bits do not compile, 9 instead of 12 bits do.
    """
    lines = ['#include "top.h"', "", "Top::Top() {"]
    lines += [f"    {name} = {_pin(port, 1)};" for name, port in CLOCKING]
    lines += [f"    {line}" for line in _registers("s_axil")]
    for bus in streams:
        list_name = "slaves" if bus.slave else "masters"
        lines.append(f"    {list_name}.push_back({_stream(bus)});")
    for bus in memories:
        lines += [f"    {line}" for line in _memory(bus)]
    return "\n".join([*lines, "}", ""])


def _pin(port, bits):
    """Returns the C++ expression for a port of ``bits`` bits."""
    return f"PIN({port}, {bits})"


def _stream(bus):
    """Returns the C++ initialiser of a stream."""
    pins = [_pin(f"{bus.name}_tvalid", 1), _pin(f"{bus.name}_tready", 1)]
    pins += [_pin(f"{bus.name}_tdata", 8 * bus.bytes), _pin(f"{bus.name}_tkeep", bus.bytes)]
    pins += [_pin(f"{bus.name}_tlast", 1)]
    pins += [_pin(f"{bus.name}_tuser", bus.user) if bus.user else "Pin{}"]
    return f'{{"{bus.name}", {", ".join(pins)}}}'


def _channel(target, prefix, **payload):
    """Yields the assignments of a channel: valid, ready, and each payload port with its width.

    With a width of None the port may have any width, and the bench's agent sees whole bytes.
    """
    yield f"{target}.valid = PIN({prefix}valid, 1);"
    yield f"{target}.ready = PIN({prefix}ready, 1);"
    for name, bits in payload.items():
        port = f"{prefix}{name}"
        yield f"{target}.{name} = {f'PIN_AS_IT_IS({port})' if bits is None else _pin(port, bits)};"


def _registers(name):
    """Yields the assignments of the register bus."""
    yield f'registers.name = "{name}";'
    for channel, payload in (
        ("aw", {"addr": None, "prot": 3}),
        ("w", {"data": 32, "strb": 4}),
        ("b", {"resp": 2}),
        ("ar", {"addr": None, "prot": 3}),
        ("r", {"data": 32, "resp": 2}),
    ):
        yield from _channel(f"registers.{channel}", f"{name}_{channel}", **payload)


def _memory(bus):
    """Yields the assignments of a memory master."""
    yield "memories.emplace_back();"
    yield f'memories.back().name = "{bus.name}";'
    if bus.sram:
        yield "memories.back().sram = true;"
    address = {"id": bus.id_width, "addr": bus.address_width, **ADDRESS}
    data, lanes = bus.data_width, bus.data_width // 8
    for channel, payload in (
        ("aw", address),
        ("ar", address),
        ("w", {"data": data, "strb": lanes, "last": 1}),
        ("b", {"id": bus.id_width, "resp": 2}),
        ("r", {"id": bus.id_width, "data": data, "resp": 2, "last": 1}),
    ):
        yield from _channel(f"memories.back().{channel}", f"{bus.name}_{channel}", **payload)
