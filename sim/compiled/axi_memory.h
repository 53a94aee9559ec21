// The agent of an AXI4 master. It checks the channels and bursts, converts bursts to lines, and
// transfers at most one line of 64 bytes per cycle and direction.
#pragma once

#include <deque>

#include "bursts.h"
#include "random.h"
#include "rules.h"

struct MemoryStats {
    uint64_t lines_read, lines_written, read_bursts, write_bursts, errors, open_at_reset;
};

struct Pace {
    uint64_t outstanding, reorder;
    uint32_t stall;
};

class MemoryAgent {
  public:
    MemoryAgent(const MemoryPort& port, std::unique_ptr<Backend> backend, const Pace& pace, Random random,
                Violations& violations)
        : port_(port), backend_(std::move(backend)), pace_(pace), random_(random),
          aw_(port.name + "_aw", port.aw.valid, port.aw.ready, address_pins(port.aw), violations),
          w_(port.name + "_w", port.w.valid, port.w.ready, {port.w.data, port.w.strb, port.w.last}, violations),
          ar_(port.name + "_ar", port.ar.valid, port.ar.ready, address_pins(port.ar), violations),
          width_(port.r.data.bytes()), beat_cycles_(width_ > LINE ? static_cast<unsigned>(width_ / LINE) : 1) {}

    bool idle() const { return reads_.empty() && writes_.empty() && early_.empty(); }
    bool stalls() const { return pace_.stall; }

    // ------------------------------------------------------------------ before the clock edge
    void drive(uint64_t cycle) {
        drive_read_data(cycle);
        drive_write_answer();
        ready_[0] = reads_.size() < pace_.outstanding && go();
        ready_[1] = writes_.size() < pace_.outstanding && go();
        ready_[2] = early_.size() < EARLY && cycle >= next_w_ && go();
    }
    void probe_ready() { set_ready(true); }
    void probe() {
        for (auto* channel : {&ar_, &aw_, &w_}) channel->probe();
    }
    void settle_ready() { set_ready(false); }
    void compare(uint64_t cycle) {
        for (auto* channel : {&ar_, &aw_, &w_}) channel->compare(cycle);
    }

    // ------------------------------------------------------------------ at the clock edge
    bool take(uint64_t cycle) {  // returns true if any channel transferred
        for (auto* channel : {&ar_, &aw_, &w_}) channel->check(cycle);
        bool moved = take_read_data(cycle) | take_write_answer();
        if (ar_.taken()) {
            reads_.push_back(burst(port_.ar, false, ar_, cycle));
            stats.read_bursts += 1;
            stats.lines_read += reads_.back()->lines;
            backend_->begin(*reads_.back());
        }
        if (aw_.taken()) {
            writes_.push_back(burst(port_.aw, true, aw_, cycle));
            stats.write_bursts += 1;
            stats.lines_written += writes_.back()->lines;
        }
        if (w_.taken()) {
            early_.push_back({std::vector<uint8_t>(width_), std::vector<uint8_t>(port_.w.strb.bytes()),
                              port_.w.last.high()});
            port_.w.data.copy_to(early_.back().data.data());
            port_.w.strb.copy_to(early_.back().strobe.data());
            next_w_ = cycle + beat_cycles_;
        }
        while (gather(cycle)) {
        }
        backend_->step();
        return moved || ar_.taken() || aw_.taken() || w_.taken();
    }

    void meet_reset() { stats.open_at_reset = reads_.size() + writes_.size(); }
    void begin_reset() {
        meet_reset();
        reads_.clear();
        writes_.clear();
        early_.clear();
        filled_ = 0;
        r_offered_ = b_offered_ = false;
        reading_ = answering_ = nullptr;
        for (auto* channel : {&ar_, &aw_, &w_}) channel->forget();
        port_.r.valid.set(false);
        port_.b.valid.set(false);
        backend_->begin_reset();
    }
    void in_reset() {
        for (auto* channel : {&ar_, &aw_, &w_}) channel->set_ready(random_.next() & 1);
        backend_->step();
    }
    void check_in_reset(uint64_t cycle) {
        for (auto* channel : {&ar_, &aw_, &w_}) channel->check_in_reset(cycle);
    }
    MemoryStats stats{};

  private:
    static constexpr size_t EARLY = 256;  // beats of data that may arrive before their address
    using Open = std::deque<std::unique_ptr<Burst>>;
    struct Data {
        std::vector<uint8_t> data, strobe;
        bool last;
    };

    static std::vector<Pin> address_pins(const AddressChannel& c) { return {c.id, c.addr, c.len, c.size, c.burst}; }
    bool go() { return !random_.below(pace_.stall); }
    void set_ready(bool other) {
        ar_.set_ready(ready_[0] != other);
        aw_.set_ready(ready_[1] != other);
        w_.set_ready(ready_[2] != other);
    }

    // Returns the burst on an address channel; a burst that breaks a rule is cut until it obeys it.
    std::unique_ptr<Burst> burst(const AddressChannel& c, bool write, Watch& channel, uint64_t cycle) {
        uint64_t address = c.addr.number(), size = c.size.number();
        auto beats = static_cast<unsigned>(c.len.number()) + 1;
        if (c.burst.number() != 1) channel.broken("burst is not INCR", cycle);
        if ((1u << size) > width_) {
            channel.broken("size is wider than the bus", cycle);
            for (size = 0; (2u << size) <= width_; ++size) {
            }
        }
        uint64_t room = (PAGE - (address >> size << size) % PAGE) >> size;
        if (beats > room) {
            channel.broken("burst crosses 4 KiB", cycle);
            beats = static_cast<unsigned>(room);
        }
        return std::make_unique<Burst>(write, c.id.number(), address, beats, static_cast<unsigned>(size));
    }

    // Moves a beat of data into the first incomplete write; returns false if there is none.
    bool gather(uint64_t cycle) {
        if (early_.empty() || filled_ == writes_.size()) return false;
        Burst& to = *writes_[filled_];
        auto& from = early_.front();
        uint64_t at = to.at(to.passed), end = to.end(to.passed), bus = at / width_ * width_;
        for (uint64_t lane = 0; lane < width_; ++lane) {
            if (!(from.strobe[lane / 8] >> lane % 8 & 1)) continue;
            uint64_t byte = bus + lane;
            if (byte < at || byte >= end) {
                w_.broken("strobe outside of the beat's bytes", cycle);
                break;
            }
            to.data[byte - to.first * LINE] = from.data[lane];
            to.strobe[byte / LINE - to.first] |= 1ull << byte % LINE;
        }
        bool last = ++to.passed == to.beats;
        if (from.last != last) w_.broken(last ? "wlast missing" : "wlast too early", cycle);
        early_.pop_front();
        if (last) {
            ++filled_;
            backend_->begin(to);
        }
        return true;
    }

    // Returns a burst that can continue and is the oldest of its id: a random one, or the oldest of all.
    template <class Can>
    Burst* choose(const Open& open, size_t count, Can can) {
        std::vector<Burst*>& found = found_;
        found.clear();
        for (size_t k = 0; k < count && (pace_.reorder || !k); ++k) {
            auto same = [&](auto& other) { return other->id == open[k]->id; };
            if (can(*open[k]) && std::none_of(open.begin(), open.begin() + k, same)) found.push_back(open[k].get());
        }
        return found.empty() ? nullptr : found[found.size() > 1 ? random_.next() % found.size() : 0];
    }
    static void remove(Open& open, const Burst* burst) {
        open.erase(std::find_if(open.begin(), open.end(), [&](auto& other) { return other.get() == burst; }));
    }

    // The drive functions change pins before the edge, and withdraw offers that the last edge accepted.
    void drive_read_data(uint64_t cycle) {
        if (r_offered_) return;
        withdraw(port_.r.valid, {port_.r.data, port_.r.id, port_.r.resp, port_.r.last});
        auto come = [&](const Burst& b) { return backend_->lines(b) * LINE >= b.end(b.passed) - b.first * LINE; };
        if (!reading_) reading_ = choose(reads_, reads_.size(), come);
        if (!reading_ || !come(*reading_) || cycle < next_r_ || !go()) return;
        Burst& b = *reading_;
        uint64_t at = b.at(b.passed), end = b.end(b.passed), bus = at / width_ * width_;
        auto* lanes = static_cast<uint8_t*>(port_.r.data.at);
        std::memcpy(lanes + (at - bus), &b.data[at - b.first * LINE], end - at);
        uint8_t response = 0;
        for (uint64_t line = at / LINE; line * LINE < end; ++line)
            response = std::max(response, b.response[line - b.first]);
        port_.r.id.put(b.id);
        port_.r.resp.put(response);
        port_.r.last.set(b.passed + 1 == b.beats);
        port_.r.valid.set(r_offered_ = true);
        stats.errors += response != 0;
    }
    bool take_read_data(uint64_t cycle) {
        if (!r_offered_ || !port_.r.ready.high()) return false;
        r_offered_ = false;
        next_r_ = cycle + beat_cycles_;
        if (++reading_->passed == reading_->beats) {
            remove(reads_, reading_);
            reading_ = nullptr;
        }
        return true;
    }

    void drive_write_answer() {
        if (b_offered_) return;
        withdraw(port_.b.valid, {port_.b.id, port_.b.resp});
        answering_ = choose(writes_, filled_, [&](const Burst& b) { return backend_->lines(b) == b.lines; });
        if (!answering_ || !go()) return;
        backend_->answered(*answering_);
        port_.b.id.put(answering_->id);
        port_.b.resp.put(answering_->worst());
        port_.b.valid.set(b_offered_ = true);
        stats.errors += answering_->worst() != 0;
    }
    bool take_write_answer() {
        if (!b_offered_ || !port_.b.ready.high()) return false;
        b_offered_ = false;
        remove(writes_, answering_);
        --filled_;
        return true;
    }
    // Drives random payloads while valid is low, because a design must ignore them.
    void withdraw(const Pin& valid, std::initializer_list<Pin> payload) {
        if (!valid.high()) return;
        valid.set(false);
        for (auto& pin : payload) pin.rubbish(random_.next());
    }

    MemoryPort port_;
    std::unique_ptr<Backend> backend_;
    Pace pace_;
    Random random_;
    Watch aw_, w_, ar_;
    size_t width_;
    unsigned beat_cycles_;
    Open reads_, writes_;
    std::deque<Data> early_;
    size_t filled_ = 0;  // number of writes, from the first on, that have all data
    Burst *reading_ = nullptr, *answering_ = nullptr;
    std::vector<Burst*> found_;
    uint64_t next_r_ = 0, next_w_ = 0;
    bool ready_[3] = {}, r_offered_ = false, b_offered_ = false;
};
