"""`sluice serve` from the command line: rows through UDP, Ctrl-C, and what it refuses."""

import errno
import json
import pickle
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest
import serial
from cobs import cobs
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.utils import RawPcapReader

from gen.commands import serve
from gen.directory.manifest import MANIFEST
from golden.compare.tables import first_difference
from host.datagrams import DatagramLink
from query.errors import UserError
from sim.wire import tap
from sim.wire.frames import Endpoint, frame_of
from sim.wire.loopback import LoopbackPorts
from tb.gen.commands.serving import ROOT, frames_of, free_port, served
from tb.gen.readmes import build_of, written
from tb.host.tables import expected, random_tuples, same_kinds
from tb.rtl.serial.lines import frames_of as frames_of_line
from tb.rtl.serial.lines import line_of

pytestmark = pytest.mark.hdl
#: A design whose model other tests build, too.
NAME = "two-stacks"
#: Runs a command as the root of a network of its own.
NAMESPACE = ("unshare", "-rn")


@pytest.fixture(scope="module")
def readme(tmp_path_factory, cache):
    directory = tmp_path_factory.mktemp("served") / NAME
    return written(build_of(NAME, face={"network": True}), directory, cache), directory


@pytest.mark.in_turn
def test_rows_through_the_loopback(readme, tmp_path, cache):
    """A client with a socket gets golden's rows; the capture has all frames, and none is broken."""
    readme, directory = readme
    port, to_port = free_port(), free_port()
    capture = tmp_path / "wire.pcap"
    link = ("--set", f"port={port}", "--set", f"to_port={to_port}")
    tuples = random_tuples(readme.design, 400, 3)
    rows = expected(readme.design, tuples, readme.design.settings.values, cache).rows
    with served(directory, *link, "--capture", capture, "--cache", cache) as process:
        line = process.line()
        ends = {"engine": ("127.0.0.1", port), "here": ("127.0.0.1", to_port)}
        with DatagramLink(directory, **ends) as wire:
            for _ in range(2):
                received = wire.run(tuples.table, raw=True)
                assert first_difference(rows, same_kinds(received, rows)) is None
        code, out, err = process.interrupt()
    assert rows.num_rows
    assert line == (
        f"{readme.build.name}: tuples to UDP port {port} of 127.0.0.1, rows to port {to_port}; "
        "Ctrl-C ends it"
    )
    assert (code, out, err) == (130, "", ["sluice: interrupted"])
    frames = frames_of(capture)
    sizes = readme.design.input.packing.bytes, readme.design.rows.packing.bytes
    counts = {port: 400, to_port: rows.num_rows}
    for size, (to, count) in zip(sizes, counts.items(), strict=True):
        payloads = [f[UDP].len - 8 for f in frames if f[UDP].dport == to]
        assert sum(payloads) == 2 * count * size
    assert {f[IP].src for f in frames} == {"10.0.0.1", "10.0.0.2"}


@pytest.mark.in_turn
def test_a_pseudo_terminal(readme, tmp_path, cache):
    """The device takes frames in COBS: an ARP request of the packages cobs and scapy is answered.

    A frame without its FCS is no frame; the capture has both, and the answer.
    """
    readme, directory = readme
    capture = tmp_path / "wire.pcap"
    request = Ether(src="02:53:4c:43:45:02", dst="ff:ff:ff:ff:ff:ff")
    request = bytes(request / ARP(psrc="10.0.0.2", pdst="10.0.0.1")).ljust(60, b"\0")
    with served(directory, "--serial", "--capture", capture, "--cache", cache) as process:
        line = process.line()
        path = re.search("frames in COBS at (/dev/.*); Ctrl-C", line)[1]
        assert line == f"{readme.build.name}: frames in COBS at {path}; Ctrl-C ends it"
        with serial.Serial(path, 3_000_000, timeout=20) as port:
            port.write(b"\0" + cobs.encode(request) + b"\0" + line_of(request))
            received = b""
            while received.count(b"\0") < 2:
                received += port.read(1)
        code, out, err = process.interrupt()
    ((answer, is_damaged),) = frames_of_line(received)
    assert not is_damaged
    assert (Ether(answer)[ARP].op, Ether(answer)[ARP].psrc) == (2, "10.0.0.1")
    assert (code, out, err) == (130, "", ["sluice: interrupted"])
    with RawPcapReader(str(capture)) as reader:
        assert [frame for frame, _ in reader][1:] == [request, answer]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--serial", "--tap", "x"], "--serial and --tap are two wires; take one of them"),
        (["--set", "prot=1"], "unknown option prot of the link; did you mean port?"),
        (
            ["--tap", "x", "--set", "to_mac=02:00:00:00:00:09"],
            "to_mac must not be given with --tap",
        ),
        (["--set", "port=0"], "port must be from 1 to 65535, not 0"),
        (["--set", "address=224.0.0.1"], "address must be the address of one machine"),
        (["--tap", "a b"], "--tap: an interface has a name of 1 to 15 bytes, not 'a b'"),
        (["--tap", "a/b"], "--tap: no interface can have the name 'a/b'"),
        (["--tap", "tap%d"], "--tap: no interface can have the name 'tap%d'"),
        (["--tap", "a:0"], "--tap: no interface can have the name 'a:0'"),
        (["--tap", ".."], "--tap: no interface can have the name '..'"),
        (
            ["--tap", "x", "--set", "to_address=10.0.0.1"],
            "to_address must not be 10.0.0.1, the address of the board",
        ),
        (["--tap", "abcdefghijklmnop"], "--tap: an interface has a name of 1 to 15 bytes"),
        (["--tap", "lo"], "--tap lo: "),
        (
            ["--set", "port=4444", "--set", "to_port=4444"],
            "to_port must not be 4444, a port of the",
        ),
        (["--capture", "frames.txt"], "frames.txt: frames must go to a .pcap file"),
        (["--capture", "no/such.pcap"], "no/such.pcap: cannot be written"),
    ],
)
def test_refused_arguments(readme, sluice, cache, arguments, message):
    code, out, err = sluice("serve", readme[1], *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"sluice: {message}")
    assert err.count("\n") == 1


def test_the_build_of_the_model_is_announced(readme, sluice, monkeypatch):
    """The step that the terminal shows includes the first access, which builds the model."""
    events = []

    @contextmanager
    def step(out, text):
        events.append(text)
        yield
        events.append("built")

    class Top:
        def __init__(self, description, cache):
            pass

        def write(self, accesses):
            events.append("write")

        def close(self):
            events.append("close")

    server = SimpleNamespace(run=lambda: events.append("serve"))
    monkeypatch.setattr(serve.Output, "step", step)
    monkeypatch.setattr(serve, "LiveTop", Top)
    monkeypatch.setattr(serve, "Server", lambda *_: server)
    code, _, err = sluice("serve", readme[1], "--serial")
    assert (code, err) == (0, "")
    assert events == ["building the model", "write", "built", "serve", "close"]


@pytest.mark.parametrize("host_link", [False, True])
def test_tuples_and_registers_have_two_ports(host_link):
    """Without a link to a host the registers have no port."""
    description = SimpleNamespace(network={"host_link": host_link})
    if not host_link:
        assert serve._link(description, {"port": 1234}).port == 1234
        message = "^registers_port must not be given without host_link=true$"
        with pytest.raises(UserError, match=message):
            serve._link(description, {"registers_port": 1235})
        return
    message = "registers_port must not be 1234, which is the port of tuples"
    with pytest.raises(UserError, match=message):
        serve._link(description, {"port": 1234})


def test_options_go_before_the_link_of_the_manifest():
    link = {"port": 4100, "to_port": 4200}
    description = SimpleNamespace(network={"host_link": False, "link": link})
    merged = serve._link(description, {"to_port": 4300})
    assert (merged.port, merged.to_port) == (4100, 4300)


@pytest.mark.parametrize(
    ("tap", "path", "host_link", "line"),
    [
        (None, None, False, "tuples to UDP port 4000 of 127.0.0.1, rows to port 4001"),
        (
            *(None, None, True),
            'Engine.open(..., at="udp://127.0.0.1:1234"), tuples to UDP port 4000 of 127.0.0.1, '
            "rows to port 4001",
        ),
        (
            *("sluice0", None, True),
            'ping 10.0.0.1 through sluice0, Engine.open(..., at="udp://10.0.0.1:1234"), tuples to '
            "UDP port 4000 of 10.0.0.1, rows to 10.0.0.2, port 4001",
        ),
        (None, "/dev/pts/3", False, "frames in COBS at /dev/pts/3"),
        (
            *(None, "/dev/pts/3", True),
            'Engine.open(..., at="serial:///dev/pts/3"), frames in COBS at /dev/pts/3',
        ),
    ],
)
def test_the_line_and_the_json_of_each_wire(tap, path, host_link, line):
    description = SimpleNamespace(name="sluice_x", network={"host_link": host_link})
    options = {"port": 4000, "to_port": 4001, "address": "10.0.0.1", "to_address": "10.0.0.2"}
    link = serve._link(description, options | ({"registers_port": 1234} if host_link else {}))
    said = (
        serve._serial_line(description, path, link) if path else serve._line(description, link, tap)
    )
    assert said == f"sluice_x: {line}; Ctrl-C ends it"
    values = serve._values(description, link, tap, path, 0x0200_0000_00A9)
    at = path or ("10.0.0.1" if tap else "127.0.0.1")
    assert values == {
        "name": "sluice_x",
        "tap": tap,
        "at": at,
        "link": link.values() | {"to_mac": "02:00:00:00:00:a9"},
    } | ({"serial": path} if path else {})


@pytest.mark.parametrize(
    ("options", "host_link", "names"),
    [
        ({}, True, []),
        ({"address": "10.0.0.5", "registers_port": 1235}, True, []),  # those of the manifest
        # The host class reads the registers of these settings, or writes them.
        ({"port": 4100, "to_port": 4200, "to_address": "10.0.0.9"}, True, []),
        ({"address": "10.0.0.9"}, True, ["address"]),
        ({"registers_port": 1300, "mac": "02:00:00:00:00:09"}, True, ["mac", "registers_port"]),
        ({"address": "10.0.0.9"}, False, []),  # the host class opens no such design
    ],
)
def test_addresses_that_the_host_class_misses_on_a_serial_line(options, host_link, names):
    link_settings = {"address": "10.0.0.5"} | ({"registers_port": 1235} if host_link else {})
    network = {"host_link": host_link, "link": link_settings}
    description = SimpleNamespace(name="sluice_x", network=network)
    link = serve._link(description, options)
    assert serve._unknown_to_host(description, link) == names
    line = serve._serial_line(description, "/dev/pts/3", link)
    assert ("Engine.open" in line) == (host_link and not names)


def test_a_frame_to_port_0_is_dropped():
    """The design sends such frames after a client has written 0 to the register to_port."""
    design, host = (Endpoint(mac=n, address=n, port=0) for n in (1, 2))
    port = free_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(5)
        ports = LoopbackPorts(design, host, [port])
        source = Endpoint(mac=1, address=1, port=port)
        for destination in (0, receiver.getsockname()[1]):
            ports.send([frame_of(b"row", source, Endpoint(mac=2, address=2, port=destination))])
        assert receiver.recv(100) == b"row"
        ports.close()


def test_refused_directories(readme, sluice, tmp_path, cache):
    """No manifest, no Verilog, no network face, a port of another program: each is one line."""
    directory = tmp_path / "other"
    directory.mkdir()
    code, out, err = sluice("serve", directory)
    assert (code, out) == (2, "")
    assert f"{directory / MANIFEST}: cannot be read: No such file" in err
    manifest = json.loads((readme[1] / MANIFEST).read_text())
    (directory / MANIFEST).write_text(json.dumps(manifest))
    port_option = ("--set", f"port={free_port()}")
    code, out, err = sluice("serve", directory, *port_option)
    assert (code, out) == (2, "")
    assert f"{manifest['name']}.v: cannot be read: No such file" in err
    del manifest["network"]
    (directory / MANIFEST).write_text(json.dumps(manifest))
    code, out, err = sluice("serve", directory, *port_option)
    assert (code, out) == (2, "")
    assert err == (
        f"sluice: {directory}: this design has no network face: generate it with --set "
        "network=true\n"
    )
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        code, out, err = sluice("serve", readme[1], "--set", f"port={port}")
    assert (code, out) == (2, "")
    assert err == (
        f"sluice: UDP port {port} of 127.0.0.1 cannot be served: Address already in use; "
        "--set port=N takes another, or registers_port=N for the registers\n"
    )


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.EPERM, "this user may make no TAP device; run it as root, or in a namespace"),
        (errno.EACCES, "this user may not open /dev/net/tun; leave --tap out for UDP"),
        (errno.ENOENT, "this machine has no /dev/net/tun; leave --tap out for UDP"),
        (errno.EBUSY, "another program holds it"),
    ],
)
def test_the_reason_why_there_is_no_tap_device(monkeypatch, number, reason):
    def refuse(*arguments):
        raise OSError(number, "no")

    monkeypatch.setattr(tap.os, "open", refuse)
    with pytest.raises(UserError, match=f"^--tap x: {reason}"):
        tap.TapDevice("x", "10.0.0.2", "10.0.0.1")


@pytest.mark.in_turn
@pytest.mark.parametrize("pings", [40, pytest.param(1000, marks=pytest.mark.regress)])
def test_a_machine_with_a_tap_device(readme, tmp_path, cache, pings):
    """Linux's own ARP, ICMP and UDP talk to the Verilog; no frame of the wire is malformed."""
    readme, directory = readme
    if reason := no_tap():
        pytest.skip(reason)
    rng = np.random.default_rng(pings)
    sizes = [0, 1, 1472, *rng.integers(0, 1473, pings - 3).tolist()]
    tuples = random_tuples(readme.design, 400, 3)
    arguments = (directory, "--capture", tmp_path / "wire.pcap", "--cache", cache)
    job = (arguments, sizes, directory, tuples.table, False)
    line, answered, received, end = results_behind_tap(job, tmp_path)
    rows = expected(readme.design, tuples, readme.design.settings.values, cache).rows
    assert line.startswith(f"{readme.build.name}: ping 10.0.0.1 through sluice0, tuples to UDP ")
    assert answered == [True] * pings
    assert first_difference(rows, same_kinds(received, rows)) is None
    assert end == (130, "", ["sluice: interrupted"])
    frames = frames_of(tmp_path / "wire.pcap")
    replies = [len(f[ICMP].payload) for f in frames if ICMP in f and f[ICMP].type == 0]
    assert len(replies) == pings
    assert any(ARP in f and f[ARP].op == 2 and f[ARP].psrc == "10.0.0.1" for f in frames)


@pytest.mark.regress
@pytest.mark.parametrize("name", ["group-by", "pane", "swag"])
def test_the_host_class_behind_a_tap_device(name, tmp_path, cache):
    """100,000 tuples through Linux's own UDP: rows are golden's, and no frame is malformed."""
    if reason := no_tap():
        pytest.skip(reason)
    directory = tmp_path / "design"
    readme = written(build_of(name, face={"network": True, "host_link": True}), directory, cache)
    tuples = random_tuples(readme.design, 100_000, 7)
    arguments = (directory, "--capture", tmp_path / "wire.pcap", "--cache", cache)
    job = (arguments, [56], directory, tuples.table, True)
    _, answered, received, end = results_behind_tap(job, tmp_path)
    rows = expected(readme.design, tuples, readme.design.settings.values, cache).rows
    assert rows.num_rows
    assert answered == [True]
    assert first_difference(rows, same_kinds(received, rows)) is None
    assert end == (130, "", ["sluice: interrupted"])
    assert frames_of(tmp_path / "wire.pcap")


def results_behind_tap(job, folder):
    """Runs the client in a namespace, and returns its results."""
    (folder / "job.pickle").write_bytes(pickle.dumps(job))
    subprocess.run(
        [*NAMESPACE, sys.executable, "-m", "tb.gen.commands.tap_client", str(folder)],
        cwd=ROOT,
        check=True,
    )
    return pickle.loads((folder / "results.pickle").read_bytes())


def no_tap():
    """Returns the reason why this user can make no TAP device, or None."""
    probe = "import os; os.open('/dev/net/tun', os.O_RDWR)"
    try:
        command = [*NAMESPACE, sys.executable, "-c", probe]
        completed = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return "unshare is missing"
    if completed.returncode:
        return f"no TAP device in a namespace: {completed.stderr.strip().splitlines()[-1]}"
    return None
