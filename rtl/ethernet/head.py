"""Layouts of the data about a packet or a machine, and of the settings for sending and
receiving."""

from amaranth.lib import data
from amaranth.lib.wiring import In

#: Head of a packet to be sent: receiver, protocol, number of bytes after the IPv4 header, and the
#: first eight of the bytes, which are the header of a datagram or of an echo. The rest of the body
#: is a separate stream of whole pieces.
HEAD = data.StructLayout({"mac": 48, "address": 32, "protocol": 8, "length": 16, "first": 64})

#: A machine that asked for our MAC.
ASKER = data.StructLayout({"mac": 48, "address": 32})

#: Members for the receiver of our datagrams.
RECEIVER = {"to_mac": In(48), "to_address": In(32), "to_port": In(16)}

#: Members for the only sender whose datagrams are taken.
SENDER = {"from_mac": In(48), "from_address": In(32)}
