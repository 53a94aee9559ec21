"""The host class over a serial line to the Verilog: rows, damaged bytes, and refused devices."""

import os
import pty
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest

from host import Engine, HangError, HostError, serial_link
from host.description import Description
from host.serial_frames import frame_of, line_bytes
from host.serial_link import SerialLink
from tb.host.losses import result_of
from tb.host.serial_wire import served
from tb.host.tables import check_rows, random_tuples

pytestmark = pytest.mark.hdl
NAME = "pane"
REGRESS = pytest.mark.regress


@pytest.fixture
def linked(generated):
    return generated(NAME, network=True, host_link=True)


@pytest.mark.in_turn
def test_two_streams_with_other_settings(linked, cache):
    design, directory = linked
    with (
        served(directory, cache, level="-O0") as terminal,
        Engine.open(directory, at=f"serial://{terminal.path}") as engine,
    ):
        for seed, settings in enumerate(({}, {"range": 20, "slide": 5, "slack": 0})):
            tuples = random_tuples(design, 400, seed)
            received = engine.configure(**settings).run(tuples.table, raw=True)
            check_rows(design, received, tuples, settings, cache)
            assert engine.last.link == {
                "tuple_datagrams_sent_again": 0,
                "row_datagrams_repeated": 0,
                "row_datagrams_foreign": 0,
                "requests_sent_again": 0,
                "frames_damaged": 0,
            }
        assert engine.control.read("flush_cycles") == 1_000_000  # a line is slow
        counters = engine.counters()
        assert all(counters[name] == 0 for name in ("bad_fcs", "ahead", "repeated", "overflow"))


@REGRESS
@pytest.mark.parametrize(("count", "share"), [(2_000, 3e-4), (30_000, 3e-5)])
def test_harm_is_mended_or_told(linked, cache, count, share):
    """Damaged tuples and requests are sent again, so all rows come.

    Damage on the way from the engine is an error if it hits rows. If it hits the answer to a
    request, the request is sent again.
    """
    design, directory = linked
    error_count = repeated_count = 0
    with (
        served(directory, cache, seed=5, level="-O0") as terminal,
        Engine.open(directory, at=f"serial://{terminal.path}") as engine,
    ):
        for run, direction in enumerate(["in", "in", "in", "out", "out"]):
            terminal.shares = {"in": 0.0, "out": 0.0} | {direction: share}
            tuples = random_tuples(design, count, run)
            received, error = result_of(lambda tuples=tuples: engine.run(tuples.table, raw=True))
            if error is not None:
                assert direction == "out"
                assert error.datagrams > 0
                error_count += 1
            else:
                check_rows(design, received, tuples, {}, cache)
                link = engine.last.link
                repeated_count += link["tuple_datagrams_sent_again"] + link["requests_sent_again"]
        terminal.shares = {"in": 0.0, "out": 0.0}
        counters = engine.counters()
    assert terminal.counts["in"] > 0
    assert terminal.counts["out"] > 0
    assert counters["bad_fcs"] > 0
    assert repeated_count > 0
    assert error_count > 0


@pytest.mark.in_turn
def test_noise_changes_nothing_and_is_counted(linked, cache):
    """Bytes between frames, in both directions, damage no frame."""
    design, directory = linked
    with (
        served(directory, cache, level="-O0") as terminal,
        Engine.open(directory, at=f"serial://{terminal.path}") as engine,
    ):
        engine._backend._link._line._serial.write(b"\x07noise")
        os.write(terminal._file, b"noise\0more")
        tuples = random_tuples(design, 100, 1)
        check_rows(design, engine.run(tuples.table, raw=True), tuples, {}, cache)
        assert engine.counters()["bad_fcs"] == 1
        assert engine.last.link["requests_sent_again"] == 0


@pytest.mark.in_turn(5)
def test_a_device_that_takes_no_byte(linked, monkeypatch):
    """The far end of the line reads nothing: an error in place of a program that waits for ever."""
    monkeypatch.setattr(serial_link, "_WRITE_SECONDS", 0.2)
    _, directory = linked
    far, near = pty.openpty()
    path = os.ttyname(near)
    try:
        link = SerialLink(f"serial://{path}", Description.read(directory).network)
        with pytest.raises(HangError, match=rf"^{path}: cannot be written: "):
            link.rows.send(bytes(1 << 15))
        link.close()
    finally:
        os.close(far)
        os.close(near)


def test_datagrams_of_other_senders_do_not_prolong_a_wait(linked):
    """A stranger sends a datagram every 20 ms for 3 s; a wait of 0.2 s ends nevertheless."""
    _, directory = linked
    far, near = pty.openpty()
    link = SerialLink(f"serial://{os.ttyname(near)}", Description.read(directory).network)
    here = link.rows._here
    frame = line_bytes(frame_of(b"8 bytes!", replace(here, address=0x0A0A0A0A), here))
    begin = time.monotonic()
    ended = threading.Event()

    def send():
        while not ended.wait(0.02) and time.monotonic() < begin + 3:
            os.write(far, frame)

    stranger = threading.Thread(target=send)
    stranger.start()
    try:
        assert link.rows.receive(0.2) is None
        assert time.monotonic() - begin < 1.5
    finally:
        ended.set()
        stranger.join()
        link.close()
        os.close(far)
        os.close(near)


def test_what_open_refuses(linked, tmp_path):
    _, directory = linked
    network = Description.read(directory).network
    far, near = pty.openpty()
    path = os.ttyname(near)
    try:
        with pytest.raises(HangError, match=rf"^{path}, UDP port 1234: no answer in 0\.2 s") as e:
            Engine.open(directory, at=f"serial://{path}", seconds=0.2)
        assert "those of the manifest?" in str(e.value)
        assert "ping" not in str(e.value)  # nobody can ping a serial line
        link = SerialLink(f"serial://{path}", network | {"serial": {"baud": 115_200}})
        assert link._line._serial.baudrate == 115_200
        assert link.delay == pytest.approx(1.42, abs=0.01)  # 16 KiB
        with pytest.raises(HostError, match=rf"^{path}: cannot be opened: "):  # one at a time
            SerialLink(f"serial://{path}", network)
        link.close()
        SerialLink(f"serial://{path}", network).close()
        link.close()
        with pytest.raises(HostError, match="here is for UDP; serial:///dev/x has the addresses"):
            Engine.open(directory, at="serial:///dev/x", here=("127.0.0.1", 0))
    finally:
        os.close(far)
        os.close(near)
    with pytest.raises(HostError, match=r"^/dev/no/such: cannot be opened: "):
        Engine.open(directory, at="serial:///dev/no/such")
    with pytest.raises(HostError, match="at must name a device, as in serial:///dev/ttyUSB0"):
        Engine.open(directory, at="serial://")
    with pytest.raises(HostError, match="baud is for a serial line, not for 'udp://127"):
        Engine.open(directory, at="udp://127.0.0.1", baud=9600)
    program = (
        "import sys; sys.modules['serial'] = None; from host import Engine\n"
        f"Engine.open({str(directory)!r}, at='serial:///dev/x')"
    )
    completed = subprocess.run(
        [sys.executable, "-c", program], cwd=directory, capture_output=True, text=True
    )
    assert completed.stderr.splitlines()[-1] == (
        "host.errors.HostError: serial:///dev/x needs the package pyserial: pip install pyserial"
    )
