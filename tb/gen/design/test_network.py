"""Tests `sluice simulate --network`: the frames, the refusals, and a trace."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

from gen.design.network import DESIGN, HOST, Wire
from gen.simulate import run as simulation
from sim.beats import Beats
from tb.rtl.ethernet.frames import Frames
from tb.rtl.ethernet.model import Face, judge

TRACE = "CREATE INPUT STREAM TaskEvents (time uint(64), job uint(32), event uint(8), priority "
TRACE += "uint(8), cpu fixed(8,24));\n"
QUERIES = {
    "group-by": "SELECT job, min(cpu), sum(cpu), count(*), count(distinct cpu) FROM TaskEvents "
    "GROUP BY job;",
    "two-stacks": "SELECT count(*), min(cpu), sum(cpu) FROM TaskEvents [ROWS 64 SLIDE 1];",
    "swag": "SELECT job, max(cpu), count(*) FROM TaskEvents [ROWS 64 SLIDE 32] GROUP BY job;",
}
OPTIONS = {"group-by": ["lanes=4"], "swag": ["lanes=2", "capacity=64"]}
#: The wire's design, as the model of frames and their maker know it.
MODEL = Face(
    mac=":".join(f"{byte:02x}" for byte in DESIGN.mac.to_bytes(6, "big")),
    address=".".join(map(str, DESIGN.address.to_bytes(4, "big"))),
    port=DESIGN.port,
    to_mac=":".join(f"{byte:02x}" for byte in HOST.mac.to_bytes(6, "big")),
    to_address=".".join(map(str, HOST.address.to_bytes(4, "big"))),
    to_port=HOST.port,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Among(Wire):
    """Wire with a bad frame before about half of the good frames, in the pause before the frame."""

    bad: Counter = field(default_factory=Counter)

    @classmethod
    def of(cls, design, *arguments):
        plain, rng = Wire.of(design, *arguments), random.Random(17)
        row_bytes = design.input.packing.bytes
        frame_source = Frames(replace(MODEL, row_bytes=row_bytes), rng)
        for cannot in ["fcs", "long_ping", *(["partial_tuple"] if row_bytes == 1 else [])]:
            frame_source.bad.remove(cannot)
        parts, frames, counted = [], [], Counter()
        starts = [*plain.beats.starts.tolist(), len(plain.beats)]
        for k, frame in enumerate(plain.sent):
            ours = plain.beats[starts[k] : starts[k + 1]]
            if rng.random() < 0.5:
                other, _, _ = frame_source.one(bad=1)
                counted[judge(other, False, frame_source.face)[0]] += 1
                beats = Beats.from_streams([np.frombuffer(other, np.uint8).reshape(-1, 1)], 8)
                remaining = ours.pauses.copy()
                remaining[0] = max(0, int(remaining[0]) - len(beats))
                parts += [replace(beats, pause=beats.pauses), replace(ours, pause=remaining)]
                frames += [other, frame]
            else:
                parts.append(ours)
                frames.append(frame)
        arrays = {
            n: np.concatenate([getattr(p, n) for p in parts]) for n in ("data", "keep", "last")
        }
        beats = Beats(**arrays, pause=np.concatenate([p.pauses for p in parts]))
        return cls(
            sent=tuple(frames),
            beats=beats,
            datagrams=plain.datagrams,
            design=plain.design,
            bad=counted,
        )

    def miscounted(self, counters, rows=None):
        bad = sum(self.bad.values())
        assert bad > len(self.sent) / 4
        problems = [f"{n}: {counters[n]}" for n, times in self.bad.items() if counters[n] != times]
        counters = {name: value for name, value in counters.items() if name not in self.bad}
        return [*problems, *replace_sent(self, self.sent[bad:]).miscounted(counters, rows)]


def replace_sent(wire, sent):
    """Returns a wire with this number of frames."""
    return Wire(sent=sent, beats=wire.beats, datagrams=wire.datagrams, design=wire.design)


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
@pytest.mark.parametrize("stalls", [(0, 0), (0.3, 0.3)])
@pytest.mark.parametrize("engine", QUERIES)
def test_a_trace_among_bad_frames(engine, stalls, sluice, examples, tmp_path, monkeypatch):
    """Part of the Google trace: PySpark's rows, and each bad frame is counted under its reason."""
    monkeypatch.setattr(simulation, "Wire", Among)
    query = tmp_path / f"{engine.replace('-', '_')}.cql"
    query.write_text(TRACE + QUERIES[engine] + "\n")
    options = [part for text in OPTIONS.get(engine, ()) for part in ("--set", text)]
    arguments = [
        "--engine",
        engine,
        "--input",
        examples / "cluster_trace.csv.gz",
        "--network",
        "--json",
    ]
    random_gaps = ["--stall-input", stalls[0], "--stall-output", stalls[1], "--seed", 3]
    code, out, err = sluice("simulate", query, *arguments, *options, *random_gaps)
    assert code == 0, out + err
    output = json.loads(out)
    assert (output["mismatches"], output["problems"], output["tuples"]) == (0, [], 20_000)
    assert output["rows"] == output["rows_expected"] > 200
    good = ("datagrams", "sent")
    assert sum(n for name, n in output["network"].items() if name not in good) > 20


@pytest.fixture
def query(tmp_path):
    """Returns a query with its three tuples."""
    (tmp_path / "data.csv").write_text("x\n1\n2\n3\n")
    path = tmp_path / "sums.cql"
    path.write_text("CREATE INPUT STREAM S (x uint(8)); SELECT sum(x) FROM S [ROWS 2 SLIDE 1];\n")
    return path


@pytest.mark.regress
@pytest.mark.spark
@pytest.mark.hdl
def test_what_went_over_the_wire(query, sluice, tmp_path):
    """scapy reads the file: two datagrams in, two out, with contents that are computed by hand."""
    pcap = tmp_path / "wire.pcap"
    arguments = ["--input", tmp_path / "data.csv", "--network", "--pcap", pcap]
    code, out, err = sluice("simulate", query, *arguments)
    assert code == 0, out + err
    assert "2 datagrams, 2 sent" in out
    frames = [Ether(bytes(packet)) for packet in rdpcap(str(pcap))]
    assert [frame[UDP].dport for frame in frames] == [4001, 4001, 4002, 4002]
    sizes = [frame[UDP].len - 8 for frame in frames]
    assert sizes[:2] == [3, 0]
    assert sizes[3] == 0
    assert bytes(frames[0][UDP].payload)[:3] == b"\x01\x02\x03"
    assert bytes(frames[2][UDP].payload)[: sizes[2]] == b"\x03\0\x05\0"
    for frame in frames:
        plain = frame.copy()
        del plain[IP].chksum, plain[UDP].chksum
        again = Ether(bytes(plain))
        assert (again[IP].chksum, again[UDP].chksum) == (frame[IP].chksum, frame[UDP].chksum)
        assert len(frame) == 60


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--network", "--simulator", "icarus"], "network=true is simulated by verilator only"),
        (["--pcap", "a.pcap"], "--pcap is for frames of a network: take --network, too"),
        (["--network", "--pcap", "a.txt"], "a.txt: frames must go to a .pcap file"),
        (["--network", "--set", "bus_bits=64"], "bus_bits must not be given with network, not 64"),
    ],
)
def test_one_line_says_what_is_wrong(more, said, query, sluice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = sluice("simulate", query, "--input", "data.csv", *more)
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not list(tmp_path.glob("a.*"))
