"""The AXI4 signature of a memory master."""

from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

#: Burst type: the address of each beat follows the address of the beat before.
INCR = 0b01
#: Attributes of every burst, which are constant pins: ``name: (width in bits, value)`` of the pins
#: ``aw<name>`` and ``ar<name>``. ``cache`` 0b0011 is normal memory without a cache: an interconnect
#: may buffer, split and merge bursts. ``prot`` 0 is an access to data, secure and not privileged.
ATTRIBUTES = {"cache": (4, 0b0011), "prot": (3, 0b000)}


def _address(channel, address_width, id_width):
    """Returns the signals of the channel ``aw`` or ``ar``; the master drives all but ``ready``."""
    widths = {"id": id_width, "addr": address_width, "len": 8, "size": 3, "burst": 2, "valid": 1}
    return {f"{channel}{name}": Out(bits) for name, bits in widths.items()} | {
        f"{channel}ready": In(1)
    }


def axi4_members(data_width, address_width, id_width):
    """Returns the ports of an AXI4 master by their AXI names, such as ``awaddr``; widths in bits.

    Only the top of a design has pins for the constant :data:`ATTRIBUTES`: see :func:`axi4_pins`.
    The standard allows a master to omit lock, qos and region, and a slave assumes 0 for them.
    """
    if data_width not in (32, 64, 128, 256, 512, 1024):
        raise ValueError(f"data_width must be a power of two from 32 to 1024, not {data_width!r}")
    return {
        **_address("aw", address_width, id_width),
        "wdata": Out(data_width),
        "wstrb": Out(data_width // 8),
        "wlast": Out(1),
        "wvalid": Out(1),
        "wready": In(1),
        "bid": In(id_width),
        "bresp": In(2),
        "bvalid": In(1),
        "bready": Out(1),
        **_address("ar", address_width, id_width),
        "rid": In(id_width),
        "rdata": In(data_width),
        "rresp": In(2),
        "rlast": In(1),
        "rvalid": In(1),
        "rready": Out(1),
    }


def axi4_pins(data_width, address_width, id_width):
    """Returns the ports at a design's top: the master's, and the pins of :data:`ATTRIBUTES`."""
    pins = {}
    for name, member in axi4_members(data_width, address_width, id_width).items():
        pins[name] = member
        if name in ("awburst", "arburst"):
            channel = name[:2]
            pins |= {f"{channel}{key}": Out(bits) for key, (bits, _) in ATTRIBUTES.items()}
    return pins


class Axi4(wiring.Signature):
    """The signature of a memory master, a member ``Out(Axi4(...))`` of a component.

    Parameters
    ----------
    data_width : int
        Bits of a beat of data: a power of two from 32 to 1024.
    address_width : int
        Bits of a byte address.
    id_width : int
        Bits of a transaction's ID.
    """

    def __init__(self, *, data_width, address_width, id_width=4):
        super().__init__(axi4_members(data_width, address_width, id_width))
