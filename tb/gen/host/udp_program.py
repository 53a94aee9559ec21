"""Compiles the generated C functions for UDP with a program that runs streams, and runs it."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from boards.ports import Ports
from gen.directory.regmap import exports
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from gen.host.udp_driver import udp_driver
from rtl.bus.ports import buses_of
from rtl.bus.top_registers import registers_of
from sim.errors import ToolMissingError

STRICT = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror")
SANITIZED = ("-O1", "-g", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
#: Results of the driver, and errors of the functions for UDP.
OK, NO_ENGINE, OTHER_DESIGN, BUSY, NO_ROOM, TRANSFER = 0, -1, -2, -4, -5, -8
NO_ERROR, ADDRESS, NO_ANSWER, NO_PROGRESS, ROWS_LOST, REGISTERS_CHANGED, CUT = range(7)


def sources(design):
    """Returns the C files of a design with a host link, named sluice_x, by file name."""
    registers = registers_of(design)
    headers = exports(registers.values(), Ports(top="sluice_x", buses=buses_of(design)))
    return {
        **host_driver(design, "sluice_x"),
        **udp_driver(design, "sluice_x", registers),
        "sluice_x.h": headers["sluice_x.h"],
        "sluice_x_host.h": host_header(design, "sluice_x", registers),
    }


def compiled(design, folder):
    """Returns the path of the program for a design, compiled as strict C99."""
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    for path, text in sources(design).items():
        (folder / path).write_text(text)
    program = folder / "udp_streams"
    command = ["gcc", "-std=c99", *STRICT, *SANITIZED, "-I", folder]
    command += [Path(__file__).with_name("udp_streams.c")]
    command += [folder / "sluice_x_driver.c", folder / "sluice_x_udp.c", "-o", program]
    built = subprocess.run(command, capture_output=True, text=True)
    assert (built.returncode, built.stderr) == (0, "")
    return program


@dataclass(frozen=True)
class Stream:
    """Outcome of a stream: result of the driver, error and counts of the functions for UDP."""

    result: int
    rows: bytes
    error: int
    lost: int
    repeated: int
    resent: int
    requests: int
    packets: list


class UdpProgram:
    """The program as a process, and its connection to an engine.

    Parameters
    ----------
    program : pathlib.Path
    at : str
        ``udp://127.0.0.1:PORT``, the port of the registers.
    milliseconds, flush_cycles : int

    Attributes
    ----------
    opened : (int, int)
        Result and error of the connection.
    """

    def __init__(self, program, at, milliseconds=5_000, flush_cycles=10_000):
        port = at.rpartition(":")[2]
        self._folder = program.parent
        self._process = subprocess.Popen(
            [program, "127.0.0.1", port, str(milliseconds), str(flush_cycles)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        word, result, error, self.text = self._line().split(maxsplit=3)
        assert word == "open"
        self.opened = int(result), int(error)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            _, errors = self._process.communicate(timeout=60)
        finally:
            self._process.kill()
        assert errors == ""
        assert self._process.returncode == (1 if self.opened[0] else 0)

    def run(self, tuples, room):
        """Sends bytes of tuples as a stream, with room for a number of rows; returns a Stream."""
        source, target = self._folder / "tuples", self._folder / "rows"
        source.write_bytes(tuples)
        result, _, *counts = self._call(f"run {source} {target} {room}")
        return Stream(result, target.read_bytes(), *counts[:5], packets=counts[5:])

    def reset(self, reads=2_000):
        """Resets the engine, and returns the driver's result."""
        (result,) = self._call(f"reset {reads}")
        return result

    def write(self, address, value):
        """Writes a register."""
        self._call(f"write {address} {value}")

    def pause(self, milliseconds):
        """Sets the time between two polls of a stream."""
        self._call(f"pause {milliseconds}")

    def kill(self):
        """Ends the process in the middle, without closing the connection."""
        self._process.kill()
        self._process.communicate()

    def _call(self, line):
        assert self.opened[0] == OK, self.text
        print(line, file=self._process.stdin, flush=True)
        word, *numbers = self._line().split()
        assert word == line.split()[0]
        return [int(number) for number in numbers]

    def _line(self):
        line = self._process.stdout.readline()
        assert line, self._process.stderr.read()
        return line
