"""Host settings of a network face: our addresses, the receiver of rows, the sender of
tuples, and the link to a host."""

from rtl.contract.settings import HostSetting


def _mac(name, doc):
    return HostSetting.full_range(name=name, bits=48, doc=f"{doc}; the first byte highest")


def _address(name, doc):
    return HostSetting(name=name, width=32, minimum=1, doc=f"{doc}; the first byte highest")


def _port(name, doc):
    return HostSetting.full_range(name=name, bits=16, minimum=1, doc=doc)


#: Settings of the link to a host, in the order of their registers.
LINK_SETTINGS = (
    HostSetting.full_range(
        name="registers_port", bits=16, doc="our UDP port of requests to registers; 0: none"
    ),
    HostSetting.full_range(
        name="numbered",
        bits=2,
        doc="1: datagrams of rows begin with a number; 2: datagrams of tuples do; 3: both do; "
        "0: none do, and numbers begin with 0 again",
    ),
    HostSetting(
        name="flush_cycles",
        width=32,
        doc="cycles after which rows leave in a datagram that is not full; 0: never",
    ),
)

#: Values that a host reads, by the name of their register.
LINK_STATUS = {
    "room": "bytes of tuples for which the network face has room. A datagram of n bytes needs n "
    "rounded up to a multiple of 8, and a datagram that ends a stream needs 8",
    "received": "number of the next datagram of tuples that is in order, modulo 2^32; 0 while they "
    "have no numbers",
    "next_row_datagram": "number of the next datagram of rows, modulo 2^32; 0 while they have no "
    "numbers",
}

#: Settings of addresses, in the order of the members of :class:`~rtl.ethernet.face.NetworkFace`.
SETTINGS = (
    _mac("mac", "our MAC; with 0 no frame is taken"),
    _address("address", "our IPv4 address"),
    _port("port", "our UDP port: the destination of tuples and the source of rows"),
    _mac("to_mac", "the MAC to which rows are sent, of the receiver or a router; 0: rows wait"),
    _address("to_address", "the IPv4 address to which rows are sent"),
    _port("to_port", "the UDP port to which rows are sent"),
    _mac("from_mac", "the MAC of the only sender of tuples, or of a router; 0: any"),
    HostSetting(
        name="from_address",
        width=32,
        doc="the IPv4 address of the only sender of tuples, the first byte highest; 0: any",
    ),
)
