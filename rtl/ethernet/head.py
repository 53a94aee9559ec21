"""Layouts that the parts for sending and receiving share: packets, machines and settings."""

from amaranth.lib import data
from amaranth.lib.wiring import In

#: Head of a packet to be sent: ``mac`` and ``address`` of its receiver, and ``protocol``, as
#: numbers; ``length``, the bytes after the IPv4 header; and ``first``, the first eight of these
#: bytes in the order of the wire, the first byte lowest. They are the header of a UDP datagram or
#: of an ICMP echo. The bytes after them are a separate stream of pieces of 8 bytes.
HEAD = data.StructLayout({"mac": 48, "address": 32, "protocol": 8, "length": 16, "first": 64})

#: A machine that asked for our MAC by ARP.
ASKER = data.StructLayout({"mac": 48, "address": 32})

#: Members for the receiver of our datagrams.
RECEIVER = {"to_mac": In(48), "to_address": In(32), "to_port": In(16)}

#: Members for the only sender whose datagrams are accepted; 0 accepts every sender.
SENDER = {"from_mac": In(48), "from_address": In(32)}
