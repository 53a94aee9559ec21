"""Lists the steps of the first run on a board: registers, their order, and the values to see.

The steps are plain data that follow from the register map. :mod:`gen.directory.readme` prints them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from boards.platforms.link import REGISTERS_PORT, Link
from gen.design.network import dotted, endpoints_of, network_values
from gen.text.escapes import markdown
from rtl.bus.register import Register
from rtl.bus.registers import BUSY
from rtl.bus.setting_registers import register_names, register_words
from rtl.bus.top_registers import counters_of, link_settings, network_settings
from rtl.contract.design import Design
from rtl.contract.face import DATAGRAM

#: Names of AXI and of Avalon for the input stream, the output stream, and the end of a stream.
STREAM_WORDS = (("s_axis", "m_axis", "tlast"), ("sink", "source", "endofpacket"))


@dataclass(frozen=True, kw_only=True)
class Step:
    """An action, and the value that must be seen.

    Attributes
    ----------
    action : str
        "read", "write", "wait" (read until the value is seen), or "send", which has no register.
    register : str or None
        Name of the register in the register map.
    value : int or str or None
        Value that is written, or must be read; a text if the value depends on the run.
    mask : int
        Bits of the value that count.
    why : str
        Reason or meaning of the step.
    """

    action: str
    why: str
    register: str | None = None
    value: int | str | None = None
    mask: int = 0xFFFF_FFFF


def steps(
    design: Design,
    registers: Mapping[str, Register],
    link: Link | None = None,
    start: int | None = None,
    *,
    is_serial: bool = False,
) -> Iterator[Step]:
    """Yields the steps of one stream, from a bitstream that was just loaded to the rows.

    Parameters
    ----------
    design : Design
    registers : dict of str to Register
        The register map of the design's top.
    link : Link or None
        Link of the board, with the addresses of both ends of the wire. With None the steps of a
        design with a network face have example addresses.
    start : int or None
        Raw time at which window 0 begins, if it is known.
    is_serial : bool
        The link is a serial line, where no other machine answers or asks.
    """
    yield from _identity(registers)
    yield from _settings(design, start)
    yield from _network(design, link)
    yield Step(
        action="read", register="status", value=0, why="no error, nothing inside: ready for data"
    )
    yield from _stream(design, link, is_serial)
    yield from _counts(design)


def _identity(registers):
    reasons = {
        "magic": 'an engine answers ("SLCE"); if not, see to clock, reset and base address',
        "version": "the register map is of this version",
        "configuration": "the engine is this design, and no other bitstream",
    }
    for name, why in reasons.items():
        yield Step(action="read", register=name, value=registers[name].value, why=why)
    yield Step(
        action="write",
        register="control",
        value=1,
        why="soft reset: counters and errors are 0, what was inside is dropped",
    )
    yield Step(
        action="wait",
        register="status",
        value=0,
        mask=1 << BUSY.low,
        why=f"the reset is over when bit {BUSY.low} (`busy`) is 0",
    )


def _settings(design, start):
    settings = design.settings
    for number in settings.numbers:
        about = markdown(number.doc)
        if number.area is None and number.unit:
            about += f", in {number.unit}"
        number_value = start if number.name == "start" else number.value
        words = register_words(number, number_value) if number_value is not None else {}
        for name in register_names(number):
            is_yours = number.area is not None or name not in words
            value = "yours" if is_yours else words[name]
            yield Step(action="write", register=name, value=value, why=about)
    if settings.functions:
        choices = ", ".join(f"{k} `{name}`" for k, name in enumerate(settings.functions))
        yield Step(action="write", register="function", value=0, why=f"what rows show: {choices}")


def _network(design, link):
    """Yields the addresses of both ends; the design's MAC is last, since it enables frames."""
    values = network_values(
        *endpoints_of(link), REGISTERS_PORT if link is None else link.registers_port
    )
    of_host = {setting.name: setting for setting in link_settings(design) if setting.name in values}
    settings = {setting.name: setting for setting in network_settings(design)} | of_host
    receiver, sender = ("to_address", "to_port", "to_mac"), ("from_address", "from_mac")
    order = ("address", "port", *receiver, *sender, *of_host, "mac")
    for name in order if settings else ():
        setting, value = settings[name], values[name]
        example = "; here an example" if link is None else ""
        example = f"; here {dotted(value)}" if name.endswith("address") else example
        example = "" if name.startswith("from_") else example
        for register, word in register_words(setting, value).items():
            yield Step(action="write", register=register, value=word, why=setting.doc + example)


def _stream(design, link, is_serial):
    """Yields the steps that send a stream, and wait until all rows have left the engine."""
    into, out, end = STREAM_WORDS[design.face.bus == "avalon"]
    others = [f"`{out}{bus.name.removeprefix('m_axis')}`" for bus in design.streams[2:]]
    if design.face.network:
        design_end, host_end = endpoints_of(link)
        others = others if link is None else []  # the board's top takes them
        largest = DATAGRAM // design.input.packing.bytes
        rows_to = f"UDP port {host_end.port} of {dotted(host_end.address)}"
        tuples_to, board = f"port {design_end.port}", dotted(design_end.address)
        if is_serial:
            first = f"open the serial port; each frame of rows there is a datagram to {rows_to}"
            tuples_to = f"UDP {tuples_to} of {board}, in frames as well"
        else:
            first = f"listen on {rows_to}, and see that `ping {board}` is answered"
            tuples_to += " there"
        yield Step(
            action="send",
            why=f"first {first}; then send the tuples to {tuples_to}, at most {largest} of them in "
            "a datagram, and a datagram without a byte, which ends the stream"
            + "".join(f"; receive at {name}, too, which has no datagrams" for name in others),
        )
        end_condition = "when the last frame of rows has left"
    else:
        also = "".join(f", and at {name}, where each stream is a packet, too" for name in others)
        yield Step(
            action="send",
            why=f"first make ready to receive at `{out}`{also}; then send one stream to `{into}`, "
            f"with `{end}` at its end",
        )
        end_condition = "when the last row has been taken"
    yield Step(
        action="wait",
        register="status",
        value=0,
        why=f"bit {BUSY.low} (`busy`) falls {end_condition}; any other bit is an error, see below",
    )


def _counts(design):
    expected = {
        "datagrams": ("as many as were sent", "with the one without a byte"),
        "overflow": ("0 if none were lost", "datagrams that found no room: send more slowly"),
        "tuples": ("as many as were sent", "of 64 bits; the high word follows"),
        "streams": (1, "one stream has ended"),
        "filtered": ("any", "of these, tuples that WHERE has left out"),
        "rows": ("as many as came", "the rows of that stream"),
    }
    for counter in counters_of(design):
        if counter.name in expected:
            value, why = expected[counter.name]
        elif counter.dropped:
            value, why = "0 if none were lost", counter.doc
        else:
            continue
        yield Step(action="read", register=f"{counter.name}_low", value=value, why=why)
