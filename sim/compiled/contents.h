// Contents of a memory, in pages of 4 KiB that exist once a byte was set.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>

constexpr uint64_t LINE = 64, PAGE = 4096;

class Contents {
  public:
    using Page = std::array<uint8_t, PAGE>;

    explicit Contents(uint8_t fill) { blank_.fill(fill); }

    const uint8_t* line(uint64_t number) const {
        auto found = pages.find(number * LINE / PAGE);
        return &(found == pages.end() ? blank_ : found->second)[number * LINE % PAGE];
    }
    void write_line(uint64_t number, const uint8_t* bytes, uint64_t strobes) {
        uint8_t* to = at(number * LINE);
        if (strobes == ~0ull) {
            std::memcpy(to, bytes, LINE);
            return;
        }
        for (unsigned k = 0; k < LINE; ++k)
            if (strobes >> k & 1) to[k] = bytes[k];
    }
    void preset(uint64_t address, const uint8_t* bytes, uint64_t count) {
        for (uint64_t k = 0; k < count; ++k) *at(address + k) = bytes[k];
    }
    std::unordered_map<uint64_t, Page> pages;  // by address / PAGE

  private:
    uint8_t* at(uint64_t address) { return &pages.try_emplace(address / PAGE, blank_).first->second[address % PAGE]; }

    Page blank_;
};
