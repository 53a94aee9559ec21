"""A MAC of cocotbext-eth at the pins of the network face, in both directions."""

import logging
import random
from collections import Counter, defaultdict, deque
from types import SimpleNamespace

from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus
from cocotbext.eth import EthMacFrame, EthMacRx, EthMacTx

from tb.cocotb.support.testbench import PERIOD

#: Bits per second of a line that fills every beat.
LINE = 64 / (PERIOD * 1e-9)
#: Speed of the receiving MAC: frames come without a gap inside, and almost none between them.
FASTER = 1.25 * LINE
#: Replies of a kind that may be pending: the face queues four requests of each kind.
PENDING = 4
#: Cycles after a frame in which its event has come.
SETTLED = 20


def _kind(frame):
    """Returns "arps", "pings" or "sent" for a frame of the face, of which three beats suffice."""
    return "arps" if frame[12:14] == b"\x08\x06" else "pings" if frame[23] == 1 else "sent"


def cycle():
    """Returns the number of the current clock cycle."""
    return round(get_sim_time("ns")) // PERIOD


class ReceivingMac(EthMacRx):
    """An :class:`EthMacRx` that removes the FCS, and reports a wrong FCS in ``tuser``."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self._errors = deque()
        send = self.stream.send

        async def send_beat(beat):
            beat.tuser = self._errors.popleft() if beat.tlast and self._errors else 0
            await send(beat)

        self.stream.send = send_beat

    async def send(self, frame):
        """Sends a frame with its FCS."""
        self._errors.append(int(not frame.check_fcs()))
        await super().send(EthMacFrame(frame.get_payload()))

    def _handle_reset(self, state):
        super()._handle_reset(state)
        if state:  # not earlier: a send that waits for room would go on
            self.stream.clear()
            self._errors.clear()


class SendingMac(EthMacTx):
    """An :class:`EthMacTx` that forgets the beats of a frame that a reset cut."""

    def _handle_reset(self, state):
        super()._handle_reset(state)
        if state:
            self.stream.clear()


class FrameDriver:
    """Sends frames to ``rx``, and remembers in which cycle each frame has ended.

    The driver is a well-behaved sender: it keeps back a frame while :data:`PENDING` replies of the
    kind are outstanding, and a datagram for which the buffer of tuples may have no room. A frame is
    a row of Spark; ``text`` is the frame in hexadecimal digits, and ``fcs`` its check sequence.

    Parameters
    ----------
    tb : Testbench
    has_reset : bool
        True if the MAC is reset with the face.
    """

    def __init__(self, tb, has_reset=True):
        self.name, self.stall = "rx", 0.0
        self.count = self.stalled_cycles = 0
        self.pins = SimpleNamespace(ready=None)
        self.is_polite = True
        self.ends = []  # cycle and row of each frame that has been sent
        self.sent_counts = Counter()  # frames by verdict, and beats of tuples
        self._tb, self._dut = tb, tb.dut
        self._queue, self._on_the_way = deque(), deque()
        self._earlier_beats = 0  # beats of tuples before the last reset
        bus = AxiStreamBus.from_prefix(tb.dut, "rx")
        self.mac = ReceivingMac(bus, tb.clock, tb.dut.rst if has_reset else None, speed=FASTER)
        self.mac.queue_occupancy_limit_frames = 1
        for log in (self.mac.log, self.mac.stream.log):
            log.setLevel(logging.WARNING)

    @property
    def is_empty(self):
        """True if each frame has been sent and counted."""
        settled = not self.ends or cycle() > self.ends[-1][0] + SETTLED
        return settled and not self._queue and not self._on_the_way

    def send(self, frames):
        self._queue.extend(frames)

    def clear(self):
        for queue in (self._queue, self._on_the_way, self.ends, self.sent_counts, self.mac):
            queue.clear()
        self._earlier_beats = self._tb.tuples.count

    async def run(self):
        """Feeds the MAC and watches the pins, for ever."""
        rng = random.Random(f"{self._tb.seed} rx")
        if self.stall:
            pauses = iter(lambda: rng.random() < self.stall, None)
            self.mac.stream.set_pause_generator(pauses)
        while True:
            await RisingEdge(self._tb.clock)
            if self._tb.in_reset:
                continue
            assert int(self._dut.rx_tready.value), "rx: tready is low"
            if int(self._dut.rx_tvalid.value) and int(self._dut.rx_tlast.value):
                row = self._on_the_way.popleft()
                self.ends.append((cycle(), row))
                self.count += 1
                self._tb.note_transfer("rx", row)
            if self._queue and not self.mac.full() and self._has_room(self._queue[0]):
                row = self._queue.popleft()
                self._on_the_way.append(row)
                self.sent_counts.update({row["verdict"]: 1, "beats": row["beats"]})
                octets = bytes.fromhex(row["text"]) + row["fcs"].to_bytes(4, "little")
                await self.mac.send(EthMacFrame(octets))

    def _has_room(self, row):
        if not self.is_polite:
            return True
        if row["verdict"] in ("arps", "pings"):
            pending = self.sent_counts[row["verdict"]] - self._tb.tx.received[row["verdict"]]
            return pending < PENDING
        waiting_beats = self.sent_counts["beats"] - (self._tb.tuples.count - self._earlier_beats)
        return waiting_beats + row["beats"] <= self._tb.point["depth"]


class FrameMonitor:
    """Accepts the frames of ``tx`` by a :class:`SendingMac`, and compares each with Spark's.

    Frames of one kind ("arps", "pings", "sent") come in order; different kinds have no order. The
    MAC fails if a frame that has begun is offered with a gap, and stalls the face between frames; a
    MAC with a stall is slower than the face, and stalls the face in frames, too.
    """

    def __init__(self, tb, has_reset=True):
        self.name, self.stall = "tx", 0.0
        self.count = self.stalled_cycles = 0
        self.pins = SimpleNamespace(ready=tb.dut.tx_tready)
        self.received = Counter()  # frames by kind
        self._tb, self._dut = tb, tb.dut
        self._expected = defaultdict(deque)
        bus = AxiStreamBus.from_prefix(tb.dut, "tx")
        self.mac = SendingMac(bus, tb.clock, tb.dut.rst if has_reset else None, speed=LINE)
        for log in (self.mac.log, self.mac.stream.log):
            log.setLevel(logging.WARNING)

    @property
    def is_empty(self):
        return not any(self._expected.values())

    def expect(self, kind, frames):
        """Appends expected frames, as texts of hexadecimal digits."""
        self._expected[kind].extend(bytes.fromhex(text) for text in frames)

    def clear(self):
        for queue in (self._expected, self.received, self.mac):
            queue.clear()

    async def run(self):
        """Watches the pins, and compares frames, for ever."""
        self.mac.speed = LINE * (1 - self.stall)
        offered, words = None, []  # beats of the frame that is offered
        while True:
            await RisingEdge(self._tb.clock)
            if self._tb.in_reset:
                offered, words = None, []
                continue
            valid = int(self._dut.tx_tvalid.value)
            if offered is not None:
                assert valid, "tx: valid fell before the beat was accepted"
                assert self._beat() == offered, "tx: a beat changed while it waited"
            stalled = valid and not int(self._dut.tx_tready.value)
            offered = self._beat() if stalled else None
            if stalled:
                self._tb.note_stall("tx")
            if valid:
                self._check_busy(words)
            if valid and not stalled:
                words.append(int(self._dut.tx_tdata.value))
                if int(self._dut.tx_tlast.value):
                    words.clear()
            while not self.mac.empty():
                self._compare(self.mac.recv_nowait().data)

    def _check_busy(self, words):
        """Raises AssertionError unless the face is busy while a frame with rows leaves."""
        if len(words) < 3:
            return
        frame = b"".join(word.to_bytes(8, "little") for word in words[:3])
        if _kind(frame) == "sent":
            assert int(self._dut.busy.value), "tx: a frame with rows is offered, without busy"

    def _beat(self):
        return [getattr(self._dut, f"tx_{name}").value for name in ("tdata", "tkeep", "tlast")]

    def _compare(self, frame):
        kind = _kind(frame)
        place = f"tx: frame {self.received[kind]} of {kind}"
        assert self._expected[kind], f"{place} came, and none was expected"
        expected = self._expected[kind].popleft()
        assert len(frame) == len(expected), f"{place} has {len(frame)} octets, not {len(expected)}"
        different = [
            k for k, pair in enumerate(zip(frame, expected, strict=True)) if len({*pair}) > 1
        ]
        assert not different, f"{place} differs in octets {different[:8]}"
        self.received[kind] += 1
        self.count += 1
        self._tb.note_transfer("tx", {"kind": kind, "octets": len(frame)})
