"""The bench for the network face: frames to beats and back, and what a bad face does is seen."""

import numpy as np
import pytest

from tb.harness.wire.run import SETTINGS, Wire, beats, packets

NOBODY = dict.fromkeys(SETTINGS, 0)

#: Passes rx to tuples and rows to tx through nothing at all, with three mistakes to choose from.
BAD = """
module face(input clk, input rst,
    input [47:0] mac, input [31:0] address, input [15:0] port,
    input [47:0] to_mac, input [31:0] to_address, input [15:0] to_port, output [1:0] events,
    input rx__tvalid, output rx__tready, input [63:0] rx__tdata, input [7:0] rx__tkeep,
    input rx__tlast, input rx__tuser,
    output tuples__tvalid, input tuples__tready, output [63:0] tuples__tdata,
    output [7:0] tuples__tkeep, output tuples__tlast,
    input rows__tvalid, output rows__tready, input [63:0] rows__tdata, input [7:0] rows__tkeep,
    input rows__tlast,
    output tx__tvalid, input tx__tready, output [63:0] tx__tdata, output [7:0] tx__tkeep,
    output tx__tlast);
    reg [63:0] time_ = 0;
    always @(posedge clk) time_ <= rst ? 0 : time_ + 1;
    assign rx__tready = MISTAKE != 1 || time_[1];
    assign tuples__tvalid = rx__tvalid;
    assign tuples__tdata = rx__tdata, tuples__tkeep = rx__tkeep, tuples__tlast = rx__tlast;
    assign tx__tvalid = rows__tvalid && (MISTAKE != 2 || time_[0]);
    assign rows__tready = tx__tready && tx__tvalid;
    assign tx__tdata = MISTAKE == 3 ? time_ : rows__tdata;
    assign tx__tkeep = rows__tkeep, tx__tlast = rows__tlast;
    assign events = {rx__tuser && rx__tvalid, rx__tlast && rx__tvalid};
endmodule
"""


@pytest.fixture
def wire(build_cache):
    def made(mistake=0):
        text = BAD.replace("MISTAKE", str(mistake))
        return Wire(text, "face", ("lasts", "users"), build_cache)

    return made


def test_beats_by_hand():
    made = beats([bytes(range(1, 10)), b"", b"\xff"], users=[True, False, True], gaps=[0, 2, 1, 0])
    assert made["valid"].tolist() == [1, 1, 0, 0, 1, 0, 1]
    assert made["data"].tolist() == [0x0807060504030201, 9, 0, 0, 0, 0, 0xFF]
    assert made["keep"].tolist() == [0xFF, 1, 0, 0, 0, 0, 1]
    assert made["last"].tolist() == [0, 1, 0, 0, 1, 0, 1]
    assert made["user"].tolist() == [0, 1, 0, 0, 0, 0, 1]


def test_packets_are_what_beats_were_made_of():
    rng = np.random.default_rng(1)
    sent = [rng.bytes(int(size)) for size in rng.integers(0, 40, 100)]
    made = beats(sent)
    assert packets(made) == (sent, b"")
    made["last"][-1] = 0
    assert packets(made) == (sent[:-1], sent[-1])
    made["keep"][0] = 5
    with pytest.raises(ValueError, match="keep must have its ones lowest, not 00000101"):
        packets(made)


@pytest.mark.hdl
def test_a_face_that_passes_all(wire):
    rng = np.random.default_rng(2)
    rx, rows = ([rng.bytes(int(size)) for size in rng.integers(1, 40, 100)] for _ in range(2))
    users = [bool(k % 3) for k in range(100)]
    stalls = {"stall_tx": 0.4, "stall_rows": 0.2}
    found = wire().run(beats(rx, users), beats(rows), settings=NOBODY, **stalls)
    assert packets(found.tuples) == (rx, b"")
    assert packets(found.tx) == (rows, b"")
    assert found.totals == {"lasts": 100, "users": sum(users)}
    assert (found.refused, found.broken, found.rows) == (0, 0, len(beats(rows)))
    assert found.tuples["cycle"].tolist() == list(range(len(beats(rx))))


@pytest.mark.hdl
def test_what_is_wrong_is_seen(wire):
    sent = beats([bytes(80)] * 10)
    run = {
        mistake: wire(mistake).run(sent, sent, settings=NOBODY, stall_tx=0.5)
        for mistake in (1, 2, 3)
    }
    assert {k: (r.refused > 0, r.broken > 0) for k, r in run.items()} == {
        1: (True, False),
        2: (False, True),
        3: (False, True),
    }
