"""Writes README.md of a generated directory: build, bring-up and use of the design.

The text follows from the same ports, register map and settings as the other files. So each name and
address in the text equals the hardware's.
"""

from collections.abc import Mapping
from math import lcm

from boards.platforms.network_top import LIGHTS
from boards.ports import Ports
from boards.templates import fill
from gen.design.build import Build
from gen.design.columns import TEXT, row_columns, tuple_columns
from gen.directory.bring_up import STREAM_WORDS, steps
from gen.directory.readme_c_programs import c_section
from gen.directory.readme_programs import python_section
from gen.prediction.board_rate import rate_text
from gen.text.escapes import printable
from gen.verilog.axi_view import axi_view
from host.tuple_window import HEAD as DATAGRAM_HEAD
from rtl.bus.register import Register
from rtl.bus.top_registers import flags_of
from rtl.contract.design import FRAMES, Design
from rtl.contract.face import DATAGRAM, NETWORK_BITS
from rtl.contract.rows import Packet

_TEXT = """
    # ${name}

    Made by Sluice. It answers

    ${query}

    with the engine `${engine}`${board}; ${rate}. `manifest.json` has all of this for programs.

    ## Build

    ${build}
    ${bench}## Ports

    Clock `${clock}`, reset `${reset}` (low, synchronous).

    ${ports}

    ${order}

    ${fields}
    ${texts}
    ## Bring-up

    ${power_up}${offsets}

    ${steps}

    Bits of `status`, which stay until a soft reset (1 to `control`):

    ${flags}

    All registers are in `registers/`: `${name}_host.h` for C, `${name}.rdl` for SystemRDL.

    ${python}
    ${c}
    """
_OFFSETS = """
    Offsets are bytes from the base of the registers${base}. Values are 32 bits. For each
    further stream repeat the steps from the settings on.
    """
_BENCH = """
    ## Check against PySpark's rows

    The bench in cocotb sends the tuples of a file, and compares rows and counters with those that
    PySpark computed, at full speed and with random stalls. It needs cocotb, cocotbext-axi and a
    simulator:

        python sim/test_${name}.py icarus
        python sim/test_${name}.py verilator

    Run the same bench under pytest, with the seed of a run that failed: `SIM=verilator SEED=7
    pytest sim/test_${name}.py`. Its data are `sim/${name}_tuples.csv`, `sim/${name}_rows.csv` and
    `sim/${name}_run.json`: edit them, or generate the directory with `--tuples FILE`, which
    computes the rows of your own tuples.
    """
#: Roles of ports with data. A bus has exactly one of them; its width is the width of the bus.
_DATA = ("tdata", "wdata", "data", "writedata")


def readme(
    build: Build, ports: Ports, registers: Mapping[str, Register], *, has_bench: bool = False
) -> dict[str, str]:
    """Returns a mapping of the path ``README.md`` to the text of the file.

    Parameters
    ----------
    build : gen.design.build.Build
    ports : boards.ports.Ports
    registers : dict of str to Register
        The register map of the design's top.
    has_bench : bool
        True if the directory has the bench in cocotb.
    """
    design, board, name = build.design, build.board, build.name
    values = {
        "name": name,
        "query": "\n".join(f"    {printable(line)}" for line in str(build.query).split("\n")),
        "engine": design.engine,
        "board": "" if board is None else f", for {board.title}",
        "rate": _rate(build),
        "build": _build(build, ports),
        "bench": fill(_BENCH, name=name).lstrip() + "\n" if has_bench else "",
        "clock": ports.clock,
        "reset": ports.reset,
        "ports": _table(("bus", "", "bits of data"), _buses(ports)),
        "order": _stream_format(design),
        "fields": _table(("", "field", "first bit", "bits", ""), _fields(design)),
        "texts": _texts(design),
        "power_up": _power_up(build, registers),
        "offsets": fill(_OFFSETS, base=_base(board, ports)).rstrip(),
        "steps": _table(("", "do", "register", "offset", "value", ""), _steps(build, registers)),
        "flags": _table(("bit", "", ""), _flags(design)),
        "python": python_section(build, ports),
        "c": c_section(build),
    }
    return {"README.md": fill(_TEXT, **values).rstrip() + "\n"}


def _rate(build):
    """Returns a phrase such as "1 tuple a cycle as predicted"; a board adds the rate in seconds."""
    rate = build.design.prediction.tuples_per_cycle
    text = f"{rate:g} tuple{'' if rate == 1 else 's'} a cycle as predicted"
    return text if build.board is None else f"{text}, at {rate_text(build)}"


def _build(build, ports):
    """Returns the commands of the board, each with its result, and the first test without tools."""
    board = build.board
    lines = []
    for command in () if board is None else board.commands(ports):
        lines += [f"    {command.line}", "", f"{command.result}", ""]
    if build.refused:
        face = board.face_for(build.design.rows)
        options = ", ".join(f"{name}={value}" for name, value in face.values().items())
        lines += [f"This design cannot use the board's own ports ({options}): {build.refused}.", ""]
    if not lines:
        hint = "Generate again with `--board`, or add the Verilog to your own project."
        lines = [f"No board was named. {hint}", ""]
    sources = [f"{ports.top}.v", *axi_view(ports.top, build.design), f"sim/{ports.top}_tb.sv"]
    simulated = f"iverilog -g2012 -o first {' '.join(sources)} && vvp -n first"
    lines += ["Without any vendor's tool, the first test:", "", f"    {simulated}", ""]
    return "\n".join(lines)


def _power_up(build, registers):
    """Returns a paragraph for a board that writes the registers at power-up; else an empty text."""
    if build.link is None:
        return ""
    meanings = LIGHTS[: len(build.board.lights)]
    lights = "\n".join(f"| {k} | {meaning} |" for k, meaning in enumerate(meanings))
    others = "Only datagrams" if build.design.face.host_link else "After that nothing can"
    return (
        "The board makes the writes of this table itself when it is switched on, and after its "
        "reset button, except the soft reset, which the engine does not need then"
        f"{_unwritten(build, registers)}. {others} read or write a register. So begin with the "
        "step that sends a stream. The lights of the board show:\n\n| light | |\n| --- | --- |\n"
        f"{lights}\n\n"
    )


def _unwritten(build, registers):
    """Returns a phrase with the registers that the board does not write, and which stay 0."""
    host_link = build.design.face.host_link
    written = {address for address, _ in (*build.ports.writes, *build.link.writes(host_link))}
    names = [
        f"`{step.register}`"
        for step in _all_steps(build, registers)
        if step.action == "write"
        and step.register != "control"
        and step.value != 0
        and registers[step.register].address not in written
    ]
    if not names:
        return ""
    stay = "stays 0" if len(names) == 1 else "stay 0"
    until = " until a datagram writes a value" if host_link else ""
    return f", and the write of {' and '.join(names)}, which {stay}{until}"


def _all_steps(build, registers):
    is_serial = build.link is not None and build.board.ethernet is None
    return steps(build.design, registers, build.link, build.start, is_serial=is_serial)


def _base(board, ports):
    """Returns a phrase with the base address of the registers; empty if the board has none."""
    address = None if board is None else board.registers_at(ports)
    return "" if address is None else f", which are at {address:#010x} in the system"


def _buses(ports):
    """Yields name, kind and width of each bus; the width is the width of its data port."""
    for bus in ports.buses:
        (data,) = (w for role, _, w in ports.bus_ports(bus) if role in _DATA)
        side = bus.mode
        if bus.kind == "avalon_streaming":
            side = "sink" if bus.mode == "slave" else "source"
        yield f"`{bus.name}`", f"{bus.title} {side}", data


def _fields(design):
    """Yields the table's line of each field: of tuple or row, name, first bit, bits and type."""
    for kind, packing, columns in (
        ("tuple", design.input.packing, tuple_columns(design)),
        ("row", design.rows.packing, row_columns(design)),
    ):
        for field, column in zip(packing.fields, columns, strict=True):
            sign = "signed" if field.signed else "unsigned"
            type_ = sign if column.type is None else str(column.type)
            scale = f", divided by 2^{column.fraction}" if column.fraction else ""
            order = f", {TEXT}" if column.byte_order == TEXT else ""
            yield kind, f"`{field.name}`", field.offset, field.width, type_ + scale + order


def _texts(design):
    """Returns an example of the bytes of a text in its field; empty without texts."""
    fields = [*design.input.packing.fields, *design.rows.packing.fields]
    columns = [*tuple_columns(design), *row_columns(design)]
    texts = [f for f, c in zip(fields, columns, strict=True) if c.byte_order == TEXT]
    if not texts:
        return ""
    field = texts[0]
    text = "ab"[: field.bytes]
    data = text.encode()[::-1].rjust(field.bytes, b"\0")
    return (
        f"\nThe bytes of a text lie in reverse, {TEXT}, and zeros fill up a shorter text: "
        f'"{text}" in `{field.name}` is {data.hex(" ")}, from the lowest address up. If a '
        "program sends the bytes in the other order, the engine sees another text, and reports no "
        "error.\n"
    )


def _stream_format(design):
    """Returns sentences about the streams: order of tuples, ends of packets, place of bytes."""
    avalon = design.face.bus == "avalon"
    into, out, end = STREAM_WORDS[avalon]
    if design.face.network:
        return _sorting(design) + _datagrams(design)
    first = "the first byte in the highest bits" if avalon else "the first byte in the lowest bits"
    if design.face.bus_bits:
        layout = "Tuples and rows follow each other densely"
    else:
        layout = "Each lane of a beat has a tuple or a row, lane 0 first"
    text = f"`{end}` ends a stream at `{into}`, and a packet at `{out}`: {packet_of(design)}. "
    text += f"{layout}, {first}; bits from the beginning of each, little-endian:"
    if avalon:
        text = f"Counters call `{into}` by its AXI name `s_axis`, and `{out}` `m_axis`. {text}"
    return _sorting(design) + text


def packet_of(design: Design) -> str:
    """Returns a phrase for the rows in a packet, such as "all rows of a stream"."""
    face, rows = design.face, design.rows
    if face.beats:
        return f"at most {face.beats} transfers of the rows of a stream"
    if rows.packet is Packet.STREAM or face.joins(rows):
        return "all rows of a stream"
    marker = ", and behind the last window of a stream an empty packet" if face.marks(rows) else ""
    return f"the rows of one window{marker}"


def _sorting(design):
    """Returns a sentence about the order of the tuples; empty if any order is allowed."""
    if not design.input.sorted_by:
        return ""
    columns = ", then ".join(f"`{name}`" for name in design.input.sorted_by)
    return f"The tuples of a stream must ascend by {columns}. "


def _datagrams(design):
    """Returns sentences about the bytes in frames and datagrams."""
    rx, tx = (bus.name for bus in FRAMES)
    size, row = design.input.packing.bytes, design.rows.packing.bytes
    most_tuples = f"{DATAGRAM // size} of {size} bytes{_numbered_limit(design)}"
    granule = lcm(row, NETWORK_BITS // 8)
    most_rows = DATAGRAM // granule * granule // row
    return (
        f"`{rx}` takes Ethernet frames from a MAC, without preamble and FCS, and `{tx}` gives "
        "such frames; the first byte of a frame is in the lowest bits. `tuser` of a frame's last "
        f"transfer at `{rx}` says that its FCS was wrong. In UDP datagrams to `port` tuples follow "
        f"each other densely, at most {most_tuples}, and a "
        "datagram without a byte ends a stream. Rows come in the same way, at most "
        f"{most_rows} of {row} bytes, and a datagram without a byte ends a packet: "
        f"{packet_of(design)}. Inside, the two streams are called `s_axis` and `m_axis`, and "
        "counters have these names. "
        "Bits from the beginning of each tuple or row, little-endian:"
    )


def _numbered_limit(design):
    """Returns a phrase with the most tuples of a numbered datagram; empty without such datagrams.

    The number takes 8 of the 1,472 bytes: 366 tuples of 4 bytes fit in place of 368.
    """
    if not design.face.host_link:
        return ""
    most = (DATAGRAM - DATAGRAM_HEAD) // design.input.packing.bytes
    head = f"each datagram then begins with {DATAGRAM_HEAD} bytes"
    return f" ({most} if bit 1 of `numbered` is 1: {head} of a number)"


def _flags(design):
    """Yields bit, name and meaning of each error bit of the register status."""
    return ((k, f"`{flag.name}`", flag.doc) for k, flag in enumerate(flags_of(design)))


def _steps(build, registers):
    """Yields the table's line of each step of :func:`gen.directory.bring_up.steps`."""
    for number, step in enumerate(_all_steps(build, registers), 1):
        if step.register is None:
            yield number, step.action, "", "", "", step.why
            continue
        value = step.value
        if isinstance(value, int):
            value = f"0x{value:08x}"
            if step.mask != 0xFFFF_FFFF:
                value += f" in 0x{step.mask:08x}"
        address = f"0x{registers[step.register].address:03x}"
        yield number, step.action, f"`{step.register}`", address, value, step.why


def _table(head, rows):
    """Returns a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)
