"""Plain model of the serial line: frames to bytes and back by the packages cobs and zlib."""

import zlib

from cobs import cobs

#: Frames whose COBS has every special length: blocks of 253, 254 and 255 bytes, zeros at the ends.
SPECIAL_FRAMES = [
    b"\x11\x22\x00\x33",
    bytes(1),
    bytes(60),
    bytes([0, *range(1, 100), 0]),
    bytes(range(1, 255)),
    bytes(range(1, 256)),
    bytes(range(256)),
    bytes(range(1, 255)) + b"\0",
    bytes(range(1, 255)) + b"\0\0\x01",
    bytes([7] * 253),
    bytes([7] * 253 + [0]),
    bytes([7] * 508),
    bytes([7] * 509),
    bytes([0] + [7] * 508 + [0]),
]


def with_fcs(frame):
    return frame + zlib.crc32(frame).to_bytes(4, "little")


def line_of(frame):
    """Returns the bytes of a frame on the line, from the 0 before it to the 0 after it."""
    return b"\0" + cobs.encode(with_fcs(frame)) + b"\0"


def frames_of(line):
    """Returns (frame without FCS, is damaged) for each sequence between zeros of a line."""
    return [frame_of(part) for part in bytes(line).split(b"\0") if part]


def frame_of(part):
    """Returns the frame and its damage for the bytes between two zeros.

    A cut block leaves its bytes in the frame, which is damaged.
    """
    try:
        body, is_bad = cobs.decode(part), False
    except cobs.DecodeError:
        body, is_bad = _cut(part), True
    frame = body[:-4] if len(body) > 4 else b""
    return frame, is_bad or len(body) < 4 or with_fcs(frame) != body


def _cut(part):
    """Decodes bytes whose last block is too short."""
    for missing in range(1, 255):
        try:
            return cobs.decode(part + b"\1" * missing)[:-missing]
        except cobs.DecodeError:
            continue
    raise AssertionError(part)


def frame(rng, size):
    """Returns random bytes in which zeros, and runs without zeros, are frequent."""
    share = rng.choice([0.0, 0.01, 0.5])
    return bytes(0 if rng.random() < share else rng.randrange(256) for _ in range(size))
