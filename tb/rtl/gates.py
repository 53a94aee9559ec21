"""Evaluates combinational logic on vectors of plain values."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data
from amaranth.sim import Simulator

from rtl.stream.beat import wire
from tb.bench.payload import decode, encode


def evaluate(inputs, outputs, logic, vectors):
    """Returns the outputs of ``logic`` for each vector.

    Parameters
    ----------
    inputs, outputs : dict of str to ShapeLike
    logic : callable
        Returns a mapping of the outputs; its keywords are the inputs.
    vectors : iterable of dict
        Plain values of the inputs.

    Returns
    -------
    list of dict
        Plain values of the outputs.
    """
    m = Module()
    ins = {name: Signal(shape, name=name) for name, shape in inputs.items()}
    outs = {name: Signal(shape, name=f"out_{name}") for name, shape in outputs.items()}
    computed = logic(**ins)
    for name, out in outs.items():
        m.d.comb += wire(out, computed[name])
    results = []

    async def bench(ctx):
        for vector in vectors:
            for name, value in vector.items():
                bits = encode(inputs[name], value)
                ctx.set(_plain(ins[name]), bits)
            await ctx.delay(1e-9)
            results.append(
                {name: decode(outputs[name], ctx.get(_plain(out))) for name, out in outs.items()}
            )

    simulator = Simulator(m)
    simulator.add_testbench(bench)
    simulator.run()
    return results


def _plain(signal):
    return signal.as_value() if isinstance(signal, data.View) else signal.as_unsigned()
