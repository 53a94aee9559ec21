"""A register file with settings, counters and flags, and the run of a script on its bus."""

from rtl.bus.register_file import RegisterFile
from rtl.bus.registers import register_map
from rtl.contract.counters import BAD_SETTING, Counter, Flag
from rtl.contract.settings import HostSetting, HostSettings
from tb.bench.unit import simulate
from tb.rtl.bus.host import Host

NUMBERS = (
    HostSetting(name="bit", width=2, doc="0 or 1"),
    HostSetting(name="size", width=11, doc="below 400 hexadecimal"),
    HostSetting(name="word", width=32, doc="any"),
    HostSetting(name="step", width=6, doc="4, 8, ... 20", minimum=1, maximum=20, multiple=4),
)
SETTINGS = HostSettings(numbers=NUMBERS, functions=("a", "b", "c"))
COUNTERS = (
    Counter(name="tuples", doc="by up to 4", max_increment=4),
    Counter(name="streams", doc="one by one"),
    Counter(name="bytes", doc="by so many that the low word is soon full", max_increment=1 << 31),
)
FLAGS = (
    Flag(name="bad_function", doc="of the function register"),
    Flag(name="too_long", doc="from elsewhere"),
    BAD_SETTING,
)
REGISTERS = register_map(
    configuration=0xCAFEF00D,
    capabilities=0x10204,
    settings=SETTINGS,
    counters=COUNTERS,
    flags=FLAGS,
)
ADDRESS = {name: register.address for name, register in REGISTERS.items()}
BIT = {field.name: 1 << field.low for field in REGISTERS["status"].fields}
RESET, SNAPSHOT = 1, 2  # of control


def register_file(settings=SETTINGS, *, counter_memory=False):
    return RegisterFile(
        REGISTERS,
        settings=settings,
        counters=COUNTERS,
        flags=FLAGS,
        counter_memory=counter_memory,
    )


def run(script, *, stall=0.0, seed=0, settings=SETTINGS, dut=None):
    dut = register_file(settings) if dut is None else dut

    async def bench(ctx):
        await script(ctx, dut, Host(ctx, dut.bus, stall, seed))

    simulate(dut, bench)


STALLS = [(0.0, 1), (0.5, 2), (0.8, 3)]
