"""The registers of an engine's top: identity, control, errors and counters."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import AxiLiteSlave, axi_lite_members
from rtl.bus.registers import ADDRESS_WIDTH, words
from rtl.contract.counters import errors, events
from rtl.contract.settings import HostSettings


class RegisterFile(wiring.Component):
    """Holds what :func:`rtl.bus.registers.register_map` describes, behind an AXI4-Lite slave.

    A setting is stored as wide as it is. A write of more than fits its last register stores ones
    there throughout, or of a signed setting, whose words are extended by their sign, the sign bit
    alone: :meth:`HostSetting.unfit` sees either, and it is refused, so that no value is ever taken
    for another. Of two registers each is written by itself. Only the bytes that are strobed change.
    A write after which a setting is refused sets ``bad_setting``, whatever the others are, as
    these may be still to be written.

    Counters follow their events by 2 cycles. Latency of a read 1 cycle, initiation interval 2.

    Parameters
    ----------
    registers : mapping of str to Register
        With ``interrupt_enable`` there is an interrupt: a level, which follows its causes by 2
        cycles, and goes when these are cleared. A cause that comes while it is cleared stays.
    settings : HostSettings
    counters : sequence of Counter
    flags : sequence of Flag
        All of ``status``; among them ``bad_function``, and with settings ``bad_setting``.
    network : sequence of HostSetting
        Of a network face: stored and judged as the others are.
    unheld : collection of str
        Names of counters and flags that have nothing to do with what is dropped.

    Members
    -------
    bus : Out(the ports of AXI4-Lite)
    events : In(events(counters))
        How much to add to each.
    errors : In(errors(flags))
        Set the bit.
    busy : In(1)
        What the highest bit of ``status`` reads.
    held : In(1)
        Events and errors of this cycle are of what is being dropped, and do not count, but for
        those that are ``unheld``.
    function : Out(8)
    settings : Out(StructLayout of the numbers)
        Each as it was written; signed as it is.
    soft_reset : Out(1)
        High for one cycle after the write that asks for it. Events and errors of that cycle do not
        count either.
    done : In(1), or none
        A stream is done.
    interrupt : Out(1), or none
    network : Out(StructLayout of the numbers), or none
        Each as it was written.
    """

    def __init__(self, registers, *, settings=None, counters=(), flags=(), network=(), unheld=()):
        self._registers = registers
        self._settings = HostSettings() if settings is None else settings
        self._counters = tuple(counters)
        self._network, self._unheld = tuple(network), frozenset(unheld)
        numbers = HostSettings(numbers=self._settings.numbers).layout
        told = HostSettings(numbers=self._network).layout
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_lite_members(ADDRESS_WIDTH))),
                "events": In(events(counters)),
                "errors": In(errors(flags)),
                "busy": In(1),
                "held": In(1),
                "function": Out(8),
                "settings": Out(numbers),
                "soft_reset": Out(1),
            }
            | ({"done": In(1), "interrupt": Out(1)} if "interrupt_enable" in registers else {})
            | ({"network": Out(told)} if self._network else {})
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.slave = slave = AxiLiteSlave(ADDRESS_WIDTH)
        wiring.connect(m, slave.bus, wiring.flipped(self.bus))
        held = self._control(m, slave)
        stored, refused = self._store(m, slave)
        values = stored | self._count(m, held) | self._status(m, slave, refused)
        values["function"] = self.function
        if "interrupt_enable" in self._registers:
            values |= self._interrupt(m, slave, values["status"][:-1])
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

    def _control(self, m, slave):
        """Commands; returns of the snapshot whether it is taken now, and whether it is shown."""
        takes, shows = Signal(), Signal()
        written = self._written(slave, "control")
        soft_reset, snapshot = slave.write_data[0], slave.write_data[1]
        m.d.comb += takes.eq(written & snapshot)
        m.d.sync += self.soft_reset.eq(written & soft_reset)
        with m.If(written):
            m.d.sync += shows.eq(snapshot & ~soft_reset)
        return takes, shows

    def _store(self, m, slave):
        """What the host sets for the streams to come, as what each register reads; and whether a
        setting that was just written is refused.
        """
        values, refused = {}, []
        strobe = Cat(bit.replicate(8) for bit in slave.write_strobe)
        numbers = [(number, self.settings) for number in self._settings.numbers]
        numbers += [(number, self.network) for number in self._network]
        for setting, view in numbers:
            value, taken = view[setting.name], []
            for k, name in enumerate(words(setting)):
                part = value[32 * k : 32 * (k + 1)]
                signed = setting.signed and k == setting.words - 1
                values[name] = word = part.as_signed() if signed else part
                takes = Signal(name=f"{name}_taken")
                merged = Signal(32, name=f"{name}_merged")
                m.d.comb += [
                    takes.eq(self._addressed(slave, name) & strobe.any()),
                    merged.eq((slave.write_data & strobe) | (word & ~strobe)),
                ]
                with m.If(takes):
                    m.d.sync += part.eq(_fitted(merged, len(part), setting.signed))
                taken.append(takes)
            written = Signal(name=f"{setting.name}_written")
            m.d.sync += written.eq(Cat(taken).any())
            refused.append(written & setting.refuses(value))
        return values, Cat(refused).any()

    def _count(self, m, held):
        takes, shows = held
        values = {}
        for counter in self._counters:
            name = counter.name
            event = Signal.like(self.events[name], name=f"{name}_event")
            total, copy, shown = (
                Signal(64, name=f"{name}{what}") for what in ("", "_held", "_shown")
            )
            drops = Const(0) if name in self._unheld else self.held
            m.d.sync += event.eq(Mux(self.soft_reset | drops, 0, self.events[name]))
            m.d.sync += total.eq(Mux(self.soft_reset, 0, total + event))
            with m.If(takes):
                m.d.sync += copy.eq(total)
            m.d.comb += shown.eq(Mux(shows, copy, total))
            values |= {f"{name}_low": shown[:32], f"{name}_high": shown[32:]}
        return values

    def _status(self, m, slave, refused):
        """Error bits, which stay; and the function, which is only taken when it exists."""
        status = Signal(self.errors.shape())
        for name, _ in status.shape():
            drops = Const(0) if name in self._unheld else self.held
            with m.If(self.errors[name] & ~drops):
                m.d.sync += status[name].eq(1)
        if self._settings.numbers or self._network:
            with m.If(refused):
                m.d.sync += status.bad_setting.eq(1)
        with m.If(self._written(slave, "function")):
            with m.If(slave.write_data < len(self._settings.functions)):
                m.d.sync += self.function.eq(slave.write_data)
            with m.Else():
                m.d.sync += status.bad_function.eq(1)
        with m.If(self.soft_reset):
            m.d.sync += status.eq(0)
        errors = status.as_value()
        return {"status": Cat(errors, Const(0, 31 - len(errors)), self.busy)}

    def _interrupt(self, m, slave, status):
        """What is enabled, and what has come and was not cleared: stream done, error."""
        enabled, pending, cleared = (Signal(2, name=n) for n in ("enabled", "pending", "cleared"))
        before = Signal.like(status)
        came = Cat(self.done, (status & ~before).any())
        with m.If(self._written(slave, "interrupt_enable")):
            m.d.sync += enabled.eq(slave.write_data)
        with m.If(self._written(slave, "interrupt_pending")):
            m.d.comb += cleared.eq(slave.write_data)
        m.d.sync += [
            before.eq(status),
            pending.eq((pending & ~cleared) | came),
            self.interrupt.eq((pending & enabled).any()),
        ]
        with m.If(self.soft_reset):
            m.d.sync += [before.eq(0), pending.eq(0)]
        return {"interrupt_enable": enabled, "interrupt_pending": pending}


def _fitted(word, width, signed):
    """A written word in ``width`` bits: its own, or those that stand for one that does not fit."""
    if signed:
        beyond = word[width - 1 :]
        return Mux(beyond.any() & ~beyond.all(), 1 << width - 1, word[:width])
    return word | word[width:].any().replicate(width)
