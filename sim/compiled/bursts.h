// A burst as the lines of 64 bytes that it touches, and what answers bursts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contents.h"

// No burst crosses 4 KiB, so none has more than 64 lines, whatever the width of the bus.
struct Burst {
    bool write;
    uint64_t id, address;
    unsigned beats, size;          // of 2**size bytes each
    uint64_t first;                // number of the first line
    unsigned lines;                // how many it touches
    unsigned passed = 0;           // beats of data that have passed on the bus
    std::vector<uint8_t> data;     // of all lines
    std::vector<uint64_t> strobe;  // of each line: which bytes are written
    std::vector<uint8_t> response; // of each line
    uint64_t due = 0;              // for the back end

    Burst(bool write, uint64_t id, uint64_t address, unsigned beats, unsigned size)
        : write(write), id(id), address(address), beats(beats), size(size), first(address / LINE) {
        lines = static_cast<unsigned>((at(beats - 1) | ((1u << size) - 1)) / LINE - first + 1);
        data.resize(lines * LINE);
        strobe.resize(lines);
        response.resize(lines);
    }
    // Address of a beat: only the first may lie askew.
    uint64_t at(unsigned beat) const {
        return beat ? (address >> size << size) + (static_cast<uint64_t>(beat) << size) : address;
    }
    uint64_t end(unsigned beat) const { return (at(beat) | ((1ull << size) - 1)) + 1; }
    uint8_t worst() const { return *std::max_element(response.begin(), response.end()); }
};

// What is behind one master's port. It answers bursts in any order, but each line by line; that
// those of one id keep theirs is seen to by who asks.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual void begin(Burst& burst) = 0;              // a read; or a write with all of its data
    virtual unsigned lines(const Burst& burst) = 0;    // how many of its lines are read or written
    virtual void answered(Burst&) {}                   // a write's answer is offered now
    virtual void step() {}                             // a cycle is over
    virtual void begin_reset() {}                      // all bursts are forgotten
};
