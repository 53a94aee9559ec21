// Between the bench and the library of the DDR3 controller: what one port of it sees in a cycle.
// Ids are 0, bursts INCR of whole lines, answers always taken.
#pragma once

#include <cstdint>

struct Ddr3Port {
    // to the controller
    uint8_t arvalid, arlen, awvalid, awlen, wvalid, wlast;
    uint32_t araddr, awaddr;
    uint64_t wstrb;
    uint8_t wdata[64];
    // from it
    uint8_t arready, awready, wready, bvalid, rvalid;
    uint8_t rdata[64];
};

struct Ddr3Library {
    void* (*make)();
    void (*step)(void* memory, Ddr3Port* ports, int reset);  // one cycle, of all its ports
    void (*drop)(void* memory);
    uint64_t ports;
};
