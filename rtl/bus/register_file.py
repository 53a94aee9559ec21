"""The registers of an engine's top: identity, control, errors and counters."""

from amaranth.hdl import Cat, Module, Mux, Shape, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import AxiLiteSlave, axi_lite_members
from rtl.bus.registers import words

ADDRESS_WIDTH = 8


class RegisterFile(wiring.Component):
    """Holds what :func:`rtl.bus.registers.register_map` describes, behind an AXI4-Lite slave.

    A setting is stored as wide as it is. A write of more than fits its last register stores ones
    there throughout, or of a signed setting, whose words are extended by their sign, the sign bit
    alone: :meth:`RunTime.unfit` sees either, and a setting must not allow it, so that no value is
    ever taken for another. Of two registers each is written by itself. Only the bytes that are
    strobed change.

    Counters follow their events by 2 cycles. Latency of a read 1 cycle, initiation interval 2.

    Parameters
    ----------
    registers : mapping of str to Register
    functions : int
        How many functions there are to choose from; 0 when the register is not built.
    increments : mapping of str to int
        For each counter that can count in this build, the most that it counts in a cycle. The
        others read 0 and cost nothing.
    settings : sequence of RunTime
        As given to :func:`rtl.bus.registers.register_map`.

    Members
    -------
    bus : Out(the ports of AXI4-Lite)
    events : In(StructLayout)
        For each counter of ``increments``, how much to add.
    errors : In(StructLayout)
        For each bit of ``status`` but ``bad_function``: set it.
    function : Out(8)
    settings : Out(StructLayout)
        Every setting, by name; signed as it is.
    written : Out(StructLayout)
        For each setting, high for one cycle after a write of a register of it, with the new value.
    soft_reset : Out(1)
        High for one cycle after the write that asks for it.
    """

    def __init__(self, registers, *, functions, increments, settings=()):
        self._registers, self._functions = registers, functions
        self._increments, self._numbers = dict(increments), settings
        status = [f.name for f in registers["status"].fields if f.name != "bad_function"]
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_lite_members(ADDRESS_WIDTH))),
                "events": In(
                    data.StructLayout(
                        {name: most.bit_length() for name, most in self._increments.items()}
                    )
                ),
                "errors": In(data.StructLayout(dict.fromkeys(status, 1))),
                "function": Out(8),
                "settings": Out(
                    data.StructLayout({s.name: Shape(s.width, s.signed) for s in settings})
                ),
                "written": Out(data.StructLayout({s.name: 1 for s in settings})),
                "soft_reset": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.slave = slave = AxiLiteSlave(ADDRESS_WIDTH)
        wiring.connect(m, slave.bus, wiring.flipped(self.bus))
        values = self._counters(m) | self._status(m, slave) | self._settings(m, slave)
        values["function"] = self.function

        with m.If(self._written(slave, "control")):
            m.d.sync += self.soft_reset.eq(slave.write_data[0])
        with m.Else():
            m.d.sync += self.soft_reset.eq(0)

        with m.Switch(slave.read_address[2:]):
            for register in self._registers.values():
                value = values.get(register.name, register.value)
                if value is not None:
                    with m.Case(register.address >> 2):
                        m.d.comb += slave.read_data.eq(value)
        return m

    def _addressed(self, slave, name):
        """The register is being written, some bytes of it."""
        return slave.write & (slave.write_address[2:] == self._registers[name].address >> 2)

    def _written(self, slave, name):
        """The register's lowest byte is being written."""
        return self._addressed(slave, name) & slave.write_strobe[0]

    def _settings(self, m, slave):
        """What a host sets for the streams to come, as what each register reads."""
        values = {}
        strobe = Cat(bit.replicate(8) for bit in slave.write_strobe)
        for setting in self._numbers:
            value, written = self.settings[setting.name], []
            for k, name in enumerate(words(setting)):
                part = value[32 * k : 32 * (k + 1)]
                last, signed = k == setting.words - 1, setting.signed
                values[name] = word = part.as_signed() if last and signed else part
                taken = Signal(name=f"{name}_taken")
                merged = Signal(32, name=f"{name}_merged")
                m.d.comb += [
                    taken.eq(self._addressed(slave, name) & strobe.any()),
                    merged.eq((slave.write_data & strobe) | (word & ~strobe)),
                ]
                with m.If(taken):
                    m.d.sync += part.eq(_fitted(merged, len(part), signed))
                written.append(taken)
            m.d.sync += self.written[setting.name].eq(Cat(written).any())
        return values

    def _counters(self, m):
        values = {}
        for name in self._increments:
            event = Signal.like(self.events[name], name=f"{name}_event")
            counter = Signal(64, name=name)
            m.d.sync += event.eq(self.events[name])
            m.d.sync += counter.eq(Mux(self.soft_reset, 0, counter + event))
            values |= {f"{name}_low": counter[:32], f"{name}_high": counter[32:]}
        return values

    def _status(self, m, slave):
        """Error bits, which stay; and the function, which is only taken when it exists."""
        status = Signal(data.StructLayout({f.name: 1 for f in self._registers["status"].fields}))
        for name, _ in self.errors.shape():
            with m.If(self.errors[name]):
                m.d.sync += status[name].eq(1)
        with m.If(self._written(slave, "function")):
            taken = slave.write_data < self._functions
            with m.If(taken):
                m.d.sync += self.function.eq(slave.write_data)
            with m.Else():
                m.d.sync += status.bad_function.eq(1)
        with m.If(self.soft_reset):
            m.d.sync += status.eq(0)
        return {"status": status.as_value()}


def _fitted(word, width, signed):
    """A written word in ``width`` bits: its own, or those that stand for one that does not fit."""
    if signed:
        beyond = word[width - 1 :]
        return Mux(beyond.any() & ~beyond.all(), 1 << width - 1, word[:width])
    return word | word[width:].any().replicate(width)
