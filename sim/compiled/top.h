// What the text generated for a top begins with; it goes on with the top's ports.
#pragma once

#include "Vdut.h"
#include "ports.h"

// The pin of a port; its width in Verilog must be stored as BITS are.
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
