// The back end with a real DDR3 controller, which receives bursts as whole lines, in order on each port.
#pragma once

#include <deque>

#include "bursts.h"
#include "ddr3_port.h"

class Ddr3 {  // the controller with all ports
  public:
    explicit Ddr3(const Ddr3Library& library)
        : library_(library), memory_(library.make()), ports(library.ports) {}
    ~Ddr3() { library_.drop(memory_); }
    Ddr3(const Ddr3&) = delete;
    void step(bool reset) { library_.step(memory_, ports.data(), reset); }

  private:
    Ddr3Library library_;
    void* memory_;

  public:
    std::vector<Ddr3Port> ports;
};

class Ddr3Backend : public Backend {
  public:
    explicit Ddr3Backend(Ddr3Port& port) : port_(port) {}

    // `due` counts the finished lines. Addresses beyond the memory are answered with an error.
    void begin(Burst& burst) override {
        constexpr uint64_t size = 1ull << 30;
        burst.due = 0;
        if (burst.address >= size) {
            std::fill(burst.response.begin(), burst.response.end(), 3);
            burst.due = burst.lines;
        } else if (burst.write) {
            to_address_.push_back(&burst);
            to_write_.push_back(&burst);
        } else {
            to_read_.push_back(&burst);
        }
    }
    unsigned lines(const Burst& burst) override { return static_cast<unsigned>(burst.due); }

    // Processes the transfers of a cycle of the controller, and sets the port's inputs for the next.
    void step() override {
        if (port_.arvalid && port_.arready) shift(to_read_, reads_);
        if (port_.awvalid && port_.awready) shift(to_address_, writes_);
        if (port_.wvalid && port_.wready && ++written_ == to_write_.front()->lines) {
            written_ = 0;
            to_write_.pop_front();
        }
        if (port_.rvalid && !reads_.empty()) {
            Burst& burst = *reads_.front();
            std::memcpy(&burst.data[burst.due * LINE], port_.rdata, LINE);
            if (++burst.due == burst.lines) reads_.pop_front();
        }
        if (port_.bvalid && !writes_.empty()) {
            writes_.front()->due = writes_.front()->lines;
            writes_.pop_front();
        }
        address(to_read_, port_.arvalid, port_.araddr, port_.arlen);
        address(to_address_, port_.awvalid, port_.awaddr, port_.awlen);
        port_.wvalid = !to_write_.empty();
        if (!port_.wvalid) return;
        Burst& burst = *to_write_.front();
        std::memcpy(port_.wdata, &burst.data[written_ * LINE], LINE);
        port_.wstrb = burst.strobe[written_];
        port_.wlast = written_ + 1 == burst.lines;
    }
    void begin_reset() override {
        for (auto* queue : {&to_read_, &reads_, &to_address_, &to_write_, &writes_}) queue->clear();
        written_ = 0;
        port_.arvalid = port_.awvalid = port_.wvalid = 0;
    }

  private:
    using Queue = std::deque<Burst*>;

    static void shift(Queue& from, Queue& to) {
        to.push_back(from.front());
        from.pop_front();
    }
    static void address(const Queue& queue, uint8_t& valid, uint32_t& address, uint8_t& length) {
        valid = !queue.empty();
        if (!valid) return;
        address = static_cast<uint32_t>(queue.front()->first * LINE);
        length = static_cast<uint8_t>(queue.front()->lines - 1);
    }

    Ddr3Port& port_;
    Queue to_read_, reads_;                   // reads before their address, and unanswered reads
    Queue to_address_, to_write_, writes_;    // the same for writes, and writes with data to send
    unsigned written_ = 0;                    // sent lines of the first of to_write_
};
