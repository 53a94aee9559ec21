"""Checks that the header compiles in C and C++, and that structures equal the bytes on the bus."""

import re
import shutil
import subprocess

import pytest

from boards.ports import Ports
from gen.directory.regmap import exports
from gen.host.c_header import host_header
from gen.text.c_names import c_name
from query.parser import parse
from rtl.bus.ports import buses_of
from rtl.bus.top_registers import registers_of
from rtl.contract.face import Face
from rtl.engine import ENGINES
from sim.errors import ToolMissingError
from tb.gen.examples import EXAMPLES

STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic")
COMPILERS = (("gcc", "-std=c99"), ("gcc", "-std=c11"), ("g++", "-std=c++11"), ("g++", "-std=c++20"))

#: Every kind of type, sizes of 1 to 8 bytes, and names that are words of C or C++.
QUERY = """
CREATE INPUT STREAM S (
  class string(5), a uint(1), new int(9), b int(20), c uint(33), d int(47), e fixed(9,7),
  f uint(64), g fixed(1,63), h float, i double, j int);
SELECT class, count(*), sum(a), max(new), min(b), max(c), sum(d) AS total, avg(e) AS int,
  max(f), min(g), max(h), min(i), max(j)
FROM S GROUP BY class;
"""
CHOICE = """
CREATE INPUT STREAM S (g uint(8), v fixed(4,4));
SELECT g, min(v), max(v), count(*) FROM S GROUP BY g;
"""


def write(directory, text, **options):
    """Writes the headers of a group-by design called ``sluice_x``."""
    design = ENGINES["group-by"](query=parse(text), **options)
    registers = registers_of(design)
    ports = Ports(top="sluice_x", buses=buses_of(design))
    generated_files = exports(registers.values(), ports)
    (directory / "sluice_x.h").write_text(generated_files["sluice_x.h"])
    (directory / "sluice_x_host.h").write_text(host_header(design, "sluice_x", registers))
    return design


def said(directory, program, compiler, standard):
    """Returns the output of a program that includes the headers."""
    if shutil.which(compiler) is None:
        raise ToolMissingError(compiler)
    kind = "c++" if compiler == "g++" else "c"
    text = '#include <stdio.h>\n#include <string.h>\n#include "sluice_x_host.h"\n'
    (directory / "host.c").write_text(text + program)
    command = [compiler, standard, *STRICT, "-x", kind, "host.c", "-o", "host"]
    built = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return subprocess.run(["./host"], cwd=directory, capture_output=True, text=True).stdout


PACK = """
int main(void)
{
    sluice_x_tuple_t tuple;
    unsigned k;
    memset(&tuple, 0xEE, sizeof tuple);
    sluice_x_put_string(tuple.class_, sizeof tuple.class_, "ab");
    tuple.a = 1;
    tuple.new_ = -200;
    tuple.b = -300000;
    tuple.c = 0x1ABCDEF01;
    tuple.d = -70368744177664;
    tuple.e = (int16_t)(-21.5 * SLUICE_X_TUPLE_E_SCALE);
    tuple.f = 0xFEDCBA9876543210;
    tuple.g = 0x7FFFFFFFFFFFFFFF;
    tuple.h = 1.5f;
    tuple.i = -2.0;
    tuple.j = -1;
    for (k = 0; k < sizeof tuple; ++k)
        printf("%02x", ((unsigned char *)&tuple)[k]);
    printf("\\n%d %d\\n", SLUICE_X_TUPLE_E_FRACTION, SLUICE_X_TUPLE_G_FRACTION);
    return 0;
}
"""
#: By hand, from docs: each field in whole bytes, the low one first, extended by its sign. A string
#: is a number whose first character is the highest byte. 1.5f is 0x3fc00000, -2.0 0xc000 << 48.
PACKED = (
    "0000006261"  # "ab" and three zeros, the last byte first
    "01"
    "38ff"  # -200
    "206cfb"  # -300000
    "01efcdab01"
    "0000000000c0"  # -2^46, in 6 bytes
    "40f5"  # -21.5 * 128 = -2752
    "1032547698badcfe"
    "ffffffffffffff7f"
    "0000c03f"
    "00000000000000c0"
    "ffffffff"
)


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_a_tuple_is_packed_as_on_the_bus(compiler, standard, tmp_path):
    write(tmp_path, QUERY, lanes=2)
    bytes_, fractions = said(tmp_path, PACK, compiler, standard).splitlines()
    assert bytes_ == PACKED
    assert fractions == "7 63"


UNPACK = """
int main(void)
{
    static const unsigned char bytes[] = {%s};
    sluice_x_row_t row;
    memcpy(&row, bytes, sizeof row);
    printf("%%u\\n", (unsigned)(sizeof row == sizeof bytes));
    printf("%%lld %%llu\\n", (long long)row.min_b, (unsigned long long)row.max_c);
    printf("%%.4f %%.1f %%.1f\\n", row.int_ / SLUICE_X_ROW_INT__SCALE, row.max_h, row.min_i);
    printf("%%lld %%s\\n", (long long)row.max_j, row.class_[4] == 'x' ? "x" : "-");
    return 0;
}
"""
#: Bytes of each field of a row, and what it is; a sum of 47 bits with 32 of count has 79 in 10.
ROW = {
    "class": (5, int.from_bytes(b"x\0\0\0\0", "big")),
    "count(*)": (4, 7),
    "sum(a)": (5, 6),
    "max(new)": (2, -3),
    "min(b)": (3, -300000),
    "max(c)": (5, 0x1ABCDEF01),
    "total": (10, -(1 << 70)),
    "int": (2, -2752),
    "max(f)": (8, 1),
    "min(g)": (8, -1),
    "max(h)": (4, 0x3FC00000),
    "min(i)": (8, 0xC000 << 48),
    "max(j)": (4, -1),
}


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_a_row_is_read_as_on_the_bus(compiler, standard, tmp_path):
    write(tmp_path, QUERY, lanes=2)
    data = b"".join(
        (value % (1 << 8 * size)).to_bytes(size, "little") for size, value in ROW.values()
    )
    program = UNPACK % ", ".join(map(str, data))
    assert said(tmp_path, program, compiler, standard).splitlines() == [
        *("1", "-300000 7177367297", "-21.5000 1.5 -2.0", "-1 x")
    ]


FUNCTIONS = """
int main(void)
{
    printf("%d %d ", SLUICE_X_FUNCTION_MIN_V, SLUICE_X_FUNCTION_MAX_V);
    printf("%d\\n", SLUICE_X_FUNCTION_COUNT);
    printf("%.1f %d\\n", SLUICE_X_FUNCTION_MIN_V_SCALE, SLUICE_X_FUNCTION_MAX_V_FRACTION);
    printf("%x %x\\n", SLUICE_X_FUNCTION, SLUICE_X_CONTROL);
    return 0;
}
"""


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_functions_by_name(compiler, standard, tmp_path):
    write(tmp_path, CHOICE, lanes=1, results="select")
    assert said(tmp_path, FUNCTIONS, compiler, standard) == "0 1 2\n16.0 4\n18 10\n"


COUNTERS = """
int main(void)
{
    static uint32_t registers[1024];
    registers[0x400 / 4] = 0x89ABCDEF;
    registers[0x404 / 4] = 0x1234567;
    sluice_x_hold_counters(registers);
    printf("%x ", (unsigned)registers[0x10 / 4]);
    printf("%llx ", (unsigned long long)sluice_x_counter(registers, SLUICE_X_COUNTER_TUPLES));
    sluice_x_release_counters(registers);
    printf("%x %x\\n", (unsigned)registers[0x10 / 4], SLUICE_X_COUNTER_STREAMS);
    return 0;
}
"""


@pytest.mark.parametrize(("compiler", "standard"), COMPILERS)
def test_counters_of_64_bits(compiler, standard, tmp_path):
    write(tmp_path, CHOICE, lanes=1)
    assert said(tmp_path, COUNTERS, compiler, standard) == "2 123456789abcdef 0 408\n"


WHILE_IT_RUNS = """
int main(void)
{
    Scripted registers;
    printf("%llx\\n", (unsigned long long)sluice_x_counter(registers, 0x408));
    for (unsigned k = 0; k < places.size(); ++k)
        printf("%x ", places[k] * 4);
    return 0;
}
"""
#: Stands in for the registers of a counter that runs: words that are read, in the order of reads.
SCRIPTED = """
#include <stdint.h>
#include <vector>
static std::vector<unsigned> places;
struct Scripted {
    uint32_t operator[](uint32_t place) const
    {
        static const uint32_t words[] = {0, 0xFFFFFFFF, 1, 3, 2, 5, 2, 9, 9, 9};
        places.push_back(place);
        return words[places.size() - 1];
    }
};
"""


def test_a_counter_is_right_while_it_runs(tmp_path):
    """The high word changes twice around a read of the low word, which is then read again."""
    write(tmp_path, CHOICE, lanes=1)
    path = tmp_path / "sluice_x_host.h"
    parts = path.read_text().split("const volatile uint32_t *registers")
    assert len(parts) == 2
    path.write_text(SCRIPTED + "Scripted registers".join(parts))
    output = said(tmp_path, WHILE_IT_RUNS, "g++", "-std=c++11").splitlines()
    assert output == ["200000005", "40c 408 40c 408 40c 408 40c "]


def test_only_counters_are_counters():
    """A setting of two words has names like those of a counter, and is none."""
    text = "CREATE INPUT STREAM S (t uint(64), v int(8));"
    design = ENGINES["pane"](query=parse(f"{text} SELECT max(v) FROM S [RANGE 8 SLIDE 4 WATTR t];"))
    header = host_header(design, "sluice_x", registers_of(design))
    names = re.findall(r"#define SLUICE_X_(\w+) ", header)
    assert {"START_LOW", "START_HIGH", "TUPLES_LOW", "COUNTER_TUPLES"} < set(names)
    counters = {name.removeprefix("COUNTER_") for name in names if name.startswith("COUNTER_")}
    low_words = {name.removesuffix("_LOW") for name in names if name.endswith("_LOW")}
    settings = {number.name.upper() for number in design.settings.numbers}
    assert counters == low_words - settings


@pytest.mark.parametrize("host_link", [False, True])
def test_the_most_in_a_datagram(host_link):
    """By hand, of 1,472 bytes: tuples of 2; rows of 6, which end with a transfer of 8 every 24.

    The head of a numbered datagram has 8 bytes.
    """
    text = "CREATE INPUT STREAM S (v int(16)); SELECT count(*), sum(v), min(v) FROM S"
    design = ENGINES["two-stacks"](query=parse(f"{text} [ROWS 8 SLIDE 1];"))
    design = design.with_face(Face(network=True, host_link=host_link))
    assert (design.input.packing.bytes, design.rows.packing.bytes) == (2, 6)
    header = host_header(design, "sluice_x", registers_of(design))
    assert "#define SLUICE_X_TUPLES_IN_A_DATAGRAM 736\n" in header
    assert "#define SLUICE_X_ROWS_IN_A_DATAGRAM 244\n" in header
    assert ("has a head of 8 bytes: 732 at most." in header) == host_link
    assert header.count("numbered datagram") == host_link


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "engine", [pytest.param(e, marks=pytest.mark.regress) if e == "swag" else e for e in EXAMPLES]
)
def test_compiles_for_each_engine(engine, sluice_files, tmp_path):
    name, files = sluice_files(engine)
    for path in (f"{name}.h", f"{name}_host.h"):
        text = files[f"registers/{path}"].replace(name, "sluice_x")
        (tmp_path / path.replace(name, "sluice_x")).write_text(text)
    for compiler, standard in COMPILERS:
        assert said(tmp_path, "int main(void) { return 0; }\n", compiler, standard) == ""


def test_access_of_each_register(tmp_path):
    write(tmp_path, CHOICE, lanes=1, results="select")
    text = (tmp_path / "sluice_x_host.h").read_text()
    matches = dict(re.findall(r"#define SLUICE_X_(\w+) 0x\w+  // (.*)", text))
    assert matches["CONTROL"] == "write only"
    assert matches["FUNCTION"] == "read and write"
    assert matches["MAGIC"] == matches["STATUS"] == matches["TUPLES_LOW"] == "read only"


def test_sums_of_floating_point_are_that():
    """The other sums are whole numbers, of fixed point, too."""
    texts = {}
    for type_ in ("double", "float", "fixed(8,8)"):
        text = (
            f"CREATE INPUT STREAM S (k uint(8), v {type_});"
            "SELECT k, sum(v) FROM S [PARTITION BY k ROWS 4 SLIDE 2];"
        )
        design = ENGINES["streamzip"](query=parse(text))
        header = host_header(design, "sluice_x", registers_of(design))
        (texts[type_],) = re.findall(r"^ +(.*) sum_v.*;", header, re.MULTILINE)
    assert texts["double"] == "double"
    assert texts["float"] == "float"
    assert "int" in texts["fixed(8,8)"]


#: Keywords of C and C++, of GNU's too, and macros that are no names of a member in GCC's default
#: mode, or behind the headers below.
WORDS = """
    alignas alignof and asm auto bool break case catch char class compl concept const consteval
    constexpr constinit continue co_await co_return co_yield decltype default delete do double
    dynamic_cast else enum explicit export extern false float for friend goto if inline int linux
    long mutable namespace new noexcept not nullptr operator or private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert struct
    switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual
    union unix unsigned using virtual void volatile wchar_t while xor i386 uint8_t int16_t uint32_t
    int64_t errno stdin stdout stderr EOF NULL INT_MAX UINT8_MAX SIZE_MAX NAN complex I
    __linux__ __GNUC__ sluice_x_tuple_t SLUICE_X_CONTROL sluice_x_counter SLUICE_X"""
HEADERS = "errno float inttypes limits math stddef stdint stdio stdlib time sys/types sys/stat"
MODES = (
    ("gcc",),
    ("gcc", "-std=gnu89"),
    ("gcc", "-std=gnu11"),
    ("gcc", "-std=c99"),
    ("g++",),
    ("g++", "-std=c++11"),
    ("g++", "-std=gnu++20"),
)


@pytest.fixture(scope="module")
def header_of_words(tmp_path_factory):
    """Returns the headers of a design with a column for each word; the first word is the group."""
    directory = tmp_path_factory.mktemp("words")
    words = WORDS.split()
    columns = ", ".join(f"{word} fixed(4,4)" for word in words)
    condition = " AND ".join(f"{word} > 0" for word in words)
    text = f"CREATE INPUT STREAM S ({columns}); SELECT {words[0]}, max(unix) AS unix, "
    text += f"min(typeof) AS typeof, sum(unix) AS asm FROM S WHERE {condition} GROUP BY {words[0]};"
    write(directory, text, lanes=1)
    return directory


@pytest.mark.parametrize("headers", ["", HEADERS])
@pytest.mark.parametrize("mode", MODES, ids=" ".join)
def test_columns_called_like_words_of_a_compiler(mode, headers, header_of_words):
    """Compiled as a user would, in the compiler's own mode, behind headers or before them."""
    compiler, *standard = mode
    if shutil.which(compiler) is None:
        raise ToolMissingError(compiler)
    lines = [f"#include <{name}.h>" for name in headers.split()]
    members = ["", "tuple.unix_", "tuple.typeof_", "row.asm_"][1:]
    lines += ['#include "sluice_x_host.h"', "int main(void)", "{", "    sluice_x_tuple_t tuple;"]
    lines += ["    sluice_x_row_t row;", f"    {' = '.join(members)} = 0;", "    return row.asm_;"]
    name = f"{'-'.join(mode)}{len(headers)}.{'c' if compiler == 'gcc' else 'cc'}"
    (header_of_words / name).write_text("\n".join([*lines, "}", ""]))
    command = [compiler, *standard, "-Wall", "-Wno-unused-but-set-variable", "-Werror", "-c", name]
    built = subprocess.run(command, cwd=header_of_words, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


@pytest.mark.parametrize("mode", [("gcc",), ("gcc", "-std=gnu89"), ("g++", "-xc++")])
def test_no_macro_of_the_compiler_is_the_name_of_a_member(mode, header_of_words):
    """The compiler's own list: every macro behind the headers, and the common ones behind more."""
    if shutil.which(mode[0]) is None:
        raise ToolMissingError(mode[0])
    own_values, extra_options = (macros(mode, names, header_of_words) for names in ("", HEADERS))
    assert {"unix", "linux", "UINT8_MAX"} < own_values < extra_options
    names = (
        own_values
        | {name for name in extra_options if name[0].islower()}
        | {"EOF", "NULL", "NAN", "INT_MAX"}
    )
    saved = [name for name in sorted(names) if c_name(name) == name]
    assert saved == []


def macros(mode, names, directory):
    """Macros without parameters that a user's column may be called like, behind the headers."""
    lines = [*(f"#include <{name}.h>" for name in names.split()), '#include "sluice_x_host.h"']
    command = [*mode, "-dM", "-E", "-"]
    text = "\n".join([*lines, ""])
    listed = subprocess.run(command, input=text, cwd=directory, capture_output=True, text=True)
    matches = re.findall(r"#define ([A-Za-z]\w*) ", listed.stdout)
    return {name for name in matches if not name.startswith("SLUICE_X")}


ALIASES = """
CREATE INPUT STREAM S (g uint(8), v fixed(4,4));
SELECT g, min(v) AS {}, max(v) AS {}, count(*) AS {}, sum(v) AS a_2 FROM S GROUP BY g;
"""


def numbered(text):
    """Returns a dict from the name in each macro of a function's number to the alias behind it."""
    return dict(re.findall(r"#define SLUICE_X_FUNCTION_(\w+) \d+  // (.*)", text))


@pytest.mark.parametrize("order", [("a", "a_fraction", "a_scale"), ("a_scale", "a_fraction", "a")])
def test_aliases_that_end_like_the_macros_of_scales(order, tmp_path):
    """Computed by hand: min and max have 4 fraction bits, a count has none; each alias has a
    number.
    """
    first, second, third = order
    write(tmp_path, ALIASES.format(first, second, third), lanes=1, results="select")
    header = (tmp_path / "sluice_x_host.h").read_text()
    macros = {alias: name for name, alias in numbered(header).items()}
    assert [*macros] == [first, second, third, "a_2"]
    defined = re.findall(r"#define (\w+) ", header)
    assert len(defined) == len(set(defined))
    names = [f"SLUICE_X_FUNCTION_{macros[alias]}" for alias in (*order, "a_2")]
    program = "\n".join(f'    printf("%d ", (int){name});' for name in names)
    scales = "\n".join(f'    printf("%.0f ", {name}_SCALE);' for name in (*names[:2], names[3]))
    main = f"int main(void)\n{{\n{program}\n{scales}\n    return 0;\n}}\n"
    assert said(tmp_path, main, "gcc", "-std=c99") == "0 1 2 3 16 16 16 "
    assert f"{names[2]}_SCALE" not in header


@pytest.mark.parametrize("name", ["s6_addr", "s6_addr32", "h_addr", "AF_INET", "POLLIN", "EINTR"])
def test_macros_of_the_headers_of_sockets(name):
    """`<top>_udp.c` includes these headers before the members of tuples are declared."""
    assert c_name(name) != name
