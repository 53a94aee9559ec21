"""Models the wire of `sluice simulate`: tuples in frames to a network face, rows in frames back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import ceil, lcm

import numpy as np
import pyarrow as pa

from boards.platforms.link import REGISTERS_PORT, Link
from query.errors import UserError
from rtl.bus.register import Register
from rtl.bus.setting_registers import register_words
from rtl.bus.top_registers import link_settings, network_settings
from rtl.contract.design import FRAMES, Design
from rtl.contract.face import DATAGRAM, NETWORK_BITS
from rtl.contract.rows import Packet
from rtl.ethernet.face import NetworkFace
from rtl.ethernet.register_requests import RegisterRequests
from sim.beats import Beats
from sim.errors import ProtocolError
from sim.outcome import Outcome
from sim.wire.frames import (
    FRAME_GAP,
    HEAD,
    HEADERS,
    SHORTEST_FRAME,
    Endpoint,
    frame_of,
    numbered_payloads_of,
    payload_of,
    payloads_of,
    streams_of,
)
from sim.wire.pcap import pcap

#: The two ends of the wire: the design, and the host that sends tuples and receives rows.
DESIGN = Endpoint(mac=0x02_53_4C_43_45_01, address=0x0A_00_00_01, port=4001)
HOST = Endpoint(mac=0x02_53_4C_43_45_02, address=0x0A_00_00_02, port=4002)
#: Bytes of a transfer.
BYTES = NETWORK_BITS // 8
#: Transfers of a frame besides its payload: headers, and the gap behind the frame.
FRAME_OVERHEAD = 6 + FRAME_GAP
#: Value of the register ``numbered``: datagrams of tuples have numbers, those of rows have none.
NUMBERED_TUPLES = 2
#: Share of the predicted rate at which tuples are sent, since no signal makes the sender wait.
SHARE = 0.9

RX, TX = (bus.name for bus in FRAMES)


def check_results(design: Design) -> None:
    """Raises UserError if a simulation through frames would have to change the selected result."""
    if len(design.settings.functions) > 1:
        raise UserError(
            "results=select is not simulated with network=true: its register must be written "
            "when a stream has ended, and a wire does not show when; take results=all"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Wire:
    """Frames from the host in a simulation, and the expected number of frames from the design.

    Attributes
    ----------
    sent : tuple of bytes
        Frames, in order.
    beats : Beats
        Beats of the frames, each with the pause before the beat.
    datagrams : int
        Number of frames of rows that the design must send.
    design : Design or None
        The design behind the wire. None for a wire that only counts frames.
    """

    sent: tuple[bytes, ...]
    beats: Beats
    datagrams: int
    design: Design | None = None

    @classmethod
    def of(
        cls, design: Design, inputs: Beats, expected: pa.Table, rate: float, share: float = 1.0
    ) -> "Wire":
        """Returns the wire for the streams of ``s_axis``.

        Parameters
        ----------
        design : Design
        inputs : Beats
            Beats of ``s_axis``, from :func:`gen.simulate.input_beats.input_beats`.
        expected : pa.Table
            Golden's rows.
        rate : float
            Predicted rate of the design in tuples per cycle, without stalls.
        share : float
            Share of the cycles in which the output does not stall. It slows the design down, and
            the frames of rows, too.

        Raises
        ------
        UserError
            If the design has several results to select from.
        """
        check_results(design)
        size = design.input.packing.bytes
        payloads, head = _payloads(inputs, size, design.input.punctuations)
        sent = tuple(frame_of(payload, HOST, DESIGN) for payload in payloads)
        counts = np.array([(len(payload) - head) // size for payload in payloads])
        packets = _packets(design, expected)
        datagrams = _datagrams(design, packets)
        # Without a window there is no frame of rows.
        output_cycles = max(1, sum(packets) / BYTES + FRAME_OVERHEAD * datagrams)
        rate = SHARE * share * min(rate, max(1, counts.sum()) / output_cycles)
        return cls(sent=sent, beats=_paced(sent, counts, rate), datagrams=datagrams, design=design)

    @property
    def longest(self) -> int:
        """Longest pause between two frames, in cycles."""
        return int(self.beats.pauses.max(initial=0))

    def received(self, outcome: Outcome) -> Beats:
        """Returns the packets of ``m_axis`` in the frames of the design; none without a frame.

        Raises ProtocolError if a frame is malformed.
        """
        payloads = [payload_of(frame, DESIGN, HOST) for _, frame in _frames(outcome)]
        packets = [np.frombuffer(packet, np.uint8) for packet in streams_of(payloads)]
        if not packets:
            empty = np.zeros((0, BYTES), np.uint8)
            return Beats(empty, empty.astype(bool), np.zeros(0, bool))
        return Beats.from_streams([packet.reshape(-1, 1) for packet in packets], BYTES)

    def miscounted(self, counters: Mapping[str, int], rows: pa.Table | None = None) -> list[str]:
        """Returns a line for each counter of the face that has a wrong value.

        The counter of lost datagrams is left out, because `lost_datagrams` reports it.
        The expected number of sent datagrams follows from ``rows``, the rows of the hardware, or
        from golden's rows if the hardware's rows could not be read (None).
        """
        sent = (
            self.datagrams if rows is None else _datagrams(self.design, _packets(self.design, rows))
        )
        expected = {"datagrams": len(self.sent), "sent": sent}
        return [
            f"counter {name} must be {expected.get(name, 0)}, not {value}"
            for name, value in network_counters(counters).items()
            if value != expected.get(name, 0) and name != "overflow"
        ]

    def lost_datagrams(self, counters: Mapping[str, int]) -> list[str]:
        """Returns a list with a line if datagrams had no room in the design, or an empty list."""
        if not (count := network_counters(counters)["overflow"]):
            return []
        datagrams = "a datagram" if count == 1 else f"{count:,} datagrams"
        return [
            f"{datagrams} came before there was room, and tuples are lost: send more slowly, by "
            "--stall-input"
        ]

    def pcap(self, outcome: Outcome) -> bytes | None:
        """Returns a capture file of all frames of both ways, by the cycles of their last beats.

        None if the design's frames break the rules of a stream.
        """
        received = outcome.inputs[RX]
        assert received.beat_cycles is not None, "a run notes the cycle of each beat"
        ends = received.beat_cycles[self.beats.last[: received.accepted]]
        try:
            frames = _frames(outcome)
        except ProtocolError:  # the comparison has reported it
            return None
        return pcap([*zip(ends.tolist(), self.sent, strict=False), *frames])


def network_writes(design: Design, registers: Mapping[str, Register]) -> list[tuple[int, int]]:
    """Returns the register writes, (address, value), that tell the face both ends of the wire.

    If the design expects punctuations, datagrams of tuples have numbers. The list is empty for a
    design without a network face.
    """
    values = network_values()
    if design.input.punctuations:
        values |= {"numbered": NUMBERED_TUPLES}
    return [
        (registers[name].address, word)
        for setting in (*network_settings(design), *link_settings(design))
        if setting.name in values
        for name, word in register_words(setting, values[setting.name]).items()
    ]


def network_values(
    design_end: Endpoint = DESIGN, host_end: Endpoint = HOST, registers_port: int = REGISTERS_PORT
) -> dict[str, int]:
    """Returns the network settings for both ends of the wire, and those of a link to a host; any
    sender may send tuples."""
    receiver = {f"to_{name}": value for name, value in asdict(host_end).items()}
    values = asdict(design_end) | receiver | {"from_mac": 0, "from_address": 0}
    return values | {"registers_port": registers_port}


def endpoints_of(link: Link | None) -> tuple[Endpoint, Endpoint]:
    """Returns the design's end and the host's end: those of a board's link, or without a link
    :data:`DESIGN` and :data:`HOST`."""
    if link is None:
        return DESIGN, HOST
    numbers = link.numbers()
    names = ("mac", "address", "port")
    own, receiver = ({n: numbers[f"{side}{n}"] for n in names} for side in ("", "to_"))
    return Endpoint(**own), Endpoint(**receiver)


def wire_rate(megabits: int, tuple_bytes: int) -> float:
    """Returns the tuples per second that a wire carries in full datagrams.

    A frame of Ethernet takes 24 bytes more than its contents: preamble, FCS and gap. For instance
    tuples of 16 bytes over 1 Gb/s are 92 in 1,538 bytes: 7.5 million per second.
    """
    count = DATAGRAM // tuple_bytes
    frame = max(SHORTEST_FRAME, HEADERS + count * tuple_bytes) + 8 * FRAME_GAP
    return count * megabits * 1e6 / 8 / frame


def dotted(address: int) -> str:
    """Returns an IPv4 address in dotted form, such as 10.0.0.1."""
    return ".".join(str(byte) for byte in address.to_bytes(4, "big"))


def network_counters(counters: Mapping[str, int]) -> dict[str, int]:
    """Returns the counters of the network face among the counters of a design."""
    has_link = any(counter.name in counters for counter in RegisterRequests.counters)
    names = [counter.name for counter in NetworkFace.counters_of(has_link)]
    return {name: counters.get(name, 0) for name in names}


def _payloads(inputs, size, has_punctuations):
    """Returns the payloads of all datagrams to the design, and the bytes before their tuples."""
    streams = [stream.tobytes() for stream in inputs.streams(1)]
    if not has_punctuations:
        return [p for stream in streams for p in payloads_of(stream, size)], 0
    payloads: list[bytes] = []
    begin = 0  # first beat of the stream, among the beats of all streams
    for stream, end in zip(streams, inputs.ends + 1, strict=True):
        flags = inputs.users[begin:end][: len(stream) // size]
        payloads += numbered_payloads_of(stream, size, flags.tolist(), len(payloads))
        begin = end
    return payloads, HEAD


def _datagrams(design, packets):
    """Returns the number of datagrams for packets of these sizes in bytes.

    A datagram holds whole rows. An empty datagram follows each packet.
    """
    granule = lcm(design.rows.packing.bytes, BYTES)
    step = DATAGRAM // granule * granule
    return sum(-(-packet // step) + 1 for packet in packets)


def _packets(design, table):
    """Returns the size in bytes of each packet of ``m_axis`` for the rows of ``table``."""
    size, rows, face = design.rows.packing.bytes, design.rows, design.face
    if rows.packet is Packet.STREAM or face.joins(rows):
        return [size * table.num_rows]
    _, counts = np.unique(table["window"].to_numpy(), return_counts=True)
    return [*(size * counts).tolist(), *([0] if face.marks(rows) else ())]


def _paced(frames, counts, rate):
    """Returns the beats of the frames, with pauses.

    A frame begins when the design has taken the tuples of the earlier frames, at ``rate`` tuples
    per cycle, and not before the gap between two frames has passed.
    """
    beats = Beats.from_streams([np.frombuffer(f, np.uint8).reshape(-1, 1) for f in frames], BYTES)
    sizes = np.array([-(-len(frame) // BYTES) for frame in frames])
    pause = np.zeros(len(beats), np.uint32)
    gaps = [ceil(count / rate) - int(size) for count, size in zip(counts, sizes, strict=True)]
    pause[beats.starts[1:]] = [max(FRAME_GAP, cycles) for cycles in gaps[:-1]]
    return replace(beats, pause=pause)


def _frames(outcome):
    """Returns the frames from the design, each with the cycle of its last beat."""
    stream = outcome.outputs[TX]
    frames = [frame.tobytes() for frame in stream.beats.streams(1)] if len(stream.beats) else []
    return list(zip(stream.beat_cycles[stream.beats.ends].tolist(), frames, strict=True))
