// The register master: it makes the planned accesses in order, and background reads at random times.
// The order of a write's address and data, and all delays, are random.
#pragma once

#include "random.h"
#include "rules.h"

constexpr uint64_t NEVER = ~0ull;

struct Access {  // made before the streams of index `stream`; NEVER: at the end
    uint64_t stream;
    uint32_t write, address, value;  // a read stores its result in `value`
};

struct Seen {  // a background read; `cycle` is when its address was accepted
    uint64_t cycle;
    uint32_t address, value;
};

struct SoftReset {  // control: the register's address, 0 without a reset; busy: mask in status
    uint32_t control, status, busy, wait;
};

class RegisterMaster {
  public:
    RegisterMaster(const RegisterPort& port, Access* access, uint64_t count, const uint32_t* background,
                   uint64_t backgrounds, uint32_t rate, Random random, Violations& violations)
        : port_(port), access_(access), count_(count), background_(background), backgrounds_(backgrounds),
          rate_(rate), random_(random), b_(port.name + "_b", port.b.valid, port.b.ready, {port.b.resp}, violations),
          r_(port.name + "_r", port.r.valid, port.r.ready, {port.r.data, port.r.resp}, violations) {
        port_.aw.prot.put(0);
        port_.ar.prot.put(0);
        port_.w.strb.put(15);
    }

    void plan(Access* access, uint64_t count) {  // sets the next accesses, once all previous ones are made
        access_ = access;
        count_ = count;
        next = 0;
    }
    bool planned() const { return next < count_; }  // true if planned accesses remain
    const Access& upcoming() const { return access_[next]; }
    bool idle() const { return bus_ == IDLE && !soft(); }
    // True during a soft reset, which comes between other accesses; with `wait` it ends when not busy.
    bool soft() const { return soft_.control; }
    void begin_soft_reset(const SoftReset& soft) { soft_ = soft; }

    void drive(bool due) {  // due: the next planned access may begin
        if (bus_ == IDLE && soft()) {
            purpose_ = SOFT;
            address_ = soft_written == NEVER ? soft_.control : soft_.status;
            start(soft_written == NEVER ? WRITE : READ, address_);
            port_.w.data.put(1);
        } else if (bus_ == IDLE && planned() && due) {
            purpose_ = PLANNED;
            start(access_[next].write ? WRITE : READ, access_[next].address);
            port_.w.data.put(access_[next].value);
        } else if (bus_ == IDLE && backgrounds_ && random_.below(rate_)) {
            purpose_ = BACKGROUND;
            address_ = background_[random_.next() % backgrounds_];
            start(READ, address_);
        }
        if (bus_ == IDLE && still_) return;
        still_ = bus_ == IDLE;
        auto go = [this] { return random_.below(1u << 31); };
        port_.aw.valid.set(aw_ && (port_.aw.valid.high() || go()));
        port_.w.valid.set(w_ && (port_.w.valid.high() || go()));
        port_.ar.valid.set(ar_ && (port_.ar.valid.high() || go()));
        port_.b.ready.set(bus_ == WRITE && go());
        port_.r.ready.set(bus_ == READ && go());
    }

    bool take(uint64_t cycle) {  // returns true if a planned access has ended
        if (still_ && b_.quiet() && r_.quiet()) return false;
        if (b_.valid() && (bus_ != WRITE || aw_ || w_)) b_.broken("valid without a write", cycle);
        if (r_.valid() && (bus_ != READ || ar_)) r_.broken("valid without a read", cycle);
        b_.check(cycle);
        r_.check(cycle);
        if (bus_ == IDLE) return false;
        if (ar_ && port_.ar.valid.high() && port_.ar.ready.high()) asked_ = cycle;
        aw_ = aw_ && !(port_.aw.valid.high() && port_.aw.ready.high());
        w_ = w_ && !(port_.w.valid.high() && port_.w.ready.high());
        ar_ = ar_ && !(port_.ar.valid.high() && port_.ar.ready.high());
        if (purpose_ == SOFT && bus_ == WRITE && !aw_ && !w_ && soft_written == NEVER) soft_written = cycle;
        if (!(bus_ == WRITE ? b_ : r_).taken()) return false;
        if (bus_ == WRITE && port_.b.resp.number()) b_.broken("an error as answer", cycle);
        if (bus_ == READ && port_.r.resp.number()) r_.broken("an error as answer", cycle);
        Bus was = bus_;
        bus_ = IDLE;
        if (purpose_ != PLANNED && was == READ)
            background.push_back({asked_, address_, static_cast<uint32_t>(port_.r.data.number())});
        if (purpose_ == BACKGROUND) return false;
        if (purpose_ == SOFT) {
            bool over = was == WRITE ? !soft_.wait : !(port_.r.data.number() & soft_.busy);
            if (over) soft_.control = 0;
            return false;
        }
        if (!access_[next].write) access_[next].value = static_cast<uint32_t>(port_.r.data.number());
        ++next;
        return true;
    }

    void begin_reset() {
        next = 0;
        aw_ = w_ = ar_ = false;
        bus_ = IDLE;
        soft_.control = 0;
        b_.forget();
        r_.forget();
        for (auto* pin : {&port_.aw.valid, &port_.w.valid, &port_.ar.valid, &port_.b.ready, &port_.r.ready})
            pin->set(false);
    }
    void check_in_reset(uint64_t cycle) {
        b_.check_in_reset(cycle);
        r_.check_in_reset(cycle);
    }
    uint64_t next = 0;               // index of the next planned access
    uint64_t soft_written = NEVER;  // cycle in which a soft reset's write was accepted
    std::vector<Seen> background;   // results of background reads

  private:
    enum Bus { IDLE, WRITE, READ };
    enum Purpose { PLANNED, BACKGROUND, SOFT };

    void start(Bus bus, uint32_t address) {
        bus_ = bus;
        aw_ = w_ = bus == WRITE;
        ar_ = bus == READ;
        (bus == WRITE ? port_.aw.addr : port_.ar.addr).put(address);
    }

    RegisterPort port_;
    Access* access_;
    uint64_t count_;
    const uint32_t* background_;
    uint64_t backgrounds_;
    uint32_t rate_;
    Random random_;
    Watch b_, r_;
    Bus bus_ = IDLE;
    Purpose purpose_ = PLANNED;
    SoftReset soft_{};
    uint64_t asked_ = 0;  // cycle in which a read's address was accepted
    uint32_t address_ = 0;
    bool aw_ = false, w_ = false, ar_ = false;
    bool still_ = false;  // true if all pins are low
};
