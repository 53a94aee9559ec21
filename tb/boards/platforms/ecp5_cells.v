// Models of cells of an ECP5 for simulation, after Lattice's documents: FPGA-TN-02200 (PLL),
// FPGA-TN-02035 (DDR registers). Delays are zero. Only the values of parameters that the project
// uses are modelled.
`timescale 1ns / 1ps
module EHXPLLL (
    input CLKI, CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY, PLLWAKESYNC,
    input RST, ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3,
    output CLKOP, output reg CLKOS = 0, output CLKOS2, CLKOS3,
    output reg LOCK = 0, output INTLOCK, REFCLK, CLKINTFB
);
    parameter CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 8, CLKOS_DIV = 8;
    parameter CLKOP_CPHASE = 0, CLKOS_CPHASE = 0, CLKOP_FPHASE = 0, CLKOS_FPHASE = 0;
    parameter CLKOP_ENABLE = "ENABLED", CLKOS_ENABLE = "DISABLED", FEEDBK_PATH = "CLKOP";
    parameter PLLRST_ENA = "DISABLED", INTFB_WAKE = "DISABLED", STDBY_ENABLE = "DISABLED";
    parameter DPHASE_SOURCE = "DISABLED", OUTDIVIDER_MUXA = "DIVA", OUTDIVIDER_MUXB = "DIVB";
    realtime last, period;
    integer edges = 0;
    assign CLKOP = CLKI;
    always @(posedge CLKI) begin
        period = $realtime - last;
        last = $realtime;
        edges = RST ? 0 : edges + 1;
        LOCK <= edges > 20;
    end
    always begin
        if (edges > 4)
            #(period * CLKI_DIV * CLKOS_DIV / (CLKOP_DIV * CLKFB_DIV) / 2) CLKOS = !CLKOS;
        else
            #1;
    end
endmodule

module IDDRX1F (input D, SCLK, RST, output reg Q0, Q1);
    parameter GSR = "ENABLED";
    reg rising, falling;
    always @(negedge SCLK) falling <= D;
    always @(posedge SCLK) begin
        rising <= D;
        Q0 <= rising;
        Q1 <= falling;
    end
endmodule

module ODDRX1F (input SCLK, RST, D0, D1, output Q);
    parameter GSR = "ENABLED";
    reg high = 0, low = 0;
    always @(posedge SCLK) begin
        high <= D0;
        low <= D1;
    end
    assign Q = SCLK ? high : low;
endmodule

module DELAYG (input A, output Z);
    parameter DEL_MODE = "USER_DEFINED";
    parameter DEL_VALUE = 0;
    assign Z = A;
endmodule
