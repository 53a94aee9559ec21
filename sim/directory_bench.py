"""Makes the bench of a generated directory from its Verilog and its description alone."""

from dataclasses import dataclass

from caching.place import default_folder
from rtl.contract.buses import MemoryBus
from sim.bench import Bench

#: Bytes of a transfer at the pins of a MAC.
_FRAME_BYTES = 8


def bench_of(description, cache=None, level=None):
    """Returns the bench of the top in a generated directory; its model is built once per content.

    With a network face the streams of tuples and rows are inside the top, and the streams of frames
    take their place among the pins: ``s_axis_rx``, ``m_axis_tx``, then all further streams.

    Parameters
    ----------
    description : host.description.Description
    cache : path-like or None
        Folder of the compiled models; None is ``bench`` in the user's cache, which `sluice
        simulate` uses, too.
    level : str or None
        Optimisation level of the model's compiler, see :class:`~sim.bench.Bench`.

    Raises OSError if the directory lacks its Verilog.
    """
    top = description.name
    sources = [description.directory / f"{top}.v"]
    view = description.directory / "sim" / f"{top}_axi.v"
    if view.exists():  # a wrapper with AXI ports around a top with other ports
        top = view.stem
        sources.append(view)
    return Bench(
        top=top,
        streams=_pins(description),
        memories=[
            MemoryBus(name=name, port="", **attributes)
            for name, attributes in description.memories.items()
        ],
        verilog="\n".join(source.read_text() for source in sources),
        cache=default_folder() / "bench" if cache is None else cache,
        level=level,
    )


@dataclass(frozen=True)
class _Bus:
    """A stream at the pins with the attributes that a bench needs."""

    name: str
    user: int
    bytes: int

    @property
    def slave(self):
        return self.name.startswith("s")


def _pins(description):
    """Returns the streams at the pins of a top, the main pair first."""
    streams = [_Bus(s.name, s.user, s.beat_bytes) for s in description.streams.values()]
    network = description.network
    if network is None:
        return streams
    inside = ("s_axis", "m_axis")
    frames = [_Bus(network["rx"], 1, _FRAME_BYTES), _Bus(network["tx"], 0, _FRAME_BYTES)]
    return [*frames, *(bus for bus in streams if bus.name not in inside)]
