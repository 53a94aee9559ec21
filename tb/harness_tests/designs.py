"""The hand-made AXI design of these tests, sound or broken in one way."""

from pathlib import Path

TOP = "passthrough"
SOURCE = Path(__file__).with_name("passthrough.v")
MAGIC, MASK, COUNT = 0, 4, 8
MAGIC_VALUE = 0x0051CE00


def passthrough(size, defect=None):
    """Verilog text of the pass-through with beats of ``size`` bytes."""
    defines = [f"`define BYTES {size}", *([f"`define {defect} 1"] if defect else [])]
    return "\n".join([*defines, SOURCE.read_text()])
