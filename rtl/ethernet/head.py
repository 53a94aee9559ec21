"""What is known of a packet that is to be sent, before its body goes."""

from amaranth.lib import data
from amaranth.lib.wiring import In

#: To whom, by which protocol, how many bytes behind the IPv4 header, and the first eight of them:
#: the header of a datagram or of an echo. The rest of the body comes in whole pieces.
HEAD = data.StructLayout({"mac": 48, "address": 32, "protocol": 8, "length": 16, "first": 64})

#: Who asked for our MAC.
ASKER = data.StructLayout({"mac": 48, "address": 32})

#: Members that tell whom datagrams go to.
RECEIVER = {"to_mac": In(48), "to_address": In(32), "to_port": In(16)}

#: Settings that tell whose datagrams are taken.
SENDER = {"from_mac": In(48), "from_address": In(32)}
