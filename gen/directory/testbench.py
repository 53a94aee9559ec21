"""Writes a self-checking bench for the shipped Verilog, the first test that an engineer runs.

The bench is SystemVerilog and needs no tool of this project: Verilator (``--binary``) and Icarus
(``-g2012``) run it. It prints ``PASS``, or names the difference and ends with ``$fatal``.
"""

from collections.abc import Mapping
from string import Template

from boards.ports import Ports
from gen.design.network import DESIGN, HOST, network_writes
from gen.verilog.axi_view import view_name
from rtl.bus.register import Register
from rtl.bus.registers import BUSY
from rtl.bus.setting_registers import register_names, register_words
from rtl.contract.design import Design
from sim.wire.frames import frame_of, numbered_payloads_of

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

  // Ends with the status in `got`, when the engine is not busy.
  task wait_until_idle;
    begin
      read_register($status);
      while (got[$busy]) read_register($status);
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
    #$limit;
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

#: Sends a beat of a frame. The task does not look at a ready: the engine takes every beat of a MAC.
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

#: Transfers of a tuple before its last transfer, for a tuple that is wider than the bus.
_FIRST_TRANSFERS = """\
      s_axis_tkeep = {all};
      s_axis_tlast = 0;
      s_axis_tvalid = 1;
      repeat ({count}) begin
        #4 while (!s_axis_tready) #10;
        @(negedge aclk);
      end
"""

#: Cycles after which a tuple has reached the engine.
_SETTLED = 100
#: Limit in cycles of a bench for a design that is never busy for long. Register accesses take most.
_USUAL_CYCLES = 10_000
#: Units of time of a cycle.
_PERIOD = 10


def testbench(design: Design, ports: Ports, registers: Mapping[str, Register]) -> str:
    """Returns the text of ``<top>_tb.sv``.

    Parameters
    ----------
    design : Design
        The bench writes the settings of the query; settings that the data decide stay 0.
    ports : Ports
        AXI ports. If the design ships other ports, the bench tests the module of
        :mod:`gen.verilog.axi_view`.
    registers : mapping of str to Register
    """
    return _BENCH.substitute(
        top=ports.top,
        dut=ports.top if design.face.bus == "axi" else view_name(ports.top),
        signals="\n".join(_signal(*port) for port in ports.ports),
        connections=",\n".join(f"    .{name}({name})" for name, _, _ in ports.ports),
        address_top=_width_of(ports, "s_axil_awaddr") - 1,
        status=_address(registers["status"]),
        busy=BUSY.low,
        limit=_PERIOD * _cycles(design),
        send=_SEND_BEAT if design.face.network else _sending(design),
        steps="\n".join(f"    {step}" for step in _steps(design, registers)),
    )


def _cycles(design):
    """Returns the number of cycles after which the bench fails.

    An engine may take long to clear its tables before the tuple, and to send rows after it. Each
    row may take several beats.
    """
    prediction = design.prediction
    latency = max((latency.cycles for latency in prediction.latencies), default=0)
    return (
        _USUAL_CYCLES + prediction.clearing + 16 * (latency + prediction.pause) + prediction.search
    )


def _sending(design):
    """Returns the task that sends a tuple to ``s_axis``."""
    main = next(bus for bus in design.streams if bus.name == "s_axis")
    width, size = main.bytes, main.packing.bytes
    full_count, last_bytes = (size - 1) // width, (size - 1) % width + 1
    return _SEND.substitute(
        before=_FIRST_TRANSFERS.format(all=f"{width}'h{(1 << width) - 1:x}", count=full_count)
        if full_count
        else "",
        lane=f"{width}'h{(1 << last_bytes) - 1:x}",
    )


def _signal(name, direction, width):
    """Returns the declaration of a port: ready inputs begin with 1, other inputs with 0."""
    size = f"[{width - 1}:0] " if width > 1 else ""
    if direction == "output":
        return f"  wire {size}{name};"
    ready = name.startswith("m_axis") and name.endswith("_tready")
    return f"  reg {size}{name} = {int(ready)};"


def _width_of(ports, port):
    return next(width for name, _, width in ports.ports if name == port)


def _steps(design, registers):
    """Yields the steps of the bench, in order."""
    constant = [register for register in registers.values() if register.value is not None]
    for register in constant:
        yield from _read(register, register.value)
    for setting in design.settings.numbers:
        value = design.settings.values.get(setting.name)
        if value is None:
            continue
        words = register_words(setting, value)
        for name in register_names(setting):
            yield f"write_register({_address(registers[name])}, 32'h{words[name]:x});"
            yield from _read(registers[name], words[name])
    for address, word in network_writes(design, registers):
        yield f"write_register(12'h{address:03x}, 32'h{word:x});"
    if design.memories:
        return  # a tuple may wait for a memory, and the bench has none
    if design.face.network:
        yield from _frames(design.input.packing.bytes, design.input.punctuations)
        yield f"repeat ({_SETTLED}) @(negedge aclk);"
        yield from _read(registers["datagrams_low"], 2)
    else:
        yield "send_tuple;"
    yield f"repeat ({_SETTLED}) @(negedge aclk);"
    yield "wait_until_idle;"
    for name, value in (("tuples_low", 1), ("streams_low", 1), ("status", 0)):
        yield from _read(registers[name], value)


def _frames(size, numbered):
    """Yields a datagram with a tuple of ``size`` zero bytes, and the datagram that ends it."""
    payloads = [bytes(size), b""]
    if numbered:
        payloads = numbered_payloads_of(bytes(size), size, [False])
    for payload in payloads:
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
