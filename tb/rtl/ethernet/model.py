"""Models the network face in plain Python: scapy reads headers and computes checksums."""

from dataclasses import dataclass
from ipaddress import ip_address, ip_network

from scapy.layers.inet import ICMP, IP, UDP, in4_chksum
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import checksum

BROADCAST = "ff:ff:ff:ff:ff:ff"


@dataclass(frozen=True, kw_only=True)
class Face:
    """Addresses and limits of a network face.

    Attributes
    ----------
    mac, address, port
        The face itself. Tuples arrive at this UDP port.
    to_mac, to_address, to_port
        The receiver of rows.
    from_mac, from_address
        The only sender of tuples; 0 accepts any sender.
    row_bytes : int
        Bytes of a tuple.
    shortest, longest : int
        Limits of a frame in bytes, without FCS.
    longest_ping : int
        Limit of an ICMP message in bytes, with its header of 8 bytes.
    """

    mac: str = "02:5e:10:00:00:01"
    address: str = "10.1.2.3"
    port: int = 4001
    to_mac: str = "02:5e:10:00:00:99"
    to_address: str = "10.1.200.77"
    to_port: int = 61234
    from_mac: str = "00:00:00:00:00:00"
    from_address: str = "0.0.0.0"
    row_bytes: int = 16
    shortest: int = 60
    longest: int = 1518
    longest_ping: int = 1480

    @property
    def settings(self):
        """The settings in the format of the hardware, by name."""
        return {
            "mac": int(self.mac.replace(":", ""), 16),
            "address": as_number(self.address),
            "port": self.port,
            "to_mac": int(self.to_mac.replace(":", ""), 16),
            "to_address": as_number(self.to_address),
            "to_port": self.to_port,
            "from_mac": int(self.from_mac.replace(":", ""), 16),
            "from_address": as_number(self.from_address),
        }


def as_number(address):
    return int.from_bytes(bytes(map(int, address.split("."))), "big")


def judge(frame, bad_fcs, face):
    """Returns ``(counter, result)`` of a frame.

    The result is the bytes of the tuples of a datagram, the frame that replies to a ping or an ARP
    request, or None for a frame that is dropped.
    """
    if bad_fcs:
        return "bad_fcs", None
    if len(frame) > face.longest:
        return "giant", None
    if len(frame) < face.shortest:
        return "runt", None
    header, packet = Ether(frame[:14] + bytes(50)), frame[14:]
    kind = int.from_bytes(frame[12:14], "big")  # scapy reads a small type as a length
    if header.dst not in (face.mac, BROADCAST):
        return "other_mac", None
    if of_a_group(header.src):
        return "group_sender", None
    if kind == 0x8100:
        kind, packet = Dot1Q(packet.ljust(4, b"\0")).type, packet[4:]  # missing bytes are 0
    if kind == 0x0806:
        return _arp(packet, header.src, face)
    return _ipv4(packet, header, face) if kind == 0x0800 else ("other_type", None)


def _arp(packet, mac, face):
    if len(packet) < 28 or packet[:6] != bytes([0, 1, 8, 0, 6, 4]):  # scapy reads only such packets
        return "bad_arp", None
    arp = ARP(packet)
    if of_a_group(arp.hwsrc):
        return "bad_arp", None
    if arp.op != 1 or arp.pdst != face.address:
        return "other_arp", None
    reply = ARP(op=2, hwsrc=face.mac, psrc=face.address, hwdst=arp.hwsrc, pdst=arp.psrc)
    return "arps", filled(Ether(src=face.mac, dst=arp.hwsrc) / reply)


def of_a_group(mac):
    """Returns True for a broadcast or multicast MAC: the lowest bit of its first byte is set."""
    return int(mac[:2], 16) % 2 == 1


def _ipv4(packet, header, face):
    if len(packet) < 20:
        return "bad_header", None
    ip = IP(packet[:20])
    if ip.version != 4 or ip.ihl < 5 or ip.len < 4 * ip.ihl or ip.len > len(packet):
        return "bad_header", None
    if checksum(packet[: 4 * ip.ihl]):
        return "bad_ip_checksum", None
    if ip.dst != face.address:
        return "other_address", None
    if ip.flags.MF or ip.frag:
        return "fragment", None
    body = packet[4 * ip.ihl : ip.len]
    if ip.proto == 17:
        return _udp(ip, body, header, face)
    return _icmp(ip, body, header, face) if ip.proto == 1 else ("other_protocol", None)


def _icmp(ip, body, header, face):
    if len(body) < 8 or checksum(body):
        return "bad_icmp", None
    if body[:2] != bytes([8, 0]):  # scapy reads other types in other ways
        return "other_icmp", None
    if header.dst == BROADCAST or not of_a_machine(ip.src):
        return "group_ping", None
    if len(body) > face.longest_ping:
        return "long_ping", None
    reply = ICMP(type=0, id=ICMP(body).id, seq=ICMP(body).seq) / body[8:]
    return "pings", packed(reply, header.src, ip.src, face)


def of_a_machine(address):
    """Returns True for an IPv4 address that one machine can have: it is not multicast, loopback,
    reserved or in 0.0.0.0/8."""
    parsed = ip_address(address)
    this_network = parsed in ip_network("0.0.0.0/8")
    return not (parsed.is_multicast or parsed.is_loopback or parsed.is_reserved or this_network)


def _udp(ip, body, header, face):
    if len(body) < 8 or UDP(body).len != len(body):
        return "bad_udp_length", None
    udp = UDP(body)
    if udp.dport != face.port:
        return "other_port", None
    if face.settings["from_mac"] and header.src != face.from_mac:
        return "other_sender", None
    if face.settings["from_address"] and ip.src != face.from_address:
        return "other_sender", None
    if udp.chksum and in4_chksum(17, ip, body):
        return "bad_udp_checksum", None
    if (len(body) - 8) % face.row_bytes:
        return "partial_tuple", None
    return "datagrams", body[8:]


def packed(body, mac, address, face):
    """Returns the frame with ``body`` that the face sends to a MAC and an IPv4 address."""
    ip = IP(src=face.address, dst=address, flags="DF", id=0, ttl=64)
    return filled(Ether(src=face.mac, dst=mac) / ip / body)


def filled(frame):
    """Returns the bytes of a frame, padded with zeros to 60 bytes."""
    return bytes(frame).ljust(60, b"\0")
