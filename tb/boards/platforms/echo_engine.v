// Stands for an engine with a network face: it sends each good frame back, and prints what it sees.
module sluice_echo (
    input aclk, aresetn,
    input s_axis_rx_tvalid, output s_axis_rx_tready, input [63:0] s_axis_rx_tdata,
    input [7:0] s_axis_rx_tkeep, input s_axis_rx_tlast, s_axis_rx_tuser,
    output m_axis_tx_tvalid, input m_axis_tx_tready, output [63:0] m_axis_tx_tdata,
    output [7:0] m_axis_tx_tkeep, output m_axis_tx_tlast,
    input [11:0] s_axil_awaddr, input [2:0] s_axil_awprot, input s_axil_awvalid,
    output s_axil_awready, input [31:0] s_axil_wdata, input [3:0] s_axil_wstrb,
    input s_axil_wvalid, output s_axil_wready, output [1:0] s_axil_bresp,
    output reg s_axil_bvalid, input s_axil_bready, input [11:0] s_axil_araddr,
    input [2:0] s_axil_arprot, input s_axil_arvalid, output s_axil_arready,
    output [31:0] s_axil_rdata, output [1:0] s_axil_rresp, output s_axil_rvalid,
    input s_axil_rready
);
    reg [72:0] beats [0:65535];
    integer written = 0, complete = 0, read = 0;
    assign s_axis_rx_tready = 1;
    assign m_axis_tx_tvalid = read < complete;
    assign {m_axis_tx_tlast, m_axis_tx_tkeep, m_axis_tx_tdata} = beats[read];
    assign s_axil_awready = s_axil_awvalid && s_axil_wvalid && !s_axil_bvalid;
    assign s_axil_wready = s_axil_awready;
    assign {s_axil_bresp, s_axil_arready, s_axil_rdata, s_axil_rresp, s_axil_rvalid} = 0;
    always @(posedge aclk)
        if (!aresetn) begin
            written = 0; complete <= 0; read <= 0; s_axil_bvalid <= 0;
        end else begin
            s_axil_bvalid <= s_axil_awready;
            if (s_axil_awready) $display("write %03x %08x", s_axil_awaddr, s_axil_wdata);
            if (s_axis_rx_tvalid) begin
                beats[written] = {s_axis_rx_tlast, s_axis_rx_tkeep, s_axis_rx_tdata};
                written = written + 1;
                if (!s_axis_rx_tlast && s_axis_rx_tkeep != 8'hff) $display("short beat");
                if (s_axis_rx_tlast && s_axis_rx_tuser) begin
                    $display("bad frame");
                    written = complete;
                end
                if (s_axis_rx_tlast) complete <= written;
            end
            if (m_axis_tx_tvalid && m_axis_tx_tready) read <= read + 1;
        end
endmodule
