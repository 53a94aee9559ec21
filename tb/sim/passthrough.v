// SPDX-License-Identifier: BSD-2-Clause
// Passes a stream through a two-entry buffer. Each byte is exclusive-ored with the low byte of register
// MASK (address 4), sampled at the stream's first beat. Register 0 is a constant, register 8 counts
// beats. Each macro adds one defect; USER adds s_axis_tuser, and beats with tuser are inverted.
`ifndef BYTES
`define BYTES 4
`endif

module passthrough (
    input  wire                aclk,
    input  wire                aresetn,
    input  wire                s_axis_tvalid,
    output wire                s_axis_tready,
    input  wire [8*`BYTES-1:0] s_axis_tdata,
    input  wire [  `BYTES-1:0] s_axis_tkeep,
    input  wire                s_axis_tlast,
`ifdef USER
    input  wire                s_axis_tuser,
`endif
    output wire                m_axis_tvalid,
    input  wire                m_axis_tready,
    output wire [8*`BYTES-1:0] m_axis_tdata,
    output wire [  `BYTES-1:0] m_axis_tkeep,
    output wire                m_axis_tlast,
    input  wire [7:0]          s_axil_awaddr,
    input  wire [2:0]          s_axil_awprot,
    input  wire                s_axil_awvalid,
    output wire                s_axil_awready,
    input  wire [31:0]         s_axil_wdata,
    input  wire [3:0]          s_axil_wstrb,
    input  wire                s_axil_wvalid,
    output wire                s_axil_wready,
    output wire [1:0]          s_axil_bresp,
    output reg                 s_axil_bvalid,
    input  wire                s_axil_bready,
    input  wire [7:0]          s_axil_araddr,
    input  wire [2:0]          s_axil_arprot,
    input  wire                s_axil_arvalid,
    output wire                s_axil_arready,
    output reg  [31:0]         s_axil_rdata,
    output wire [1:0]          s_axil_rresp,
    output reg                 s_axil_rvalid,
    input  wire                s_axil_rready
);
    localparam WIDTH = 9 * `BYTES + 1;

    reg [WIDTH-1:0] entry0 = 0, entry1 = 0;
    reg [1:0] level = 0;
    reg first = 1;
    reg [7:0] mask = 0, used = 0;
    reg [31:0] count = 0;
    reg [7:0] pause = 0;

`ifdef USER
    wire invert = s_axis_tuser;
`else
    wire invert = 0;
`endif
    wire [7:0] now = first ? mask : used;
    wire take = s_axis_tvalid & s_axis_tready;
    wire give = m_axis_tvalid & m_axis_tready;
    wire [WIDTH-1:0] in = {s_axis_tlast, s_axis_tkeep, s_axis_tdata ^ {`BYTES{now ^ {8{invert}}}}};

`ifdef LOOKS_WITHOUT_VALID
    wire store = s_axis_tready & (s_axis_tvalid | s_axis_tlast);
`elsif LOSES_BEAT
    wire store = take & (count != 5);
`elsif SWALLOWS
    wire store = 0;
`else
    wire store = take;
`endif

    assign s_axis_tready = (level != 2);
`ifdef WITHDRAWS
    assign m_axis_tvalid = (level != 0) & (pause[1:0] != 3);
`elsif WAITS_FOR_READY
    assign m_axis_tvalid = (level != 0) & m_axis_tready;
`elsif WAITS_A_CYCLE_FOR_READY
    reg seen = 0;
    always @(posedge aclk) seen <= (seen | m_axis_tready) & ~give;
    assign m_axis_tvalid = (level != 0) & seen;
`elsif HANGS
    assign m_axis_tvalid = (level != 0) & (count < 7);
`elsif VALID_IN_RESET
    assign m_axis_tvalid = (level != 0) | ~aresetn;
`else
    assign m_axis_tvalid = (level != 0);
`endif
`ifdef CHANGES
    wire [8*`BYTES-1:0] noise = pause[1:0] == 3;
`else
    wire [8*`BYTES-1:0] noise = 0;
`endif
`ifdef CHANGES_KEEP
    assign m_axis_tkeep = entry0[8*`BYTES +: `BYTES] ^ (pause[1:0] == 3);
`else
    assign m_axis_tkeep = entry0[8*`BYTES +: `BYTES];
`endif
`ifdef EXTRA_LAST
    assign m_axis_tlast = 1;
`else
    assign m_axis_tlast = entry0[WIDTH-1];
`endif
    assign m_axis_tdata = entry0[8*`BYTES-1:0] ^ noise;

    always @(posedge aclk) begin
        pause <= pause + 1;
        if (give) begin
            entry0 <= entry1;
        end
        if (store) begin
            if (level == 0 || (level == 1 && give)) entry0 <= in;
            else entry1 <= in;
        end
        level <= level + store - give;
        if (take) begin
            count <= count + 1;
            used <= now;
            first <= s_axis_tlast;
        end
        if (~aresetn) begin
            level <= 0;
            count <= 0;
`ifndef FORGETS_RESET
            first <= 1;
`endif
        end
    end

    // Registers: one access at a time; a write needs address and data in the same cycle.
    wire write = s_axil_awvalid & s_axil_wvalid & ~s_axil_bvalid;
    assign s_axil_awready = write;
    assign s_axil_wready = write;
    assign s_axil_bresp = 0;
    assign s_axil_rresp = 0;
    assign s_axil_arready = ~s_axil_rvalid;

    always @(posedge aclk) begin
        if (write & s_axil_awaddr == 4) mask <= s_axil_wdata[7:0];
`ifdef RUSHES_B
        s_axil_bvalid <= s_axil_awvalid & ~s_axil_bready;
`else
        s_axil_bvalid <= write | (s_axil_bvalid & ~s_axil_bready);
`endif
        if (s_axil_arvalid & s_axil_arready)
            s_axil_rdata <= s_axil_araddr == 0 ? 32'h0051ce00 : s_axil_araddr == 4 ? mask : count;
`ifdef CHANGES_R
        else if (s_axil_rvalid) s_axil_rdata <= s_axil_rdata + 1;
`endif
`ifdef WITHDRAWS_R
        s_axil_rvalid <= s_axil_arvalid & s_axil_arready;
`else
        s_axil_rvalid <= (s_axil_arvalid & s_axil_arready) | (s_axil_rvalid & ~s_axil_rready);
`endif
        if (~aresetn) begin
            mask <= 0;
            s_axil_bvalid <= 0;
            s_axil_rvalid <= 0;
        end
    end
endmodule
