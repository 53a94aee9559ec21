"""Provides the hand-written AXI design ``passthrough.v``, correct or with one defect."""

import re
from pathlib import Path

import numpy as np
from amaranth.lib import data

from rtl.contract.buses import StreamBus
from rtl.contract.packing import Packing
from sim.beats import Beats
from sim.bench import Bench

TOP = "passthrough"
SOURCE = Path(__file__).with_name("passthrough.v")
#: Addresses of the registers: a constant, the mask of each byte, and the number of beats.
MAGIC, MASK, COUNT = 0, 4, 8
MAGIC_VALUE = 0x0051CE00


def passthrough(size, defect=None):
    """Returns the Verilog of a pass-through with beats of ``size`` bytes; ``defect`` is a macro."""
    defines = [f"`define BYTES {size}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])


def stream(name, size, user=0):
    """Returns a stream bus of ``size`` lanes of one byte."""
    return StreamBus(
        name=name,
        port=name,
        layout=data.StructLayout({"byte": 8}),
        packing=Packing([("byte", 8)]),
        lanes=size,
        user=user,
    )


def passthrough_bench(size, defect=None, *, cache, simulator="compiled"):
    """Returns the bench of :func:`passthrough`."""
    user = int(defect == "USER")
    return Bench(
        top=TOP,
        streams=(stream("s_axis", size, user), stream("m_axis", size)),
        verilog=passthrough(size, defect),
        cache=cache,
        simulator=simulator,
    )


def inverted(beats, seed=3):
    """Returns the beats with ``tuser`` in about every third beat, and the output of ``USER``: beats
    with ``tuser`` are inverted."""
    user = np.random.default_rng(seed).integers(0, 3, len(beats)) == 0
    out = np.where(user[:, None], 255 - beats.data, beats.data)
    return Beats(beats.data, beats.keep, beats.last, user), Beats(out, beats.keep, beats.last)


def twin(text, module):
    """Returns Verilog with a module ``twin`` of two instances of ``module``, without tuser.

    Streams of the second instance have the suffix ``_1``: ``s_axis_1_tdata``. Both instances
    receive the register writes and only the first answers, so both must accept a write in the same
    cycle.
    """
    header = text[text.index(f"module {module}") :].partition(");")[0]
    declarations = re.findall(r"(input|output)\s+(?:wire|reg)\s*(\[[^\]]+\])?\s*(\w+)", header)
    ports = [port for port in declarations if not port[2].endswith("tuser")]
    size = re.search(r"BYTES = ([^;]+);", text)
    parameter = f"localparam BYTES = {size[1]};" if size else ""
    names, declared, first, second = [], [], [], []
    for direction, width, name in ports:
        names.append(name)
        declared.append(f"{direction} wire {width} {name};")
        first.append(f".{name}({name})")
        if name.startswith("s_axil") or name in ("aclk", "aresetn"):
            second.append(f".{name}({name if direction == 'input' else ''})")
            continue
        other = re.sub(r"(?=_[a-z]+$)", "_1", name, count=1)
        names.append(other)
        declared.append(f"{direction} wire {width} {other};")
        second.append(f".{name}({other})")
    lines = [text, f"module twin ({', '.join(names)});", parameter, *declared]
    lines += [f"{module} first ({', '.join(first)});", f"{module} second ({', '.join(second)});"]
    return "\n".join([*lines, "endmodule", ""])
