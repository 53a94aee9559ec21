"""Defines the back end of the host class that drives the pins of a top in a cocotb test."""

import cocotb
from cocotb.task import resume
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamSink, AxiStreamSource

from host.backend import Backend
from host.control import SOFT_RESET
from host.errors import DeviceError, HangError
from sim.errors import ProtocolError
from sim.host_simulation import packets_in, stream_beats
from sim.memory import Memory
from sim.pins.axi import RESET_CYCLES, StreamAgent, beats_from_ints, register_monitors
from sim.pins.axi_memory import MemoryAgent, SharedMemory

#: Cycles without a beat after which a transfer asks whether the engine is empty.
_QUIET = 64
#: After the last tuple a transfer waits this many times longer for a beat than before.
_EMPTYING = 20


class CocotbPins(Backend):
    """Drives a top by models of cocotbext-axi, and monitors each channel that it drives.

    These are ``s_axis``, the registers, all master streams and all memories of the top.

    A cocotb test creates the object after it has started the clock, and then awaits :meth:`reset`.
    The calls of the host class block, so the test makes them in a ``bridge`` of cocotb:

    >>> pins = CocotbPins(dut, Description.read(directory))
    >>> await pins.reset()
    >>> rows = await bridge(lambda: Engine.open(directory, pins).run(table))()

    Parameters
    ----------
    dut : cocotb handle of the top
    description : Description
    cycles : int
        Number of cycles without a beat after which a transfer raises HangError. After the last
        tuple the number is `_EMPTYING` times as large, since an engine may send its last rows late.
    """

    takes_punctuations = True

    def __init__(self, dut, description, cycles=10_000):
        self._dut = dut
        self._description = description
        self._cycles = cycles
        streams = description.streams.values()
        self._slave = StreamAgent(dut, "s_axis", AxiStreamSource)
        masters = [stream.name for stream in streams if stream.name.startswith("m")]
        self._masters = {name: StreamAgent(dut, name, AxiStreamSink) for name in masters}
        bus = AxiLiteBus.from_prefix(dut, "s_axil")
        self._registers = AxiLiteMaster(bus, dut.aclk, dut.aresetn, False)
        for model in (self._registers.read_if, self._registers.write_if):
            model.log.setLevel("ERROR")
        shared = SharedMemory(Memory())
        self._memories = [MemoryAgent(dut, name, shared) for name in description.memories]
        self._packet_starts = dict.fromkeys(masters, 0)
        self._offered = 0  # beats that the source has got since the beginning
        self._is_unfinished = False  # a transfer was interrupted
        self._monitors = [agent.monitor for agent in (self._slave, *self._masters.values())]
        self._monitors += register_monitors(dut)
        self._monitors += [m for agent in self._memories for m in agent.monitors.values()]

    async def reset(self):
        """Holds ``aresetn`` low for some cycles."""
        self._dut.aresetn.value = 0
        for monitor in self._monitors:
            cocotb.start_soon(monitor.run())
        await ClockCycles(self._dut.aclk, RESET_CYCLES)
        self._dut.aresetn.value = 1
        await RisingEdge(self._dut.aclk)

    def read(self, address):
        return resume(self._registers.read_dword)(address)

    def write(self, address, value):
        resume(self._registers.write_dword)(address, value)

    def transfer(self, tuples, finished, punctuations=None):
        if self._is_unfinished:
            raise DeviceError("an earlier stream was interrupted; call reset()")
        beats = stream_beats(self._description.tuples, tuples, punctuations)
        self._is_unfinished = True
        self._slave.send(beats)
        self._offered += len(beats)
        resume(self._wait_for_source)()
        self._wait_until_empty(finished)
        self._is_unfinished = False
        if broken := [text for monitor in self._monitors for text in monitor.violations]:
            raise ProtocolError("; ".join(broken))
        return {name: self._packets(name, agent) for name, agent in self._masters.items()}

    def discard(self):
        """Ends a stream that was interrupted, and drops its rows.

        The source sends the rest of the stream: after a soft reset the engine drops the rest of a
        stream that it has begun. If it had taken no beat, the rest is a stream of its own, which a
        second soft reset drops.
        """
        if not self._is_unfinished:
            return
        resume(self._wait_for_source)()
        registers, busy = self._description.registers, self._description.host["busy"]
        self.write(registers["control"], SOFT_RESET)
        self._wait_until_empty(lambda: not self.read(registers["status"]) >> busy & 1)
        for name, agent in self._masters.items():
            self._packet_starts[name] = len(agent.transfers)
            agent.model.clear()
        self._is_unfinished = False

    def _wait_until_empty(self, finished):
        """Waits until ``finished()`` is true, which is asked after `_QUIET` cycles without a beat.

        The question reads registers, so it is not asked in each cycle.
        """
        idle_cycles = 0
        while idle_cycles == 0 or not finished():
            if idle_cycles > _EMPTYING * self._cycles:
                raise HangError("the engine is not empty, and sends no rows; call reset()")
            counts = self._transfer_counts()
            resume(self._wait)(_QUIET)
            idle_cycles = idle_cycles + _QUIET if self._transfer_counts() == counts else 0

    def close(self):
        """Does nothing: the test owns the pins."""

    def _transfer_counts(self):
        return [len(agent.transfers) for agent in (self._slave, *self._masters.values())]

    async def _wait(self, cycles):
        await ClockCycles(self._dut.aclk, cycles)

    async def _wait_for_source(self):
        """Waits until the engine has accepted the last beat of the source."""
        counts = None
        idle_cycles = 0
        while len(self._slave.transfers) < self._offered:
            await RisingEdge(self._dut.aclk)
            idle_cycles = idle_cycles + 1 if self._transfer_counts() == counts else 0
            counts = self._transfer_counts()
            if idle_cycles > self._cycles:
                raise HangError(f"no beat passed in {self._cycles} cycles; call reset()")

    def _packets(self, name, agent):
        """Returns the packets of a master since the last transfer."""
        payloads = [payload for _, payload in agent.transfers[self._packet_starts[name] :]]
        self._packet_starts[name] += len(payloads)
        agent.model.clear()
        if not payloads:
            return []
        return packets_in(self._description, name, beats_from_ints(payloads, agent.bytes))
