// Plays cycles into the RGMII pins of a top for versa-ecp5, and records the cycles that it sends.
//   +cycles=FILE    a number of three hexadecimal digits for each cycle: 1 and the byte, or 000
//   +count=N        number of cycles
//   +sent=FILE      for each cycle: both values of tx_ctl in two bits, and the byte
`timescale 1ns / 1ps
module bench;
    reg oscillator = 0, rx_clk = 0, rx_ctl = 0;
    reg [3:0] rx_data = 0;
    wire tx_clk, tx_ctl, phy_rst;
    wire [3:0] tx_data, led;
    reg [8:0] cycles [0:1048575];
    reg [1023:0] path;
    reg first_ctl = 0;
    reg [3:0] first = 0;
    integer count, k, sent;

    top dut (
        .clk100_0__p(oscillator), .rst_0__io(1'b1),
        .eth_rgmii_0__rst__io(phy_rst),
        .eth_rgmii_0__rx_clk__io(rx_clk), .eth_rgmii_0__rx_ctl__io(rx_ctl),
        .eth_rgmii_0__rx_data__io(rx_data),
        .eth_rgmii_0__tx_clk__io(tx_clk), .eth_rgmii_0__tx_ctl__io(tx_ctl),
        .eth_rgmii_0__tx_data__io(tx_data),
        .led_0__io(led[0]), .led_1__io(led[1]), .led_2__io(led[2]), .led_3__io(led[3])
    );

    always #5 oscillator = !oscillator;

    // A cycle of 8 ns. Data change 2 ns before an edge of the clock, and are sampled there. The PHY
    // receives nothing while its reset, which is active low, is 0.
    task cycle(input [8:0] value);
        begin
            rx_ctl = value[8] && phy_rst; rx_data = value[3:0];
            #2 $fwrite(sent, "%03x\n", {first_ctl, tx_ctl, tx_data, first}); rx_clk = 1;
            #2 rx_ctl = value[8] && phy_rst; rx_data = value[7:4];
            #2 first_ctl = tx_ctl; first = tx_data; rx_clk = 0;
            #2;
        end
    endtask

    initial begin
        if (!$value$plusargs("count=%d", count)) $finish;
        if (!$value$plusargs("cycles=%s", path)) $finish;
        $readmemh(path, cycles, 0, count - 1);
        if (!$value$plusargs("sent=%s", path)) $finish;
        sent = $fopen(path, "w");
        // The PHY's clock runs before the board has locked its PLL.
        for (k = 0; k < 1500; k = k + 1) cycle(0);
        for (k = 0; k < count; k = k + 1) cycle(cycles[k]);
        $fclose(sent);
        $finish;
    end
endmodule
