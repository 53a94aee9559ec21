// Random numbers: xorshift64*, seeded through splitmix64.
#pragma once

#include <cstddef>
#include <cstdint>

class Random {
  public:
    explicit Random(uint64_t seed) {
        seed += 0x9e3779b97f4a7c15ull;
        seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9ull;
        seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebull;
        state_ = (seed ^ (seed >> 31)) | 1;
    }
    uint32_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<uint32_t>((state_ * 0x2545f4914f6cdd1dull) >> 32);
    }
    // Returns true with probability `threshold` / 2**32.
    bool below(uint32_t threshold) { return threshold && next() < threshold; }
    void fill(void* to, size_t bytes) {
        auto* out = static_cast<uint8_t*>(to);
        for (size_t k = 0; k < bytes; ++k) out[k] = static_cast<uint8_t>(next());
    }

  private:
    uint64_t state_;
};

// Each agent of a run has its own random stream, by its `role` (0 source, 1 sink, 2 registers, from
// 3 on memories) and the `index` of its port among ports of the same role.
inline Random random_of(uint64_t seed, uint64_t role, uint64_t index) {
    return Random(3 * seed + role + (index << 40));
}
