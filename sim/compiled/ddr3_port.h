// Signals of one port of the DDR3 controller in a cycle, shared by the bench and the controller's
// library. Ids are 0, bursts are INCR of whole lines, and answers are always accepted.
#pragma once

#include <cstdint>

struct Ddr3Port {
    // inputs of the controller
    uint8_t arvalid, arlen, awvalid, awlen, wvalid, wlast;
    uint32_t araddr, awaddr;
    uint64_t wstrb;
    uint8_t wdata[64];
    // outputs of the controller
    uint8_t arready, awready, wready, bvalid, rvalid;
    uint8_t rdata[64];
};

struct Ddr3Library {
    void* (*make)();
    void (*step)(void* memory, Ddr3Port* ports, int reset);  // simulates one cycle of all ports
    void (*drop)(void* memory);
    uint64_t ports;
};
