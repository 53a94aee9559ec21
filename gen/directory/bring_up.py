"""The first run on a board, step by step: which register, in which order, what to see.

Plain data, made from the register map alone; :mod:`gen.directory.readme` writes them down.
"""

from dataclasses import dataclass

from gen.design.network import DESIGN, HOST, dotted, network_values
from gen.text.escapes import markdown
from rtl.bus.registers import BUSY, register_names, register_words
from rtl.bus.top import counters_of, network_settings
from rtl.contract.face import DATAGRAM

#: Of AXI and of Avalon: the streams in and out, and what ends one.
STREAM_WORDS = (("s_axis", "m_axis", "tlast"), ("sink", "source", "endofpacket"))


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something to do, and what must be seen then.

    Attributes
    ----------
    action : str
        "read", "write", "wait" (read until it is so), or "send", which has no register.
    register : str or None
        Its name in the register map.
    value : int or str or None
        What is written, or must be read; a text says what it depends on.
    mask : int
        The bits that count.
    why : str
    """

    action: str
    why: str
    register: str | None = None
    value: int | str | None = None
    mask: int = 0xFFFF_FFFF


def steps(design, registers):
    """The steps of one stream, from a bitstream that was just loaded to its rows.

    Parameters
    ----------
    design : Design
    registers : dict of str to Register
        The map of its top.
    """
    yield from _identity(registers)
    yield from _settings(design)
    yield from _network(design)
    yield Step(
        action="read", register="status", value=0, why="no error, nothing inside: ready for data"
    )
    yield from _stream(design)
    yield from _counts(design)


def _identity(registers):
    told = {
        "magic": 'an engine answers ("SLCE"); if not, see to clock, reset and base address',
        "version": "the register map is of this version",
        "configuration": "the engine is this design, and no other bitstream",
    }
    for name, why in told.items():
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


def _settings(design):
    settings = design.settings
    for number in settings.numbers:
        about = markdown(number.doc)
        if number.area is None and number.unit:
            about += f", in {number.unit}"
        given = register_words(number, number.value) if number.value is not None else {}
        for name in register_names(number):
            own = number.area is not None or name not in given
            value = "yours" if own else given[name]
            yield Step(action="write", register=name, value=value, why=about)
    if settings.functions:
        choices = ", ".join(f"{k} `{name}`" for k, name in enumerate(settings.functions))
        yield Step(action="write", register="function", value=0, why=f"what rows show: {choices}")


def _network(design):
    """The addresses of both ends, the design's own MAC last: from then on it takes frames."""
    settings = {setting.name: setting for setting in network_settings(design)}
    receiver, sender = ("to_address", "to_port", "to_mac"), ("from_address", "from_mac")
    order = ("address", "port", *receiver, *sender, "mac")
    for name in order if settings else ():
        setting, value = settings[name], network_values()[name]
        shown = f"; here {dotted(value)}" if name.endswith("address") else "; here an example"
        shown = "" if name.startswith("from_") else shown
        for register, word in register_words(setting, value).items():
            yield Step(action="write", register=register, value=word, why=setting.doc + shown)


def _stream(design):
    """Sends a stream, and waits until all of its rows are out."""
    into, out, end = STREAM_WORDS[design.face.bus == "avalon"]
    if design.face.network:
        most = DATAGRAM // design.input.packing.bytes
        yield Step(
            action="send",
            why=f"first listen on UDP port {HOST.port} of {dotted(HOST.address)}, and see that "
            f"`ping {dotted(DESIGN.address)}` is answered; then send the tuples to port "
            f"{DESIGN.port} there, at most {most} of them in a datagram, and a datagram without "
            "a byte, which ends the stream",
        )
        done = "when the last frame of rows has left"
    else:
        yield Step(
            action="send",
            why=f"first make ready to receive at `{out}`, then send one stream to `{into}`, with "
            f"`{end}` at its end",
        )
        done = "when the last row has been taken"
    yield Step(
        action="wait",
        register="status",
        value=0,
        why=f"bit {BUSY.low} (`busy`) falls {done}; any other bit is an error, see below",
    )


def _counts(design):
    wanted = {
        "datagrams": ("as many as were sent", "with the one without a byte"),
        "overflow": ("0 if none were lost", "datagrams that found no room: send more slowly"),
        "tuples": ("as many as were sent", "of 64 bits; the high word follows"),
        "streams": (1, "one stream has ended"),
        "filtered": ("any", "of these, tuples that WHERE has left out"),
        "rows": ("as many as came", "the rows of that stream"),
    }
    for counter in counters_of(design):
        if counter.name in wanted:
            value, why = wanted[counter.name]
        elif counter.dropped:
            value, why = "0 if none were lost", counter.doc
        else:
            continue
        yield Step(action="read", register=f"{counter.name}_low", value=value, why=why)
