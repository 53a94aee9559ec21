"""The synthesised netlist of a bitstream, between the pins of the Ethernet PHY.

It answers ARP and ping after power-up, takes tuples in datagrams, and sends the rows of PySpark.
Synthesis, and Icarus's reading of the netlist, take some minutes.
"""

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from gen.bitstream.flow import Project, synthesise
from gen.design.build import resolve
from gen.design.network import dotted, endpoints_of
from gen.directory.design_files import design_files
from gen.simulate import result_rows
from gen.simulate.input_beats import input_beats
from golden.answer import answer
from golden.spark.session import session
from golden.tuples import Tuples, arrow_type
from sim.beats import Beats
from sim.wire.frames import frame_of, payload_of, payloads_of, streams_of
from tb.gen.bitstream.netlist import Netlist


def tuples_of(query):
    """Returns 300 tuples of nine jobs, sorted as the engine requires."""
    rng = np.random.default_rng(37)
    values = np.stack([rng.integers(0, 9, 300), rng.integers(-1000, 1000, 300)])
    job, cpu = values[:, np.lexsort(values[::-1])]
    columns = {"job": job, "cpu": cpu}
    schema = query.schema
    arrays = {
        c.name: pa.array(columns[c.name], arrow_type(schema[c.name].type)) for c in query.columns
    }
    return Tuples(schema, pa.table(arrays))


def questions(sender, design):
    """Returns an ARP request and an echo request, made by scapy."""
    from scapy.layers.inet import ICMP, IP
    from scapy.layers.l2 import ARP, Ether
    from scapy.packet import Raw

    ours, theirs = (
        ":".join(f"{byte:02x}" for byte in end.mac.to_bytes(6, "big")) for end in (design, sender)
    )
    to, source = dotted(design.address), dotted(sender.address)
    arp = Ether(src=theirs, dst="ff:ff:ff:ff:ff:ff") / ARP(hwsrc=theirs, psrc=source, pdst=to)
    payload = Raw(random.Random(1).randbytes(100))
    ping = Ether(src=theirs, dst=ours) / IP(src=source, dst=to) / ICMP() / payload
    return [bytes(frame).ljust(60, b"\0") for frame in (arp, ping)]


@pytest.mark.regress
def test_the_netlist_answers_as_pyspark(cache, tmp_path):
    build = resolve("examples/cluster_groupby.toml", board="versa-ecp5")
    tuples = tuples_of(build.query)
    expected = answer(build.query, session("local[2]"), tuples)
    design, host = endpoints_of(build.link)
    sender = replace(host, mac=0x02AABBCCDDEE)
    size = build.design.input.packing.bytes
    streams = input_beats(build.design, tuples).streams(1)
    payloads = [p for stream in streams for p in payloads_of(stream.tobytes(), size)]
    frames = [frame_of(payload, sender, design) for payload in payloads]
    project = Project.of(design_files(build, cache), build.name)
    netlist = Netlist(synthesise(project, cache), build.board.name, tmp_path)
    arp, ping, *rows = netlist.play([*questions(sender, design), *frames], tail=2500)
    assert (arp[12:14], arp[20:22]) == (b"\x08\x06", b"\x00\x02")
    assert (ping[23], ping[34], ping[-100:]) == (1, 0, random.Random(1).randbytes(100))
    packets = streams_of([payload_of(frame, design, host) for frame in rows])
    data = [np.frombuffer(packet, np.uint8).reshape(-1, 1) for packet in packets]
    assert result_rows.rows(build.design, Beats.from_streams(data, 8)).equals(expected)
