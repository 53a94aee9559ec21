// The ideal memory: each burst is answered after the latency and a random delay.
#pragma once

#include "bursts.h"
#include "random.h"

struct Fault {
    uint64_t response, by_access, number;  // number: index of the access or of the line
    uint64_t reads, writes;                // true if the fault applies to reads, to writes
};

class Ideal : public Backend {
  public:
    Ideal(Contents& contents, uint64_t latency, uint64_t delay, const Fault* faults, uint64_t count, Random random)
        : contents_(contents), latency_(latency), delay_(delay), faults_(faults, faults + count), random_(random) {}

    // A read returns the current contents; a write changes the contents when it is answered.
    void begin(Burst& burst) override {
        burst.due = now_ + latency_ + (delay_ ? random_.next() % (delay_ + 1) : 0);
        uint64_t access = burst.write ? writes_++ : reads_++;
        for (auto& fault : faults_) {
            if (!(burst.write ? fault.writes : fault.reads)) continue;
            for (unsigned k = 0; k < burst.lines; ++k)
                if (fault.number == (fault.by_access ? access : burst.first + k))
                    burst.response[k] = static_cast<uint8_t>(fault.response);
        }
        if (burst.write) return;
        for (unsigned k = 0; k < burst.lines; ++k) {
            if (burst.response[k])
                random_.fill(&burst.data[k * LINE], LINE);
            else
                std::memcpy(&burst.data[k * LINE], contents_.line(burst.first + k), LINE);
        }
    }
    unsigned lines(const Burst& burst) override { return now_ >= burst.due ? burst.lines : 0; }
    void answered(Burst& burst) override {
        for (unsigned k = 0; k < burst.lines; ++k)
            if (!burst.response[k]) contents_.write_line(burst.first + k, &burst.data[k * LINE], burst.strobe[k]);
    }
    void step() override { ++now_; }

  private:
    Contents& contents_;
    uint64_t latency_, delay_;
    std::vector<Fault> faults_;
    Random random_;
    uint64_t now_ = 0, reads_ = 0, writes_ = 0;
};
