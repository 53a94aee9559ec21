// Models of cells of an ECP5 that synthesis replaces: pads, and registers with a preset.
module IB (input I, output O);
    assign O = I;
endmodule

module OBZ (input I, T, output O);
    assign O = T ? 1'bz : I;
endmodule

module FD1S3BX (input PD, D, CK, output reg Q = 1);
    parameter GSR = "ENABLED";
    always @(posedge CK or posedge PD) Q <= PD ? 1'b1 : D;
endmodule
