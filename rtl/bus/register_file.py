"""The registers of an engine's top: identity, control, errors and counters."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import data, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import AxiLiteSlave, axi_lite_members
from rtl.bus.counter_memory import CounterMemory
from rtl.bus.registers import ADDRESS_WIDTH, COUNTERS
from rtl.bus.setting_registers import register_names
from rtl.contract.counters import errors, events
from rtl.contract.settings import HostSettings


class RegisterFile(wiring.Component):
    """Implements the map of :func:`rtl.bus.registers.register_map` behind an AXI4-Lite slave.

    A setting has as many bits as its width. A written word that does not fit the last register of a
    setting is stored in this register as all ones; for a signed setting, whose words are extended
    by their sign, only the sign bit is stored as 1. :meth:`HostSetting.refuses` recognizes both, so
    no written value is ever mistaken for another. The two registers of a setting of 64 bits are
    written one by one. Only the bytes with a strobe change. A write sets ``bad_setting`` if the
    value of the written setting is refused by itself; rules between settings are not checked here,
    because the host may still write the other setting.

    Counters follow their events by 2 cycles. Latency of a read 1 cycle, initiation interval 2.

    With ``counter_memory`` the counters are in a block memory, which takes a fraction of the area
    of registers: see :class:`~rtl.bus.counter_memory.CounterMemory`. A snapshot is then of the
    cycle after the write. Latency of a read 3 cycles; a read of a counter takes 4 more, and the
    cycles for which ``CounterMemory`` lets the read wait.

    Parameters
    ----------
    registers : mapping of str to Register
        With ``interrupt_enable`` there is an interrupt: a level, which follows its causes by 2
        cycles and falls when they are cleared. A cause that comes while it is cleared stays.
    settings : HostSettings
    counters : sequence of Counter
    flags : sequence of Flag
        All flags of ``status``; among them ``bad_function``, and with settings ``bad_setting``.
    network : sequence of HostSetting
        Settings of a network face and its link: stored and judged as the others are.
    link_status : collection of str
        Names of registers of 32 bits that return the value of a member.
    always_counted : collection of str
        Names of counters and flags that ``dropping`` does not suppress.
    counter_memory : bool
        The counters are in a memory.

    Members
    -------
    bus : Out(the ports of AXI4-Lite)
    events : In(events(counters))
        Increment of each counter.
    errors : In(errors(flags))
        A 1 sets the flag.
    busy : In(1)
        Read as the highest bit of ``status``.
    dropping : In(1)
        Events and errors of this cycle belong to data that are being dropped, and do not count,
        except those in ``always_counted``.
    function : Out(8)
        Number of the chosen function.
    settings : Out(StructLayout of the numbers)
        Each number as it was written; signed numbers are signed.
    soft_reset : Out(1)
        High for one cycle after the write that asks for a soft reset. Events and errors of this
        cycle do not count either.
    finished : In(1), or none
        A stream is complete.
    interrupt : Out(1), or none
    network : Out(StructLayout of the numbers), or none
        Each number as it was written.
    link_status : In(StructLayout of 32 bits for each name), or none
    """

    def __init__(
        self,
        registers,
        *,
        settings=None,
        counters=(),
        flags=(),
        network=(),
        link_status=(),
        always_counted=(),
        counter_memory=False,
    ):
        self._registers = registers
        self._settings = HostSettings() if settings is None else settings
        self._counters = tuple(counters)
        self._network = tuple(network)
        self._always_counted = frozenset(always_counted)
        self._counter_memory = counter_memory
        numbers = HostSettings(numbers=self._settings.numbers).layout
        network_layout = HostSettings(numbers=self._network).layout
        self._link_status = tuple(link_status)
        status_layout = data.StructLayout(dict.fromkeys(self._link_status, 32))
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_lite_members(ADDRESS_WIDTH))),
                "events": In(events(counters)),
                "errors": In(errors(flags)),
                "busy": In(1),
                "dropping": In(1),
                "function": Out(8),
                "settings": Out(numbers),
                "soft_reset": Out(1),
            }
            | ({"finished": In(1), "interrupt": Out(1)} if "interrupt_enable" in registers else {})
            | ({"network": Out(network_layout)} if self._network else {})
            | ({"link_status": In(status_layout)} if self._link_status else {})
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.slave = slave = AxiLiteSlave(ADDRESS_WIDTH, waits=self._counter_memory)
        wiring.connect(m, slave.bus, wiring.flipped(self.bus))
        snapshot = self._control(m, slave)
        stored, refused = self._store(m, slave)
        counted = {} if self._counter_memory else self._count(m, snapshot)
        values = stored | counted | self._status(m, slave, refused)
        values["function"] = self.function
        values |= {name: self.link_status[name] for name in self._link_status}
        if "interrupt_enable" in self._registers:
            values |= self._interrupt(m, slave, values["status"][:-1])
        value = slave.read_data
        if self._counter_memory:
            value = Signal(32, name="value")
            self._read_later(m, slave, value, snapshot)
        with m.Switch(slave.read_address[2:]):
            for register in self._registers.values():
                source = values.get(register.name, register.value)
                if source is not None:
                    with m.Case(register.address >> 2):
                        m.d.comb += value.eq(source)
        return m

    def _read_later(self, m, slave, value, snapshot):
        """Makes the memory of the counters; answers a read with a counter, or with ``value``."""
        takes_snapshot, shows_snapshot = snapshot
        m.submodules.counters = counters = CounterMemory(self._counters)
        begin = COUNTERS // 8
        end = COUNTERS // 8 + len(self._counters)
        number = slave.read_address[3:]
        stored_value = Signal(32)
        is_counter = Signal()
        is_ready = Signal()
        m.d.sync += [
            stored_value.eq(value),
            is_counter.eq((number >= begin) & (number < end)),
            is_ready.eq(slave.read & ~slave.read_done),
            counters.index.eq(number - begin),
            counters.snapshot.eq(takes_snapshot),
        ]
        word = Mux(slave.read_address[2], counters.value[32:], counters.value[:32])
        m.d.comb += [
            counters.increments.eq(Cat(event for _, event in self._gated_events(m))),
            counters.clear.eq(self.soft_reset),
            counters.shows_snapshot.eq(shows_snapshot),
            counters.read.eq(is_ready & is_counter),
            slave.read_data.eq(Mux(is_counter, word, stored_value)),
            slave.read_done.eq(is_ready & (~is_counter | counters.done)),
        ]

    def _addressed(self, slave, name):
        """Returns a bit: the register is being written, at least some of its bytes."""
        return slave.write & (slave.write_address[2:] == self._registers[name].address >> 2)

    def _written(self, slave, name):
        """Returns a bit: the register's lowest byte is being written."""
        return self._addressed(slave, name) & slave.write_strobe[0]

    def _control(self, m, slave):
        """Handles commands; returns two bits: a snapshot is taken in this cycle, and reads return
        the snapshot."""
        takes_snapshot = Signal()
        shows_snapshot = Signal()
        written = self._written(slave, "control")
        soft_reset = slave.write_data[0]
        snapshot = slave.write_data[1]
        m.d.comb += takes_snapshot.eq(written & snapshot)
        m.d.sync += self.soft_reset.eq(written & soft_reset)
        with m.If(written):
            m.d.sync += shows_snapshot.eq(snapshot & ~soft_reset)
        return takes_snapshot, shows_snapshot

    def _store(self, m, slave):
        """Stores the settings; returns the value that each of their registers reads, and a bit: a
        setting that was just written is refused."""
        values = {}
        refused = []
        strobe = _strobed_bits(slave)
        numbers = [(number, self.settings) for number in self._settings.numbers]
        numbers += [(number, self.network) for number in self._network]
        for setting, view in numbers:
            value = view[setting.name]
            word_writes = []
            for k, name in enumerate(register_names(setting)):
                part = value[32 * k : 32 * (k + 1)]
                signed = setting.signed and k == setting.words - 1
                values[name] = word = part.as_signed() if signed else part
                writes = Signal(name=f"{name}_writes")
                merged = Signal(32, name=f"{name}_merged")
                m.d.comb += [
                    writes.eq(self._addressed(slave, name) & strobe.any()),
                    merged.eq((slave.write_data & strobe) | (word & ~strobe)),
                ]
                with m.If(writes):
                    m.d.sync += part.eq(_fitted(merged, len(part), setting.signed))
                word_writes.append(writes)
            written = Signal(name=f"{setting.name}_written")
            m.d.sync += written.eq(Cat(word_writes).any())
            refused.append(written & setting.refuses(value))
        return values, Cat(refused).any()

    def _gated_events(self, m):
        """Yields the name of each counter, and its increment in the cycle before, 0 if dropped."""
        for counter in self._counters:
            name = counter.name
            event = Signal.like(self.events[name], name=f"{name}_event")
            drops = Const(0) if name in self._always_counted else self.dropping
            m.d.sync += event.eq(Mux(self.soft_reset | drops, 0, self.events[name]))
            yield name, event

    def _count(self, m, snapshot):
        """Counts the events in registers; returns the value that each counter's register reads."""
        takes_snapshot, shows_snapshot = snapshot
        values = {}
        for name, event in self._gated_events(m):
            total = Signal(64, name=name)
            copy = Signal(64, name=f"{name}_copy")
            visible = Signal(64, name=f"{name}_visible")
            m.d.sync += total.eq(Mux(self.soft_reset, 0, total + event))
            with m.If(takes_snapshot):
                m.d.sync += copy.eq(total)
            m.d.comb += visible.eq(Mux(shows_snapshot, copy, total))
            values |= {f"{name}_low": visible[:32], f"{name}_high": visible[32:]}
        return values

    def _status(self, m, slave, refused):
        """Collects error bits, and stores a written function if the build has it; returns the value
        of ``status``."""
        status = Signal(self.errors.shape())
        for name, _ in status.shape():
            drops = Const(0) if name in self._always_counted else self.dropping
            with m.If(self.errors[name] & ~drops):
                m.d.sync += status[name].eq(1)
        if self._settings.numbers or self._network:
            with m.If(refused):
                m.d.sync += status.bad_setting.eq(1)
        strobe = _strobed_bits(slave)
        function = Signal(32, name="written_function")
        m.d.comb += function.eq(slave.write_data & strobe)
        with m.If(self._written(slave, "function")):
            with m.If(function < len(self._settings.functions)):
                m.d.sync += self.function.eq(function)
            with m.Else():
                m.d.sync += status.bad_function.eq(1)
        with m.If(self.soft_reset):
            m.d.sync += status.eq(0)
        errors = status.as_value()
        return {"status": Cat(errors, Const(0, 31 - len(errors)), self.busy)}

    def _interrupt(self, m, slave, status):
        """Collects the causes of an interrupt, stream done and error; returns the values of its two
        registers."""
        enabled = Signal(2)
        pending = Signal(2)
        cleared = Signal(2)
        previous_status = Signal.like(status)
        new_causes = Cat(self.finished, (status & ~previous_status).any())
        with m.If(self._written(slave, "interrupt_enable")):
            m.d.sync += enabled.eq(slave.write_data)
        with m.If(self._written(slave, "interrupt_pending")):
            m.d.comb += cleared.eq(slave.write_data)
        m.d.sync += [
            previous_status.eq(status),
            pending.eq((pending & ~cleared) | new_causes),
            self.interrupt.eq((pending & enabled).any()),
        ]
        with m.If(self.soft_reset):
            m.d.sync += [previous_status.eq(0), pending.eq(0)]
        return {"interrupt_enable": enabled, "interrupt_pending": pending}


def _strobed_bits(slave):
    """Returns a mask of the bits whose byte has a strobe."""
    return Cat(bit.replicate(8) for bit in slave.write_strobe)


def _fitted(word, width, signed):
    """Returns a written word in ``width`` bits: its own bits, or the bits that mark a misfit."""
    if signed:
        beyond = word[width - 1 :]
        return Mux(beyond.any() & ~beyond.all(), 1 << width - 1, word[:width])
    return word | word[width:].any().replicate(width)
