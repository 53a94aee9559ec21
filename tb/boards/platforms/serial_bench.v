// Sends bytes to the serial port of a top for ulx3s-85 at 3 Mbaud, and records the bytes it sends.
//   +bytes=FILE     a byte in two hexadecimal digits in each line
//   +count=N        number of bytes
//   +idle=N         bits after the last byte, until the simulation ends
//   +sent=FILE      the bytes that the top sends, in the same form, or xx for a wrong stop bit
`timescale 1ns / 1ps
module bench;
    reg oscillator = 0, rxd = 1;
    wire txd;
    wire [3:0] led;
    reg [7:0] bytes [0:65535];
    reg [1023:0] path;
    reg [7:0] received;
    integer count, idle, k, bit_number, sent, received_bit;

    top dut (
        .clk25_0__io(oscillator), .uart_0__rx__io(rxd), .uart_0__tx__io(txd),
        .led_0__io(led[0]), .led_1__io(led[1]), .led_2__io(led[2]), .led_3__io(led[3])
    );

    always #20 oscillator = !oscillator;

    always @(negedge txd) begin
        #166.667;
        for (received_bit = 0; received_bit < 8; received_bit = received_bit + 1) begin
            #333.333 received[received_bit] = txd;
        end
        #333.333;
        if (txd) $fwrite(sent, "%02x\n", received);
        else $fwrite(sent, "xx\n");
    end

    initial begin
        if (!$value$plusargs("count=%d", count)) $finish;
        if (!$value$plusargs("idle=%d", idle)) $finish;
        if (!$value$plusargs("bytes=%s", path)) $finish;
        $readmemh(path, bytes, 0, count - 1);
        if (!$value$plusargs("sent=%s", path)) $finish;
        sent = $fopen(path, "w");
        #20000;  // the PLL locks, and the registers are written
        for (k = 0; k < count; k = k + 1) begin
            rxd = 0;
            #333.333;
            for (bit_number = 0; bit_number < 8; bit_number = bit_number + 1) begin
                rxd = bytes[k][bit_number];
                #333.333;
            end
            rxd = 1;
            #333.333;
        end
        for (k = 0; k < idle; k = k + 1) #333.333;
        $fclose(sent);
        $finish;
    end
endmodule
