"""Driver and monitor of a stream whose payload is a port for each field."""

import random
from collections import deque

from cocotb.triggers import RisingEdge

#: Share of the pauses of a monitor that last until ``valid`` is high.
PATIENT = 0.25


class Pins:
    """The handles of a stream's ports; a stream without ``ready`` or ``valid`` has None there.

    The stream may be an AXI4-Stream, whose fields have their AXI names: ``tdata``, ``tkeep`` and
    so on. ``side_ports`` are ports that belong to no stream, and are handled as fields of the
    payload.
    """

    def __init__(self, dut, name, ports, side_ports=()):
        of_stream = [port for port in ports if port["stream"] == name]
        of_stream = of_stream or _axi_ports(name, ports)
        if not of_stream:
            raise ValueError(f"{name} must be a stream of the block")
        of_stream += [
            port | {"field": port["name"]} for port in ports if port["name"] in side_ports
        ]
        handles = {port["name"]: getattr(dut, port["name"]) for port in of_stream}
        self.valid = handles.get(f"{name}_valid", handles.get(f"{name}_tvalid"))
        self.ready = handles.get(f"{name}_ready", handles.get(f"{name}_tready"))
        fields = [port for port in of_stream if port["field"] is not None]
        self.fields = {port["field"]: handles[port["name"]] for port in fields}
        self.widths = {port["field"]: port["width"] for port in fields}
        self.signed = {port["field"]: port["is_signed"] for port in fields}

    def number(self, field):
        """Returns the number at a port, or its text if a bit is X or Z."""
        text = self.text(field)
        if not text.isdecimal():
            return text
        return int(text, 2) - ((self.signed[field] and text[0] == "1") << len(text))

    def text(self, field):
        """Returns the bits at a port as text, the highest first."""
        return str(self.fields[field].value)


def _axi_ports(name, ports):
    """Returns the ports of an AXI4-Stream, as ports of the stream ``name``."""
    fields = {port["name"]: port["name"].removeprefix(f"{name}_") for port in ports}
    return [
        port | {"field": None if field in ("tvalid", "tready") else field}
        for port, field in zip(ports, fields.values(), strict=True)
        if port["name"] == f"{name}_{field}" and field.startswith("t")
    ]


class StreamDriver:
    """Sends payloads to an input stream of a block, with random pauses.

    While ``valid`` is low, all fields of the payload are random. A field that a payload does not
    name is random, too, so a block that reads an undefined field gives wrong rows.

    Parameters
    ----------
    tb : Testbench
    name : str
        Name of the stream: ``i``.
    side_ports : sequence of str
        Input ports that the block samples with a payload, such as ``size``. A payload may name such
        a port like a field.
    """

    def __init__(self, tb, name, side_ports=()):
        self.name = name
        self.pins = Pins(tb.dut, name, tb.ports, side_ports)
        self.stall = 0.0
        self.count = 0
        self.stalled_cycles = 0  # cycles in which a payload was offered and not accepted
        self._tb = tb
        self._queue = deque()
        self._random = random.Random(f"{tb.seed} {name}")
        self._masks = {field: (1 << width) - 1 for field, width in self.pins.widths.items()}

    @property
    def is_empty(self):
        return not self._queue

    def send(self, payloads):
        """Appends payloads, each a mapping of a field's name to an int."""
        self._queue.extend(payloads)

    def clear(self):
        """Drops the payloads that are not sent yet."""
        self._queue.clear()

    async def run(self):
        """Drives the ports at each rising edge of the clock, for ever."""
        offered = None
        self._drive(None)
        while True:
            await RisingEdge(self._tb.clock)
            if self._tb.in_reset:
                offered = None
                self._drive(None)
                continue
            if offered is not None and (self.pins.ready is None or int(self.pins.ready.value)):
                self.count += 1
                self._tb.note_transfer(self.name, offered)
                self._queue.popleft()
                offered = None
            elif offered is not None:
                self._tb.note_stall(self.name)
            if offered is None:
                starts_offer = self._queue and self._random.random() >= self.stall
                offered = self._queue[0] if starts_offer else None
                self._drive(offered)

    def _drive(self, payload):
        if self.pins.valid is not None:
            self.pins.valid.value = int(payload is not None)
        payload = payload or {}
        for field, handle in self.pins.fields.items():
            value = payload.get(field)
            if value is None:
                value = self._random.getrandbits(self.pins.widths[field])
            handle.value = _signed(value & self._masks[field], self.pins, field)


class StreamMonitor:
    """Accepts payloads of an output stream, and compares each with the expected payload.

    The monitor checks the rules of streams: a payload that is offered stays offered and unchanged
    until it is accepted. Only fields that the expected payload names are read, so fields that have
    no meaning may hold anything, also X.

    Parameters
    ----------
    tb : Testbench
    name : str
    side_ports : sequence of str
        Output ports that have a meaning with a payload, such as ``busy``. An expected payload may
        name such a port like a field.
    """

    def __init__(self, tb, name, side_ports=()):
        self.name = name
        self.pins = Pins(tb.dut, name, tb.ports, side_ports)
        self.stall = 0.0
        self.count = 0
        self.stalled_cycles = 0  # cycles in which a payload was offered and not accepted
        self._tb = tb
        self._expected = deque()
        self._random = random.Random(f"{tb.seed} {name}")

    @property
    def is_empty(self):
        """True if no expected payload is missing."""
        return not self._expected

    def expect(self, payloads):
        """Appends expected payloads, each a mapping of a field's name to an int."""
        self._expected.extend(payloads)

    def clear(self):
        """Forgets the expected payloads that have not come."""
        self._expected.clear()

    async def run(self):
        """Samples the ports at each rising edge of the clock, for ever."""
        stalled = None
        waits_for_valid = False
        ready = False
        while True:
            await RisingEdge(self._tb.clock)
            if self._tb.in_reset:
                stalled = None
                ready = False
                self._set_ready(False)
                continue
            valid = self.pins.valid is None or int(self.pins.valid.value) == 1
            if stalled is not None:
                assert valid, f"{self.name}: valid fell before the payload was accepted"
                payload = {field: self.pins.text(field) for field in stalled}
                assert payload == stalled, f"{self.name}: the payload changed while it waited"
            stalled = None
            if valid and (ready or self.pins.ready is None):
                self._tb.note_transfer(self.name, self._accepted())
                self.count += 1
            elif valid:
                stalled = {field: self.pins.text(field) for field in self._meaningful()}
                self._tb.note_stall(self.name)
            if waits_for_valid and not valid:
                continue
            pauses = self._random.random() < self.stall
            waits_for_valid = pauses and self._random.random() < PATIENT
            ready = not pauses
            self._set_ready(ready)

    def _set_ready(self, ready):
        if self.pins.ready is not None:
            self.pins.ready.value = int(ready)

    def _meaningful(self):
        """Returns the fields of the offered payload that have a meaning."""
        return self._expected[0] if self._expected else ()

    def _accepted(self):
        """Compares the payload that is accepted now, and returns it."""
        assert self._expected, f"{self.name}: payload {self.count} came, and none was expected"
        expected = self._expected.popleft()
        self._compare(expected, {field: field for field in expected}, f"payload {self.count}")
        return expected

    def _compare(self, expected, port_fields, place):
        """Raises AssertionError unless each field has the expected value at its port."""
        received = {field: self.pins.number(port_fields[field]) for field in expected}
        if received != expected:
            different = sorted(field for field in expected if received[field] != expected[field])
            pairs = (f"{field} is {received[field]}, not {expected[field]}" for field in different)
            raise AssertionError(f"{self.name}: {place}: {', '.join(pairs)}")


class ListMonitor(StreamMonitor):
    """Accepts the beats of lists of tuples, and compares each tuple with the expected tuple.

    A list is a stream of dense beats, ``last`` in its final beat. All beats but the last are full;
    the last beat may be empty. So with 4 lanes a list of 5 tuples comes as a full beat and a beat
    with one tuple, and a list of 4 tuples as one beat, or as a full and an empty beat.
    """

    def __init__(self, tb, name, side_ports=()):
        super().__init__(tb, name, side_ports)
        prefixes = {field.split("_")[0] for field in self.pins.fields if field.startswith("lane")}
        self._lanes = [
            [field for field in self.pins.fields if field.split("_")[0] == f"lane{k}"]
            for k in range(len(prefixes))
        ]
        self._place = 0  # tuples of the first expected list that have come

    def clear(self):
        super().clear()
        self._place = 0

    def expect(self, lists, beat_fields=None):
        """Appends expected lists of tuples, each a mapping of a field's name to an int.

        ``beat_fields`` has a mapping for each list: fields that all beats of the list must have,
        such as ``context``.
        """
        lists = list(lists)
        self._expected.extend(zip(lists, beat_fields or [{}] * len(lists), strict=True))

    def _meaningful(self):
        valid = int(self.pins.fields["valid"].value)
        lanes = [self._lanes[k] for k in range(len(self._lanes)) if valid >> k & 1]
        of_beat = self._expected[0][1] if self._expected else ()
        return ["valid", "last", *of_beat, *(field for fields in lanes for field in fields)]

    def _accepted(self):
        beat = f"beat {self.count}"
        assert self._expected, f"{self.name}: {beat} came, and no list was expected"
        tuples, of_beat = self._expected[0]
        valid, last = (int(self.pins.fields[field].value) for field in ("valid", "last"))
        assert valid & (valid + 1) == 0, f"{self.name}: {beat} has gaps: valid is {valid:b}"
        count = valid.bit_count()
        assert last or count == len(self._lanes), f"{self.name}: {beat} is short, and not the last"
        self._compare(of_beat, {field: field for field in of_beat}, beat)
        for k, tuple_ in enumerate(tuples[self._place : self._place + count]):
            ports = {field: f"lane{k}_{field}" if field else f"lane{k}" for field in tuple_}
            self._compare(tuple_, ports, f"{beat}, lane {k}")
        self._place += count
        surplus = self._place - len(tuples)
        assert surplus <= 0, f"{self.name}: {beat} has {surplus} tuples more than the list"
        if last:
            assert surplus == 0, f"{self.name}: {beat} ends the list {-surplus} tuples too early"
            self._expected.popleft()
            self._place = 0
        return {"valid": valid, "last": last}


def _signed(bits, pins, field):
    """Returns the bits as a number in the range of the port."""
    if pins.signed[field] and bits >> (pins.widths[field] - 1):
        return bits - (1 << pins.widths[field])
    return bits
