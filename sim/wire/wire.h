// Drives a network face at its pins: a MAC that sends without waiting, an engine, and a MAC that may
// stall.
#pragma once

#include <cstdint>

#include "Vdut.h"
#include "verilated.h"

#define PIN(bus, name) top.bus##___05F##name

namespace {

struct Beat {  // a beat of any bus; valid 0 is a cycle without a beat
    uint64_t data, cycle;
    uint8_t keep, last, user, valid, rest[4];
};

struct Job {
    uint64_t mac, address, port, to_mac, to_address, to_port, from_mac, from_address;
    uint64_t seed, limit, drain;       // limit: all cycles; drain: quiet cycles at the end
    uint64_t stall_tuples, stall_rows, stall_tx;  // probabilities, as shares of 2**32
    uint64_t hold;                     // number of first cycles in which no tuple is accepted
    const Beat* rx;
    uint64_t rx_beats;
    const Beat* rows;
    uint64_t row_beats;
    uint64_t room;  // length of each of the following arrays
    Beat *tuples, *tx, *events;
};

struct Outcome {
    uint64_t cycles, tuples, tx, events, rows;
    uint64_t refused, broken;  // stalled beats of rx; broken rules of streams
};

struct Random {
    uint64_t state;
    bool below(uint64_t threshold) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (state >> 32) < threshold;
    }
};

struct Rule {  // an offered beat remains until it is accepted
    Beat before{};
    bool stalled = false;
    bool broken(const Beat& now, bool ready) {
        bool changed = stalled && !(now.valid && now.data == before.data &&
                                    now.keep == before.keep && now.last == before.last);
        before = now, stalled = now.valid && !ready;
        return changed;
    }
};

void put(Beat* to, uint64_t& count, uint64_t room, Beat beat, uint64_t cycle) {
    beat.cycle = cycle;
    if (count < room) to[count] = beat;
    count++;
}

}  // namespace

extern "C" void wire_run(const Job* job, Outcome* out) {
    VerilatedContext context;
    Vdut top{&context};
    Random random{job->seed * 2 + 1};
    Rule tuples_rule, tx_rule;
    uint64_t rx = 0, rows = 0, quiet = 0, cycle = 0;
    bool offered = false;
    auto clock = [&] { top.clk = 1, top.eval(), top.clk = 0, top.eval(); };
    *out = Outcome{};
    top.mac = job->mac, top.address = job->address, top.port = job->port;
    top.to_mac = job->to_mac, top.to_address = job->to_address, top.to_port = job->to_port;
    top.from_mac = job->from_mac, top.from_address = job->from_address;
    PIN(rx, tvalid) = PIN(rows, tvalid) = PIN(tuples, tready) = PIN(tx, tready) = 0;
    top.rst = 1, top.clk = 0, top.eval(), clock();
    top.rst = 0, clock();  // the settings are sampled in this cycle
    for (; cycle < job->limit && quiet < job->drain; cycle++, quiet++) {
        const Beat none{};
        const Beat& in = rx < job->rx_beats ? job->rx[rx] : none;
        PIN(rx, tvalid) = in.valid, PIN(rx, tdata) = in.data, PIN(rx, tkeep) = in.keep;
        PIN(rx, tlast) = in.last, PIN(rx, tuser) = in.user;
        offered = rows < job->row_beats && (offered || !random.below(job->stall_rows));
        const Beat& row = offered ? job->rows[rows] : none;
        PIN(rows, tvalid) = offered, PIN(rows, tdata) = row.data;
        PIN(rows, tkeep) = row.keep, PIN(rows, tlast) = row.last;
        PIN(tuples, tready) = cycle >= job->hold && !random.below(job->stall_tuples);
        PIN(tx, tready) = !random.below(job->stall_tx);
        top.eval();
        const Beat tuple{PIN(tuples, tdata), 0, PIN(tuples, tkeep), PIN(tuples, tlast), 0,
                         PIN(tuples, tvalid), {}};
        const Beat sent{PIN(tx, tdata), 0, PIN(tx, tkeep), PIN(tx, tlast), 0, PIN(tx, tvalid), {}};
        out->broken += tuples_rule.broken(tuple, PIN(tuples, tready));
        out->broken += tx_rule.broken(sent, PIN(tx, tready));
        if (tuple.valid && PIN(tuples, tready))
            put(job->tuples, out->tuples, job->room, tuple, cycle), quiet = 0;
        if (sent.valid && PIN(tx, tready)) put(job->tx, out->tx, job->room, sent, cycle), quiet = 0;
        if (top.events) {
            const Beat counted{top.events, 0, 0, 0, 0, 1, {}};
            put(job->events, out->events, job->room, counted, cycle), quiet = 0;
        }
        if (rx < job->rx_beats) out->refused += in.valid && !PIN(rx, tready), rx++, quiet = 0;
        if (offered && PIN(rows, tready)) rows++, offered = false, quiet = 0;
        if (cycle < job->hold) quiet = 0;
        clock();
    }
    out->cycles = cycle, out->rows = rows;
    top.final();
}
