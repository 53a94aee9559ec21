// The generated text of a top includes this file, and then assigns the top's ports.
#pragma once

#include "Vdut.h"
#include "ports.h"

// Returns the pin of a port. Does not compile if the port's storage differs from that of BITS.
#define PIN(PORT, BITS)                                                                         \
    [&] {                                                                                       \
        static_assert(sizeof(model.PORT) == storage(BITS), #PORT " is not " #BITS " bits wide"); \
        return Pin{&model.PORT, BITS};                                                          \
    }()
#define PIN_AS_IT_IS(PORT) Pin{&model.PORT, 8 * sizeof(model.PORT)}

class Top : public Dut {
  public:
    Top();
    ~Top() override { model.final(); }
    void eval() override { model.eval(); }

  private:
    VerilatedContext context_;
    Vdut model{&context_};
};

extern "C" Dut* make_dut() { return new Top; }
