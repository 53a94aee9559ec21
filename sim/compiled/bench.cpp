// Simulates one top with clock, reset and agents that read and write arrays; has a C interface.

#include "axi_memory.h"
#include "ddr3.h"
#include "ideal.h"
#include "registers.h"
#include "streams.h"

namespace {
constexpr int RESET_CYCLES = 8;
}

extern "C" {

struct Config {  // its pointers must be valid as long as the simulation exists
    uint64_t accesses, background, idle_limit, drain, limit, reset_cycle, seed;
    const Feed* feeds;      // one for each slave
    const Wanted* wanted;   // one for each master
    Access* access;
    const uint32_t* background_address;
    const Fault* faults;
    Dut* (*make_dut)();
    const Ddr3Library* ddr3;  // null for an ideal memory
    uint64_t fault_count, latency, delay, fill;
    uint64_t hold_output;  // no sink accepts a beat before this cycle
    Pace pace;
    SoftReset soft;  // used at the reset cycle instead of a reset by the pin
    uint32_t early;  // registers may be written once the preceding stream has begun
    uint32_t stall_input, stall_output, background_rate;  // probabilities as thresholds of 32-bit random numbers
};

struct Stats {
    uint64_t cycles, background_reads, violations, accesses, reset_done, pages, soft_written;
};

enum Status { RUNNING = 0, DONE = 1, HANG = 2 };
}

namespace {

class Simulation {
  public:
    explicit Simulation(const Config& config)
        : contents(static_cast<uint8_t>(config.fill)), c_(config), dut_(c_.make_dut()),
          random_(random_of(c_.seed, 5, 0)),
          registers_(dut_->registers, c_.access, c_.accesses, c_.background_address, c_.background, c_.background_rate,
                     random_of(c_.seed, 2, 0), violations) {
        for (size_t k = 0; k < dut_->slaves.size(); ++k)
            sources.emplace_back(dut_->slaves[k], c_.feeds[k], c_.stall_input, random_of(c_.seed, 0, k));
        for (size_t k = 0; k < dut_->masters.size(); ++k)
            sinks.emplace_back(dut_->masters[k], c_.wanted[k], c_.stall_output, random_of(c_.seed, 1, k), violations);
        if (c_.ddr3) ddr3_ = std::make_unique<Ddr3>(*c_.ddr3);
        for (size_t k = 0; k < dut_->memories.size(); ++k)
            memories.emplace_back(dut_->memories[k], backend(k), c_.pace, random_of(c_.seed, 4, k), violations);
        twice_ = c_.stall_output || c_.hold_output || (c_.pace.stall && !memories.empty());
        dut_->clock.set(false);
    }

    // Prepares the next job after the end of the previous one, without a reset; cycles continue.
    void again(const Config& config) {
        registers_.plan(config.access, config.accesses);
        for (size_t k = 0; k < sources.size(); ++k) sources[k].feed(config.feeds[k]);
        for (size_t k = 0; k < sinks.size(); ++k) sinks[k].want(config.wanted[k]);
        c_.drain = config.drain;
        c_.idle_limit = config.idle_limit;
        quiet_ = idle_ = 0;
    }

    Status run(uint64_t cycles) {
        for (; cycles; --cycles) {
            if (reset_left_) {
                reset_step();
                continue;
            }
            if (stats.cycles == c_.reset_cycle) {
                c_.reset_cycle = NEVER;
                stats.reset_done = 1;
                c_.soft.control ? begin_soft_reset() : begin_reset();
                ++cycles;
                continue;
            }
            if (finished()) return DONE;
            if (idle_ >= c_.idle_limit || stats.cycles >= c_.limit) return HANG;
            step();
        }
        return RUNNING;
    }
    Stats counts() {
        stats.background_reads = registers_.background.size();
        stats.soft_written = registers_.soft_written;
        stats.accesses = registers_.next;
        stats.violations = violations.count;
        stats.pages = contents.pages.size();
        return stats;
    }

    const std::vector<Seen>& background() const { return registers_.background; }

    Violations violations;
    std::vector<Source> sources;
    std::vector<Sink> sinks;
    std::vector<MemoryAgent> memories;
    Contents contents;

  private:
    std::unique_ptr<Backend> backend(size_t port) {
        if (ddr3_ && !dut_->memories[port].sram) return std::make_unique<Ddr3Backend>(ddr3_->ports[used_++]);
        return std::make_unique<Ideal>(contents, c_.latency, c_.delay, c_.faults, c_.fault_count,
                                       random_of(c_.seed, 3, port));
    }

    bool streams_done() const {
        for (auto& source : sources)
            if (!source.done()) return false;
        for (auto& sink : sinks)
            if (!sink.done()) return false;
        return true;
    }
    bool quiet() const {
        return quiet_ >= c_.drain && stats.cycles >= c_.hold_output + c_.drain && streams_done();
    }
    bool finished() const {
        if (!quiet() || registers_.planned() || !registers_.idle()) return false;
        for (auto& memory : memories)
            if (!memory.idle()) return false;
        return true;
    }
    // True if the next register access may begin: all streams before its stream are accepted. With
    // `early` it is sometimes enough that the preceding stream has begun.
    bool due() {
        if (!registers_.planned()) return false;
        uint64_t stream = registers_.upcoming().stream;
        if (stream == NEVER) return quiet();
        bool begun = c_.early && stream && random_.below(1u << 28);
        for (auto& source : sources)
            if (source.stats.beat < (begun ? source.start(stream - 1) + 1 : source.start(stream))) return false;
        return true;
    }

    // Starts a soft reset: all streams continue, or with `wait` only the streams that have begun.
    void begin_soft_reset() {
        registers_.begin_soft_reset(c_.soft);
        for (auto& memory : memories) memory.meet_reset();
        for (auto& source : sources) ends_.push_back(c_.soft.wait ? source.end_of_begun() : NEVER);
    }
    void begin_reset() {
        reset_left_ = RESET_CYCLES;
        quiet_ = idle_ = 0;
        for (auto& source : sources) source.begin_reset();
        for (auto& sink : sinks) sink.begin_reset();
        for (auto& memory : memories) memory.begin_reset();
        registers_.begin_reset();
    }
    void reset_step() {
        dut_->reset_n.set(false);
        for (auto& sink : sinks) sink.in_reset();
        if (ddr3_) ddr3_->step(true);
        for (auto& memory : memories) memory.in_reset();
        dut_->clock.set(false);
        dut_->eval();
        if (reset_left_ < RESET_CYCLES - 1) {
            for (auto& sink : sinks) sink.watch.check_in_reset(stats.cycles);
            for (auto& memory : memories) memory.check_in_reset(stats.cycles);
            registers_.check_in_reset(stats.cycles);
        }
        dut_->clock.set(true);
        dut_->eval();
        if (!--reset_left_) dut_->reset_n.set(true);
    }

    void step() {
        bool waits = registers_.planned() && registers_.upcoming().stream != NEVER;
        bool soft = registers_.soft();
        for (size_t k = 0; k < sources.size(); ++k) {
            uint64_t gate = waits ? sources[k].start(registers_.upcoming().stream) : NEVER;
            sources[k].drive(soft ? std::min(gate, ends_[k]) : gate);
        }
        registers_.drive(due());
        for (auto& memory : memories) memory.drive(stats.cycles);
        dut_->clock.set(false);
        settle();
        ++idle_;
        take();
        dut_->clock.set(true);
        dut_->eval();
        ++stats.cycles;
        if (streams_done()) ++quiet_;
    }

    // In a run with stalls, outputs are also sampled with every ready inverted in the same cycle,
    // because valid and payload must not depend on ready.
    void settle() {
        chosen_.resize(sinks.size());
        for (size_t k = 0; k < sinks.size(); ++k) chosen_[k] = sinks[k].choose() && stats.cycles >= c_.hold_output;
        if (twice_) {
            for (size_t k = 0; k < sinks.size(); ++k) sinks[k].watch.set_ready(!chosen_[k]);
            for (auto& memory : memories) memory.probe_ready();
            dut_->eval();
            for (auto& sink : sinks) sink.watch.probe();
            for (auto& memory : memories) memory.probe();
        }
        for (size_t k = 0; k < sinks.size(); ++k) sinks[k].watch.set_ready(chosen_[k]);
        for (auto& memory : memories) memory.settle_ready();
        dut_->eval();
        for (auto& sink : sinks) sink.settled();
        if (!twice_) return;
        for (auto& sink : sinks) sink.watch.compare(stats.cycles);
        for (auto& memory : memories) memory.compare(stats.cycles);
    }

    void take() {
        if (ddr3_) ddr3_->step(false);
        bool moved = registers_.take(stats.cycles);
        for (auto& source : sources) moved |= source.take(stats.cycles);
        for (auto& sink : sinks) {
            bool taken = sink.take(stats.cycles);
            if (taken && !sink.awaited()) quiet_ = 0;
            moved |= taken;
        }
        for (auto& memory : memories) moved |= memory.take(stats.cycles);
        if (moved) idle_ = 0;
    }

    Config c_;
    std::unique_ptr<Dut> dut_;
    std::unique_ptr<Ddr3> ddr3_;
    size_t used_ = 0;  // number of used controller ports
    Stats stats{};
    Random random_;
    RegisterMaster registers_;
    std::vector<uint8_t> chosen_;
    std::vector<uint64_t> ends_;  // during a soft reset: index after the last beat of each source
    bool twice_ = false;
    int reset_left_ = RESET_CYCLES;
    uint64_t quiet_ = 0, idle_ = 0;
};

Simulation& of(void* s) { return *static_cast<Simulation*>(s); }

}  // namespace

extern "C" {

void* simulation_new(const Config* config) { return new Simulation(*config); }
void simulation_again(void* s, const Config* config) { of(s).again(*config); }
int simulation_run(void* s, uint64_t cycles) { return of(s).run(cycles); }
void simulation_stats(void* s, Stats* to) { *to = of(s).counts(); }
void simulation_source(void* s, int k, FeedStats* to) { *to = of(s).sources[k].stats; }
void simulation_sink(void* s, int k, SinkStats* to) { *to = of(s).sinks[k].stats; }
void simulation_memory(void* s, int k, MemoryStats* to) { *to = of(s).memories[k].stats; }
void simulation_output(void* s, int k, uint8_t* data, uint8_t* keep, uint8_t* last, uint8_t* user, uint64_t* taken) {
    auto& from = of(s).sinks[k];
    std::memcpy(data, from.data.data(), from.data.size());
    std::memcpy(keep, from.keep.data(), from.keep.size());
    std::memcpy(last, from.last.data(), from.last.size());
    std::memcpy(user, from.user.data(), from.user.size());
    std::memcpy(taken, from.taken.data(), 8 * from.taken.size());
}
void simulation_taken(void* s, int k, uint64_t* to) {
    auto& taken = of(s).sources[k].taken;
    std::memcpy(to, taken.data(), 8 * taken.size());
}
void simulation_background(void* s, Seen* to) {
    auto& seen = of(s).background();
    std::memcpy(to, seen.data(), sizeof(Seen) * seen.size());
}
void simulation_preset(void* s, uint64_t address, const uint8_t* bytes, uint64_t count) {
    of(s).contents.preset(address, bytes, count);
}
void simulation_contents(void* s, uint64_t* address, uint8_t* bytes) {
    for (auto& [number, page] : of(s).contents.pages) {
        *address++ = number * PAGE;
        std::memcpy(bytes, page.data(), PAGE);
        bytes += PAGE;
    }
}
const char* simulation_violation(void* s, int k) {
    auto& texts = of(s).violations.texts;
    return static_cast<size_t>(k) < texts.size() ? texts[k].c_str() : nullptr;
}
void simulation_delete(void* s) { delete static_cast<Simulation*>(s); }
}
