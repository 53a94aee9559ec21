"""Runs a job on a top in cocotb: AXI drivers on the ports, and a monitor on every channel.

The bench runs inside a simulator that :mod:`sim.simulators` starts. Sources, sinks, register master
and memories are models of cocotbext-axi, so the bench checks the top against models that the
project did not write. The results come from the monitors, and must agree with the sinks.
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

from sim.beats import Beats
from sim.outcome import InputStream, Outcome, OutputStream, hang_text
from sim.pins.axi_memory import MemoryAgent, SharedMemory
from sim.pins.monitor import ChannelMonitor

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


def register_monitors(dut):
    """Returns a monitor of each channel of the register bus ``s_axil``."""
    monitors = []
    for channel, payload in CHANNELS.items():
        ends = (getattr(dut, f"s_axil_{channel}{end}") for end in ("valid", "ready"))
        signals = [getattr(dut, f"s_axil_{signal}") for signal in payload]
        monitors.append(ChannelMonitor(dut, f"s_axil_{channel}", *ends, signals))
    return monitors


class StreamAgent:
    """Drives a stream as its source or its sink, and monitors the stream.

    Parameters
    ----------
    dut : cocotb handle of the top
    name : str
        Name of the stream, the prefix of its ports.
    model : type
        AxiStreamSource or AxiStreamSink.
    """

    def __init__(self, dut, name, model):
        bus = AxiStreamBus.from_prefix(dut, name)
        self.model = model(bus, dut.aclk, dut.aresetn, False)
        self.model.log.setLevel("ERROR")
        user = hasattr(dut, f"{name}_tuser")
        signals = [getattr(dut, f"{name}_{s}") for s in (*SIGNALS, *["tuser"] * user)]
        valid, ready = (getattr(dut, f"{name}_t{end}") for end in ("valid", "ready"))
        self.name, self.user, self.bytes = name, user, len(signals[1])
        self.monitor = ChannelMonitor(dut, name, valid, ready, signals)

    @property
    def transfers(self):
        """Pairs of a cycle and a payload (tdata, tkeep, tlast, and tuser if there is one)."""
        return self.monitor.transfers

    @property
    def tlasts(self):
        """Number of transfers with ``tlast``."""
        return sum(payload[2] for _, payload in self.transfers)

    def send(self, beats):
        """Hands the beats of one stream to the model, which drives them onto the pins in order."""
        data, keep = beats.data.tobytes(), beats.keep.ravel().astype(int).tolist()
        user = np.repeat(beats.users, beats.bytes).astype(int).tolist()
        self.model.send_nowait(AxiStreamFrame(data, tkeep=keep, tuser=user))

    def input_stream(self):
        """Returns the transfers into a slave stream of the top, which a source drives."""
        cycles = [cycle for cycle, _ in self.transfers]
        first, last = (cycles[0], cycles[-1]) if cycles else (None, None)
        return InputStream(
            accepted=len(cycles),
            stalled=self.monitor.stalled,
            first=first,
            last=last,
            beat_cycles=np.array(cycles, np.int64),
        )

    def output_stream(self):
        """Returns the transfers out of a master stream of the top.

        Reports a violation if the sink's bytes differ from those of the complete packets.
        """
        payloads = [payload for _, payload in self.transfers]
        beats = beats_from_ints(payloads, self.bytes, self.user)
        frames = []
        while not self.model.empty():
            frames.append(self.model.recv_nowait(compact=False))
        sink_data = b"".join(bytes(frame.tdata) for frame in frames)
        complete = beats[: beats.ends[-1] + 1] if len(beats.ends) else beats[:0]
        if not self.monitor.violations and sink_data != complete.data.tobytes():
            self.monitor.report("sink and monitor disagree")
        cycles = np.array([cycle for cycle, _ in self.transfers], np.int64)
        return OutputStream(beats=beats, beat_cycles=cycles, stalled=self.monitor.stalled)


class AxiBench:
    """Drives and monitors all ports of one top: clock, reset, streams, registers and memories.

    Parameters
    ----------
    dut : cocotb handle
    job : Job
    memories : sequence of str
        Names of the AXI4 masters.
    """

    def __init__(self, dut, job, memories):
        self.dut, self.job = dut, job
        Clock(dut.aclk, PERIOD_NS, "ns").start()
        self.slaves = [StreamAgent(dut, name, AxiStreamSource) for name in job.streams]
        self.masters = [StreamAgent(dut, name, AxiStreamSink) for name in job.packets]
        self.registers = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axil"), dut.aclk, dut.aresetn, False
        )
        self.shared = SharedMemory(job.memory)
        self.memories = {name: MemoryAgent(dut, name, self.shared) for name in memories}
        self._pause()
        self.monitors = [agent.monitor for agent in (*self.slaves, *self.masters)]
        self.monitors += register_monitors(dut)
        for agent in self.memories.values():
            self.monitors += agent.monitors.values()

    def _pause(self):
        """Sets the random pauses of all channels.

        Register channels pause with the greater of the two probabilities of streams.
        """
        job, rng = self.job, random.Random(self.job.seed)
        reader, writer = self.registers.read_if, self.registers.write_if
        for model in (reader, writer):
            model.log.setLevel("ERROR")
        channels = (writer.aw_channel, writer.w_channel, writer.b_channel)
        paced = [(agent.model, job.stall_input) for agent in self.slaves]
        paced += [(agent.model, job.stall_output) for agent in self.masters]
        worst = max(job.stall_input, job.stall_output)
        paced += [(channel, worst) for channel in channels]
        paced += [(channel, worst) for channel in (reader.ar_channel, reader.r_channel)]
        for agent in self.memories.values():
            paced += [(channel, job.memory.stall) for channel in agent.channels]
        for model, rate in paced:
            if rate:
                model.set_pause_generator(_pauses(random.Random(rng.random()), rate))

    @property
    def cycle(self):
        return self.monitors[0].cycle

    async def run(self):
        """Runs the job in the same way as the compiled runner.

        The register writes of stream k begin when all streams before k have been accepted. The
        registers are read when all beats are accepted, each master has sent its tlasts, the
        memories are idle, and no beat has come for ``drain`` cycles from the masters without an
        expected number of tlasts.

        Returns
        -------
        Outcome
        """
        job = self.job
        await self._reset()
        hang = None
        parts = {name: _streams(beats) for name, beats in job.streams.items()}
        for index in range(max(1, max(map(len, parts.values()), default=1))):
            writes = [pair for stream, *pair in job.writes if stream == index]
            if writes:
                starts = {name: _start(parts[name], index) for name in parts}
                hang = hang or await self._until(starts, {})
                for address, value in writes:
                    hang = hang or await self._write(address, value)
            for agent in self.slaves:
                if index < len(parts[agent.name]):
                    agent.send(job.streams[agent.name][parts[agent.name][index]])
        lengths = {name: len(beats) for name, beats in job.streams.items()}
        hang = hang or await self._until(lengths, job.packets)
        hang = hang or await self._quiet()
        values = []
        for address in () if hang else job.reads:
            value, hang = await self._access(self.registers.read_dword(address))
            if hang:
                break
            values.append(value)
        return self._outcome(tuple(values), hang)

    async def _reset(self):
        self.dut.aresetn.value = 0
        for monitor in self.monitors:
            cocotb.start_soon(monitor.run())
        await ClockCycles(self.dut.aclk, RESET_CYCLES)
        self.dut.aresetn.value = 1

    async def _write(self, address, value):
        _, hang = await self._access(self.registers.write_dword(address, value))
        return hang

    async def _access(self, access):
        """Returns the value of a register access, and a text if the access does not end."""
        idle = self.job.idle_timeout
        try:
            return await with_timeout(access, PERIOD_NS * idle, "ns"), None
        except SimTimeoutError:
            return None, f"hang: register access without answer in {idle} cycles"

    def _transfer_counts(self, agents):
        return [len(agent.transfers) for agent in agents]

    async def _until(self, beats, packets):
        """Waits for numbers of input beats and of output tlasts, by the names of the streams;
        returns a text if there is no progress. A master without a number is not waited for."""
        last_state = None
        last_progress = self.cycle
        awaited = [agent for agent in self.masters if packets.get(agent.name) is not None]
        while any(len(agent.transfers) < beats[agent.name] for agent in self.slaves) or any(
            agent.tlasts < packets[agent.name] for agent in awaited
        ):
            await RisingEdge(self.dut.aclk)
            state = self._transfer_counts((*self.slaves, *self.masters))
            state += [agent.passed for agent in self.memories.values()]
            if state != last_state:
                last_state, last_progress = state, self.cycle
            if self.cycle - last_progress > self.job.idle_timeout or self._limit_reached():
                return self._hang(f"no transfer in {self.job.idle_timeout} cycles")
        return None

    async def _quiet(self):
        """Waits until every burst is answered, and no beat has come for ``drain`` cycles from the
        masters without an expected number of tlasts; returns a text if the wait does not end."""
        unlimited = [agent for agent in self.masters if self.job.packets[agent.name] is None]
        last_state = self._transfer_counts(unlimited)
        last_progress = self.cycle
        while True:
            busy = not all(agent.idle for agent in self.memories.values())
            if self.cycle - last_progress >= self.job.drain and not busy:
                return None
            await RisingEdge(self.dut.aclk)
            if self._transfer_counts(unlimited) != last_state:
                last_state, last_progress = self._transfer_counts(unlimited), self.cycle
            if (
                self.cycle - last_progress > self.job.drain + self.job.idle_timeout
                or self._limit_reached()
            ):
                return self._hang(f"bursts without answer in {self.job.idle_timeout} cycles")

    def _limit_reached(self):
        return self.job.limit is not None and self.cycle >= self.job.limit

    def _hang(self, reason):
        """Returns a line about a hang: the reason, and the beats and tlasts so far."""
        if self._limit_reached():
            reason = f"not at its end after {self.job.limit} cycles"
        beats = sum(self._transfer_counts(self.slaves)), sum(map(len, self.job.streams.values()))
        awaited = [agent for agent in self.masters if self.job.packets[agent.name] is not None]
        tlasts = sum(agent.tlasts for agent in awaited)
        expected = sum(self.job.packets[agent.name] for agent in awaited)
        return hang_text(reason, beats, (tlasts, expected))

    def _outcome(self, reads, hang):
        for agent in self.masters:
            expected = self.job.packets[agent.name]
            is_partial = agent.transfers and not hang and not agent.transfers[-1][1][2]
            if expected is not None and (agent.tlasts > expected or is_partial):
                agent.monitor.report("beat after the last expected tlast")
        inputs = {agent.name: agent.input_stream() for agent in self.slaves}
        outputs = {agent.name: agent.output_stream() for agent in self.masters}
        memory = {name: agent.traffic() for name, agent in self.memories.items()}
        return Outcome(
            inputs=inputs,
            outputs=outputs,
            cycles=self.cycle,
            memory=memory,
            contents=self.shared.contents() if self.memories else None,
            reads=reads,
            violations=tuple(text for monitor in self.monitors for text in monitor.violations),
            hang=hang,
        )


def _streams(beats):
    """Returns the slice of each complete stream."""
    return [slice(a, b + 1) for a, b in zip(beats.starts, beats.ends, strict=True)]


def _start(parts, index):
    """Returns the number of beats before stream ``index``; after the last stream, of all beats."""
    return parts[index].start if index < len(parts) else parts[-1].stop if parts else 0


def beats_from_ints(payloads, size, user=False):
    """Returns beats of ``size`` bytes from payloads: tuples of the integers tdata, tkeep, tlast,
    and with ``user`` also tuser."""
    data = b"".join(payload[0].to_bytes(size, "little") for payload in payloads)
    keep = b"".join(payload[1].to_bytes(-(-size // 8), "little") for payload in payloads)
    keep = np.frombuffer(keep, np.uint8).reshape(len(payloads), -(-size // 8))
    keep = np.unpackbits(keep, axis=1, count=size, bitorder="little").view(np.bool_)
    last = np.array([payload[2] for payload in payloads], np.bool_)
    users = np.array([payload[3] for payload in payloads], np.bool_) if user else None
    return Beats(np.frombuffer(data, np.uint8).reshape(len(payloads), size), keep, last, users)


def _pauses(rng, rate):
    """Yields for ever True with probability ``rate``, else False."""
    while True:
        yield rng.random() < rate
