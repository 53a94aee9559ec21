"""Layouts of Etherbone, the format in which a host reads and writes registers by datagrams.

A datagram has a header and one record, each field with its highest byte first::

    byte 0    magic 0x4E6F            byte 8    flags, 0
    byte 2    version and flags       byte 9    byte enable, 0x0F
    byte 3    sizes, 0x44: 32 bits    byte 10   number of writes, number of reads
    byte 4    0, or a probe's number  byte 12   the writes, then the reads

Writes are a first address and their values; reads are a number that the answer repeats, and their
addresses. Source: Etherbone (GSI and CERN), version 1 of the protocol, in the subset of LiteX.
"""

from amaranth.lib import data

MAGIC = 0x4E6F
VERSION = 1
SIZES = 0x44
#: Bits of the byte after the magic, below the version.
NO_READS = 0x4
PROBE_REPLY = 0x2
PROBE = 0x1
#: Byte after the flags of a record: all bytes of a word.
ALL_BYTES = 0x0F
#: The flag that ends a bus cycle is 0x08 in the specification and 0x10 in LiteX: both are ignored.
CYCLE_FLAGS = 0x18
#: Bytes of the header.
HEADER = 8
#: Bytes of the record's head.
RECORD = 4
#: Bytes of a word.
WORD = 4

#: Sender of a request; ``probe`` is 1 if the request only asks whether there are registers.
REQUEST = data.StructLayout({"mac": 48, "address": 32, "port": 16, "probe": 1})

#: A read, or a write of ``value``, of the register at a byte address.
ACCESS = data.StructLayout({"write": 1, "address": 32, "value": 32})
