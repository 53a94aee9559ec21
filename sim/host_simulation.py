"""The compiled simulation as a back end of the host class: what runs is the generated Verilog."""

import numpy as np

from caching.place import default_folder
from host.backend import Backend, packets_of
from host.errors import HangError
from rtl.contract.buses import MemoryBus
from sim.beats import Beats
from sim.bench import Bench
from sim.errors import ProtocolError
from sim.session import Session

#: Cycles without a beat after which the registers are asked whether all is out.
_QUIET = 64
#: How often, until it is given up: with as many cycles in between as before, at most.
_ASKED = 24


class CompiledSimulation(Backend):
    """A Verilated model of the Verilog of a generated directory, built once for its content.

    Time stands still between calls: a call runs as many cycles as it takes.

    Parameters
    ----------
    description : Description
    cache : path-like or None
        Folder of the compiled models; None is the one of `sluice simulate`, ``bench`` in the
        user's cache.
    options
        Of :class:`~sim.session.Session`: stalls, seed, memory.
    """

    def __init__(self, description, cache=None, **options):
        self._told = description
        top, sources = description.name, [description.directory / f"{description.name}.v"]
        view = description.directory / "sim" / f"{top}_axi.v"
        if view.exists():  # the ports are not AXI's
            top = view.stem
            sources.append(view)
        bench = Bench(
            top=top,
            streams=[_Bus(stream) for stream in description.streams.values()],
            memories=[
                MemoryBus(name=name, port="", **told) for name, told in description.memories.items()
            ],
            verilog="\n".join(source.read_text() for source in sources),
            cache=default_folder() / "bench" if cache is None else cache,
        )
        self._session = Session(bench, **options)
        self._came = []  # outcomes: rows may also come while registers are read

    def read(self, address):
        return self._run(reads=[address]).reads[0]

    def write(self, address, value):
        self._run(writes=[(address, value)])

    def transfer(self, tuples, finished):
        self._came, quiet = [], _QUIET
        self._feed(stream_beats(self._told.tuples, tuples))
        for _ in range(_ASKED):
            if finished():
                return {name: self._packets(name) for name in self._came[0].outputs}
            self._run(drain=quiet)
            quiet *= 2
        raise HangError("something is inside still, and nothing comes out; call reset()")

    def close(self):
        self._session.close()

    def _feed(self, beats):
        """A stream, and some cycles behind it."""
        self._run({"s_axis": beats}, drain=_QUIET)

    def _run(self, streams=(), **what):
        outcome = self._session.run(streams, **what)
        if outcome.hang:
            raise HangError(f"{outcome.hang}; call reset(), or open it again")
        self._came.append(outcome.checked())
        return outcome

    def _packets(self, name):
        """The packets of a master: what came since the stream began, cut behind each tlast."""
        given = [outcome.outputs[name].beats for outcome in self._came]
        arrays = (np.concatenate([getattr(b, what) for b in given]) for what in ("data", "keep"))
        beats = Beats(*arrays, np.concatenate([b.last for b in given]))
        return packets_in(self._told, name, beats)


def stream_beats(stream, tuples):
    """The beats of one stream of tuples; byte after byte, where they are packed densely."""
    if stream.bus_bits is None:
        return Beats.from_streams([tuples], stream.lanes)
    return Beats.from_streams([tuples.reshape(-1, 1)], stream.beat_bytes)


def packets_in(told, name, beats):
    """The rows of each packet of a master; raises ProtocolError where the last has no end."""
    if len(beats) and not beats.last[-1]:
        raise ProtocolError(f"{name}: the last packet has no end")
    stream = told.streams[name]
    if stream.bus_bits is None and not told.packet.startswith("beats:"):
        return beats.streams(stream.bytes)
    return packets_of(told, name, [packet.ravel() for packet in beats.streams(1)])


class _Bus:
    """A stream as a bench knows it."""

    def __init__(self, stream):
        self.name, self.user = stream.name, stream.user
        self.bytes = stream.beat_bytes

    @property
    def slave(self):
        return self.name.startswith("s")
