// Drives the Verilated top through its AXI ports, from and to arrays, and checks the rules of its
// streams in every cycle. Built together with one design: IN_BYTES and OUT_BYTES are the widths of
// s_axis_tdata and m_axis_tdata; IN_USER is defined where the design has s_axis_tuser.

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

#include "Vdut.h"
#include "verilated.h"

namespace {

constexpr size_t storage(size_t bytes) {  // how Verilator stores a port of that many bytes
    return bytes <= 1 ? 1 : bytes <= 2 ? 2 : bytes <= 4 ? 4 : bytes <= 8 ? 8 : (bytes + 3) / 4 * 4;
}
constexpr size_t IN_KEEP = (IN_BYTES + 7) / 8;
constexpr size_t OUT_KEEP = (OUT_BYTES + 7) / 8;
constexpr uint64_t NEVER = ~0ull;
constexpr int RESET_CYCLES = 8;
constexpr size_t MAX_VIOLATIONS = 16;
constexpr uint32_t PATIENT = 1u << 30;  // one output pause in four waits for tvalid

#define PORT_BYTES(port) sizeof(std::remove_reference_t<decltype(Vdut::port)>)
static_assert(PORT_BYTES(s_axis_tdata) == storage(IN_BYTES), "s_axis_tdata is not IN_BYTES wide");
static_assert(PORT_BYTES(s_axis_tkeep) == storage(IN_KEEP), "s_axis_tkeep is not IN_BYTES wide");
static_assert(PORT_BYTES(m_axis_tdata) == storage(OUT_BYTES), "m_axis_tdata is not OUT_BYTES wide");
static_assert(PORT_BYTES(m_axis_tkeep) == storage(OUT_KEEP), "m_axis_tkeep is not OUT_BYTES wide");

class Random {  // xorshift64*, seeded through splitmix64
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
    bool below(uint32_t threshold) { return threshold && next() < threshold; }
    void fill(void* to, size_t bytes) {
        auto* out = static_cast<uint8_t*>(to);
        for (size_t k = 0; k < bytes; ++k) out[k] = static_cast<uint8_t>(next());
    }

  private:
    uint64_t state_;
};

}  // namespace

extern "C" {

struct Access {  // one register access, made before beat `before` is offered, or at the end
    uint64_t before;
    uint32_t write, address, value;
};

struct Config {
    uint64_t beats, accesses, background, idle_limit, drain, reset_cycle, restart_beat;
    uint64_t packets;  // NEVER: as many as there are streams
    uint64_t seed;
    const uint8_t *data, *keep, *last, *user;
    Access* access;  // the value of a read is stored in place
    const uint32_t* background_address;
    uint32_t stall_input, stall_output, background_rate;  // thresholds of 32-bit random numbers
};

struct Stats {
    uint64_t cycles, accepted, input_stalled, output_stalled, first_input, last_input;
    uint64_t out_beats, out_before_reset, background_reads, violations;
    uint64_t beat, tlasts, tlasts_expected, accesses;  // how far the run has come
};

struct Violation {
    uint64_t cycle;
    uint32_t code;
};

enum Status { RUNNING = 0, DONE = 1, HANG = 2 };
}

namespace {

// Codes of violations; compiled.py holds their texts in the same order.
enum Code {
    WITHDRAWN, CHANGED, WAITS, IN_RESET, AFTER_LAST, B_WITHDRAWN, R_WITHDRAWN, R_CHANGED, B_EARLY,
    R_EARLY, B_ERROR, R_ERROR
};

struct Payload {  // of m_axis
    uint8_t data[OUT_BYTES], keep[OUT_KEEP], last;

    void copy(const Vdut& top) {
        std::memcpy(data, &top.m_axis_tdata, OUT_BYTES);
        std::memcpy(keep, &top.m_axis_tkeep, OUT_KEEP);
        last = top.m_axis_tlast;
    }
    bool same(const Vdut& top) const {
        return !std::memcmp(data, &top.m_axis_tdata, OUT_BYTES) &&
               !std::memcmp(keep, &top.m_axis_tkeep, OUT_KEEP) && last == top.m_axis_tlast;
    }
};

class Simulation {
  public:
    explicit Simulation(const Config& config)
        : c_(config), input_random_(3 * config.seed), output_random_(3 * config.seed + 1),
          register_random_(3 * config.seed + 2), context_(new VerilatedContext),
          top_(new Vdut(context_.get())) {
        stats.first_input = stats.last_input = stats.out_before_reset = NEVER;
        expect();
        top_->aclk = 0;
        top_->s_axil_awprot = 0;
        top_->s_axil_arprot = 0;
        top_->s_axil_wstrb = 15;
    }
    ~Simulation() { top_->final(); }

    Status run(uint64_t cycles) {
        for (; cycles; --cycles) {
            if (reset_left_) {
                reset_step();
                continue;
            }
            if (stats.cycles == c_.reset_cycle) {
                begin_reset();
                ++cycles;
                continue;
            }
            if (finished()) return DONE;
            if (idle_ >= c_.idle_limit) return HANG;
            step();
        }
        return RUNNING;
    }

    Stats stats{};
    std::vector<uint8_t> data, keep, last;
    std::vector<uint64_t> taken;
    std::vector<Violation> violations;

  private:
    enum Bus { IDLE, WRITE, READ };

    void violation(Code code) {
        if (violations.size() < MAX_VIOLATIONS) violations.push_back({stats.cycles, code});
        ++stats.violations;
    }

    bool streams_done() const { return stats.beat == c_.beats && stats.tlasts >= stats.tlasts_expected; }
    bool finished() const {
        return streams_done() && quiet_ >= c_.drain && stats.accesses == c_.accesses && bus_ == IDLE;
    }

    void begin_reset() {
        stats.out_before_reset = stats.out_beats;
        c_.reset_cycle = NEVER;
        reset_left_ = RESET_CYCLES;
        stats.beat = c_.restart_beat;
        stats.accesses = 0;
        offered_ = held_ = patient_ = b_held_ = r_held_ = aw_ = w_ = ar_ = false;
        bus_ = IDLE;
        quiet_ = idle_ = 0;
        expect();
    }

    void expect() {
        stats.tlasts = 0;
        if (c_.packets != NEVER) {  // all after a reset that is still to come
            stats.tlasts_expected = c_.reset_cycle == NEVER ? c_.packets : NEVER;
            return;
        }
        stats.tlasts_expected = 0;
        for (uint64_t k = stats.beat; k < c_.beats; ++k) stats.tlasts_expected += c_.last[k];
    }

    void reset_step() {
        top_->aresetn = 0;
        top_->s_axis_tvalid = 0;
        top_->m_axis_tready = output_random_.next() & 1;
        top_->s_axil_awvalid = top_->s_axil_wvalid = top_->s_axil_arvalid = 0;
        top_->s_axil_bready = top_->s_axil_rready = 0;
        top_->aclk = 0;
        top_->eval();
        if (reset_left_ < RESET_CYCLES - 1 &&
            (top_->m_axis_tvalid || top_->s_axil_bvalid || top_->s_axil_rvalid))
            violation(IN_RESET);
        top_->aclk = 1;
        top_->eval();
        if (!--reset_left_) top_->aresetn = 1;
    }

    void step() {
        drive_input();
        drive_registers();
        top_->aclk = 0;
        drive_output_and_settle();
        ++idle_;
        take_input();
        take_output();
        take_registers();
        top_->aclk = 1;
        top_->eval();
        ++stats.cycles;
        if (streams_done()) ++quiet_;
    }

    void drive_input() {
        if (offered_) return;
        bool gate = stats.accesses == c_.accesses || c_.access[stats.accesses].before > stats.beat;
        offered_ = stats.beat < c_.beats && gate && !input_random_.below(c_.stall_input);
        top_->s_axis_tvalid = offered_;
        if (offered_) {
            std::memcpy(&top_->s_axis_tdata, c_.data + stats.beat * IN_BYTES, IN_BYTES);
            std::memcpy(&top_->s_axis_tkeep, c_.keep + stats.beat * IN_KEEP, IN_KEEP);
            top_->s_axis_tlast = c_.last[stats.beat];
#ifdef IN_USER
            top_->s_axis_tuser = c_.user[stats.beat];
#endif
        } else {  // rubbish that a design must not look at
            input_random_.fill(&top_->s_axis_tdata, IN_BYTES);
            top_->s_axis_tlast = input_random_.next() & 1;
#ifdef IN_USER
            top_->s_axis_tuser = input_random_.next() & 1;
#endif
        }
    }

    // In a run with stalls the output is also seen with the other tready, in the same cycle: tvalid
    // and its payload must not depend on it.
    void drive_output_and_settle() {
        bool ready = !patient_ && !output_random_.below(c_.stall_output);
        if (!ready && !patient_) patient_ = output_random_.below(PATIENT);
        bool valid = false;
        if (c_.stall_output) {
            top_->m_axis_tready = !ready;
            top_->eval();
            valid = top_->m_axis_tvalid;
            other_.copy(*top_);
        }
        top_->m_axis_tready = ready;
        top_->eval();
        if (top_->m_axis_tvalid) patient_ = false;
        if (c_.stall_output && (valid != static_cast<bool>(top_->m_axis_tvalid) ||
                                (valid && !other_.same(*top_))))
            violation(WAITS);
    }

    void take_input() {
        if (!offered_) return;
        if (!top_->s_axis_tready) {
            ++stats.input_stalled;
            return;
        }
        if (stats.first_input == NEVER) stats.first_input = stats.cycles;
        stats.last_input = stats.cycles;
        offered_ = false;
        ++stats.beat;
        ++stats.accepted;
        idle_ = 0;
    }

    void take_output() {
        if (held_) {
            if (!top_->m_axis_tvalid)
                violation(WITHDRAWN);
            else if (!stalled_.same(*top_))
                violation(CHANGED);
        }
        held_ = top_->m_axis_tvalid && !top_->m_axis_tready;
        if (held_) {
            ++stats.output_stalled;
            stalled_.copy(*top_);
        }
        if (!top_->m_axis_tvalid || !top_->m_axis_tready) return;
        if (stats.tlasts >= stats.tlasts_expected) violation(AFTER_LAST);
        append(data, &top_->m_axis_tdata, OUT_BYTES);
        append(keep, &top_->m_axis_tkeep, OUT_KEEP);
        last.push_back(top_->m_axis_tlast);
        taken.push_back(stats.cycles);
        ++stats.out_beats;
        stats.tlasts += top_->m_axis_tlast;
        idle_ = 0;
    }

    static void append(std::vector<uint8_t>& to, const void* from, size_t bytes) {
        auto* start = static_cast<const uint8_t*>(from);
        to.insert(to.end(), start, start + bytes);
    }

    // One access at a time; the order of address and data, and the delays, are random.
    void drive_registers() {
        if (bus_ == IDLE && stats.accesses < c_.accesses && due(c_.access[stats.accesses])) {
            planned_ = true;
            start(c_.access[stats.accesses].write ? WRITE : READ, c_.access[stats.accesses].address);
            top_->s_axil_wdata = c_.access[stats.accesses].value;
        } else if (bus_ == IDLE && c_.background && register_random_.below(c_.background_rate)) {
            planned_ = false;
            start(READ, c_.background_address[register_random_.next() % c_.background]);
        }
        auto go = [this] { return register_random_.below(1u << 31); };
        top_->s_axil_awvalid = aw_ && (top_->s_axil_awvalid || go());
        top_->s_axil_wvalid = w_ && (top_->s_axil_wvalid || go());
        top_->s_axil_arvalid = ar_ && (top_->s_axil_arvalid || go());
        top_->s_axil_bready = bus_ == WRITE && go();
        top_->s_axil_rready = bus_ == READ && go();
    }
    bool due(const Access& access) const {
        if (access.before == NEVER) return streams_done() && quiet_ >= c_.drain;
        return access.before <= stats.beat;
    }
    void start(Bus bus, uint32_t address) {
        bus_ = bus;
        aw_ = w_ = bus == WRITE;
        ar_ = bus == READ;
        (bus == WRITE ? top_->s_axil_awaddr : top_->s_axil_araddr) = address;
    }

    void take_registers() {
        bool b = top_->s_axil_bvalid, r = top_->s_axil_rvalid;
        if (b_held_ && !b) violation(B_WITHDRAWN);
        if (r_held_ && !r) violation(R_WITHDRAWN);
        if (r_held_ && r && r_value_ != top_->s_axil_rdata) violation(R_CHANGED);
        if (b && (bus_ != WRITE || aw_ || w_)) violation(B_EARLY);
        if (r && (bus_ != READ || ar_)) violation(R_EARLY);
        b_held_ = b && !top_->s_axil_bready;
        r_held_ = r && !top_->s_axil_rready;
        r_value_ = top_->s_axil_rdata;
        if (bus_ == IDLE) return;
        aw_ = aw_ && !(top_->s_axil_awvalid && top_->s_axil_awready);
        w_ = w_ && !(top_->s_axil_wvalid && top_->s_axil_wready);
        ar_ = ar_ && !(top_->s_axil_arvalid && top_->s_axil_arready);
        bool answered = bus_ == WRITE ? b && top_->s_axil_bready : r && top_->s_axil_rready;
        if (!answered) return;
        if (bus_ == WRITE && top_->s_axil_bresp) violation(B_ERROR);
        if (bus_ == READ && top_->s_axil_rresp) violation(R_ERROR);
        bus_ = IDLE;
        if (!planned_) {
            ++stats.background_reads;
            return;
        }
        if (!c_.access[stats.accesses].write) c_.access[stats.accesses].value = top_->s_axil_rdata;
        ++stats.accesses;
        idle_ = 0;
    }

  private:
    Config c_;
    Random input_random_, output_random_, register_random_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vdut> top_;
    int reset_left_ = RESET_CYCLES;
    uint64_t quiet_ = 0, idle_ = 0;
    bool offered_ = false, held_ = false, patient_ = false;
    Payload other_, stalled_;
    Bus bus_ = IDLE;
    bool aw_ = false, w_ = false, ar_ = false, planned_ = false, b_held_ = false, r_held_ = false;
    uint32_t r_value_ = 0;
};

}  // namespace

// The C interface. The pointers in a Config must live as long as the simulation.
extern "C" {

void* simulation_new(const Config* config) { return new Simulation(*config); }
int simulation_run(void* s, uint64_t cycles) { return static_cast<Simulation*>(s)->run(cycles); }
void simulation_stats(void* s, Stats* to) { *to = static_cast<Simulation*>(s)->stats; }
void simulation_output(void* s, uint8_t* data, uint8_t* keep, uint8_t* last, uint64_t* taken) {
    auto* from = static_cast<Simulation*>(s);
    std::memcpy(data, from->data.data(), from->data.size());
    std::memcpy(keep, from->keep.data(), from->keep.size());
    std::memcpy(last, from->last.data(), from->last.size());
    std::memcpy(taken, from->taken.data(), 8 * from->taken.size());
}
int simulation_violations(void* s, Violation* to) {
    auto& from = static_cast<Simulation*>(s)->violations;
    std::memcpy(to, from.data(), sizeof(Violation) * from.size());
    return static_cast<int>(from.size());
}
void simulation_delete(void* s) { delete static_cast<Simulation*>(s); }
}
