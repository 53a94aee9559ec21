"""The hand-made AXI design of these tests, sound or broken in one way."""

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
MAGIC, MASK, COUNT = 0, 4, 8
MAGIC_VALUE = 0x0051CE00


def passthrough(size, defect=None):
    """Verilog text of the pass-through with beats of ``size`` bytes; ``defect`` is a macro."""
    defines = [f"`define BYTES {size}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])


def stream(name, size, user=0):
    """A bus of ``size`` lanes of one byte."""
    return StreamBus(
        name=name,
        port=name,
        layout=data.StructLayout({"byte": 8}),
        packing=Packing([("byte", 8)]),
        lanes=size,
        user=user,
    )


def passthrough_bench(size, defect=None, *, cache, simulator="compiled"):
    """The bench of :func:`passthrough`."""
    user = int(defect == "USER")
    return Bench(
        top=TOP,
        streams=(stream("s_axis", size, user), stream("m_axis", size)),
        verilog=passthrough(size, defect),
        cache=cache,
        simulator=simulator,
    )


def inverted(beats, seed=3):
    """The same beats, every third or so with ``tuser``; and what the design makes of these."""
    user = np.random.default_rng(seed).integers(0, 3, len(beats)) == 0
    out = np.where(user[:, None], 255 - beats.data, beats.data)
    return Beats(beats.data, beats.keep, beats.last, user), Beats(out, beats.keep, beats.last)


def twin(text, module):
    """Verilog with a module ``twin``: two of ``module``, without tuser, under the same registers.

    Ports of the second are called ``_1``: ``s_axis_1_tdata``. It takes the register writes of the
    first, which alone answers; so both must take them in the same cycle.
    """
    header = text[text.index(f"module {module}") :].partition(");")[0]
    found = re.findall(r"(input|output)\s+(?:wire|reg)\s*(\[[^\]]+\])?\s*(\w+)", header)
    ports = [port for port in found if not port[2].endswith("tuser")]
    size = re.search(r"BYTES = ([^;]+);", text)
    parameter = f"localparam BYTES = {size[1]};" if size else ""
    names, declared, first, second = [], [], [], []
    for way, width, name in ports:
        names.append(name)
        declared.append(f"{way} wire {width} {name};")
        first.append(f".{name}({name})")
        if name.startswith("s_axil") or name in ("aclk", "aresetn"):
            second.append(f".{name}({name if way == 'input' else ''})")
            continue
        other = re.sub(r"(?=_[a-z]+$)", "_1", name, count=1)
        names.append(other)
        declared.append(f"{way} wire {width} {other};")
        second.append(f".{name}({other})")
    lines = [text, f"module twin ({', '.join(names)});", parameter, *declared]
    lines += [f"{module} first ({', '.join(first)});", f"{module} second ({', '.join(second)});"]
    return "\n".join([*lines, "endmodule", ""])
