"""The network face: Ethernet, ARP, IPv4, ping and UDP, between a MAC and an engine."""
