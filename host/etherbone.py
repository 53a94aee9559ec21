"""Packs accesses to registers into datagrams in Etherbone's format, and reads the answers.

A datagram has one record: writes to consecutive addresses, then reads of any addresses. All numbers
have their highest byte first. The design carries out the writes, then the reads, and answers with
the values that it has read. It does not answer a record without a read.

Source: Etherbone, version 1 of the protocol; the part of it that LiteX's client uses.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

#: Header of a request: magic, version 1 without flags, sizes of 32 bits, and 4 bytes of 0.
_HEAD = bytes.fromhex("4e6f104400000000")
#: Header of an answer: the flag says that the datagram has no reads.
_ANSWER_HEAD = bytes.fromhex("4e6f144400000000")
_ALL_BYTES = 0x0F
#: Greatest number of reads in a datagram.
MOST_READS = 255


def request(
    number: int, reads: Sequence[int], write: tuple[int, Sequence[int]] | None = None
) -> bytes:
    """Returns a datagram that writes words from an address on, then reads registers.

    Parameters
    ----------
    number : int
        Number of the request, 32 bits; the answer repeats it.
    reads : sequence of int
        Addresses, 1 to :data:`MOST_READS`.
    write : (int, sequence of int) or None
        Address of the first word, and the words, at most 255.

    Example: the request 7 that reads address 4 is 4e6f1044 00000000 000f0001 00000007 00000004.
    """
    base, words = write or (0, ())
    record = struct.pack("!4B", 0, _ALL_BYTES, len(words), len(reads))
    if words:
        record += struct.pack(f"!{1 + len(words)}I", base, *words)
    return _HEAD + record + struct.pack(f"!{1 + len(reads)}I", number, *reads)


def answered_values(datagram: bytes, number: int, count: int) -> list[int] | None:
    """Returns the values in the answer to a request; None for any other datagram."""
    record = struct.pack("!4BI", 0, _ALL_BYTES, count, 0, number)
    head = _ANSWER_HEAD + record
    if len(datagram) != len(head) + 4 * count or not datagram.startswith(head):
        return None
    return list(struct.unpack(f"!{count}I", datagram[len(head) :]))
