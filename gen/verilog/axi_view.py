"""Writes plain Verilog around a top with Avalon ports, so that a simulator sees AXI ports.

All benches, also the shipped ``sim/<top>_tb.sv``, drive AXI ports. The Verilog is written by hand
and shares no code with the hardware's own Avalon ports. So if rows pass through both unchanged, two
independent readings of Avalon agree.
"""

from textwrap import indent

from boards.ports import Ports
from boards.templates import fill
from rtl.contract.design import Design

_MODULE = """
    // SPDX-License-Identifier: BSD-2-Clause
    // ${top} as an AXI design, for simulators: ports have the names and the ways of AXI.
    module ${view} (
    ${head}
    );
    ${bodies}
      ${top} dut (
    ${connections}
      );
    endmodule
    """
_SINK = """
  // ${axi} to ${name}: the first byte is the highest.
  wire [${top_bit}:0] ${name}_data;
  reg [${empty_top}:0] ${name}_empty;
  reg ${name}_begins = 1;
  integer ${name}_k;
  genvar ${name}_g;
  generate
    for (${name}_g = 0; ${name}_g < ${width}; ${name}_g = ${name}_g + 1) begin : ${name}_bytes
      assign ${name}_data[8 * ${name}_g +: 8] = ${axi}_tdata[8 * (${width} - 1 - ${name}_g) +: 8];
    end
  endgenerate
  always @* begin
    ${name}_empty = 0;
    for (${name}_k = 1; ${name}_k < ${width}; ${name}_k = ${name}_k + 1)
      if (!${axi}_tkeep[${name}_k]) ${name}_empty = ${name}_empty + 1;
  end
  always @(posedge aclk)
    if (!aresetn) ${name}_begins <= 1;
    else if (${axi}_tvalid && ${axi}_tready) ${name}_begins <= ${axi}_tlast;
"""
_SOURCE = """
  // ${name} to ${axi}: the first byte is the highest.
  wire [${top_bit}:0] ${name}_data;
  wire [${empty_top}:0] ${name}_empty${none};
  wire ${name}_startofpacket, ${name}_endofpacket, ${name}_error;
  genvar ${name}_g;
  generate
    for (${name}_g = 0; ${name}_g < ${width}; ${name}_g = ${name}_g + 1) begin : ${name}_bytes
      assign ${axi}_tdata[8 * ${name}_g +: 8] = ${name}_data[8 * (${width} - 1 - ${name}_g) +: 8];
      assign ${axi}_tkeep[${name}_g] =
        !${name}_error && (!${name}_endofpacket || ${name}_g < ${width} - ${name}_empty);
    end
  endgenerate
  assign ${axi}_tlast = ${name}_endofpacket;
  reg ${name}_begins = 1;
  always @(posedge aclk)
    if (!aresetn) ${name}_begins <= 1;
    else if (${axi}_tvalid && ${axi}_tready) begin
      ${name}_begins <= ${name}_endofpacket;
      if (${name}_startofpacket !== ${name}_begins) begin
        $$display("FAIL: ${name}_startofpacket must be %b", ${name}_begins);
        $$finish;
      end
    end
"""
_REGISTERS = """
  // ${axi} to ${name}: an access at a time, held until waitrequest is low.
  wire ${name}_waitrequest;
  wire [31:0] ${name}_readdata;
  reg placed = 0, worded = 0, asked = 0, writes = 0, reads = 0, wrote = 0, got = 0;
  reg [9:0] write_place = 0, read_place = 0;
  reg [31:0] write_word = 0, read_word = 0;
  reg [3:0] write_bytes = 0;
  assign ${axi}_awready = !placed && !wrote;
  assign ${axi}_wready = !worded && !wrote;
  assign ${axi}_arready = !asked && !got;
  assign ${axi}_bvalid = wrote;
  assign ${axi}_bresp = 0;
  assign ${axi}_rvalid = got;
  assign ${axi}_rresp = 0;
  assign ${axi}_rdata = read_word;
  always @(posedge aclk)
    if (!aresetn) {placed, worded, asked, writes, reads, wrote, got} <= 0;
    else begin
      if (${axi}_bready) wrote <= 0;
      if (${axi}_rready) got <= 0;
      if (${axi}_awvalid && ${axi}_awready) begin
        placed <= 1;
        write_place <= ${axi}_awaddr[11:2];
      end
      if (${axi}_wvalid && ${axi}_wready) begin
        worded <= 1;
        write_word <= ${axi}_wdata;
        write_bytes <= ${axi}_wstrb;
      end
      if (${axi}_arvalid && ${axi}_arready) begin
        asked <= 1;
        read_place <= ${axi}_araddr[11:2];
      end
      if (!writes && !reads) begin
        if (placed && worded) writes <= 1;
        else if (asked) reads <= 1;
      end
      else if (!${name}_waitrequest) begin
        {writes, reads} <= 0;
        if (writes) {placed, worded, wrote} <= 3'b001;
        if (reads) {asked, got} <= 2'b01;
        if (reads) read_word <= ${name}_readdata;
      end
    end
"""


def view_name(top: str) -> str:
    """Returns the name of the module around the top ``top``."""
    return f"{top}_axi"


def axi_view(top: str, design: Design) -> dict[str, str]:
    """Returns the text of the module by its path; empty for a design with AXI ports."""
    if design.face.bus == "axi":
        return {}
    shipped, seen = Ports.of_design(top, design), Ports.axi_of(view_name(top), design)
    connections = [(shipped.clock, "aclk"), (shipped.reset, "aresetn")]
    bodies = []
    for bus, axi in zip(shipped.buses, seen.buses, strict=True):
        joined, body = _joined(bus, axi)
        connections += joined
        bodies.append(body)
    if shipped.interrupt:
        connections.append(("interrupt", "interrupt"))
    text = fill(
        _MODULE,
        top=top,
        view=seen.top,
        head=",\n".join(f"  {_declared(*port)}" for port in seen.ports),
        connections=",\n".join(f"    .{name}({signal})" for name, signal in connections),
        bodies=indent("".join(bodies), "  "),
    )
    return {f"sim/{seen.top}.v": text}


def _declared(name, direction, width):
    return f"{direction} wire {f'[{width - 1}:0] ' if width > 1 else ''}{name}"


def _joined(bus, axi):
    """Returns the top's ports with their connections, and the Verilog that converts the bus."""
    if bus.kind == axi.kind:
        return list(zip(bus.ports, axi.ports, strict=True)), ""
    name = bus.name
    if bus.kind == "avalon":
        names = {"axi": axi.name, "name": name}
        signals = {
            "address": "writes ? write_place : read_place",
            "read": "reads",
            "write": "writes",
            "writedata": "write_word",
            "byteenable": "write_bytes",
        }
        return _connections(bus, signals), fill(_REGISTERS, **names)
    width = axi.members["tkeep"].shape
    names = {"axi": axi.name, "name": name, "width": width, "top_bit": 8 * width - 1}
    names["empty_top"] = max(1, (width - 1).bit_length()) - 1
    if bus.mode == "master":
        names["none"] = " = 0" if width == 1 else ""
    signals = {"valid": f"{axi.name}_tvalid", "ready": f"{axi.name}_tready"}
    if bus.mode == "slave":
        signals |= {
            "startofpacket": f"{name}_begins",
            "endofpacket": f"{axi.name}_tlast",
            "error": f"!{axi.name}_tkeep[0]",
        }
    return _connections(bus, signals), fill(_SINK if bus.mode == "slave" else _SOURCE, **names)


def _connections(bus, signals):
    """Returns each port with its signal; without an entry the signal has the name of the port."""
    return [
        (port, signals.get(role, port)) for role, port in zip(bus.members, bus.ports, strict=True)
    ]
