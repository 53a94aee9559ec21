# SPDX-License-Identifier: BSD-2-Clause
"""Checks this design in cocotb: sends tuples, and compares the rows with those of PySpark.

    python sim/test_<top>.py [icarus|verilator]         builds, runs, and says PASS or FAIL
    SIM=verilator SEED=7 pytest sim/test_<top>.py       runs it under pytest, with a seed

The bench needs cocotb, cocotbext-axi and a simulator, but no package of the generator. Three files
in the folder of this bench have its data. A field is written as the unsigned number of its bits, in
hexadecimal or decimal:

    <top>_tuples.csv   a line for each tuple: its fields as on the bus, and its tuser if it has one
    <top>_rows.csv     a line for each expected row: the packet of the row, from 0, and its fields;
                       an empty field is NULL, so its bits do not matter
    <top>_run.json     settings         register writes before each stream
                       packets          expected number of packets; null if any number is right
                       counters         expected values of the counters
                       patience_cycles  cycles that the bench waits for a packet, or to send tuples
                       drain_cycles     cycles after the last packet in which no packet may come
                       pause_cycles     cycles between two frames, with a network

All tuples are one stream. If a register selects the result, the bench sends the tuples once for
each result.

To send tuples of yours, edit these files; or generate the directory with `--tuples FILE`, which
computes the rows of your tuples. Registers, fields and lanes are in ../manifest.json.
"""

import csv
import itertools
import json
import os
import random
import sys
from collections.abc import Awaitable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, SimTimeoutError, with_timeout
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner
from cocotbext import axi

SIM = Path(__file__).resolve().parent
NAME = Path(__file__).stem.removeprefix("test_")
PERIOD_NS = 10
BUILD_ARGUMENTS = {
    "icarus": [],
    "verilator": ["-Wno-fatal", "-Wno-lint", "--output-split", "0", "-CFLAGS", "-O0"],
}


@cocotb.test()
@cocotb.parametrize(stalls=[0.0, 0.4])
async def rows_are_those_of_pyspark(dut: Any, stalls: float) -> None:
    """Checks each row and each counter, at full speed and with stalls at all ports."""
    seed = seed_of_run()
    dut._log.info("stalls in %d %% of the cycles, SEED=%d", 100 * stalls, seed)
    bench = Bench(dut, stalls, random.Random(seed))
    await bench.start()
    for writes in bench.run_data["settings"]:
        for register, value in writes.items():
            await bench.write(register, int(value, 0))
        await bench.send_stream()
    await bench.collect()
    bench.compare_rows()
    await bench.compare_counters()


def seed_of_run() -> int:
    """Returns the number in the environment variable SEED; without it a random number."""
    text = os.environ.get("SEED") or str(cocotb.RANDOM_SEED)
    assert text.isdecimal(), f"SEED must be a whole number, not {text!r}"
    return int(text)


class Bench:
    """Drives every port of the design, and compares the results with the expected results."""

    def __init__(self, dut: Any, stalls: float, rng: random.Random) -> None:
        self.dut, self.stalls, self.rng = dut, stalls, rng
        self.manifest = json.loads((SIM.parent / "manifest.json").read_text())
        self.run_data = json.loads((SIM / f"{NAME}_run.json").read_text())
        streams = self.manifest["streams"]
        self.tuple_format, self.row_format = streams["s_axis"]["tuple"], streams["m_axis"]["row"]
        # With "network", tuples and rows travel in Ethernet frames.
        self.network = self.manifest.get("network")
        self.frames = import_module("ethernet_frames") if self.network else None
        # Number of the next datagram of tuples. Datagrams have numbers if tuples have flags.
        self.datagram_number = 0
        rx, tx = (self.network["rx"], self.network["tx"]) if self.network else ("s_axis", "m_axis")
        self.source = self.stream_agent(axi.AxiStreamSource, rx)
        self.sink = self.stream_agent(axi.AxiStreamSink, tx)
        self.packets: list[bytes] = []
        # Further streams, such as m_axis_evicted, must stay empty: the tuples evict no key.
        extra_names = sorted(streams.keys() - {"s_axis", "m_axis"})
        self.extra_sinks = {
            name: self.stream_agent(axi.AxiStreamSink, name) for name in extra_names
        }
        bus = axi.AxiLiteBus.from_prefix(dut, "s_axil")
        self.registers = axi.AxiLiteMaster(bus, dut.aclk, dut.aresetn, False)
        self.registers.read_if.log.setLevel("WARNING")
        self.registers.write_if.log.setLevel("WARNING")
        for name, memory in self.manifest["memories"].items():
            bus, size = axi.AxiBus.from_prefix(dut, name), 1 << memory["address_width"]
            ram = axi.AxiRam(bus, dut.aclk, dut.aresetn, False, size=size)
            channels = (ram.write_if.aw_channel, ram.write_if.w_channel, ram.write_if.b_channel)
            for channel in (*channels, ram.read_if.ar_channel, ram.read_if.r_channel):
                self.add_stalls(channel)

    def stream_agent(self, agent_class: Any, name: str) -> Any:
        """Returns a source or a sink on a stream, with random stalls."""
        bus = axi.AxiStreamBus.from_prefix(self.dut, name)
        agent = agent_class(bus, self.dut.aclk, self.dut.aresetn, False)
        agent.log.setLevel("ERROR")
        self.add_stalls(agent)
        return agent

    def add_stalls(self, channel: Any) -> None:
        """Makes a channel stall at random, in the share ``stalls`` of the cycles."""
        if self.stalls:
            rng = random.Random(self.rng.random())
            channel.set_pause_generator(iter(lambda: rng.random() < self.stalls, None))

    async def start(self) -> None:
        """Starts the clock, resets the design, and checks that it is the design of the manifest."""
        Clock(self.dut.aclk, PERIOD_NS, "ns").start()
        for value in (0, 1):
            self.dut.aresetn.value = value
            await ClockCycles(self.dut.aclk, 8)
        expected, value = self.manifest["configuration_hash"], await self.read("configuration")
        assert value == int(expected, 0), f"configuration must be {expected}, not {value:#010x}"

    async def read(self, register: str) -> int:
        return await self.registers.read_dword(int(self.manifest["registers"][register], 0))

    async def write(self, register: str, value: int) -> None:
        await self.registers.write_dword(int(self.manifest["registers"][register], 0), value)

    async def send_stream(self) -> None:
        """Sends all tuples as one stream, and waits until the design has taken them."""
        _, lines = read_csv(f"{NAME}_tuples.csv", empty_is_null=False)
        fields, size, data = self.tuple_format["fields"], self.tuple_format["bytes"], bytearray()
        for line in lines:
            pairs = zip(fields, line, strict=False)  # a tuser may follow the fields
            raws = [number % (1 << f["width"]) << f["offset"] for f, number in pairs]
            data += sum(raws).to_bytes(size, "little")
        has_user = self.manifest["streams"]["s_axis"]["user"]
        flags = [line[-1] for line in lines] if has_user else None  # 1: a punctuation
        if not self.network:
            user = [flag for flag in flags for _ in range(size)] if has_user else None
            await self.source.send(axi.AxiStreamFrame(bytes(data), tuser=user))
            return await self.wait(self.source.wait(), "the tuples were not taken")
        payloads, settings = self.payloads(bytes(data), size, flags), self.run_data["settings"][0]
        for frame, is_bad in self.frames.frames_of(payloads, settings):
            user = [0] * (len(frame) - 1) + [is_bad]  # tuser of each byte: the last flags the frame
            await self.source.send(axi.AxiStreamFrame(frame, tuser=user))
            await self.wait(self.source.wait(), "a frame was not taken")
            # The design cannot stall a MAC, so frames leave at a rate that the design can take.
            await ClockCycles(self.dut.aclk, self.run_data["pause_cycles"])

    def payloads(self, data: bytes, size: int, flags: list[int] | None) -> list[bytes]:
        """Returns the payloads of the datagrams of a stream.

        With flags datagrams have a number, and a bit that says whether they hold punctuations.
        """
        longest = self.network["datagram_bytes"]
        if flags is None:
            return self.frames.payloads_of(data, size, longest)
        payloads = self.frames.numbered_payloads_of(
            data, size, longest, flags, self.datagram_number
        )
        self.datagram_number += len(payloads)
        return payloads

    async def wait(self, event: Awaitable[Any], problem: str) -> Any:
        """Waits for an event; fails if it takes too many cycles."""
        cycles = self.run_data["patience_cycles"]
        try:
            return await with_timeout(event, cycles * PERIOD_NS, "ns")
        except SimTimeoutError:
            raise AssertionError(f"{problem} in {cycles} cycles") from None

    async def collect(self) -> None:
        """Receives packets until no packet comes for some time.

        The time is ``drain_cycles`` after the last expected packet, else ``patience_cycles``.
        """
        # None: a packet ends after a number of transfers, even within a row. The packets are then
        # not counted, and joined into one.
        expected = self.run_data["packets"]
        with suppress(SimTimeoutError):
            while True:
                is_complete = len(self.packets) == expected
                quiet = self.run_data["drain_cycles" if is_complete else "patience_cycles"]
                self.packets.append(await with_timeout(self.packet(), quiet * PERIOD_NS, "ns"))
        if expected is None:
            self.packets = [b"".join(self.packets)]
        for name, sink in self.extra_sinks.items():
            while not sink.empty():
                assert not sink.recv_nowait().tdata, f"{name} must have no row"

    async def packet(self) -> bytes:
        """Returns the bytes of a packet: on a network all datagrams up to an empty one."""
        if not self.network:
            return bytes((await self.sink.recv()).tdata)
        data = b""
        while payload := self.frames.payload_of(bytes((await self.sink.recv()).tdata)):
            data += payload
        return data

    def compare_rows(self) -> None:
        """Fails at the first row that differs, and shows the row as expected and as received."""
        names, expected = read_csv(f"{NAME}_rows.csv")
        size, received = self.row_format["bytes"], []
        for number, data in enumerate(self.packets):
            assert len(data) % size == 0, f"packet {number} has {len(data)} bytes, a row {size}"
            for k in range(0, len(data), size):
                bits = int.from_bytes(data[k : k + size], "little")
                places = [(field["offset"], field["width"]) for field in self.row_format["fields"]]
                received.append([number, *(bits >> at & (1 << width) - 1 for at, width in places)])
        for number, rows in enumerate(itertools.zip_longest(expected, received)):
            # All streams have the same number of rows.
            stream = number * len(self.run_data["settings"]) // max(1, len(expected))
            texts = [row_text(names, row) for row in rows]
            problem = f"row {number} differs\n  expected {texts[0]}\n  received {texts[1]}"
            assert self.is_same(*rows, stream), problem
        count, packet_count = len(self.packets), self.run_data["packets"]
        assert packet_count in (None, count), f"there must be {packet_count} packets, not {count}"
        self.dut._log.info("%d rows in %d packets are as expected", len(received), count)
        if not received:
            self.dut._log.warning("no row was compared: these tuples give none")

    def is_same(self, expected: list | None, row: list | None, stream: int) -> bool:
        """Returns True if the packet and the fields of a row are as expected.

        `stream` is the number of the row's stream, and so of the selected result.
        """
        if expected is None or row is None:
            return False
        fields, results = self.manifest["rows"]["fields"], self.manifest["host"]["chosen"]
        if not may_be_null(fields, expected[1:]):
            return False
        for field, number, received in zip(fields, expected[1:], row[1:], strict=True):
            # A selected result may be narrower than its field.
            is_selected_result = results and field["role"] == "value"
            mask = (1 << results[stream]["width"]) - 1 if is_selected_result else -1
            if number is not None and (number ^ received) & mask:
                return False
        return self.run_data["packets"] is None or expected[0] == row[0]

    async def compare_counters(self) -> None:
        """Compares the counters, such as those of late and dropped tuples, and the error bits."""
        for name, expected in self.run_data["counters"].items():
            value = await self.read(f"{name}_low") | await self.read(f"{name}_high") << 32
            assert value == expected, f"counter {name} must be {expected}, not {value}"
        status, flags = await self.read("status"), self.manifest["host"]["errors"]
        errors = [flag["name"] for flag in flags if status >> flag["bit"] & 1]
        assert not errors, f"the status register shows {', '.join(errors)}"


def may_be_null(fields: list[dict], numbers: list) -> bool:
    """Returns True if each field without a number may be NULL.

    A value is NULL if its valid bit, or that of the whole row, is 0. The bit of the whole row has
    no number if all values are NULL, each by a bit of its own.
    """
    pairs = list(zip(fields, numbers, strict=True))
    nulls = {field.get("of") for field, number in pairs if field["role"] == "valid" and not number}
    values = [number for field, number in pairs if field["role"] == "value"]
    for field, number in pairs:
        is_whole_row = field["role"] == "valid" and field.get("of") is None
        may_be = field["role"] == "value" and bool(nulls & {None, field["name"]})
        may_be |= is_whole_row and values.count(None) == len(values)
        if number is None and not may_be:
            return False
    return True


def read_csv(name: str, empty_is_null: bool = True) -> tuple[list[str], list[list[Any]]]:
    """Returns the names in the first line of a file, and the numbers of each other line.

    An empty text is None, if ``empty_is_null``. Raises AssertionError, with the line, for any other
    text that is no number, and for a line with more or fewer texts than names.
    """
    with (SIM / name).open(newline="") as file:
        names, *lines = list(csv.reader(file)) or [[]]
    return names, [
        line_numbers(f"{name}:{number}", names, line, empty_is_null)
        for number, line in enumerate(lines, 2)
    ]


def line_numbers(
    place: str, names: list[str], line: list[str], empty_is_null: bool = True
) -> list[int | None]:
    """Returns the numbers of a line of texts; ``place`` is the file and line, for errors."""
    assert len(line) == len(names), f"{place}: there must be {len(names)} fields, not {len(line)}"
    numbers: list[int | None] = []
    for field, text in zip(names, line, strict=True):
        try:
            numbers.append(None if empty_is_null and not text else int(text, 0))
        except ValueError:
            raise AssertionError(f"{place}: {field} must be a number, not {text!r}") from None
    return numbers


def row_text(names: list[str], numbers: list | None) -> str:
    """Returns the names and numbers of a row as text."""
    if numbers is None:
        return "no row"
    texts = ["NULL" if number is None else f"{number:#x}" for number in numbers]
    return ", ".join(f"{name}={text}" for name, text in zip(names, texts, strict=True))


def run(simulator: str) -> None:
    """Builds the design and runs the tests of this file; AssertionError if a test fails."""
    if simulator not in BUILD_ARGUMENTS:
        sys.exit(f"simulator must be {' or '.join(BUILD_ARGUMENTS)}, not {simulator}")
    runner, build = get_runner(simulator), SIM / "build" / simulator
    view = SIM / f"{NAME}_axi.v"  # AXI ports around a design with other ports
    views, top = ([view], view.stem) if view.exists() else ([], NAME)
    options: dict[str, Any] = {"hdl_toplevel": top, "build_dir": build}
    sources, arguments = [SIM.parent / f"{NAME}.v", *views], BUILD_ARGUMENTS[simulator]
    runner.build(sources=sources, build_args=arguments, timescale=("1ns", "1ps"), **options)
    options |= {"test_dir": SIM, "results_xml": str(build / "results.xml")}
    results = runner.test(test_module=f"test_{NAME}", hdl_toplevel_lang="verilog", **options)
    tests, failed = get_results(results)
    assert not failed, f"{failed} of {tests} tests failed"
    print(f"PASS: {NAME}")


def test_rows() -> None:
    run(os.environ.get("SIM", "icarus"))


if __name__ == "__main__":
    try:
        run((sys.argv[1:] or ["icarus"])[0])
    except AssertionError as error:
        sys.exit(f"FAIL: {NAME}: {error}")
