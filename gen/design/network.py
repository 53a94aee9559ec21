"""The wire of `sluice simulate`: tuples in frames to a design with a network face, rows back."""

from dataclasses import asdict, dataclass, replace
from math import ceil, lcm

import numpy as np

from query.errors import UserError
from rtl.bus.registers import register_words
from rtl.bus.top import network_settings
from rtl.contract.design import FRAMES, Design
from rtl.contract.face import DATAGRAM, NETWORK_BITS
from rtl.contract.rows import Packet
from rtl.ethernet.face import NetworkFace
from sim.beats import Beats
from sim.wire.frames import End, frame_of, payload_of, payloads_of, streams_of
from sim.wire.pcap import pcap

#: The two ends of the wire: the design, and who sends tuples and takes rows.
DESIGN = End(mac=0x02_53_4C_43_45_01, address=0x0A_00_00_01, port=4001)
HOST = End(mac=0x02_53_4C_43_45_02, address=0x0A_00_00_02, port=4002)
#: Cycles between two frames: preamble, FCS and the gap of Ethernet are 24 bytes.
BETWEEN = 3
#: Bytes of a transfer, and transfers of all that is around the payload of a frame.
BYTES = NETWORK_BITS // 8
AROUND = 6 + BETWEEN
#: Of the rate that is predicted; nothing tells a sender of datagrams to wait.
SHARE = 0.9

RX, TX = (bus.name for bus in FRAMES)


def check_results(design):
    """Raises UserError if a simulation through frames would have to change the selected result."""
    if len(design.settings.functions) > 1:
        raise UserError(
            "results=select is not simulated with network=true: its register is to be written "
            "when a stream has ended, and a wire does not tell when; take results=all"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Wire:
    """What is sent in a simulation, and what is to come back.

    Attributes
    ----------
    sent : tuple of bytes
        Frames, in order.
    beats : Beats
        The same, each with the pause before it.
    datagrams : int
        How many frames of rows are to come.
    design : Design or None
        The design behind the wire. None for a wire of which only frames are counted.
    """

    sent: tuple[bytes, ...]
    beats: Beats
    datagrams: int
    design: Design | None = None

    @classmethod
    def of(cls, design, fed, expected, rate):
        """The wire for the streams ``fed`` to ``s_axis``.

        Parameters
        ----------
        design : Design
        fed : Beats
            Of ``s_axis``, as :func:`gen.simulate.input_beats.input_beats` gives them.
        expected : pa.Table
            Golden's rows.
        rate : float
            Tuples in a cycle that the design takes, as predicted, less what stalls take away.

        Raises
        ------
        UserError
            When the design has several results to choose from.
        """
        check_results(design)
        size = design.input.packing.bytes
        streams = [stream.tobytes() for stream in fed.streams(1)]
        payloads = [p for stream in streams for p in payloads_of(stream, size)]
        sent = tuple(frame_of(payload, HOST, DESIGN) for payload in payloads)
        counts = np.array([len(payload) // size for payload in payloads])
        packets = _packets(design, expected)
        datagrams = _datagrams(design, packets)
        out = max(1, sum(packets) / BYTES + AROUND * datagrams)  # without a window no frame comes
        rate = SHARE * min(rate, max(1, counts.sum()) / out)
        return cls(sent=sent, beats=_paced(sent, counts, rate), datagrams=datagrams, design=design)

    @property
    def longest(self):
        """Cycles of the longest pause."""
        return int(self.beats.pauses.max(initial=0))

    def received(self, outcome):
        """What came back, as the packets of ``m_axis``: none when no frame has come.

        Raises ProtocolError when a frame is not as it must be.
        """
        payloads = [payload_of(frame, DESIGN, HOST) for _, frame in _frames(outcome)]
        packets = [np.frombuffer(packet, np.uint8) for packet in streams_of(payloads)]
        if not packets:
            empty = np.zeros((0, BYTES), np.uint8)
            return Beats(empty, empty.astype(bool), np.zeros(0, bool))
        return Beats.from_streams([packet.reshape(-1, 1) for packet in packets], BYTES)

    def miscounted(self, counters, rows=None):
        """Lists what the face counted wrongly, a line each.

        Datagrams are those of ``rows``, which came; where these cannot be read (None), those of
        golden's rows.
        """
        sent = (
            self.datagrams if rows is None else _datagrams(self.design, _packets(self.design, rows))
        )
        expected = {"datagrams": len(self.sent), "sent": sent}
        found = network_counters(counters)
        lines = [
            f"counter {name} must be {expected.get(name, 0)}, not {value}"
            for name, value in found.items()
            if value != expected.get(name, 0)
        ]
        if found["overflow"]:
            lines.insert(
                0,
                f"{found['overflow']} datagrams came before there was room for them: send them "
                "more slowly, by --stall-input",
            )
        return lines

    def pcap(self, outcome):
        """A file of all frames, both ways, by the cycles of their last beats."""
        ends = outcome.inputs[RX].taken[self.beats.last[: outcome.inputs[RX].accepted]]
        return pcap([*zip(ends.tolist(), self.sent, strict=False), *_frames(outcome)])


def network_writes(design, registers):
    """What the host writes so that the face knows both ends, as pairs of address and value; nothing
    without a network."""
    values = network_values()
    return [
        (registers[name].address, word)
        for setting in network_settings(design)
        for name, word in register_words(setting, values[setting.name]).items()
    ]


def network_values():
    """Returns the network settings of the wire's two ends, by name; tuples are taken of anyone."""
    receiver = {f"to_{name}": value for name, value in asdict(HOST).items()}
    return asdict(DESIGN) | receiver | {"from_mac": 0, "from_address": 0}


def dotted(address):
    """Returns an IPv4 address as people write it, such as 10.0.0.1."""
    return ".".join(str(byte) for byte in address.to_bytes(4, "big"))


def network_counters(counters):
    """Those of the network face among the counters of a design, by name."""
    return {told.name: counters.get(told.name, 0) for told in NetworkFace.counters}


def _datagrams(design, packets):
    """Datagrams of whole rows in which packets of so many bytes come, each with an empty one."""
    whole = lcm(design.rows.packing.bytes, BYTES)
    step = DATAGRAM // whole * whole
    return sum(-(-packet // step) + 1 for packet in packets)


def _packets(design, table):
    """Bytes of each packet of ``m_axis`` that has the rows of ``table``."""
    size, rows, face = design.rows.packing.bytes, design.rows, design.face
    if rows.packet is Packet.STREAM or face.joins(rows):
        return [size * table.num_rows]
    _, counts = np.unique(table["window"].to_numpy(), return_counts=True)
    return [*(size * counts).tolist(), *([0] if face.marks(rows) else ())]


def _paced(frames, counts, rate):
    """Beats of frames: one begins when the tuples of those before it have been taken, at ``rate``
    tuples in a cycle, and as early as the wire lets it."""
    made = Beats.from_streams([np.frombuffer(f, np.uint8).reshape(-1, 1) for f in frames], BYTES)
    sizes = np.array([-(-len(frame) // BYTES) for frame in frames])
    pause = np.zeros(len(made), np.uint32)
    takes = [ceil(count / rate) - int(size) for count, size in zip(counts, sizes, strict=True)]
    pause[made.starts[1:]] = [max(BETWEEN, cycles) for cycles in takes[:-1]]
    return replace(made, pause=pause)


def _frames(outcome):
    """The frames that came from the design, each with the cycle of its last beat."""
    stream = outcome.outputs[TX]
    frames = [frame.tobytes() for frame in stream.beats.streams(1)] if len(stream.beats) else []
    return list(zip(stream.taken[stream.beats.ends].tolist(), frames, strict=True))
