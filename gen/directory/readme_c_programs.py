"""Returns the section on C of a directory's README: a first program, or why there is none."""

from boards.platforms.platform_board import DEFAULT_LINK
from boards.templates import fill
from gen.design.build import Build
from gen.text.c_constants import c_number

_C = """
    ## From C

    `registers/${name}_driver.c` needs no operating system; `board` is a table of functions that
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
_C_CONFIGURE = """\
    {const}{name}_settings_t settings = {macro}_QUERY;{start}
    if (result == {macro}_OK)
        result = {name}_configure(&driver, &settings);
"""
#: The lines after the settings if the data decide when window 0 begins.
_C_START = """
    // Window 0 begins at this time: set it to the first tuple's time less SLACK, rounded down to a
    // multiple of SLIDE. Without GROUP BY or PARTITION BY each empty window after it gives a row.
    settings.start = 0;"""
#: The line for a start that is known.
_C_KNOWN_START = """
    settings.start = {start};  // time at which window 0 begins, as set by --start"""
#: The line for each area of memory.
_C_AREA = """
    settings.{name} = {value:#x};  // change this to the address of memory that nothing else uses"""
_C_NETWORK = """
    ## From C

    `registers/${name}_host.h` has tuples and rows as structures. `wire` is a UDP socket that
    `connect` has joined to the engine's address and port. This design has no driver, because no
    datagram reaches its registers; `--set host_link=true` changes that.

    ```c
    #include <sys/socket.h>
    #include "${name}_host.h"

    /* Sends one stream: datagrams of whole tuples, then one without a byte. Returns 0, or -1. */
    int send_stream(int wire, const ${name}_tuple_t *tuples, size_t count)
    {
        while (count) {
            size_t now = count;
            if (now > ${macro}_TUPLES_IN_A_DATAGRAM)
                now = ${macro}_TUPLES_IN_A_DATAGRAM;
            if (send(wire, tuples, now * sizeof *tuples, 0) < 0)
                return -1;
            tuples += now;
            count -= now;
        }
        return send(wire, tuples, 0, 0) < 0 ? -1 : 0;
    }
    ```
    """
_C_LINK = """
    ## From C

    `registers/${name}_udp.c` reaches the engine by UDP, on a machine with POSIX sockets, for the
    driver in `registers/${name}_driver.c`. Compile both files with your program.${punctuations}

    ```c
    #include <stdio.h>
    #include "${name}_udp.h"

    int first_stream(const ${name}_tuple_t *tuples, size_t count, ${name}_row_t *rows, size_t room,
                     size_t *came)
    {
        static ${name}_udp_t udp;
        ${name}_driver_t driver;
        ${name}_result_t result = ${name}_udp_open(&udp, "${address}", ${port}, 0);
        if (result == ${macro}_OK)
            result = ${name}_open(&driver, &udp.board);
    ${c_configure}    if (result == ${macro}_OK)
            result = ${name}_submit(&driver, tuples, count, rows, room);
        while (result == ${macro}_OK || result == ${macro}_RUNNING) {
            result = ${name}_poll(&driver, came);
            if (result != ${macro}_RUNNING)
                break;
        }
        if (udp.error)
            fprintf(stderr, "%s\\n", ${name}_udp_text(&udp));
        ${name}_udp_close(&udp);
        return result;
    }
    ```
    """


_C_SERIAL = """
    ## From C

    The board's link is its serial port, which the functions by UDP in `registers/` do not open: use
    the host class in Python.
    """
_C_SERIAL_WITHOUT_REGISTERS = """
    ## From C

    The board's link is its serial port, for which there are no functions in C: generate the design
    with `--set host_link=true`, and use the host class in Python.
    """
_NO_PUNCTUATIONS = """ The driver sends
no punctuations, so no window closes before the end of its stream. Tuples of windows for which the
engine has no room are dropped, and poll returns LOST. The host class sends punctuations."""


def c_section(build: Build) -> str:
    """Returns README's part on C, as Markdown."""
    design, name = build.design, build.name
    names = {"name": name, "macro": name.upper()}
    is_serial = build.link is not None and build.board.serial is not None
    if design.face.network and not design.face.host_link:
        if is_serial:
            return fill(_C_SERIAL_WITHOUT_REGISTERS)
        return fill(_C_NETWORK, **names)
    numbers = design.settings.numbers
    configurable = numbers or design.settings.functions
    own_lines = "".join(_own_line(build, number) for number in numbers)
    const = "" if own_lines else "const "
    configure = _C_CONFIGURE.format(const=const, start=own_lines, **names) if configurable else ""
    if not design.face.host_link:
        return fill(_C, c_configure=configure, **names)
    if is_serial:
        return fill(_C_SERIAL)
    link = DEFAULT_LINK if build.link is None else build.link
    return fill(
        _C_LINK,
        c_configure=configure,
        punctuations=_NO_PUNCTUATIONS if design.input.punctuations else "",
        address=link.address,
        port=link.registers_port,
        **names,
    )


def _own_line(build, number):
    """Returns the line of C for a setting that the user must choose: an area or the start.

    All other settings follow from the query, and have no line.
    """
    if number.area is not None:
        return _C_AREA.format(name=number.name, value=number.value or 0)
    if number.name != "start" or number.value is not None:
        return ""
    return _C_START if build.start is None else _C_KNOWN_START.format(start=c_number(build.start))
