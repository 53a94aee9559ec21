"""Frames as cycles of an RGMII interface at 1 Gb/s, and back: preamble, FCS and gap.

The bench ``rgmii_bench.v`` plays the cycles into a top, and records the cycles that the top sends.
"""

import zlib

PREAMBLE = bytes([0x55] * 7 + [0xD5])
GAP = 12  # bytes between two frames


def fcs(frame):
    """Returns the four bytes of the frame check sequence, lowest byte first."""
    return zlib.crc32(frame).to_bytes(4, "little")


def cycles_of(frames, bad=(), gap=GAP):
    """Returns a number of 9 bits for each cycle: the byte, and bit 8 if the byte is valid.

    ``bad`` holds the indices of frames that get a wrong FCS.
    """
    cycles = [0] * 40
    for index, frame in enumerate(frames):
        check = fcs(frame)
        if index in bad:
            check = bytes([check[0] ^ 0x10]) + check[1:]
        cycles += [0x100 | byte for byte in PREAMBLE + frame + check] + [0] * gap
    return cycles


def frames_of(cycles):
    """Returns the frames of recorded cycles; checks preamble, FCS, length and gap of each."""
    frames, current, idle = [], bytearray(), GAP
    for cycle in [*cycles, 0]:
        if cycle >> 8 == 3:
            assert current or idle >= GAP, f"gap of {idle} bytes before frame {len(frames)}"
            current.append(cycle & 0xFF)
            idle = 0
            continue
        assert cycle >> 8 == 0, "both edges of tx_ctl must be equal: no error is sent"
        if current:
            assert current[:8] == PREAMBLE
            frame, check = bytes(current[8:-4]), bytes(current[-4:])
            assert check == fcs(frame)
            assert len(frame) >= 60
            frames.append(frame)
            current = bytearray()
        idle += 1
    return frames
