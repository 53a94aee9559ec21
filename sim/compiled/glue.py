"""The C++ text that ties one top's ports to the agents: generated from its buses."""

CLOCKING = (("clock", "aclk"), ("reset_n", "aresetn"))
ADDRESS = {"len": 8, "size": 3, "burst": 2}


def glue(streams, memories):
    """Text of the library of a top with these buses; see ``ports.h`` and ``top.h``.

    A port that the top lacks, or that is of another width, does not compile, and the message names
    it.
    """
    lines = ['#include "top.h"', "", "Top::Top() {"]
    lines += [f"    {name} = {_pin(port, 1)};" for name, port in CLOCKING]
    lines += [f"    {line}" for line in _registers("s_axil")]
    for bus in streams:
        to = "slaves" if bus.slave else "masters"
        lines.append(f"    {to}.push_back({_stream(bus)});")
    for bus in memories:
        lines += [f"    {line}" for line in _memory(bus)]
    return "\n".join([*lines, "}", ""])


def _pin(port, bits):
    return f"PIN({port}, {bits})"


def _stream(bus):
    pins = [_pin(f"{bus.name}_tvalid", 1), _pin(f"{bus.name}_tready", 1)]
    pins += [_pin(f"{bus.name}_tdata", 8 * bus.bytes), _pin(f"{bus.name}_tkeep", bus.bytes)]
    pins += [_pin(f"{bus.name}_tlast", 1)]
    pins += [_pin(f"{bus.name}_tuser", bus.user) if bus.user else "Pin{}"]
    return f'{{"{bus.name}", {", ".join(pins)}}}'


def _channel(to, prefix, **payload):
    """Assignments of valid, ready, and the payload's pins by width; None is whatever it is."""
    yield f"{to}.valid = PIN({prefix}valid, 1);"
    yield f"{to}.ready = PIN({prefix}ready, 1);"
    for name, bits in payload.items():
        port = f"{prefix}{name}"
        yield f"{to}.{name} = {f'PIN_AS_IT_IS({port})' if bits is None else _pin(port, bits)};"


def _registers(name):
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
