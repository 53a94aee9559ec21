"""Writes the README's section on Python: a first program, for each kind of design."""

from fractions import Fraction

from boards.platforms.link import REGISTERS_PORT
from boards.platforms.platform_board import DEFAULT_LINK
from boards.ports import Ports
from boards.templates import fill
from gen.design.build import Build
from gen.design.columns import tuple_columns
from gen.design.network import SHARE, dotted, endpoints_of, wire_rate
from gen.host.table_view import host_view
from query.types import Fixed, Float, String
from query.window import Range
from rtl.contract.rows import Packet

#: MHz at which 64 bits in a cycle are 10 Gb/s.
_MAC_MHZ = 156.25

_PYTHON = """
    ## From Python

    ${access}

    ```python
    import pandas
    from host import Engine

    table = ${table}
    ${start}with Engine.open(${place}) as engine:
        ${configure}rows = engine.run(table${punctuations})
        print(rows)
        print(engine.last.dropped)
    ```
    """
_PUNCTUATED_PINS = """\
This design takes punctuations from its stream: `tuser` of `s_axis` flags them. An AXI DMA cannot \
send this flag, so the program simulates the Verilog of this directory; for that it needs the \
project's package."""
_MADE_BY_HOST = """ The host class makes the punctuations from the times of the table and the \
query's SLACK."""
_LISTED_BY_USER = """\
# Pairs of a position and a time: no tuple from this position on is older than this time. The host
# cannot make them, because it does not know which tuples pass WHERE.
punctuations = []
"""
_PYTHON_NETWORK = """
    ## From Python

    ${written} ${pace}

    ```python
    import pandas
    from host.datagrams import DatagramLink

    table = ${table}
    ${choose}with DatagramLink(
        ".", engine=${engine}, here=${here}, tuples_per_second=${rate}
    ) as link:
        rows = link.run(table${chosen})
        print(rows)
    ```
    ${more}
    """
_PYTHON_LINK = """
    ## From Python

    ${written} The program sends tuples by the engine's credit, sends lost ones again, and raises an
    error if rows get lost.${made}

    ```python
    import pandas
    from host import Engine

    table = ${table}
    ${start}with Engine.open(".", at="${place}") as engine:
        ${configure}rows = engine.run(table${punctuations})
        print(rows)
        print(engine.last.dropped)
    ```
    """
_LINK_BY_YOU = """\
The program runs on the machine that sends tuples and takes rows. It reads and writes registers by
datagrams: write `registers_port`, `address`, `port` and `mac` before, as in the table above, by
whatever is the master of `s_axil`."""
_LINK_BY_THE_BOARD = """\
The program runs on the machine that sends tuples and takes rows, and reads and writes registers by
datagrams. The board has written the addresses of the table above at power-up."""
_ON_A_LINE = """\
The datagrams travel in frames on the board's serial port, so the program needs the package
pyserial, and the name that the system gives to the port."""
_WITHOUT_REGISTERS = """
    ## From Python

    The board takes and sends datagrams in frames on its serial port. The host class reads them with
    the registers of the board only: generate the design with `--set host_link=true`.
    """
_WRITTEN_BY_YOU = """\
The program runs on the machine that sends tuples and takes rows. It needs no registers: write
those above before, by whatever is the master of `s_axil`. The addresses here are those of the
table above."""
_WRITTEN_BY_THE_BOARD = """\
The program runs on the machine that sends tuples and takes rows. The addresses here are those of
the table above, which the board has written at power-up."""
_CHOOSE = """


def write_function(number):
    input(f"Write {number} to the register function, then press Enter. ")


"""
_SIMULATED = """\
The program simulates the Verilog of this directory; for that it needs the project's package. For \
hardware write a class with `read`, `write`, `transfer` and `close` (`host/backend.py` says what \
they do), and pass an object of it to `Engine.open` in place of "simulation"."""


def python_section(build: Build, ports: Ports) -> str:
    """Returns README's part on Python, as Markdown."""
    design = build.design
    if design.face.host_link:
        return _link_section(build)
    if design.face.network:
        return _network_section(build)
    board = build.board
    access = None if board is None else board.host_access(ports)
    if design.input.punctuations:
        access = _PUNCTUATED_PINS
    # Without the name of the back end, Engine.open takes "pynq" where it is installed.
    is_simulated = access is None or design.input.punctuations
    return fill(
        _PYTHON,
        access=(access or _no_access(build)) + _punctuation_sentence(design),
        place='".", "simulation"' if is_simulated else '"."',
        table=_table(design),
        start=_start(build) + _punctuation_lines(design),
        configure=_configure(build),
        punctuations=_punctuations_argument(design),
    )


def _no_access(build):
    """Returns a sentence for a directory without a complete system that a host can open."""
    reason = "No command above makes a complete system" if build.board else "No board was named"
    return f"{reason}, so there is no hardware that the program can open yet. {_SIMULATED}"


def _link_section(build):
    design = build.design
    link = DEFAULT_LINK if build.link is None else build.link
    port = "" if link.registers_port == REGISTERS_PORT else f":{link.registers_port}"
    serial = None if build.link is None else build.board.serial
    written = _LINK_BY_YOU if build.link is None else _LINK_BY_THE_BOARD
    return fill(
        _PYTHON_LINK,
        written=written if serial is None else f"{written} {_ON_A_LINE}",
        made=_punctuation_sentence(design),
        table=_table(design),
        start=_start(build) + _punctuation_lines(design),
        configure=_configure(build),
        punctuations=_punctuations_argument(design),
        place=f"udp://{link.address}{port}" if serial is None else "serial:///dev/ttyUSB0",
    )


def _network_section(build):
    design, board = build.design, build.board
    if build.link is not None and board.serial is not None:
        return fill(_WITHOUT_REGISTERS)
    clock = _MAC_MHZ if board is None else board.clock_mhz
    most = design.prediction.tuples_per_cycle * clock * 1e6
    bound = f"the engine takes at {clock:g} MHz"
    written = _WRITTEN_BY_YOU
    if build.link is not None:
        written = _WRITTEN_BY_THE_BOARD
        wire = wire_rate(board.ethernet.megabits, design.input.packing.bytes)
        if wire < most:
            most, bound = wire, f"{board.ethernet.megabits:,} Mb/s carry"
    rate = int(SHARE * most)
    functions = design.settings.functions
    design_end, host_end = endpoints_of(build.link)
    return fill(
        _PYTHON_NETWORK,
        written=written,
        pace=f"Nothing tells a sender of datagrams to wait: {rate:,} tuples a second are "
        f"{SHARE:.0%} of what {bound}.",
        table=_table(design),
        choose=_CHOOSE if functions else "",
        chosen=", choose=write_function" if functions else "",
        engine=_end(design_end),
        here=_end(host_end),
        rate=rate,
        more=_end_of_rows(design),
    )


def _end(end):
    return f'("{dotted(end.address)}", {end.port})'


def _end_of_rows(design):
    """Returns sentences about the end of the program, if no packet is marked as the last."""
    joined = design.rows.packet is Packet.STREAM or design.face.joins(design.rows)
    if joined or design.face.marks(design.rows):
        return ""
    return (
        "\nEach window is a packet, and none says that it is the last one: the program ends when "
        "nothing has come for 10 seconds. With `--set end_marker=true` it ends at once."
    )


def _table(design):
    """Returns the call that reads a CSV file with the columns of a tuple.

    The host class converts the texts of some columns itself: "007" of a string is a number to
    pandas, and "NA" is missing; numbers with a point lose digits, because pandas makes doubles of
    them. A time column stays a number, because the program computes with it.
    """
    fields = design.input.packing.fields
    columns = zip(fields, tuple_columns(design), strict=True)
    window = design.query.window
    time = window.attribute.name if isinstance(window, Range) else None
    texts = [
        field.name
        for field, column in columns
        if isinstance(column.type, String | Float | Fixed) and field.name != time
    ]
    keywords = ""
    if texts:
        types = ", ".join(f'"{name}": str' for name in texts)
        keywords = f", dtype={{{types}}}, keep_default_na=False"
    names = ", ".join(field.name for field in fields)
    return f'pandas.read_csv("data.csv"{keywords})  # {names}'


def _start(build):
    """Returns the lines of the program that compute ``start``; empty if no such lines are needed.

    They are needed for windows of time with WHERE and without a start from the user: the host class
    cannot compute ``start``, because it does not know which tuples pass.
    """
    if not _start_is_open(build):
        return ""
    window = build.query.window
    column = window.attribute
    slide, slack = (
        _short(Fraction(raw, 1 << column.type.fraction)) for raw in (window.slide, window.slack)
    )
    least = f'table["{column.name}"].min()'
    earliest = f"({least} - {slack})" if slack else least
    return (
        "# Window 0 begins here. The host does not know which tuples pass WHERE. If the first one "
        "that\n# passes does not have the least time, compute `start` from its time, as `sluice "
        "golden` does.\n"
        f"start = {earliest} // {slide} * {slide}\n"
    )


def _start_is_open(build):
    query, has_user_start = build.query, build.start is not None
    is_of_time = isinstance(query.window, Range) and _has_start(build.design)
    return is_of_time and query.where is not None and not has_user_start


def _has_start(design):
    return any(number.name == "start" for number in design.settings.numbers)


def _punctuation_sentence(design):
    """Returns a sentence for a design whose punctuations the host class makes."""
    made = design.input.punctuations and design.query.where is None
    return _MADE_BY_HOST if made else ""


def _punctuation_lines(design):
    """Returns the program's list of punctuations; an empty text for a design without a list.

    A list is needed for a design with WHERE that takes punctuations from its stream: the host class
    cannot make them, because it does not know which tuples pass.
    """
    return _LISTED_BY_USER if _punctuations_argument(design) else ""


def _punctuations_argument(design):
    needs_list = design.input.punctuations and design.query.where is not None
    return ", punctuations=punctuations" if needs_list else ""


def _configure(build):
    """Returns the call of ``configure`` with the query's numbers.

    Settings that follow from the data are left out. The call has ``start`` if the program computes
    it (:func:`_start`), or if the board writes the start at power-up.
    """
    design = build.design
    arguments = [
        f"{number['name']}={_short(Fraction(number['value'], 1 << number['fraction']))}"
        for number in host_view(design)["settings"]
        if number["value"] is not None and number["area"] is None
    ]
    if _start_is_open(build):
        arguments.append("start=start")
    elif build.start is not None and _has_start(design):
        fraction = design.query.window.attribute.type.fraction
        arguments.append(f"start={_short(Fraction(build.start, 1 << fraction))}")
    text = f"engine.configure({', '.join(arguments)})  # as in the query"
    return f"{text}\n    " if arguments else ""


def _short(number):
    return number.numerator if number.denominator == 1 else float(number)
