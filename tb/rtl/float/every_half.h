// All pairs of half precision, against what doubles say of them: those hold every sum of two halves
// without rounding, and order numbers as IEEE-754 does but for zeros.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

constexpr uint32_t HALVES = 1 << 16;
constexpr uint16_t HALF_NAN = 0x7e00;
constexpr uint64_t NONE = ~uint64_t{0};

inline double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = std::ldexp(exponent ? 1024 + mantissa : mantissa, (exponent ? exponent : 1) - 25);
    if (exponent == 31) value = mantissa ? NAN : INFINITY;
    return bits >> 15 ? -value : value;
}

// Rounded to nearest, ties to even, which is how nearbyint() rounds.
inline uint16_t half_bits(double value) {
    if (std::isnan(value)) return HALF_NAN;
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    value = std::fabs(value);
    if (value >= 65520) return sign | 0x7c00;
    if (value < 0x1p-14) return sign | static_cast<uint16_t>(std::nearbyint(value * 0x1p24));
    const int exponent = std::ilogb(value);
    const int units = static_cast<int>(std::nearbyint(std::ldexp(value, 10 - exponent)));
    return sign | static_cast<uint16_t>(((exponent + 14) << 10) + units);
}

inline const std::vector<double>& half_values() {
    static const std::vector<double> values = [] {
        std::vector<double> made;
        for (uint32_t bits = 0; bits < HALVES; ++bits) made.push_back(half_value(bits));
        return made;
    }();
    return values;
}

// The first pair, left << 16 | right, with a left from `begin` to before `end` of which the pipeline
// gives another sum; NONE if there is none.
template <class Model>
uint64_t check_sums(Model& model, uint32_t begin, uint32_t end, int latency) {
    const std::vector<double>& values = half_values();
    const uint64_t first = uint64_t{begin} << 16, behind = uint64_t{end} << 16;
    model.rst = 0;
    model.enable = 1;
    for (uint64_t k = first; k < behind + latency; ++k) {
        model.left = k >> 16 & 0xffff;
        model.right = k & 0xffff;
        model.clk = 0;
        model.eval();
        if (k >= first + latency) {
            const uint64_t pair = k - latency;
            if (model.sum != half_bits(values[pair >> 16] + values[pair & 0xffff])) return pair;
        }
        model.clk = 1;
        model.eval();
    }
    return NONE;
}

// The same for `less` and `equal` of the model, without pipeline; pairs with a NaN are left out.
template <class Model> uint64_t check_order(Model& model, uint32_t begin, uint32_t end) {
    const std::vector<double>& values = half_values();
    for (uint64_t pair = uint64_t{begin} << 16; pair < uint64_t{end} << 16; ++pair) {
        const double left = values[pair >> 16], right = values[pair & 0xffff];
        if (std::isnan(left) || std::isnan(right)) continue;
        model.left = pair >> 16;
        model.right = pair & 0xffff;
        model.eval();
        const bool signs = std::signbit(left) > std::signbit(right);
        const bool less = left < right || (left == right && signs);
        const bool equal = left == right && std::signbit(left) == std::signbit(right);
        if (model.less != less || model.descends != (!less && !equal) || model.equal != equal)
            return pair;
    }
    return NONE;
}
