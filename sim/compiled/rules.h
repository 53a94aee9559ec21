// Checks the rules of a channel that the design drives in every cycle, and records violations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ports.h"

class Violations {  // texts of the first few violations, and the count of all
  public:
    void add(const std::string& channel, const std::string& what, uint64_t cycle) {
        if (texts.size() < 16) texts.push_back(channel + ": " + what + " (cycle " + std::to_string(cycle) + ")");
        ++count;
    }
    std::vector<std::string> texts;
    uint64_t count = 0;
};

// Checks a channel: valid and payload remain until ready is high, neither depends on ready in the
// same cycle, and valid is low during reset.
class Watch {
  public:
    Watch(std::string name, Pin valid, Pin ready, std::vector<Pin> payload, Violations& violations)
        : name_(std::move(name)), valid_(valid), ready_(ready), payload_(std::move(payload)), violations_(violations) {
        size_t size = 0;
        for (auto& pin : payload_) size += pin.bytes();
        stalled_.resize(size);
        probed_.resize(size);
    }
    bool valid() const { return valid_.high(); }
    bool taken() const { return valid_.high() && ready_.high(); }
    bool stalled() const { return held_; }
    bool quiet() const { return !held_ && !valid(); }
    void set_ready(bool ready) { ready_.set(ready); }

    // Records valid and payload while ready has the opposite level ...
    void probe() {
        probe_valid_ = valid();
        if (probe_valid_) copy(probed_);
    }
    // ... and compares them with valid and payload at the actual level in the same cycle.
    void compare(uint64_t cycle) {
        if (probe_valid_ != valid() || (probe_valid_ && !same(probed_)))
            broken("valid or its payload depends on ready in the same cycle", cycle);
    }
    // Checks valid and payload at the rising edge.
    void check(uint64_t cycle) {
        if (held_) check_held(cycle);
        held_ = valid() && !ready_.high();
        if (held_) copy(stalled_);
    }
    void check_in_reset(uint64_t cycle) {
        if (valid()) broken("valid during reset", cycle);
    }
    void forget() { held_ = false; }
    void broken(const std::string& what, uint64_t cycle) { violations_.add(name_, what, cycle); }

  private:
    void check_held(uint64_t cycle) {
        if (!valid())
            broken("valid withdrawn before ready", cycle);
        else if (!same(stalled_))
            broken("payload changed before ready", cycle);
    }
    void copy(std::vector<uint8_t>& to) const {
        size_t at = 0;
        for (auto& pin : payload_) pin.copy_to(&to[at]), at += pin.bytes();
    }
    bool same(const std::vector<uint8_t>& with) const {
        size_t at = 0;
        for (auto& pin : payload_) {
            if (std::memcmp(&with[at], pin.at, pin.bytes())) return false;
            at += pin.bytes();
        }
        return true;
    }

    std::string name_;
    Pin valid_, ready_;
    std::vector<Pin> payload_;
    Violations& violations_;
    std::vector<uint8_t> stalled_, probed_;
    bool held_ = false, probe_valid_ = false;
};
