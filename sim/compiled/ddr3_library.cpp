// Library of the DDR3 controller and its Verilated model, built once for each number of ports.
// DDR3_PORTS(X) is X(0) X(1) ... for all ports.
#include <cstring>
#include <memory>

#include "Vddr3.h"
#include "ddr3_port.h"

namespace {

struct Memory {
    VerilatedContext context;
    Vddr3 model{&context};

    Memory() {
#define CONSTANT(K)                                     \
    model.s##K##_arid = model.s##K##_awid = 0;          \
    model.s##K##_arsize = model.s##K##_awsize = 6;      \
    model.s##K##_arburst = model.s##K##_awburst = 1;    \
    model.s##K##_rready = model.s##K##_bready = 1;
        DDR3_PORTS(CONSTANT)
    }

    void step(Ddr3Port* ports, bool reset) {
        model.sys_clk = 0;
        model.sys_rst = reset;
#define DRIVE(K)                                               \
    model.s##K##_arvalid = ports[K].arvalid;                   \
    model.s##K##_araddr = ports[K].araddr;                     \
    model.s##K##_arlen = ports[K].arlen;                       \
    model.s##K##_awvalid = ports[K].awvalid;                   \
    model.s##K##_awaddr = ports[K].awaddr;                     \
    model.s##K##_awlen = ports[K].awlen;                       \
    model.s##K##_wvalid = ports[K].wvalid;                     \
    model.s##K##_wlast = ports[K].wlast;                       \
    model.s##K##_wstrb = ports[K].wstrb;                       \
    std::memcpy(&model.s##K##_wdata, ports[K].wdata, 64);
        DDR3_PORTS(DRIVE)
        model.eval();
#define SEE(K)                                                 \
    ports[K].arready = model.s##K##_arready;                   \
    ports[K].awready = model.s##K##_awready;                   \
    ports[K].wready = model.s##K##_wready;                     \
    ports[K].bvalid = model.s##K##_bvalid;                     \
    ports[K].rvalid = model.s##K##_rvalid;                     \
    std::memcpy(ports[K].rdata, &model.s##K##_rdata, 64);
        DDR3_PORTS(SEE)
        model.sys_clk = 1;
        model.eval();
    }
};

}  // namespace

extern "C" {
void* ddr3_make() { return new Memory; }
void ddr3_step(void* memory, Ddr3Port* ports, int reset) { static_cast<Memory*>(memory)->step(ports, reset); }
void ddr3_drop(void* memory) { delete static_cast<Memory*>(memory); }
}
