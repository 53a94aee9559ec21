// SPDX-License-Identifier: BSD-2-Clause
// An AXI4 master that writes and reads bursts in 1 GiB, and checks the data. The address of burst n is
// a function of n, and the data of a word is a function of its address. Writing register 0 starts the
// master; at the end it sends one beat on m_axis. Four ids are used in turn. Each macro adds one
// defect.
`ifndef WIDTH
`define WIDTH 512
`endif

module traffic (
    input  wire                 aclk,
    input  wire                 aresetn,
    output reg                  m_axis_tvalid,
    input  wire                 m_axis_tready,
    output wire [31:0]          m_axis_tdata,
    output wire [3:0]           m_axis_tkeep,
    output wire                 m_axis_tlast,
    output wire                 m_axi_awvalid,
    input  wire                 m_axi_awready,
    output wire [3:0]           m_axi_awid,
    output wire [31:0]          m_axi_awaddr,
    output wire [7:0]           m_axi_awlen,
    output wire [2:0]           m_axi_awsize,
    output wire [1:0]           m_axi_awburst,
    output wire                 m_axi_wvalid,
    input  wire                 m_axi_wready,
    output wire [`WIDTH-1:0]    m_axi_wdata,
    output wire [`WIDTH/8-1:0]  m_axi_wstrb,
    output wire                 m_axi_wlast,
    input  wire                 m_axi_bvalid,
    output wire                 m_axi_bready,
    input  wire [3:0]           m_axi_bid,
    input  wire [1:0]           m_axi_bresp,
    output wire                 m_axi_arvalid,
    input  wire                 m_axi_arready,
    output wire [3:0]           m_axi_arid,
    output wire [31:0]          m_axi_araddr,
    output wire [7:0]           m_axi_arlen,
    output wire [2:0]           m_axi_arsize,
    output wire [1:0]           m_axi_arburst,
    input  wire                 m_axi_rvalid,
    output wire                 m_axi_rready,
    input  wire [3:0]           m_axi_rid,
    input  wire [`WIDTH-1:0]    m_axi_rdata,
    input  wire [1:0]           m_axi_rresp,
    input  wire                 m_axi_rlast,
    input  wire [11:0]          s_axil_awaddr,
    input  wire [2:0]           s_axil_awprot,
    input  wire                 s_axil_awvalid,
    output wire                 s_axil_awready,
    input  wire [31:0]          s_axil_wdata,
    input  wire [3:0]           s_axil_wstrb,
    input  wire                 s_axil_wvalid,
    output wire                 s_axil_wready,
    output wire [1:0]           s_axil_bresp,
    output reg                  s_axil_bvalid,
    input  wire                 s_axil_bready,
    input  wire [11:0]          s_axil_araddr,
    input  wire [2:0]           s_axil_arprot,
    input  wire                 s_axil_arvalid,
    output wire                 s_axil_arready,
    output reg  [31:0]          s_axil_rdata,
    output wire [1:0]           s_axil_rresp,
    output reg                  s_axil_rvalid,
    input  wire                 s_axil_rready
);
    localparam BYTES = `WIDTH / 8;

    // Settings: register 0 is the mode (bit 0 writes, 1 reads, 2 both at once and not one after the
    // other, 3 slow to take answers), the others 4, 8, ... as they are named here.
    reg [3:0]  mode = 0;
    reg [31:0] bursts, length, size, shift, offset, strobe, flight;
    // Results: registers 64 (mismatches), 68 (errors), 72 (cycles).
    reg [31:0] mismatches = 0, errors = 0, cycles = 0;

    reg busy = 0;
    reg [31:0] n_aw, n_w, n_b, n_ar, n_r;
    reg [7:0]  k_w;
    reg [31:0] n_of [0:3];
    reg [7:0]  k_of [0:3];
    reg [7:0]  time_ = 0;
    integer j;

    // Functions depend on their arguments only, so that every simulator sees the dependencies.
    function [31:0] start(input [31:0] n, input [4:0] shift, input [31:0] offset);
        reg [31:0] mixed;
        begin
            mixed = n * 32'h9e3779b1;
            mixed = mixed ^ mixed >> 15;
            start = ((mixed << shift) & 32'h3fffffff) + offset;
        end
    endfunction
    function [31:0] at(input [31:0] first, input [7:0] k, input [2:0] size);
        at = k == 0 ? first : ((first >> size) + k) << size;
    endfunction
    function [`WIDTH-1:0] content(input [31:0] address);
        integer w;
        for (w = 0; w < BYTES / 4; w = w + 1)
            content[32*w +: 32] = (((address & ~(BYTES - 1)) >> 2) + w) * 32'h85ebca6b ^ 32'h5bd1e995;
    endfunction
    function [BYTES-1:0] lanes(input [31:0] address, input [2:0] size);  // to the end of its beat
        integer b;
        for (b = 0; b < BYTES; b = b + 1)
            lanes[b] = b >= (address & (BYTES - 1)) && (b >> size) == ((address & (BYTES - 1)) >> size);
    endfunction

    wire write = s_axil_awvalid & s_axil_wvalid & ~s_axil_bvalid;
    wire go = write & s_axil_awaddr == 0;
    wire writing = busy & mode[0];
    wire reading = busy & mode[1] & (mode[2] | ~mode[0] | n_b == bursts);
    wire answers = ~mode[3] | time_[1:0] == 0;
    wire done = (~mode[0] | n_b == bursts) & (~mode[1] | n_r == bursts);

    assign m_axi_awid = n_aw[1:0];
    assign m_axi_awaddr = start(n_aw, shift[4:0], offset);
    assign m_axi_awlen = length[7:0];
    assign m_axi_awsize = size[2:0];
`ifdef FIXED
    assign m_axi_awburst = 0;
`else
    assign m_axi_awburst = 1;
`endif
`ifdef VALID_IN_RESET
    assign m_axi_awvalid = writing & n_aw != bursts & n_aw - n_b < flight | ~aresetn;
`else
    assign m_axi_awvalid = writing & n_aw != bursts & n_aw - n_b < flight;
`endif

    // Data may precede their address by one burst.
    wire [31:0] at_w = at(start(n_w, shift[4:0], offset), k_w, size[2:0]);
    assign m_axi_wvalid = writing & n_w != bursts & n_w <= n_aw;
`ifdef STROBES_OUTSIDE
    assign m_axi_wstrb = {(BYTES / 4){strobe[3:0]}};
`else
    assign m_axi_wstrb = lanes(at_w, size[2:0]) & {(BYTES / 4){strobe[3:0]}};
`endif
`ifdef LASTS_EARLY
    assign m_axi_wlast = k_w + 1 == length[7:0];
`else
    assign m_axi_wlast = k_w == length[7:0];
`endif
`ifdef CHANGES
    assign m_axi_wdata = content(at_w) ^ time_[1];
`else
    assign m_axi_wdata = content(at_w);
`endif
    assign m_axi_bready = answers;

    assign m_axi_arid = n_ar[1:0];
    assign m_axi_araddr = start(n_ar, shift[4:0], offset);
    assign m_axi_arlen = length[7:0];
    assign m_axi_arsize = size[2:0];
    assign m_axi_arburst = 1;
`ifdef WITHDRAWS
    assign m_axi_arvalid = reading & n_ar != bursts & n_ar - n_r < flight & time_[1];
`elsif WAITS_FOR_READY
    assign m_axi_arvalid = reading & n_ar != bursts & n_ar - n_r < flight & m_axi_arready;
`else
    assign m_axi_arvalid = reading & n_ar != bursts & n_ar - n_r < flight;
`endif
    assign m_axi_rready = answers;

    wire [1:0] id = m_axi_rid[1:0];
    wire [31:0] at_r = at(start(n_of[id], shift[4:0], offset), k_of[id], size[2:0]);
    wire [`WIDTH-1:0] wrong = m_axi_rdata ^ content(at_r);
    wire [BYTES-1:0] looked_at = lanes(at_r, size[2:0]);
    reg differs;
    always @* begin
        differs = 0;
        for (j = 0; j < BYTES; j = j + 1) differs = differs | (looked_at[j] & |wrong[8*j +: 8]);
    end

    assign m_axis_tdata = mismatches;
    assign m_axis_tkeep = 15;
    assign m_axis_tlast = 1;

    always @(posedge aclk) begin
        time_ <= time_ + 1;
        if (busy) cycles <= cycles + 1;
        if (m_axi_awvalid & m_axi_awready) n_aw <= n_aw + 1;
        if (m_axi_wvalid & m_axi_wready) begin
            k_w <= k_w == length[7:0] ? 0 : k_w + 1;
            if (k_w == length[7:0]) n_w <= n_w + 1;
        end
        if (m_axi_bvalid & m_axi_bready) begin
            n_b <= n_b + 1;
            errors <= errors + |m_axi_bresp;
        end
        if (m_axi_arvalid & m_axi_arready) n_ar <= n_ar + 1;
        if (m_axi_rvalid & m_axi_rready) begin
            if (m_axi_rresp != 0) errors <= errors + 1;
            else if (differs | m_axi_rlast != (k_of[id] == length[7:0])) mismatches <= mismatches + 1;
            k_of[id] <= m_axi_rlast ? 0 : k_of[id] + 1;
            if (m_axi_rlast) begin
                n_of[id] <= n_of[id] + 4;
                n_r <= n_r + 1;
            end
        end
        if (busy & done) begin
            busy <= 0;
            m_axis_tvalid <= 1;
        end
        if (m_axis_tvalid & m_axis_tready) m_axis_tvalid <= 0;
        if (go) begin
            mode <= s_axil_wdata[3:0];
            busy <= 1;
        end
        if (go | ~aresetn) begin
            {n_aw, n_w, n_b, n_ar, n_r, k_w} <= 0;
            {mismatches, errors, cycles} <= 0;
            for (j = 0; j < 4; j = j + 1) n_of[j] <= j;
            for (j = 0; j < 4; j = j + 1) k_of[j] <= 0;
        end
        if (~aresetn) begin
            busy <= 0;
            m_axis_tvalid <= 0;
        end
    end

    assign s_axil_awready = write;
    assign s_axil_wready = write;
    assign s_axil_bresp = 0;
    assign s_axil_rresp = 0;
    assign s_axil_arready = ~s_axil_rvalid;
    always @(posedge aclk) begin
        if (write)
            case (s_axil_awaddr)
                4: bursts <= s_axil_wdata;
                8: length <= s_axil_wdata;
                12: size <= s_axil_wdata;
                16: shift <= s_axil_wdata;
                20: offset <= s_axil_wdata;
                24: strobe <= s_axil_wdata;
                28: flight <= s_axil_wdata;
            endcase
        s_axil_bvalid <= write | (s_axil_bvalid & ~s_axil_bready);
        if (s_axil_arvalid & s_axil_arready)
            s_axil_rdata <= s_axil_araddr == 64 ? mismatches : s_axil_araddr == 68 ? errors : cycles;
        s_axil_rvalid <= (s_axil_arvalid & s_axil_arready) | (s_axil_rvalid & ~s_axil_rready);
        if (~aresetn) begin
            s_axil_bvalid <= 0;
            s_axil_rvalid <= 0;
        end
    end
endmodule
