// Model of the block memory of an ECP5, after Lattice's FPGA-TN-02204: 1,024 words of 18 bits, which
// are two bytes of 9. A port of 1, 2 or 4 bits leaves out the ninth bit of each byte. Only the values
// of parameters that Yosys writes are modelled, without resets of the output. Two ports that meet in a word: reads give old bits.
`timescale 1ns / 1ps
module DP16KD (
    input DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
    input DIA4, DIA3, DIA2, DIA1, DIA0,
    input ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
    input CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
    output DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
    output DOA4, DOA3, DOA2, DOA1, DOA0,
    input DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
    input DIB4, DIB3, DIB2, DIB1, DIB0,
    input ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
    input CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
    output DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
    output DOB4, DOB3, DOB2, DOB1, DOB0
);
    parameter DATA_WIDTH_A = 18, DATA_WIDTH_B = 18;
    parameter REGMODE_A = "NOREG", REGMODE_B = "NOREG", RESETMODE = "SYNC";
    parameter ASYNC_RESET_RELEASE = "SYNC", CSDECODE_A = "0b000", CSDECODE_B = "0b000";
    parameter WRITEMODE_A = "NORMAL", WRITEMODE_B = "NORMAL", CLKAMUX = "CLKA", CLKBMUX = "CLKB";
    parameter GSR = "ENABLED", INIT_DATA = "STATIC";
    parameter [319:0]
        INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0,
        INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0,
        INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0,
        INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0,
        INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0,
        INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0,
        INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0,
        INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0,
        INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0,
        INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0,
        INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0,
        INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0,
        INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0,
        INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0,
        INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0,
        INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;
    reg [17:0] words [0:1023];
    reg [17:0] out_a = 0, out_b = 0;
    integer k;
    initial begin
        for (k = 0; k < 1024; k = k + 1) words[k] = 0;
        if (|{
            INITVAL_00, INITVAL_01, INITVAL_02, INITVAL_03, INITVAL_04, INITVAL_05,
            INITVAL_06, INITVAL_07, INITVAL_08, INITVAL_09, INITVAL_0A, INITVAL_0B,
            INITVAL_0C, INITVAL_0D, INITVAL_0E, INITVAL_0F, INITVAL_10, INITVAL_11,
            INITVAL_12, INITVAL_13, INITVAL_14, INITVAL_15, INITVAL_16, INITVAL_17,
            INITVAL_18, INITVAL_19, INITVAL_1A, INITVAL_1B, INITVAL_1C, INITVAL_1D,
            INITVAL_1E, INITVAL_1F, INITVAL_20, INITVAL_21, INITVAL_22, INITVAL_23,
            INITVAL_24, INITVAL_25, INITVAL_26, INITVAL_27, INITVAL_28, INITVAL_29,
            INITVAL_2A, INITVAL_2B, INITVAL_2C, INITVAL_2D, INITVAL_2E, INITVAL_2F,
            INITVAL_30, INITVAL_31, INITVAL_32, INITVAL_33, INITVAL_34, INITVAL_35,
            INITVAL_36, INITVAL_37, INITVAL_38, INITVAL_39, INITVAL_3A, INITVAL_3B,
            INITVAL_3C, INITVAL_3D, INITVAL_3E, INITVAL_3F
        }) $display("contents at the beginning are not modelled");
    end

    wire [13:0] ad_a = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2,
        ADA1, ADA0};
    wire [13:0] ad_b = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2,
        ADB1, ADB0};
    wire [17:0] di_a = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7,
        DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
    wire [17:0] di_b = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7,
        DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
    assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
        DOA4, DOA3, DOA2, DOA1, DOA0} = out_a;
    assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
        DOB4, DOB3, DOB2, DOB1, DOB0} = out_b;

    // First bit of an item in its word.
    function [4:0] first(input integer width, input [13:0] ad);
        case (width)
            18: first = 0;
            9: first = ad[3] ? 9 : 0;
            4: first = (ad[3] ? 9 : 0) + {ad[2], 2'b00};
            2: first = (ad[3] ? 9 : 0) + {ad[2:1], 1'b0};
            default: first = (ad[3] ? 9 : 0) + ad[2:0];
        endcase
    endfunction
    function [17:0] ones(input integer width);
        ones = 18'h3ffff >> (18 - width);
    endfunction
    // Bits of a word that a write replaces: with 18 bits two address bits enable the bytes.
    function [17:0] mask(input integer width, input [13:0] ad);
        mask = width == 18 ? {{9{ad[1]}}, {9{ad[0]}}} : ones(width) << first(width, ad);
    endfunction

    wire clock_a = CLKA ^ (CLKAMUX == "INV"), clock_b = CLKB ^ (CLKBMUX == "INV");
    wire [17:0] word_a = words[ad_a[13:4]], word_b = words[ad_b[13:4]];
    wire [17:0] mask_a = mask(DATA_WIDTH_A, ad_a), mask_b = mask(DATA_WIDTH_B, ad_b);
    wire [17:0] new_a = (word_a & ~mask_a) | ((di_a << first(DATA_WIDTH_A, ad_a)) & mask_a);
    wire [17:0] new_b = (word_b & ~mask_b) | ((di_b << first(DATA_WIDTH_B, ad_b)) & mask_b);
    // With 36 bits port A writes two words, whose bytes four address bits enable; port B reads two,
    // the lower at the outputs of port A.
    wire [17:0] low = words[{ad_a[13:5], 1'b0}], high = words[{ad_a[13:5], 1'b1}];
    wire [17:0] low_mask = {{9{ad_a[1]}}, {9{ad_a[0]}}}, high_mask = {{9{ad_a[3]}}, {9{ad_a[2]}}};
    always @(posedge clock_a) begin
        if (DATA_WIDTH_A == 36) begin
            if (CEA && WEA) words[{ad_a[13:5], 1'b0}] <= (low & ~low_mask) | (di_a & low_mask);
            if (CEA && WEA) words[{ad_a[13:5], 1'b1}] <= (high & ~high_mask) | (di_b & high_mask);
        end else if (CEA && WEA && !RSTA) words[ad_a[13:4]] <= new_a;
    end
    always @(posedge clock_b)
        if (DATA_WIDTH_A != 36 && CEB && WEB && !RSTB) words[ad_b[13:4]] <= new_b;
    always @(posedge clock_b) begin
        if (RSTB) out_b <= 0;
        else if (DATA_WIDTH_B == 36) begin
            if (CEB) out_b <= words[{ad_b[13:5], 1'b1}];
        end else if (CEB && (!WEB || WRITEMODE_B != "NORMAL"))
            out_b <= ((WEB && WRITEMODE_B == "WRITETHROUGH" ? new_b : word_b)
                >> first(DATA_WIDTH_B, ad_b)) & ones(DATA_WIDTH_B);
    end
    wire read_clock_a = DATA_WIDTH_B == 36 ? clock_b : clock_a;
    always @(posedge read_clock_a) begin
        if (DATA_WIDTH_B == 36) begin
            if (RSTB) out_a <= 0;
            else if (CEB) out_a <= words[{ad_b[13:5], 1'b0}];
        end else if (RSTA) out_a <= 0;
        else if (CEA && (!WEA || WRITEMODE_A != "NORMAL"))
            out_a <= ((WEA && WRITEMODE_A == "WRITETHROUGH" ? new_a : word_a)
                >> first(DATA_WIDTH_A, ad_a)) & ones(DATA_WIDTH_A);
    end
endmodule
