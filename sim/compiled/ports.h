// The ports of a Verilated top as plain pointers, so the agents are compiled once for all tops. The
// generated text of each top fills in a Dut, and is compiled into a library of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

constexpr size_t storage(size_t bits) {  // bytes in which Verilator stores a port of this width
    return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : bits <= 64 ? 8 : (bits + 31) / 32 * 4;
}

struct Pin {  // a port, or no port if the pointer is null
    void* at = nullptr;
    size_t bits = 0;

    size_t bytes() const { return (bits + 7) / 8; }
    bool high() const { return *static_cast<const uint8_t*>(at); }
    void set(bool level) const { *static_cast<uint8_t*>(at) = level; }
    uint64_t number() const {  // for ports of at most 64 bits
        uint64_t value = 0;
        std::memcpy(&value, at, bytes());
        return value;
    }
    void put(uint64_t value) const {
        if (bits < 64) value &= (1ull << bits) - 1;
        std::memcpy(at, &value, bytes());
    }
    void rubbish(uint32_t seed) const {
        if (bits <= 64)
            put(seed * 0x100000001ull);
        else
            std::memset(at, static_cast<int>(seed), bytes());
    }
    void copy_to(void* to) const { copy(to, at, bytes()); }
    void copy_from(const void* from) const { copy(at, from, bytes()); }

  private:
    static void copy(void* to, const void* from, size_t bytes) {  // most copies have 4 or 32 bytes
        if (bytes == 4)
            std::memcpy(to, from, 4);
        else if (bytes == 32)
            std::memcpy(to, from, 32);
        else
            std::memcpy(to, from, bytes);
    }
};

struct StreamPort {
    std::string name;
    Pin valid, ready, data, keep, last, user;
};

struct Channel {  // a channel of AXI4 or AXI4-Lite
    Pin valid, ready;
};

struct AddressChannel : Channel {
    Pin id, addr, len, size, burst;
};

struct MemoryPort {
    std::string name;
    bool sram = false;  // true: always an ideal memory, never the DDR3 controller
    AddressChannel aw, ar;
    struct : Channel {
        Pin data, strb, last;
    } w;
    struct : Channel {
        Pin id, resp;
    } b;
    struct : Channel {
        Pin id, data, resp, last;
    } r;
};

struct RegisterPort {
    std::string name;
    struct : Channel {
        Pin addr, prot;
    } aw, ar;
    struct : Channel {
        Pin data, strb;
    } w;
    struct : Channel {
        Pin resp;
    } b;
    struct : Channel {
        Pin data, resp;
    } r;
};

class Dut {
  public:
    virtual ~Dut() = default;
    virtual void eval() = 0;

    Pin clock, reset_n;
    RegisterPort registers;
    std::vector<StreamPort> slaves, masters;
    std::vector<MemoryPort> memories;
};
