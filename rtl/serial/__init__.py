"""Ethernet frames over a serial line: UART, COBS, FCS, and the MAC that joins them."""
