"""The register file under random handshakes: every register, refused values, errors."""

import pytest

from rtl.bus.register_file import RegisterFile
from rtl.contract.settings import HostSettings
from tb.bench.unit import simulate
from tb.rtl.bus.host import Host
from tb.rtl.bus.register_files import (
    ADDRESS,
    BIT,
    COUNTERS,
    FLAGS,
    NUMBERS,
    REGISTERS,
    RESET,
    SETTINGS,
    SNAPSHOT,
    STALLS,
    register_file,
    run,
)


@pytest.mark.parametrize("counter_memory", [False, True])
@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_every_register_can_be_read_and_reads_disturb_nothing(stall, seed, counter_memory):
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 2)
        await host.write(ADDRESS["size"], 0x3A5)
        expected = {name: register.value or 0 for name, register in REGISTERS.items()}
        expected |= {"function": 2, "size": 0x3A5}
        for _ in range(2):
            for name, address in ADDRESS.items():
                assert await host.read(address) == expected[name], name
        for address in (0x3FC, max(ADDRESS.values()) + 4, 0xFFC):
            assert await host.read(address) == 0
        assert ctx.get(dut.function) == 2

    run(script, stall=stall, seed=seed, dut=register_file(counter_memory=counter_memory))


@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_function(stall, seed):
    async def script(ctx, dut, host):
        for function, new_value, status in (
            (2, 2, 0),
            (1, 1, 0),
            (3, 1, 1),
            (256, 1, 1),
            (0, 0, 1),
        ):
            await host.write(ADDRESS["function"], function)
            assert ctx.get(dut.function) == new_value
            assert await host.read(ADDRESS["function"]) == new_value
            assert await host.read(ADDRESS["status"]) == status

    run(script, stall=stall, seed=seed)


def test_only_the_bytes_of_a_function_with_a_strobe_count():
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 2)
        await host.write(ADDRESS["function"], 0xABABAB01, strobe=0b0001)
        assert ctx.get(dut.function) == 1
        assert await host.read(ADDRESS["status"]) == 0
        await host.write(ADDRESS["function"], 0x00000100, strobe=0b0011)
        assert ctx.get(dut.function) == 1
        assert await host.read(ADDRESS["status"]) == 1

    run(script)


def test_writes_that_change_nothing():
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 1)
        await host.write(ADDRESS["function"], 2, strobe=0b1110)
        await host.write(ADDRESS["magic"], 0)
        await host.write(ADDRESS["tuples_low"], 77)
        await host.write(0xFF8, 2)
        assert await host.read(ADDRESS["function"]) == 1
        assert await host.read(ADDRESS["magic"]) == 0x534C4345
        assert await host.read(ADDRESS["tuples_low"]) == 0
        assert await host.read(ADDRESS["status"]) == 0

    run(script)


def test_a_build_without_functions_refuses_any():
    async def script(ctx, dut, host):
        await host.write(ADDRESS["function"], 0)
        assert await host.read(ADDRESS["status"]) == BIT["bad_function"]

    run(script, settings=HostSettings(numbers=NUMBERS))


@pytest.mark.parametrize(("stall", "seed"), STALLS)
def test_settings(stall, seed):
    """Each byte by itself; a number that does not fit becomes all ones. Only the written number is
    judged: ``step`` is always 0, which is not allowed."""
    writes = (  # name, word, strobe; then the setting's value, and True if it is refused
        ("size", 0x123, 0b1111, 0x123, False),
        ("size", 0x7FF, 0b0010, 0x723, True),
        ("size", 0x3FF, 0b0001, 0x7FF, True),
        ("size", 0x7FF, 0b1111, 0x7FF, True),
        ("size", 0x800, 0b1111, 0x7FF, True),
        ("size", 0x3FF, 0b1111, 0x3FF, False),
        ("size", 0x010, 0b1111, 0x010, False),
        ("size", 0x080, 0b0001, 0x080, False),
        ("size", 0x8000_0000, 0b0111, 0x000, False),
        ("size", 0x8000_0001, 0b1000, 0x7FF, True),
        ("bit", 1, 0b1111, 1, False),
        ("bit", 0, 0b1111, 0, False),
        ("bit", 2, 0b1111, 2, True),
        ("bit", 5, 0b1111, 3, True),
        ("word", 0xFEDC_BA98, 0b1111, 0xFEDC_BA98, False),
        ("word", 0x0000_0000, 0b0110, 0xFE00_0098, False),
    )

    async def script(ctx, dut, host):
        for name, value, strobe, new_value, bad in writes:
            old_values = {s.name: ctx.get(dut.settings[s.name]) for s in NUMBERS}
            await host.write(ADDRESS[name], value, strobe)
            for other, old in (old_values | {name: new_value}).items():
                assert ctx.get(dut.settings[other]) == old
                assert await host.read(ADDRESS[other]) == old
            assert await host.read(ADDRESS["status"]) == bad * BIT["bad_setting"]
            await host.write(ADDRESS["control"], RESET)
            assert await host.read(ADDRESS["status"]) == 0
        assert await host.read(ADDRESS["word"]) == 0xFE00_0098

    run(script, stall=stall, seed=seed)


@pytest.mark.parametrize(
    ("value", "bad"), [(4, 0), (20, 0), (0, 1), (24, 1), (18, 1), (1, 1), (32, 1), (0x1_0004, 1)]
)
def test_a_setting_with_limits(value, bad):
    """4, 8, ... 20 are allowed; 32 is as wide as the register; the last value would be 4
    in 6 bits."""

    async def script(ctx, dut, host):
        await host.write(ADDRESS["step"], value)
        assert await host.read(ADDRESS["status"]) == bad * BIT["bad_setting"]

    run(script)


def test_only_what_is_written_is_judged():
    """A write without a strobe, a write of another register, and a read are not judged."""

    async def script(ctx, dut, host):
        await host.write(ADDRESS["step"], 0, strobe=0)
        await host.write(ADDRESS["word"], 7, strobe=0b1000)
        await host.write(ADDRESS["function"], 1)
        assert await host.read(ADDRESS["step"]) == 0
        assert await host.read(ADDRESS["status"]) == 0
        await host.write(ADDRESS["step"], 0, strobe=0b1000)
        assert await host.read(ADDRESS["status"]) == BIT["bad_setting"]
        await host.write(ADDRESS["step"], 8)
        assert await host.read(ADDRESS["status"]) == BIT["bad_setting"]

    run(script)


def test_errors_stay_until_a_soft_reset():
    async def script(ctx, dut, host):
        ctx.set(dut.events.tuples, 4)
        ctx.set(dut.errors.too_long, 1)
        await ctx.tick()
        ctx.set(dut.errors.too_long, 0)
        ctx.set(dut.events.tuples, 0)
        await host.write(ADDRESS["function"], 1)
        await host.write(ADDRESS["function"], 9)
        both = BIT["too_long"] | BIT["bad_function"]
        for _ in range(2):
            assert await host.read(ADDRESS["status"]) == both
        for no_reset in (0, SNAPSHOT):
            await host.write(ADDRESS["control"], no_reset)
            assert await host.read(ADDRESS["status"]) == both
        assert await host.read(ADDRESS["tuples_low"]) == 4
        await host.write(ADDRESS["control"], RESET)
        assert await host.read(ADDRESS["status"]) == 0
        assert await host.read(ADDRESS["tuples_low"]) == 0
        assert await host.read(ADDRESS["control"]) == 0
        assert await host.read(ADDRESS["function"]) == 1

    run(script)


@pytest.mark.parametrize("counter_memory", [False, True])
def test_nothing_counts_in_the_cycle_of_a_soft_reset(counter_memory):
    """An event and an error come in the one cycle in which ``soft_reset`` is high."""
    dut, seen = register_file(counter_memory=counter_memory), []

    async def bench(ctx):
        host = Host(ctx, dut.bus, 0.0, 0)
        await host.write(ADDRESS["control"], RESET)
        await ctx.tick().repeat(20)  # CounterMemory needs some cycles to count
        assert await host.read(ADDRESS["status"]) == 0
        assert await host.read(ADDRESS["tuples_low"]) == 0

    async def watcher(ctx):
        for _ in range(20):
            await ctx.tick()
            seen.append(ctx.get(dut.soft_reset))
            ctx.set(dut.events.tuples, 4 * seen[-1])
            ctx.set(dut.errors.too_long, seen[-1])

    simulate(dut, bench, watcher)
    assert sum(seen) == 1


@pytest.mark.parametrize("counter_memory", [False, True])
def test_nothing_counts_that_is_of_what_is_dropped(counter_memory):
    async def script(ctx, dut, host):
        for dropping, status, count in ((1, 0, 0), (0, BIT["too_long"], 3)):
            ctx.set(dut.dropping, dropping)
            ctx.set(dut.events.tuples, 3)
            ctx.set(dut.errors.too_long, 1)
            await ctx.tick()
            ctx.set(dut.events.tuples, 0)
            ctx.set(dut.errors.too_long, 0)
            assert await host.read(ADDRESS["status"]) == status
            assert await host.read(ADDRESS["tuples_low"]) == count

    run(script, dut=register_file(counter_memory=counter_memory))


def test_what_has_nothing_to_do_with_it_counts_all_the_same():
    async def script(ctx, dut, host):
        ctx.set(dut.dropping, 1)
        for name in ("tuples", "streams"):
            ctx.set(dut.events[name], 1)
        for name in ("too_long", "bad_function"):
            ctx.set(dut.errors[name], 1)
        await ctx.tick()
        for part in (dut.events, dut.errors):
            ctx.set(part.as_value(), 0)
        assert await host.read(ADDRESS["status"]) == BIT["too_long"]
        assert await host.read(ADDRESS["tuples_low"]) == 1
        assert await host.read(ADDRESS["streams_low"]) == 0

    parameters = {"settings": SETTINGS, "counters": COUNTERS, "flags": FLAGS}
    run(script, dut=RegisterFile(REGISTERS, always_counted=("tuples", "too_long"), **parameters))


def test_busy_is_shown_and_does_not_stay():
    async def script(ctx, dut, host):
        ctx.set(dut.busy, 1)
        assert await host.read(ADDRESS["status"]) == 1 << 31
        ctx.set(dut.busy, 0)
        assert await host.read(ADDRESS["status"]) == 0

    run(script)


@pytest.mark.parametrize("name", sorted({*BIT} - {"busy"}))
def test_each_error_has_the_bit_that_the_map_tells(name):
    async def script(ctx, dut, host):
        ctx.set(dut.errors[name], 1)
        await ctx.tick()
        ctx.set(dut.errors[name], 0)
        assert await host.read(ADDRESS["status"]) == BIT[name]

    run(script)


def test_soft_reset_is_one_cycle():
    dut, seen = register_file(), []

    async def bench(ctx):
        host = Host(ctx, dut.bus, 0.0, 0)
        for value in (RESET, SNAPSHOT, 0):
            await host.write(ADDRESS["control"], value)
        await ctx.tick().repeat(5)

    async def watcher(ctx):
        for _ in range(40):  # longer than the three writes take
            _, _, value = await ctx.tick().sample(dut.soft_reset)
            seen.append(value)

    simulate(dut, bench, watcher)
    assert sum(seen) == 1
