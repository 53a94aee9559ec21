"""A self-checking bench for the shipped Verilog, to be the first that an engineer runs.

It needs no tool of this project: SystemVerilog that Verilator (``--binary``) and Icarus
(``-g2012``) run. It ends with ``PASS`` or, after saying what differs, with ``$fatal``.
"""

from string import Template

from boards.board import Ports
from gen.design.network import DESIGN, HOST, network_writes
from gen.verilog.axi_view import view_name
from rtl.bus.registers import register_names, register_words
from rtl.contract.design import Design
from sim.wire.frames import frame_of

_BENCH = Template("""\
// SPDX-License-Identifier: BSD-2-Clause
// The first test of $top: its registers say what it is and take the settings of its query; and,
// unless it has a memory, a stream of one tuple, all zeros, is counted.
module ${top}_tb;
$signals
  always #5 aclk = ~aclk;

  $dut dut (
$connections
  );

  reg [31:0] got;

  task check(input [31:0] expected, input [255:0] name);
    if (got !== expected)
      $$fatal(1, "%0s must be 0x%08x, not 0x%08x", name, expected, got);
  endtask

  // Pins change at the falling edge; a ready is seen shortly before the rising one.
  task write_register(input [$address_top:0] address, input [31:0] data);
    begin : write
      reg address_taken, data_taken;
      @(negedge aclk);
      s_axil_awaddr = address;
      s_axil_awvalid = 1;
      s_axil_wdata = data;
      s_axil_wstrb = 4'hf;
      s_axil_wvalid = 1;
      while (s_axil_awvalid | s_axil_wvalid) begin
        #4 address_taken = s_axil_awready;
        data_taken = s_axil_wready;
        @(negedge aclk);
        if (address_taken) s_axil_awvalid = 0;
        if (data_taken) s_axil_wvalid = 0;
      end
      s_axil_bready = 1;
      #4 while (!s_axil_bvalid) #10;
      if (s_axil_bresp != 0) $$fatal(1, "a write of 0x%03x is answered with an error", address);
      @(negedge aclk) s_axil_bready = 0;
    end
  endtask

  task read_register(input [$address_top:0] address);
    begin : read
      reg taken;
      @(negedge aclk);
      s_axil_araddr = address;
      s_axil_arvalid = 1;
      while (s_axil_arvalid) begin
        #4 taken = s_axil_arready;
        @(negedge aclk);
        if (taken) s_axil_arvalid = 0;
      end
      s_axil_rready = 1;
      #4 while (!s_axil_rvalid) #10;
      got = s_axil_rdata;
      if (s_axil_rresp != 0) $$fatal(1, "a read of 0x%03x is answered with an error", address);
      @(negedge aclk) s_axil_rready = 0;
    end
  endtask

$send
  initial begin
    repeat (4) @(negedge aclk);
    aresetn = 1;
$steps
    $$display("PASS: $top");
    $$finish;
  end

  initial begin
    #100000;
    $$fatal(1, "$top does not answer");
  end
endmodule
""")

_SEND = Template("""\
  task send_tuple;
    begin : send
      reg taken;
      @(negedge aclk);
      s_axis_tdata = 0;
$before      s_axis_tkeep = $lane;
      s_axis_tlast = 1;
      s_axis_tvalid = 1;
      while (s_axis_tvalid) begin
        #4 taken = s_axis_tready;
        @(negedge aclk);
        if (taken) s_axis_tvalid = 0;
      end
    end
  endtask
""")

#: The pins of a MAC are always ready.
_SEND_BEAT = """\
  task send_beat(input [63:0] data, input [7:0] keep, input last);
    begin
      @(negedge aclk);
      s_axis_rx_tdata = data;
      s_axis_rx_tkeep = keep;
      s_axis_rx_tlast = last;
      s_axis_rx_tvalid = 1;
      @(negedge aclk) s_axis_rx_tvalid = 0;
    end
  endtask
"""

#: What comes of a tuple before the transfer that ends it, where it is wider than the bus.
_BEFORE = """\
      s_axis_tkeep = {all};
      s_axis_tlast = 0;
      s_axis_tvalid = 1;
      repeat ({count}) begin
        #4 while (!s_axis_tready) #10;
        @(negedge aclk);
      end
"""

#: Cycles after which a tuple has been counted, and errors shown.
_SETTLED = 100


def testbench(design: Design, ports: Ports, registers):
    """The text of ``<top>_tb.sv``.

    Parameters
    ----------
    design : Design
        Its settings are those that the query tells; those that the data decide stay 0.
    ports : Ports
        As AXI has them; where others ship, it is the view (:mod:`gen.verilog.axi_view`) that is
        tested.
    registers : mapping of str to Register
    """
    return _BENCH.substitute(
        top=ports.top,
        dut=ports.top if design.face.bus == "axi" else view_name(ports.top),
        signals="\n".join(_signal(*port) for port in ports.ports),
        connections=",\n".join(f"    .{name}({name})" for name, _, _ in ports.ports),
        address_top=_width_of(ports, "s_axil_awaddr") - 1,
        send=_SEND_BEAT if design.face.network else _sending(design),
        steps="\n".join(f"    {step}" for step in _steps(design, registers)),
    )


def _sending(design):
    """The task that sends a tuple to ``s_axis``."""
    main = next(bus for bus in design.streams if bus.name == "s_axis")
    width, size = main.bytes, main.packing.bytes
    more, left = (size - 1) // width, (size - 1) % width + 1
    return _SEND.substitute(
        before=_BEFORE.format(all=f"{width}'h{(1 << width) - 1:x}", count=more) if more else "",
        lane=f"{width}'h{(1 << left) - 1:x}",
    )


def _signal(name, direction, width):
    """Inputs of the design are registers of the bench; it takes every row, and all else is 0."""
    size = f"[{width - 1}:0] " if width > 1 else ""
    if direction == "output":
        return f"  wire {size}{name};"
    ready = name.startswith("m_axis") and name.endswith("_tready")
    return f"  reg {size}{name} = {int(ready)};"


def _width_of(ports, wanted):
    return next(width for name, _, width in ports.ports if name == wanted)


def _steps(design, registers):
    """What the bench does, in order."""
    constant = [register for register in registers.values() if register.value is not None]
    for register in constant:
        yield from _read(register, register.value)
    for setting in design.settings.numbers:
        value = design.settings.values.get(setting.name)
        if value is None:
            continue
        told = register_words(setting, value)
        for name in register_names(setting):
            yield f"write_register({_address(registers[name])}, 32'h{told[name]:x});"
            yield from _read(registers[name], told[name])
    for address, word in network_writes(design, registers):
        yield f"write_register(12'h{address:03x}, 32'h{word:x});"
    if design.memories:
        return  # a tuple may wait for a memory, and the bench has none
    if design.face.network:
        yield from _frames(design.input.packing.bytes)
        yield f"repeat ({_SETTLED}) @(negedge aclk);"
        yield from _read(registers["datagrams_low"], 2)
    else:
        yield "send_tuple;"
    yield f"repeat ({_SETTLED}) @(negedge aclk);"
    for name, value in (("tuples_low", 1), ("streams_low", 1), ("status", 0)):
        yield from _read(registers[name], value)


def _frames(size):
    """A datagram with a tuple of so many bytes, all zeros, and the one that ends its stream."""
    for payload in (bytes(size), b""):
        frame = frame_of(payload, HOST, DESIGN)
        for k in range(0, len(frame), 8):
            part = frame[k : k + 8]
            data, keep = int.from_bytes(part, "little"), (1 << len(part)) - 1
            yield f"send_beat(64'h{data:016x}, 8'h{keep:02x}, {int(k + 8 >= len(frame))});"


def _read(register, value):
    yield f"read_register({_address(register)});"
    yield f'check(32\'h{value:08x}, "{register.name}");'


def _address(register):
    return f"12'h{register.address:03x}"
