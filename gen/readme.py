"""README.md of a generated directory: how to build it, how to wake it up, how to use it.

All of it is made from what the other files are made from: ports, register map, settings. So no name
and no address in it can be another one than the hardware's.
"""

from fractions import Fraction

from boards.templates import fill
from gen.axi_view import axi_view
from gen.bring_up import STREAM_WORDS, steps
from gen.columns import row_columns, tuple_columns
from gen.host_view import host_view
from rtl.bus.top import flags_of

_TEXT = """
    # ${name}

    Made by Sluice. It answers

    ${query}

    with the engine `${engine}`${board}; ${rate}. `manifest.json` has all of this for programs.

    ## Build

    ${build}
    ## Ports

    Clock `${clock}`, reset `${reset}` (low, synchronous).

    ${ports}

    ${order}

    ${fields}

    ## Bring-up

    Offsets are bytes from the base of the registers${base}. Values are 32 bits. The same sequence
    holds for each stream that follows; then it begins with the settings.

    ${steps}

    Bits of `status`, which stay until a soft reset (1 to `control`):

    ${flags}

    All registers are in `registers/`: `${name}_host.h` for C, `${name}.rdl` for SystemRDL.

    ## From Python

    On a board with PYNQ, where `${name}.bit` and `${name}.hwh` lie in this directory, or in
    simulation with the project's package:

    ```python
    import pandas
    from host import Engine

    table = pandas.read_csv("data.csv")  # ${columns}
    with Engine.open(".") as engine:
        ${configure}rows = engine.run(table)
        print(rows)
        print(engine.last.dropped)
    ```

    ## From C

    `registers/${name}_driver.c` needs no operating system; `board` is a table of six functions that
    read and write registers and move bytes, see `registers/${name}_driver.h`.

    ```c
    #include "${name}_driver.h"

    int first_stream(const ${name}_board_t *board, const ${name}_tuple_t *tuples, size_t count,
                     ${name}_row_t *rows, size_t room, size_t *came)
    {
        ${name}_driver_t driver;
        ${name}_result_t result = ${name}_open(&driver, board);
    ${c_configure}    if (result == ${macro}_OK)
            result = ${name}_submit(&driver, tuples, count, rows, room);
        while (result == ${macro}_OK || result == ${macro}_RUNNING) {
            result = ${name}_poll(&driver, came);
            if (result != ${macro}_RUNNING)
                break;
        }
        return result;
    }
    ```
    """
_DATA = ("tdata", "wdata", "data", "writedata")
_C_CONFIGURE = """\
    const {name}_settings_t settings = {macro}_QUERY;
    if (result == {macro}_OK)
        result = {name}_configure(&driver, &settings);
"""


def readme(build, ports, registers):
    """README.md by its path.

    Parameters
    ----------
    build : gen.build.Build
    ports : boards.board.Ports
    registers : dict of str to Register
        The map of the design's top.
    """
    design, board, name = build.design, build.board, build.name
    values = {
        "name": name,
        "macro": name.upper(),
        "query": "\n".join(f"    {line}" for line in str(build.query).splitlines()),
        "engine": design.engine,
        "board": "" if board is None else f", for {board.title}",
        "rate": _rate(design, board),
        "build": _build(build, ports),
        "clock": ports.clock,
        "reset": ports.reset,
        "ports": _table(("bus", "", "bits of data"), _buses(ports)),
        "order": _order(design),
        "fields": _table(("", "field", "first bit", "bits", ""), _fields(design)),
        "base": _base(board, ports),
        "steps": _table(("", "do", "register", "offset", "value", ""), _steps(design, registers)),
        "flags": _table(("bit", "", ""), _flags(design)),
        "columns": ", ".join(f"{f.name}" for f in design.input.packing.fields),
        "configure": _configure(design),
        "c_configure": _c_configure(design, name),
    }
    return {"README.md": fill(_TEXT, **values)}


def _rate(design, board):
    rate = design.prediction.tuples_per_cycle
    text = f"{rate:g} tuple{'' if rate == 1 else 's'} a cycle as predicted"
    if board is None:
        return text
    return f"{text}, at {board.clock_mhz:g} MHz {rate * board.clock_mhz:,.0f} million a second"


def _build(build, ports):
    """The commands of the board, each with what it makes."""
    board = build.board
    lines = []
    for command in () if board is None else board.commands(ports):
        lines += [f"    {command.line}", "", f"{command.makes}", ""]
    if build.refused:
        wanted = ", ".join(f"{name}={value}" for name, value in board.face.values().items())
        lines += [f"The board's own face, {wanted}, is none for this design: {build.refused}.", ""]
    if not lines:
        lines = ["No board was named: take `--board`, or the Verilog into a project of yours.", ""]
    sources = [f"{ports.top}.v", *axi_view(ports.top, build.design), f"sim/{ports.top}_tb.sv"]
    simulated = f"iverilog -g2012 -o first {' '.join(sources)} && vvp -n first"
    lines += ["Without any vendor's tool, the first test:", "", f"    {simulated}", ""]
    return "\n".join(lines)


def _base(board, ports):
    place = None if board is None else board.registers_at(ports)
    return "" if place is None else f", which are at {place:#010x} in the system"


def _buses(ports):
    """Name, kind and width; each bus has one port of data that all others go by."""
    for bus in ports.buses:
        (data,) = (w for role, _, w in ports.of(bus) if role in _DATA)
        side = bus.mode
        if bus.kind == "avalon_streaming":
            side = "sink" if bus.mode == "slave" else "source"
        yield f"`{bus.name}`", f"{bus.title} {side}", data


def _fields(design):
    for what, packing, columns in (
        ("tuple", design.input.packing, tuple_columns(design)),
        ("row", design.rows.packing, row_columns(design)),
    ):
        for field, column in zip(packing.fields, columns, strict=True):
            sign = "signed" if field.signed else "unsigned"
            type_ = sign if column.type is None else str(column.type)
            scale = f", divided by 2^{column.fraction}" if column.fraction else ""
            yield what, f"`{field.name}`", field.offset, field.width, type_ + scale


def _order(design):
    avalon = design.face.bus == "avalon"
    into, out, end = STREAM_WORDS[avalon]
    first = "the first byte in the highest bits" if avalon else "the first byte in the lowest bits"
    if design.face.bus_bits:
        where = "Tuples and rows follow each other densely"
    else:
        where = "Each lane of a beat has a tuple or a row, lane 0 first"
    text = f"`{end}` ends a stream at `{into}`. {where}, {first}; bits from the beginning of each, "
    text += "little-endian:"
    if avalon:
        text = f"Counters call `{into}` by its AXI name `s_axis`, and `{out}` `m_axis`. {text}"
    return text


def _flags(design):
    return ((k, f"`{flag.name}`", flag.doc) for k, flag in enumerate(flags_of(design)))


def _steps(design, registers):
    for number, step in enumerate(steps(design, registers), 1):
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
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _configure(design):
    """The query's own numbers, which are set already and may be changed; not what data decide."""
    given = [
        f"{number['name']}={_short(Fraction(number['value'], 1 << number['fraction']))}"
        for number in host_view(design)["settings"]
        if number["value"] is not None and number["area"] is None
    ]
    text = f"engine.configure({', '.join(given)})  # as in the query"
    return f"{text}\n    " if given else ""


def _short(number):
    return number.numerator if number.denominator == 1 else float(number)


def _c_configure(design, name):
    if not design.settings.numbers and not design.settings.functions:
        return ""
    return _C_CONFIGURE.format(name=name, macro=name.upper())
