"""The cocotb bench of the shipped top: AXI drivers on its ports, and a monitor on every stream.

Runs inside a simulator; :mod:`tb.harness.simulators` starts one. Source, sink and register master
are those of cocotbext-axi, so the top is shown to work with models that are not ours; what is
reported comes from the monitors, and the sink must have seen the same.
"""

import random

import cocotb
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, SimTimeoutError, with_timeout
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

from tb.harness.beats import Beats
from tb.harness.result import RunResult

PERIOD_NS = 10
RESET_CYCLES = 8
SIGNALS = ("tdata", "tkeep", "tlast")
CHANNELS = {  # payloads of the register bus
    "aw": ("awaddr", "awprot"),
    "w": ("wdata", "wstrb"),
    "b": ("bresp",),
    "ar": ("araddr", "arprot"),
    "r": ("rdata", "rresp"),
}


class StreamMonitor:
    """Holds one stream to its rules and takes note of what passes, at every rising clock edge.

    Parameters
    ----------
    dut : cocotb handle of the top
    name : str
        Of the stream, as an error bears it.
    valid, ready : handle
    payload : tuple of handle

    Attributes
    ----------
    cycle : int
        Edges seen with ``aresetn`` high.
    taken : list of (cycle, tuple of int)
    stalled : int
        Cycles with ``valid & ~ready``.
    violations : list of str
    """

    def __init__(self, dut, name, valid, ready, payload):
        self.clock, self.aresetn, self.name = dut.aclk, dut.aresetn, name
        self.valid, self.ready, self.payload = valid, ready, payload
        self.cycle = self.stalled = 0
        self.taken, self.violations = [], []

    async def run(self):
        held, in_reset, edge = None, 0, RisingEdge(self.clock)
        while True:
            await edge
            if not self.aresetn.value.is_resolvable or self.aresetn.value == 0:
                held, in_reset = None, in_reset + 1
                if in_reset > 1 and str(self.valid.value) != "0":
                    self._broken("valid during reset")
                continue
            valid, ready = self.valid.value, self.ready.value
            if not (valid.is_resolvable and ready.is_resolvable):
                self._broken("valid or ready is X")
            now = tuple(signal.value for signal in self.payload) if valid == 1 else None
            if held is not None:
                if now is None:
                    self._broken("valid withdrawn before ready")
                elif now != held:
                    self._broken("payload changed before ready")
            held = now if ready == 0 else None
            if held is not None:
                self.stalled += 1
            elif now is not None:
                if not all(value.is_resolvable for value in now):
                    self._broken("payload has an X")
                    now = tuple(_resolved(value) for value in now)
                self.taken.append((self.cycle, tuple(int(value) for value in now)))
            self.cycle += 1

    def _broken(self, what):
        self.violations.append(f"{self.name}: {what} (cycle {self.cycle})")


class AxiBench:
    """Clock, reset, drivers, stalls and monitors of one top.

    Parameters
    ----------
    dut : cocotb handle
    stall_input, stall_output : float
        Probability that a beat is held back, and that ``m_axis_tready`` is low, in a cycle.
        Register channels pause as often as the stream that stalls more.
    seed : int
    """

    def __init__(self, dut, *, stall_input=0.0, stall_output=0.0, seed=0):
        self.dut = dut
        Clock(dut.aclk, PERIOD_NS, "ns").start()
        ports = (dut.aclk, dut.aresetn)
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), *ports, False)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), *ports, False)
        self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), *ports, False)
        reader, writer = self.registers.read_if, self.registers.write_if
        for model in (self.source, self.sink, reader, writer):
            model.log.setLevel("ERROR")
        rng, worst = random.Random(seed), max(stall_input, stall_output)
        channels = (writer.aw_channel, writer.w_channel, writer.b_channel)
        for model, rate in (
            (self.source, stall_input),
            (self.sink, stall_output),
            *((channel, worst) for channel in (*channels, reader.ar_channel, reader.r_channel)),
        ):
            if rate:
                model.set_pause_generator(_pauses(random.Random(rng.random()), rate))
        self.has_user = hasattr(dut, "s_axis_tuser")
        self.input, self.output = (
            self._monitor(name, *(getattr(dut, f"{name}_{signal}") for signal in signals))
            for name, signals in (
                ("s_axis", (*SIGNALS, "tuser") if self.has_user else SIGNALS),
                ("m_axis", SIGNALS),
            )
        )
        self.monitors = [self.input, self.output]
        for channel, payload in CHANNELS.items():
            signals = (getattr(dut, f"s_axil_{signal}") for signal in payload)
            self.monitors.append(self._monitor(f"s_axil_{channel}", *signals, joint=""))

    def _monitor(self, name, *payload, joint="_t"):
        valid, ready = (getattr(self.dut, f"{name}{joint}{end}") for end in ("valid", "ready"))
        return StreamMonitor(self.dut, name, valid, ready, payload)

    async def reset(self):
        """Holds the reset, starts the monitors, and returns as the reset falls."""
        self.dut.aresetn.value = 0
        for monitor in self.monitors:
            cocotb.start_soon(monitor.run())
        await ClockCycles(self.dut.aclk, RESET_CYCLES)
        self.dut.aresetn.value = 1

    async def run_streams(
        self, beats, *, writes=(), reads=(), packets=None, idle_timeout=2_000, drain=64
    ):
        """Feeds whole streams, and waits for the packets, as the compiled runner does.

        Parameters
        ----------
        beats : Beats
            Ending with a ``last``.
        writes : dict of int to list of (address, value)
            Register writes before the first beat of a stream.
        reads : sequence of int
            Registers read after the last beat.
        packets : int or None
            How many tlasts to wait for; None is one for each stream.
        idle_timeout, drain : int
            Cycles without a beat after which to give up; quiet cycles after the last beat.

        Returns
        -------
        RunResult
        """
        if beats.user is not None and not self.has_user:
            raise ValueError("beats must be without user, as the top has no s_axis_tuser")
        await self.reset()
        streams = [slice(a, b + 1) for a, b in zip(beats.starts, beats.ends, strict=True)]
        packets, hang = len(streams) if packets is None else packets, None
        for index, part in enumerate(streams):
            if index in writes:
                hang = hang or await self._until(part.start, 0, idle_timeout)
                for address, value in writes[index]:
                    hang = hang or await self._write(address, value, idle_timeout)
            data, keep = beats.data[part].tobytes(), beats.keep[part].ravel().astype(int).tolist()
            user = np.repeat(beats.users[part], beats.bytes).astype(int).tolist()
            self.source.send_nowait(AxiStreamFrame(data, tkeep=keep, tuser=user))
        hang = hang or await self._until(len(beats), packets, idle_timeout)
        await ClockCycles(self.dut.aclk, drain)
        values = []
        for address in () if hang else reads:
            value, hang = await self._read(address, idle_timeout)
            if hang:
                break
            values.append(value)
        return self._result(tuple(values), hang, packets)

    async def _write(self, address, value, idle_timeout):
        _, hang = await self._access(self.registers.write_dword(address, value), idle_timeout)
        return hang

    async def _read(self, address, idle_timeout):
        return await self._access(self.registers.read_dword(address), idle_timeout)

    async def _access(self, access, idle_timeout):
        """The value of a register access, and what to say when it does not end."""
        try:
            return await with_timeout(access, PERIOD_NS * idle_timeout, "ns"), None
        except SimTimeoutError:
            return None, f"hang: register access without answer in {idle_timeout} cycles"

    def _tlasts(self):
        return sum(last for _, (_, _, last) in self.output.taken)

    async def _until(self, beats, tlasts, idle_timeout):
        """Waits for input beats and output tlasts; returns what to say when nothing moves."""
        seen, since = None, self.output.cycle
        while len(self.input.taken) < beats or self._tlasts() < tlasts:
            await RisingEdge(self.dut.aclk)
            state = len(self.input.taken), len(self.output.taken)
            if state != seen:
                seen, since = state, self.output.cycle
            if self.output.cycle - since > idle_timeout:
                return (
                    f"hang: no transfer in {idle_timeout} cycles, with {state[0]} input beats "
                    f"taken and {self._tlasts()} tlasts seen"
                )
        return None

    def _result(self, reads, hang, packets):
        taken = self.output.taken
        beats = beats_from_ints([payload for _, payload in taken], len(self.dut.m_axis_tkeep))
        violations = [text for monitor in self.monitors for text in monitor.violations]
        if self._tlasts() > packets or (taken and not hang and not taken[-1][1][2]):
            violations.append("m_axis: beat after the last expected tlast")
        frames = []
        while not self.sink.empty():
            frames.append(self.sink.recv_nowait(compact=False))
        seen = b"".join(bytes(frame.tdata) for frame in frames)
        if not hang and not violations and seen != beats.data.tobytes():
            violations.append("m_axis: sink and monitor disagree")
        cycles_in = [cycle for cycle, _ in self.input.taken]
        cycles_out = [cycle for cycle, _ in taken]
        return RunResult(
            beats=beats,
            taken=np.array(cycles_out, np.int64),
            cycles=self.output.cycle,
            input_stalled=self.input.stalled,
            output_stalled=self.output.stalled,
            first_input=cycles_in[0] if cycles_in else None,
            last_input=cycles_in[-1] if cycles_in else None,
            first_output=cycles_out[0] if cycles_out else None,
            last_output=cycles_out[-1] if cycles_out else None,
            reads=reads,
            violations=tuple(violations),
            hang=hang,
        )


def beats_from_ints(payloads, size):
    """Beats of ``size`` bytes from (tdata, tkeep, tlast) as integers."""
    data = b"".join(tdata.to_bytes(size, "little") for tdata, _, _ in payloads)
    keep = b"".join(tkeep.to_bytes(-(-size // 8), "little") for _, tkeep, _ in payloads)
    keep = np.frombuffer(keep, np.uint8).reshape(len(payloads), -(-size // 8))
    keep = np.unpackbits(keep, axis=1, count=size, bitorder="little").view(np.bool_)
    last = np.array([tlast for _, _, tlast in payloads], np.bool_)
    return Beats(np.frombuffer(data, np.uint8).reshape(len(payloads), size), keep, last)


def _pauses(rng, rate):
    while True:
        yield rng.random() < rate


def _resolved(value):
    return int(str(value).translate(str.maketrans("XZUW-HL", "0000010", "")), 2)
