// A burst with the lines of 64 bytes that it touches, and the interface of memories.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "contents.h"

// No burst crosses 4 KiB, so none has more than 64 lines, whatever the width of the bus.
struct Burst {
    bool write;
    uint64_t id, address;
    unsigned beats, size;          // beats have 2**size bytes
    uint64_t first;                // index of the first line
    unsigned lines;                // number of touched lines
    unsigned passed = 0;           // beats of data transferred on the bus
    std::vector<uint8_t> data;     // data of all lines
    std::vector<uint64_t> strobe;  // for each line: a bit for each written byte
    std::vector<uint8_t> response; // response for each line
    uint64_t due = 0;              // cycle of the answer, set by the back end

    Burst(bool write, uint64_t id, uint64_t address, unsigned beats, unsigned size)
        : write(write), id(id), address(address), beats(beats), size(size), first(address / LINE) {
        lines = static_cast<unsigned>((at(beats - 1) | ((1u << size) - 1)) / LINE - first + 1);
        data.resize(lines * LINE);
        strobe.resize(lines);
        response.resize(lines);
    }
    // Returns the address of a beat; only the first beat may be unaligned.
    uint64_t at(unsigned beat) const {
        return beat ? (address >> size << size) + (static_cast<uint64_t>(beat) << size) : address;
    }
    uint64_t end(unsigned beat) const { return (at(beat) | ((1ull << size) - 1)) + 1; }
    uint8_t worst() const { return *std::max_element(response.begin(), response.end()); }
};

// The memory behind one master's port. It completes bursts in any order, and each burst line by
// line. The caller keeps bursts of one id in order.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual void begin(Burst& burst) = 0;              // starts a read, or a write with all data
    virtual unsigned lines(const Burst& burst) = 0;    // number of lines that are read or written
    virtual void answered(Burst&) {}                   // called when a write's answer is offered
    virtual void step() {}                             // called at the end of each cycle
    virtual void begin_reset() {}                      // drops all bursts
};
