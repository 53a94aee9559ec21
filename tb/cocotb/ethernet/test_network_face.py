"""Checks the network face between a MAC of cocotbext-eth and an engine."""

from collections import defaultdict
from math import lcm
from zlib import crc32

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from tb.cocotb.ethernet.frame_events import FrameEvents
from tb.cocotb.ethernet.macs import PENDING, FrameDriver, FrameMonitor
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.streams import StreamMonitor
from tb.cocotb.support.testbench import STALLS, Testbench

#: Cycles from the last beat of a frame to its event, as in docs/network.md.
DELAYS = {
    2: ("bad_fcs", "giant", "runt"),
    3: ("other_mac", "group_sender", "other_type"),
    6: ("bad_arp", "other_arp", "arps", "arp_overflow"),
    11: ("bad_header", "bad_ip_checksum", "other_address", "fragment", "other_protocol"),
    14: (
        *("bad_icmp", "other_icmp", "group_ping", "long_ping", "pings", "ping_overflow"),
        *("bad_udp_length", "other_port", "other_sender", "bad_udp_checksum", "partial_tuple"),
        *("datagrams", "overflow"),
    ),
}
DELAY = {name: cycles for cycles, names in DELAYS.items() for name in names}
#: The events of frames that wait for the engine or for the MAC, if there is no room for the frame.
OVERFLOWS = {"arps": "arp_overflow", "pings": "ping_overflow", "datagrams": "overflow"}
#: Octets of the headers of a datagram: Ethernet, IPv4 and UDP.
HEADERS = 14 + 20 + 8
#: Simulated microseconds after which a test fails; a microsecond has 100 cycles.
TIMEOUT = 2_000
#: Cycles from new settings to the first frame and row.
PREPARED = 3


class TupleMonitor(StreamMonitor):
    """Compares the octets of ``tdata`` that ``tkeep`` counts; the others may be anything."""

    def _accepted(self):
        keep = int(self.pins.fields["tkeep"].value)
        mask = sum(0xFF << 8 * k for k in range(8) if keep >> k & 1)
        assert self._expected, f"{self.name}: beat {self.count} came, and none was expected"
        expected = self._expected.popleft()
        data = f"{int(self.pins.fields['tdata'].value) & mask:x}"
        beat = data, keep, int(self.pins.fields["tlast"].value)
        expected_beat = f"{expected['tdata']:x}", expected["tkeep"], expected["tlast"]
        assert beat == expected_beat, (
            f"{self.name}: beat {self.count} is {beat}, not {expected_beat}"
        )
        return expected

    def _meaningful(self):
        return "tdata", "tkeep", "tlast"


class TB(Testbench):
    """Sends frames to ``rx`` and rows to ``rows``; compares ``tuples``, ``tx`` and the events."""

    def __init__(self, dut, stalls, mac_has_reset=True):
        super().__init__(dut, stalls)
        self.settings = self.rows("settings")
        self.apply(dict.fromkeys(self.settings[0], 0))
        self.events = FrameEvents(self)
        self.tuples = self._start(TupleMonitor(self, "tuples"), stalls[1])
        self.tx = self._start(FrameMonitor(self, mac_has_reset), stalls[1])
        self.rx = self._start(FrameDriver(self, mac_has_reset), stalls[0])
        self.engine = self.driver("rows")
        self.lost = self.pulse_counter("errors_datagram_lost")
        verdicts = sorted(set(DELAY) - set(OVERFLOWS.values()))
        self.cover("rx", "verdict of a frame", verdicts, lambda frame: frame["verdict"])
        self.cover("tuples", "beat of tuples", self.fillings("row_bytes"), self.octets)
        self.cover("rows", "last beat of rows", self.fillings("result_bytes"), self.last_octets)
        rooms = [(kind, fits) for kind in OVERFLOWS for fits in (True, False)]
        self.coverage.declare("room for a frame", rooms)
        kinds = [(kind, size) for kind in ("pings", "sent") for size in ("shortest", "longer")]
        kinds += [("arps", "shortest"), ("sent", "full")]
        self.cover("tx", "frame sent", kinds, self.kind)

    def fillings(self, item):
        """Returns the bins of a beat: no beat is short if the size of an item is whole beats."""
        return ["full", "no octets"] + ["short"] * (self.point[item] % 8 > 0)

    @staticmethod
    def octets(beat):
        return {0xFF: "full", 0: "no octets"}.get(beat["tkeep"], "short")

    def last_octets(self, beat):
        return self.octets(beat) if beat["tlast"] else None

    def kind(self, frame):
        common = lcm(self.point["result_bytes"], 8)  # whole rows and whole beats
        full = frame["octets"] == HEADERS + self.point["payload_limit"] // common * common
        size = "full" if full else "shortest" if frame["octets"] == 60 else "longer"
        return frame["kind"], size

    async def reset(self, cycles=4):
        await super().reset(cycles)
        self.events.clear()

    def apply(self, settings):
        """Drives the addresses of the face and of its partners."""
        for name, number in settings.items():
            getattr(self.dut, name).value = number

    def frames(self, epoch):
        """Returns the received frames of an epoch."""
        return [row for row in self.rows("rx") if row["epoch"] == epoch]

    def verdicts(self):
        """Returns the cycle and the name of the event of each received frame."""
        return [event for event in self.events.log if event[1] != "sent"]

    def accepted(self):
        """Returns the frames for which there was room, by kind.

        Checks for each datagram that the face dropped it only if the buffer had too little room.
        Neither the MAC nor the engine takes anything meanwhile, so the buffer only fills.
        """
        accepted, waiting_beats, log = defaultdict(list), 0, self.verdicts()
        assert len(log) == len(self.rx.ends)
        for end, row in self.rx.ends:
            kind = row["verdict"]
            fits = (end + DELAY[kind], kind) in log
            assert fits or (end + DELAY[kind], OVERFLOWS[kind]) in log
            if kind == "datagrams":
                room = self.point["depth"] - waiting_beats
                assert row["beats"] <= room + 1 if fits else row["beats"] > room
                waiting_beats += row["beats"] * fits
            if fits:
                accepted[kind].append(row)
            self.coverage.hit("room for a frame", (kind, fits))
        return accepted

    def send(self, epoch):
        """Sends the frames and rows of an epoch, and expects their results."""
        frames = self.frames(epoch)
        tuples, rows, sent = (
            [row for row in self.rows(name) if row["epoch"] == epoch]
            for name in ("tuples", "rows", "sent")
        )
        self.rx.send(frames)
        self.engine.send(rows)
        self.tuples.expect(tuples)
        for kind in ("arps", "pings"):
            self.tx.expect(kind, [row["reply"] for row in frames if row["verdict"] == kind])
        self.tx.expect("sent", [row["text"] for row in sent])

    async def finish(self):
        """Waits for the end of the epoch, and compares the events with the verdicts."""
        await super().finish()
        expected = [(end + DELAY[row["verdict"]], row["verdict"]) for end, row in self.rx.ends]
        log = self.verdicts()
        assert sorted(log) == sorted(expected)
        assert len(self.events.log) - len(log) == self.tx.received["sent"]
        self.lost.expect(0)
        assert not int(self.dut.busy.value), "busy after the last frame"

    async def run(self, reset_after=None, epochs=None):
        """Sends the frames and rows of each epoch, with the settings of the epoch.

        The face takes over new settings only when it has nothing to send. With ``reset_after`` the
        face is reset once, ``reset_after`` cycles after the begin of the first epoch.
        """
        await self.reset()
        for epoch, settings in enumerate(self.settings[:epochs]):
            self.apply(settings)
            await ClockCycles(self.clock, PREPARED)
            self.send(epoch)
            if epoch == 0 and reset_after:
                await ClockCycles(self.clock, reset_after)
                await self.reset()
                await ClockCycles(self.clock, PREPARED)
                self.send(epoch)
            while not (self.rx.is_empty and self.engine.is_empty):
                await ClockCycles(self.clock, 1)
            # Frames of this epoch may still wait to be sent; they must leave with its settings.
            self.apply(self.settings[(epoch + 1) % len(self.settings)])
            await self.finish()


@cocotb.test(timeout_time=TIMEOUT, timeout_unit="us")
@cocotb.parametrize(stalls=STALLS)
async def frames_and_tuples_equal_spark(dut, stalls):
    await TB(dut, stalls).run()


@cocotb.test(timeout_time=TIMEOUT, timeout_unit="us")
async def frames_and_tuples_after_a_reset_equal_spark(dut):
    await TB(dut, STALLS[-1]).run(reset_after=1500, epochs=1)


@cocotb.test(timeout_time=TIMEOUT, timeout_unit="us")
async def frames_without_room_are_dropped_and_counted(dut):
    """While neither tuples nor frames are taken, some frames of each kind wait; others are lost.

    The face has a buffer of ``depth`` beats for tuples, and a register after the buffer for one
    more beat. It has room for four requests of each kind, and a few more on their way to ``tx``.
    """
    tb = TB(dut, (0.0, 0.0))
    await tb.reset()
    tb.apply(tb.settings[0])
    tb.tuples.stall = 1.0
    tb.tx.mac.stream.pause = True
    tb.rx.is_polite = False
    await ClockCycles(tb.clock, PREPARED)
    first = [row for row in tb.frames(0) if row["verdict"] in OVERFLOWS]
    requests = [row for row in first if row["verdict"] != "datagrams"]
    tb.rx.send([*requests * 3, *first])
    tb.engine.send(row for row in tb.rows("rows") if row["epoch"] == 0)
    tb.tx.expect("sent", [row["text"] for row in tb.rows("sent") if row["epoch"] == 0])
    while not tb.rx.is_empty:
        await ClockCycles(tb.clock, 50)
    accepted = tb.accepted()
    for kind in ("arps", "pings"):
        assert PENDING <= len(accepted[kind]) < 3 * PENDING
        tb.tx.expect(kind, [row["reply"] for row in accepted[kind]])
    numbers = [row["frame"] for row in accepted["datagrams"]]
    datagrams = sum(row["verdict"] == "datagrams" for row in first)
    tb.lost.expect(datagrams - len(numbers))
    tb.tuples.expect(row for row in tb.rows("tuples") if row["frame"] in numbers)
    tb.tuples.stall = 0.0
    tb.tx.mac.stream.pause = False
    await Testbench.finish(tb)


@cocotb.test(timeout_time=TIMEOUT, timeout_unit="us")
@cocotb.parametrize(cycles=[1, 2, 6])
async def the_rest_of_a_frame_that_a_reset_cut_is_no_frame(dut, cycles):
    """The MAC is not reset, and goes on with a frame whose rest looks like a frame."""
    tb = TB(dut, (0.0, 0.0), mac_has_reset=False)
    await tb.reset()
    tb.apply(tb.settings[0])
    await ClockCycles(tb.clock, PREPARED)
    datagrams = [row for row in tb.frames(0) if row["verdict"] == "datagrams"]
    front = next(row["text"] for row in datagrams if row["beats"] > 8)[: 16 * 8]
    text = front + datagrams[0]["text"]
    cut = datagrams[0] | {"text": text, "fcs": crc32(bytes.fromhex(text)), "verdict": "cut"}
    tb.rx.send([cut, *datagrams[1:5]])
    numbers = [row["frame"] for row in datagrams[1:5]]
    tb.tuples.expect(row for row in tb.rows("tuples") if row["frame"] in numbers)
    await RisingEdge(dut.rx_tvalid)
    await ClockCycles(tb.clock, 2)
    dut.rst.value = 1
    await ClockCycles(tb.clock, cycles)
    dut.rst.value = 0
    await Testbench.finish(tb)
    assert [name for _, name in tb.events.log] == ["datagrams"] * 4


#: Short frames and small buffers.
SMALL = {"longest": 512, "depth": 128, "longest_ping": 128, "payload_limit": 480}


@points(
    SMALL | {"row_bytes": 12, "result_bytes": 20},
    SMALL | {"row_bytes": 6, "result_bytes": 9, "shortest": 20, "end_marks": 0},
    {"row_bytes": 20, "result_bytes": 12, "longest_ping": 256, "depth": 512},
    {"depth": 1024, "longest_ping": 1000, "end_marks": 0},
)
def test_network_face(point, simulator, tmp_path):
    run_bench(__name__, "network-face", point, simulator, tmp_path)
