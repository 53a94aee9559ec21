"""Tests the ports of the shipped Verilog: roles for Vivado, order, directions and widths.

Expected values use the names of the AXI standards, and ports are read from the text alone.
"""

import re

import pytest

from gen.design.build import resolve
from gen.verilog.shipped_verilog import convert, verilog_of
from rtl.bus.top import AxiTop
from tb.gen.examples import EXAMPLES
from tb.rtl.bus.many_buses import many_buses

STREAM = ("tvalid", "tready", "tdata", "tkeep", "tlast")
REGISTERS = (
    *("awaddr", "awprot", "awvalid", "awready"),
    *("wdata", "wstrb", "wvalid", "wready"),
    *("bresp", "bvalid", "bready"),
    *("araddr", "arprot", "arvalid", "arready"),
    *("rdata", "rresp", "rvalid", "rready"),
)
_ADDRESS = ("id", "addr", "len", "size", "burst", "cache", "prot", "valid", "ready")
MEMORY = (
    *(f"aw{part}" for part in _ADDRESS),
    *("wdata", "wstrb", "wlast", "wvalid", "wready"),
    *("bid", "bresp", "bvalid", "bready"),
    *(f"ar{part}" for part in _ADDRESS),
    *("rid", "rdata", "rresp", "rlast", "rvalid", "rready"),
)
#: Pins that go out of a slave; all others come in, and with a master it is the other way round.
FROM_SLAVE = {"tready", "awready", "wready", "arready", "bresp", "bvalid", "rdata", "rresp"}
FROM_SLAVE |= {"rvalid", "bid", "rid", "rlast"}
BUSES = (("s_axis", "axis", STREAM), ("m_axis", "axis", STREAM), ("s_axil", "aximm", REGISTERS))
#: Buses of each engine that has more buses than ``BUSES``.
EXTRA_BUSES = {
    "streamzip": (
        *BUSES[:2],
        ("m_axis_evicted", "axis", STREAM),
        BUSES[2],
        *((f"m_axi_{k}", "aximm", MEMORY) for k in range(4)),
    )
}

DECLARED = re.compile(
    r"((?:  \(\*[^\n]*\*\)\n)*)  (input|output) (?:wire |reg )?(?:\[(\d+):0\] )?(\w+);"
)
ATTRIBUTE = re.compile(r'\(\* (\w+) = "([^"]*)" \*\)')


class Module:
    """Head of a Verilog module: its port list, and the declaration of each port."""

    def __init__(self, text, name):
        body = re.search(rf"^module {name}\((.*?)\);(.*?)^endmodule", text, re.M | re.S)
        self.listed = [port.strip() for port in body[1].split(",")]
        self.flow, self.width, self.attributes = {}, {}, {}
        for attributes, flow, top, port in DECLARED.findall(body[2]):
            self.flow[port], self.width[port] = flow, int(top or 0) + 1
            self.attributes[port] = dict(ATTRIBUTE.findall(attributes))
        inner = DECLARED.sub("", body[2])  # the text without ports has no attribute of a bus
        self.stray = inner.count("X_INTERFACE")


def check(module, buses):
    """Checks that a module has every port of ``buses``, in order, and no other port."""
    names = [f"{bus}_{role}" for bus, _, roles in buses for role in roles]
    assert module.listed == ["aclk", "aresetn", *names]
    assert sorted(module.flow) == sorted(module.listed)
    for bus, kind, roles in buses:
        for role in roles:
            port = f"{bus}_{role}"
            expected = f"xilinx.com:interface:{kind}:1.0 {bus.upper()} {role.upper()}"
            assert module.attributes[port] == {"X_INTERFACE_INFO": expected}
            out = (role in FROM_SLAVE) == bus.startswith("s_")
            assert module.flow[port] == ("output" if out else "input"), port
    assert module.attributes["aclk"] == {
        "X_INTERFACE_INFO": "xilinx.com:signal:clock:1.0 aclk CLK",
        "X_INTERFACE_PARAMETER": "ASSOCIATED_BUSIF "
        + ":".join(bus.upper() for bus, _, _ in buses)
        + ", ASSOCIATED_RESET aresetn",
    }
    assert module.attributes["aresetn"] == {
        "X_INTERFACE_INFO": "xilinx.com:signal:reset:1.0 aresetn RST",
        "X_INTERFACE_PARAMETER": "POLARITY ACTIVE_LOW",
    }
    assert module.stray == 0


@pytest.mark.in_turn
@pytest.mark.parametrize("engine", EXAMPLES)
def test_each_port_of_each_engine(engine, sluice_files):
    name, files = sluice_files(engine)
    module = Module(files[f"{name}.v"], name)
    check(module, EXTRA_BUSES.get(engine, BUSES))
    for bus in (bus for bus, *_ in EXTRA_BUSES.get(engine, BUSES) if bus.startswith("m_axi_")):
        for channel in ("aw", "ar"):  # not cached, may be buffered; data, secure, no privilege
            assert f"  assign {bus}_{channel}cache = 4'h3;" in files[f"{name}.v"]
            assert f"  assign {bus}_{channel}prot = 3'h0;" in files[f"{name}.v"]
    for bus in ("s_axis", "m_axis"):
        bytes_ = module.width[f"{bus}_tkeep"]
        assert module.width[f"{bus}_tdata"] == 8 * bytes_
        assert {module.width[f"{bus}_{r}"] for r in ("tvalid", "tready", "tlast")} == {1}
    widths = {"awaddr": 12, "araddr": 12, "awprot": 3, "arprot": 3, "wdata": 32, "wstrb": 4}
    widths |= {"rdata": 32, "bresp": 2, "rresp": 2}
    for role in REGISTERS:
        assert module.width[f"s_axil_{role}"] == widths.get(role, 1)


@pytest.mark.in_turn
@pytest.mark.parametrize("engine", EXAMPLES)
def test_no_range_is_negative(engine, sluice_files):
    """A wire without bits would have the range [-1:0], which is two bits in Verilog."""
    name, files = sluice_files(engine)
    assert not re.search(r"\[\s*-", files[f"{name}.v"])


def test_punctuations_are_on_tuser(examples, cache):
    build = resolve(examples / "trades_pane.toml", options=["punctuations=stream"])
    module = Module(verilog_of(build.design, build.name, cache), build.name)
    check(module, (("s_axis", "axis", (*STREAM, "tuser")), *BUSES[1:]))
    assert module.width["s_axis_tuser"] == 1


def test_more_streams_and_a_memory():
    text = convert(AxiTop(many_buses()), "sluice_many")
    module = Module(text, "sluice_many")
    check(
        module,
        (
            *BUSES[:2],
            ("s_axis_updates", "axis", (*STREAM, "tuser")),
            ("m_axis_evicted", "axis", STREAM),
            BUSES[2],
            ("m_axi", "aximm", MEMORY),
        ),
    )
    assert not re.search(r"\[\s*-", text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.0 S_AXIS TKEEP", "1.0 S_AXIS TDATA"),
        ("1.0 S_AXIL BVALID", "1.0 M_AXIS TVALID"),
        ("m_axis_tdata, m_axis_tkeep, m_axis_tlast", "m_axis_tdata, m_axis_tlast, m_axis_tkeep"),
        ("input s_axis_tlast", "output s_axis_tlast"),
        ("S_AXIS:M_AXIS:S_AXIL", "S_AXIS:S_AXIL"),
    ],
)
def test_a_wrong_role_is_seen(old, new, sluice_files):
    name, files = sluice_files("group-by")
    text = files[f"{name}.v"]
    assert old in text
    check(Module(text, name), BUSES)
    changed = Module(text.replace(old, new, 1), name)
    with pytest.raises(AssertionError):
        check(changed, BUSES)
