"""Units of the network face."""

from gen.units.unit import Unit
from rtl.ethernet.face import NetworkFace


def _network_face(*, end_marks, host_link, **sizes):
    return NetworkFace(end_marks=bool(end_marks), host_link=bool(host_link), **sizes)


UNITS = {
    "network-face": Unit(
        about="Ethernet, ARP, IPv4, ping and UDP between a MAC and an engine; end_marks is 1 if a "
        "datagram without bytes ends each packet of rows; host_link is 1 if a host reads registers "
        "by datagrams",
        settings={
            "row_bytes": 16,
            "result_bytes": 16,
            "depth": 2048,
            "shortest": 60,
            "longest": 1518,
            "longest_ping": 1480,
            "payload_limit": 1472,
            "end_marks": 1,
            "host_link": 0,
        },
        create=_network_face,
        switches=("end_marks", "host_link"),
    ),
}
