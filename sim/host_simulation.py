"""Back end of the host class that simulates the generated Verilog in the compiled runner."""

import numpy as np

from host.backend import Backend, packets_of
from host.control import SOFT_RESET
from host.errors import DeviceError, HangError, HostError
from query.errors import UserError
from sim.beats import Beats
from sim.compiled.runner import build
from sim.directory_bench import bench_of
from sim.errors import BuildError, ProtocolError, ToolMissingError
from sim.session import Session

#: Cycles without a beat before the registers are polled for the first time.
_QUIET = 64
#: Number of polls before a transfer raises HangError. The cycles between two polls double.
_POLLS = 24
_EVER = 1 << 40  # cycles: no run of a session is a hang


class CompiledSimulation(Backend):
    """A Verilated model of a generated directory's Verilog, built once for its content.

    Punctuations among the tuples are flagged by ``tuser``.

    The model advances only during calls: each call simulates as many cycles as it needs.

    Parameters
    ----------
    description : Description
    cache : path-like or None
        Folder of the compiled models; None is ``bench`` in the user's cache, which `sluice
        simulate` uses, too.
    stall_input, stall_output, seed, memory, idle_timeout
        Arguments of :class:`~sim.session.Session`.
    """

    takes_punctuations = True

    def __init__(
        self,
        description,
        cache=None,
        stall_input=0.0,
        stall_output=0.0,
        seed=0,
        memory=None,
        idle_timeout=_EVER,
    ):
        self.description = description
        # `transfer` limits the wait, in ever longer drains: a table may take long to be cleared.
        self._session = Session(
            _built(description, cache),
            stall_input=stall_input,
            stall_output=stall_output,
            seed=seed,
            memory=memory,
            idle_timeout=idle_timeout,
        )
        self._outputs = []  # since the stream began: rows also arrive during register reads
        self._is_unfinished = False  # a transfer was interrupted

    def read(self, address):
        return self._run(reads=[address]).reads[0]

    def read_all(self, addresses):
        return list(self._run(reads=addresses).reads)

    def write(self, address, value):
        self._run(writes=[(address, value)])

    def transfer(self, tuples, finished, punctuations=None):
        if self._is_unfinished:
            raise DeviceError("an earlier stream was interrupted; call reset()")
        self._outputs = []
        self._is_unfinished = True
        self._feed(stream_beats(self.description.tuples, tuples, punctuations))
        self._wait(finished)
        self._is_unfinished = False
        packets = {name: self._packets(name) for name in self._outputs[0]}
        self._outputs = []
        return packets

    def discard(self):
        """Ends a stream that was interrupted, and drops its rows.

        After a soft reset the engine drops the rest of a cut stream, up to the beat with ``tlast``
        that this method sends. If the engine had taken no beat of the stream, or all beats, this
        beat is an empty stream, which a second soft reset drops.
        """
        if not self._is_unfinished:
            return
        tuples = self.description.tuples
        self._feed(stream_beats(tuples, np.zeros((0, tuples.bytes), np.uint8)))
        registers = self.description.registers
        self.write(registers["control"], SOFT_RESET)
        busy = self.description.host["busy"]
        self._wait(lambda: not self.read(registers["status"]) >> busy & 1)
        self._is_unfinished = False

    def close(self):
        self._session.close()

    def _wait(self, finished):
        """Runs until ``finished()`` is true, in ever longer parts."""
        quiet = _QUIET
        for _ in range(_POLLS):
            if finished():
                return
            self._run(drain=quiet)
            quiet *= 2
        raise HangError("the engine is not empty, and sends no rows; call reset()")

    def _feed(self, beats):
        """Sends a stream, and runs until no beat has arrived for ``_QUIET`` cycles."""
        self._run({"s_axis": beats}, drain=_QUIET)

    def _run(self, streams=(), **options):
        """Runs a part of the session; raises HangError or ProtocolError if it failed."""
        outcome = self._session.run(streams, **options)
        if outcome.hang:
            raise HangError(f"{outcome.hang}; call reset(), or open it again")
        outcome = outcome.checked()
        if self._is_unfinished:
            self._outputs.append(outcome.outputs)
        return outcome

    def _packets(self, name):
        """Returns the packets of a master since the stream began."""
        parts = [outputs[name].beats for outputs in self._outputs]
        data = np.concatenate([part.data for part in parts])
        keep = np.concatenate([part.keep for part in parts])
        beats = Beats(data, keep, np.concatenate([part.last for part in parts]))
        return packets_in(self.description, name, beats)


def _built(description, cache):
    """Returns the bench of a directory, with a compiled model; raises HostError if it fails."""
    try:
        bench = bench_of(description, cache)
        build(bench)
    except (OSError, ToolMissingError, BuildError, UserError) as error:
        raise HostError(f"{description.directory}: no simulation: {error}") from error
    return bench


def stream_beats(stream, tuples, punctuations=None):
    """Returns the beats of one stream of tuples; with ``bus_bits`` bytes are packed densely.

    ``punctuations`` is true for each entry of ``tuples`` that is a punctuation.
    """
    if stream.bus_bits is None:
        users = None if punctuations is None else [punctuations]
        return Beats.from_streams([tuples], stream.lanes, users=users)
    return Beats.from_streams([tuples.reshape(-1, 1)], stream.beat_bytes)


def packets_in(description, name, beats):
    """Returns the rows of each packet of a master.

    Raises ProtocolError if the last packet has no end.
    """
    if len(beats) and not beats.last[-1]:
        raise ProtocolError(f"{name}: the last packet has no end")
    stream = description.streams[name]
    if stream.bus_bits is None and not description.packet.startswith("beats:"):
        return beats.streams(stream.bytes)
    return packets_of(description, name, [packet.ravel() for packet in beats.streams(1)])
