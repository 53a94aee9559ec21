// Agents of the streams: a source sends beats from arrays, and a sink accepts and stores beats.
#pragma once

#include "random.h"
#include "registers.h"
#include "rules.h"

struct Feed {  // the beats of a source
    uint64_t beats, streams, restart;  // restart: index of the first beat after a reset
    const uint8_t *data, *keep, *last, *user;
    const uint64_t* starts;  // index of the first beat of each stream
    const uint32_t* pause;   // cycles between a beat's offer and the transfer before it
};

struct FeedStats {
    uint64_t beat, accepted, stalled, first, last;  // beat: index of the next beat
};

class Source {
  public:
    Source(const StreamPort& port, const Feed& feed, uint32_t stall, Random random)
        : port_(port), feed_(feed), stall_(stall), random_(random), data_bytes_(port.data.bytes()),
          keep_bytes_(port.keep.bytes()) {}

    bool done() const { return stats.beat == feed_.beats; }
    // Sets the next beats. A previous beat that is still on offer stays there, as a stream must not
    // take it back, and counts for no feed: after an interrupted run.
    void feed(const Feed& feed) {
        feed_ = feed;
        earlier_ = offered_;
        stats = {0, 0, 0, NEVER, NEVER};
        taken.clear();
    }
    // Returns the index of the first beat that must wait for register writes of stream `index`.
    uint64_t start(uint64_t index) const { return index < feed_.streams ? feed_.starts[index] : feed_.beats; }

    void drive(uint64_t gate) {  // beats from index `gate` on must wait
        if (offered_) return;
        offered_ = stats.beat < feed_.beats && stats.beat < gate && !waits() && !random_.below(stall_);
        port_.valid.set(offered_);
        if (offered_) {
            port_.data.copy_from(feed_.data + stats.beat * data_bytes_);
            port_.keep.copy_from(feed_.keep + stats.beat * keep_bytes_);
            port_.last.set(feed_.last[stats.beat]);
            if (port_.user.at) port_.user.set(feed_.user[stats.beat]);
        } else {  // a random payload, which a design must ignore
            random_.fill(port_.data.at, data_bytes_);
            port_.last.set(random_.next() & 1);
            if (port_.user.at) port_.user.set(random_.next() & 1);
        }
    }
    bool take(uint64_t cycle) {
        if (!offered_) return false;
        if (!port_.ready.high()) {
            stats.stalled += !earlier_;
            return false;
        }
        if (earlier_) {
            offered_ = earlier_ = false;
            waited_ = 0;
            return true;
        }
        if (stats.first == NEVER) stats.first = cycle;
        stats.last = cycle;
        offered_ = false;
        waited_ = 0;
        ++stats.beat;
        ++stats.accepted;
        taken.push_back(cycle);
        return true;
    }
    void begin_reset() {
        stats.beat = feed_.restart;
        offered_ = earlier_ = false;
        waited_ = 0;
        port_.valid.set(false);
    }
    // Returns the index after the stream that is in progress or offered.
    uint64_t end_of_begun() const {
        uint64_t beat = stats.beat + (offered_ && !earlier_);
        while (beat && beat < feed_.beats && !feed_.last[beat - 1]) ++beat;
        return beat;
    }
    FeedStats stats{0, 0, 0, NEVER, NEVER};
    std::vector<uint64_t> taken;  // cycle in which each beat was accepted

  private:
    bool waits() { return waited_ < feed_.pause[stats.beat] && ++waited_; }

    StreamPort port_;
    Feed feed_;
    uint32_t waited_ = 0;
    uint32_t stall_;
    Random random_;
    size_t data_bytes_, keep_bytes_;
    bool offered_ = false;
    bool earlier_ = false;  // the beat on offer belongs to an earlier feed
};

struct Wanted {  // number of tlasts to wait for, before and after a reset
    uint64_t before, after;
    uint64_t awaited;  // 0: accept any number, and wait for none
};

struct SinkStats {
    uint64_t beats, before_reset, stalled, tlasts, wanted;
};

class Sink {
  public:
    Sink(const StreamPort& port, const Wanted& wanted, uint32_t stall, Random random, Violations& violations)
        : watch(port.name, port.valid, port.ready, payload(port), violations), port_(port), wanted_(wanted),
          stall_(stall), random_(random) {
        stats.before_reset = NEVER;
        stats.wanted = wanted.before;
    }
    static std::vector<Pin> payload(const StreamPort& port) {
        std::vector<Pin> pins{port.data, port.keep, port.last};
        if (port.user.at) pins.push_back(port.user);
        return pins;
    }

    bool done() const { return !wanted_.awaited || stats.tlasts >= stats.wanted; }
    void want(const Wanted& wanted) {  // restarts the count, even within a packet
        wanted_ = wanted;
        stats = {0, NEVER, 0, 0, wanted.before};
        for (auto* kept : {&data, &keep, &last, &user}) kept->clear();
        taken.clear();
    }
    bool awaited() const { return wanted_.awaited; }

    // One of four pauses lasts until valid is high, so a design that waits for ready hangs.
    bool choose() {
        constexpr uint32_t patient = 1u << 30;
        bool ready = !patient_ && !random_.below(stall_);
        if (!ready && !patient_) patient_ = random_.below(patient);
        return ready;
    }
    void settled() {
        if (watch.valid()) patient_ = false;
    }
    bool take(uint64_t cycle) {
        watch.check(cycle);
        stats.stalled += watch.stalled();
        if (!watch.taken()) return false;
        if (wanted_.awaited && stats.tlasts >= stats.wanted) watch.broken("beat after the last expected tlast", cycle);
        append(data, port_.data);
        append(keep, port_.keep);
        last.push_back(port_.last.high());
        if (port_.user.at) user.push_back(port_.user.high());
        taken.push_back(cycle);
        ++stats.beats;
        stats.tlasts += port_.last.high();
        return true;
    }
    void begin_reset() {
        stats.before_reset = stats.beats;
        stats.tlasts = 0;
        stats.wanted = wanted_.after;
        watch.forget();
        patient_ = false;
    }
    void in_reset() { watch.set_ready(random_.next() & 1); }

    Watch watch;
    SinkStats stats{};
    std::vector<uint8_t> data, keep, last, user;
    std::vector<uint64_t> taken;

  private:
    static void append(std::vector<uint8_t>& to, const Pin& from) {
        to.resize(to.size() + from.bytes());
        from.copy_to(&to[to.size() - from.bytes()]);
    }

    StreamPort port_;
    Wanted wanted_;
    uint32_t stall_;
    Random random_;
    bool patient_ = false;
};
