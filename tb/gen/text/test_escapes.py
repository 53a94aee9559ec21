"""Checks that no sign of a WHERE string has a meaning in the generated files."""

import html.parser
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import markdown
import pytest

from boards.ports import Ports
from gen.design.build import resolve
from gen.directory.readme import readme
from gen.directory.regmap import exports
from gen.host.c_driver import host_driver
from gen.host.c_header import host_header
from gen.text.escapes import printable
from rtl.bus.top_registers import registers_of

#: At most 8 bytes each, as constants in registers are. The second is Perl, for which SystemRDL has
#: a place; it would be 42.
STRINGS = (
    "<b>x</b>", "<%=6*7%>", "[b]y[/b]", "`a\\", "*/", "]]>", "${x}$(", "\x1b[0m", "\x0b<i>", "a|b",
    "_y_ *z*", "&amp;", "\u2028x", "\u202eé", "# <!--",
)  # fmt: skip
ESCAPED = {"<%=6*7%>": "\\x3c%=6*7%>", "\x1b[0m": "\\x1b[0m", "\x0b<i>": "\\x0b<i>",
         "\u2028x": "\\u2028x", "\u202eé": "\\u202eé"}  # fmt: skip


class Description(html.parser.HTMLParser):
    """Text and tags of the description of a page."""

    def __init__(self, text):
        super().__init__()
        self.in_description, self.text, self.tags = False, "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if self.in_description:
            self.tags.append(tag)
        self.in_description |= dict(attrs).get("id") == "_Content.desc"

    def handle_endtag(self, tag):
        self.in_description &= tag != "div"

    def handle_data(self, data):
        self.text += data if self.in_description else ""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Files of a design whose constants are in registers, by path; no Verilog."""
    directory = tmp_path_factory.mktemp("strings")
    condition = " OR ".join(f"""s = '{text.replace("'", "''")}'""" for text in STRINGS)
    text = "CREATE INPUT STREAM S (g int, v int, s string(8));\n"
    text += f"SELECT g, sum(v) AS total FROM S WHERE {condition} GROUP BY g;\n"
    (directory / "q.cql").write_bytes(text.encode())
    build = resolve(directory / "q.cql", options=["constants=run-time", "lanes=1"])
    registers, ports = registers_of(build.design), Ports.of_design(build.name, build.design)
    files = exports(registers.values(), ports, html=True) | host_driver(build.design, build.name)
    files[f"{build.name}_host.h"] = host_header(build.design, build.name, registers)
    return files | readme(build, ports, registers)


def printed_text(number, perl=True):
    """The end of a description of a constant, by hand."""
    text = ESCAPED.get(STRINGS[number], STRINGS[number]) if perl else printable(STRINGS[number])
    return f'the query\'s is s = "{text}"'


def descriptions(files, number):
    texts = [files[path] for path in files if re.fullmatch(r"html/content/\w+\.html", path)]
    return [Description(text) for text in texts if f'"_Content.name">where{number}_' in text]


@pytest.mark.parametrize("number", range(len(STRINGS)), ids=map(ascii, STRINGS))
def test_a_string_in_html(number, files):
    result = descriptions(files, number)
    assert len(result) == 2
    for page in result:
        assert page.tags == ["p"]
        assert printed_text(number, perl=False) + ";" in page.text


def test_the_search_of_the_html_shows_text(files):
    """The script of the search marks words in the text of a page and shows the result as HTML."""
    text = files["html/js/content_search.js"]
    assert text.count('text = el.textContent.replace(/&/g, "&amp;").replace(/</g, "&lt;");') == 1


def test_strings_in_xml_and_systemrdl(files):
    xml = ElementTree.fromstring(files["sluice_q.xml"])
    result = [element.text or "" for element in xml.iter() if element.tag.endswith("}description")]
    for number in range(len(STRINGS)):
        assert sum(printed_text(number) + ";" in text for text in result) == 2
    assert "<%" not in files["sluice_q.rdl"]


def test_strings_in_the_driver_compile(files, tmp_path):
    for name in ("sluice_q.h", "sluice_q_host.h", "sluice_q_driver.h", "sluice_q_driver.c"):
        (tmp_path / name).write_text(files[name])
    command = ["gcc", "-Wall", "-Wextra", "-Werror", "-c", "sluice_q_driver.c"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    lines = files["sluice_q_driver.h"].splitlines()
    for number in range(len(STRINGS)):
        assert sum(line.endswith(printed_text(number, perl=False)) for line in lines) == 1


def test_no_file_has_a_sign_that_controls_a_terminal(files):
    """The strings are in the driver, the README and two descriptions of the registers, and in two
    pages each.
    """
    texts = [t for t in files.values() if isinstance(t, str) and "the query's is" in t]
    assert len(texts) == 4 + 2 * len(STRINGS)
    for text in texts:
        assert not re.search("[\x1b\x0b\u2028\u202e]", text)


def test_strings_in_the_readme(files):
    """In the HTML of the Markdown each row has the same number of cells, and code is the only
    tag.
    """
    page = markdown.markdown(files["README.md"], extensions=["tables", "fenced_code"])
    rows = re.findall(r"<tr>\s*((?:<td[^>]*>.*</td>\s*)+)</tr>", page)
    cells = [re.findall(r"<td[^>]*>(.*)</td>", row) for row in rows]
    about = [row[-1] for row in cells if len(row) == 6 and "constant of a comparison" in row[-1]]
    assert len(about) == 2 * len(STRINGS)
    for number in range(len(STRINGS)):
        for text in about[2 * number : 2 * number + 2]:
            assert "<" not in text
            assert html.unescape(text).endswith(printed_text(number, perl=False))
