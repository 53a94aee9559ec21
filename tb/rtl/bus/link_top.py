"""A top with a link to a host: runs with frames to the port of the registers."""

from dataclasses import replace

import numpy as np

from rtl.contract.face import Face
from sim.beats import Beats
from sim.wire.frames import Endpoint, frame_of, payload_of
from tb.rtl.bus.packets import packets
from tb.rtl.bus.tops import top_of
from tb.rtl.ethernet.model import Face as Model

#: The addresses of the top and of a host. Tuples and rows have one byte.
MODEL = Model(row_bytes=1, longest=1518)
OURS, HOST = (
    Endpoint(**{name: MODEL.settings[prefix + name] for name in ("mac", "address", "port")})
    for prefix in ("", "to_")
)
#: Our end at the port of the registers.
REGISTERS_PORT = 1234
REGISTERS = replace(OURS, port=REGISTERS_PORT)


#: A window is a whole stream, or 20 beats of a long stream.
DESIGN = packets().with_face(Face(network=True, host_link=True))


#: The same with one tuple in a beat, and punctuations among the tuples.
PUNCTUATED = packets(lanes=1, punctuated=True).with_face(Face(network=True, host_link=True))


def link_top(design=DESIGN):
    return top_of(design)


def settings(**changes):
    """Returns the host's writes at ``s_axil``, as pairs of a register and its word."""
    values = MODEL.settings | {"registers_port": REGISTERS_PORT} | changes
    names = ("address", "port", "to_address", "to_port", "from_address", "registers_port")
    words = [(name, values[name]) for name in names]
    for name in ("mac", "to_mac", "from_mac"):
        words += [(f"{name}_low", values[name] & 0xFFFFFFFF), (f"{name}_high", values[name] >> 32)]
    return [*words, ("size", 20), ("step", 7)]


def rx(frames, pause=3):
    """Returns beats of frames, pairs of bytes and True for a wrong FCS, ``pause`` cycles between
    two frames."""
    beats = Beats.from_streams([np.frombuffer(f, np.uint8).reshape(-1, 1) for f, _ in frames], 8)
    user, pauses = np.zeros(len(beats), np.bool_), np.zeros(len(beats), np.uint32)
    user[beats.ends] = [bad_fcs for _, bad_fcs in frames]
    pauses[beats.starts] = pause
    return replace(Beats(beats.data, beats.keep, beats.last, user), pause=pauses)


def to_registers(payload, sender=HOST):
    """Returns the frame of a request."""
    return frame_of(payload, sender, REGISTERS)


def answers_of(outcome, senders):
    """Returns the payloads of the answers among the frames of a run, checked bit by bit; answer k
    must be sent to ``senders[k]``."""
    frames = [frame.tobytes() for frame in outcome.beats.streams(1)] if len(outcome.beats) else []
    port = REGISTERS_PORT.to_bytes(2, "big")
    frames = [f for f in frames if f[12:14] == b"\x08\0" and f[23] == 17 and f[34:36] == port]
    assert len(frames) == len(senders)
    return [payload_of(f, REGISTERS, sender) for f, sender in zip(frames, senders, strict=True)]
