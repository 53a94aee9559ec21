"""Checks that no command overwrites an input, or a file that the user has not named."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pytest

from gen import cli
from gen.commands import demo as demo_command
from gen.commands import golden as golden_command
from gen.commands import simulate as simulate_command
from gen.directory.whole_directory import write_directory
from gen.files.output_files import Outputs
from golden.answer import Answer
from golden.tuples import Tuples
from query.errors import UserError
from query.parser import parse

QUERY = "CREATE INPUT STREAM S (a int, b int) SELECT a, sum(b) FROM S GROUP BY a;\n"
JOBS = (
    "CREATE INPUT STREAM T (job uint(16), cpu fixed(8,24));\n"
    "SELECT job, max(cpu) FROM T GROUP BY job;\n"
)
#: Two jobs of the Google trace, the second with a number of 33 bits.
TRACE = """\
1 7 0 5 1 user 2 9 0.1 0.1 0.1 0
2 6000000000 0 5 1 user 2 9 0.2 0.1 0.1 0
"""
EXCERPT = ("--format", "google-task-events-excerpt")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A directory with queries, a design point and data, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    contents = {"q.cql": QUERY, "d.csv": "a,b\n1,2\n", "p.toml": 'query = "sub/q.cql"\n'}
    contents |= {"j.cql": JOBS, "t.job.csv": TRACE, "t.user": TRACE}
    (tmp_path / "sub").mkdir()
    for name, text in {**contents, "sub/q.cql": QUERY}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def no_work(monkeypatch):
    """Fails the test when a command begins to compute."""
    for command in (golden_command, simulate_command, demo_command):
        monkeypatch.setattr(command, "golden_rows", lambda *_, **__: pytest.fail("computed"))


def contents(directory):
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


def refused(place, capfd, arguments, message):
    """Checks that the command prints one line, ends with exit code 2, and changes no file."""
    earlier = contents(place)
    assert cli.run([str(a) for a in arguments]) == 2
    out, err = capfd.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("reading")]
    assert (out, len(lines)) == ("", 1)
    assert message in lines[0]
    assert contents(place) == earlier


READS, ROWS = "it is what the command reads", "the command writes rows there"
GOLDEN = ("golden", "q.cql", "--input", "d.csv")
SIMULATE = ("simulate", "q.cql", "--input", "d.csv")
KEYS = ("simulate", "k.cql", "--input", "d.csv")
CASES = {
    "the data by another spelling": ((*GOLDEN, "-o", "sub/../d.csv"), READS),
    "the data by a symbolic link": ((*GOLDEN, "-o", "soft.csv"), READS),
    "the data by a hard link": ((*SIMULATE, "--rows", "hard.csv"), READS),
    "the query by a link": ((*SIMULATE, "--rows", "query.csv"), READS),
    "the query of a design point": (
        ("golden", "p.toml", "--input", "d.csv", "-o", "point.csv"),
        READS,
    ),
    "the data of a demo": (("demo", "q.cql", "--input", "made/rows.csv", "-o", "made"), READS),
    "evictions that golden reads": ((*GOLDEN, "--evicted", "e.csv", "-o", "e.csv"), READS),
    "rows and evictions": ((*KEYS, "--rows", "z.csv", "--evicted", "sub/../z.csv"), ROWS),
    "rows and evictions by a link": ((*KEYS, "--rows", "z.csv", "--evicted", "link/z.csv"), ROWS),
    "but for the case of a name": ((*KEYS, "--rows", "z.csv", "--evicted", "Z.csv"), ROWS),
    "through a dangling link": ((*KEYS, "--rows", "new.csv", "--evicted", "dangling.csv"), ROWS),
    "frames over the data": ((*SIMULATE, "--network", "--pcap", "data.pcap"), READS),
    "frames over rows": (
        (*SIMULATE, "--network", "--rows", "z.csv", "--pcap", "rows.pcap"),
        ROWS,
    ),
}  # fmt: skip


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(("arguments", "message"), CASES.values(), ids=CASES)
def test_outputs_that_meet_an_input_or_each_other(arguments, message, place, capfd):
    (place / "k.cql").write_text(QUERY.replace("GROUP BY a", "[PARTITION BY a ROWS 2 SLIDE 2]"))
    (place / "e.csv").write_text("key,arrival\n")
    (place / "made").mkdir()
    (place / "made" / "rows.csv").write_text("a,b\n1,2\n")
    (place / "hard.csv").hardlink_to(place / "d.csv")
    links = {"soft.csv": "d.csv", "query.csv": "q.cql", "point.csv": "sub/q.cql"}
    links |= {"link": ".", "dangling.csv": "new.csv"}
    links |= {"data.pcap": "d.csv", "rows.pcap": "z.csv"}
    for name, target in links.items():
        os.symlink(target, place / name)
    refused(place, capfd, arguments, message)


@pytest.mark.parametrize(
    "other", ["made/r.csv", "made/R.csv", "sub/../made/r.csv", "link/r.csv", "made/../made/r.csv"]
)
def test_outputs_that_meet_in_a_directory_that_the_command_makes(other, place):
    """The directory does not exist yet, but a link to the directory exists."""
    (place / "link").symlink_to("made")
    outputs = Outputs(["d.csv"], makes=Path("made"))
    outputs.add_rows("made/r.csv")
    outputs.add_evictions("sub/../made/keys.csv")
    with pytest.raises(UserError, match="cannot be written: the command writes rows there"):
        outputs.add_evictions(other)
    with pytest.raises(UserError, match=r"rows must go to a \.csv or \.parquet file"):
        outputs.add_rows("made/r.txt")
    assert not (place / "made").exists()


def test_ids_do_not_replace_the_data(place, capfd):
    """Job numbers of 33 bits do not fit uint(16), so ids go to t.job.csv beside the rows."""
    arguments = ("golden", "j.cql", "--input", "t.job.csv", *EXCERPT, "-o", "t.csv")
    refused(place, capfd, arguments, f"t.job.csv: cannot be written: {READS}")


def test_ids_do_not_replace_a_file_of_somebody_else(place, capfd):
    arguments = ("golden", "j.cql", "--input", "t.user", *EXCERPT, "-o", "t.csv")
    refused(place, capfd, arguments, "t.job.csv: is in the way: ids of job must go there")


def test_ids_do_not_replace_keys_that_were_thrown_out(place, capfd):
    query = JOBS.replace("GROUP BY job", "[PARTITION BY job ROWS 2 SLIDE 2]")
    (place / "j.cql").write_text(query)
    files = ("--rows", "r.csv", "--evicted", "r.job.csv")
    arguments = ("simulate", "j.cql", "--input", "t.user", *EXCERPT, *files)
    refused(place, capfd, arguments, "the command writes evicted keys there")


def test_ids_replace_those_of_a_run_before(place, capfd, monkeypatch):
    """The same command a second time; the file of ids is announced, as text and as JSON."""
    rows = pa.table({"window": [0, 0], "job": [0, 1], "max(cpu)": [1, 2]})
    answer = Answer(rows=rows, start=None, late=0)
    monkeypatch.setattr("gen.commands.golden_rows.expect", lambda *_: answer)
    command = ["golden", "j.cql", "--input", "t.user", *EXCERPT, "-o", "r.csv"]
    for _ in range(2):
        assert cli.run(command) == 0
        assert "; ids of job and their originals: r.job.csv\n" in capfd.readouterr().out
    assert (place / "r.job.csv").read_text() == "job,original\n0,7\n1,6000000000\n"
    assert cli.run([*command, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["files"] == ["r.csv", "r.job.csv"]


@pytest.mark.parametrize("content", ["job,original\n0,7\n", "job,cpu\n0,7\n"])
def test_old_ids_do_not_stay_beside_rows_with_values(place, capfd, monkeypatch, content):
    """Old ids are removed; a file that is no file of ids stays."""
    (place / "j.cql").write_text(JOBS.replace("uint(16)", "uint(64)"))
    rows = pa.table({"window": [0], "job": [6000000000], "max(cpu)": [1 << 24]})
    answer = Answer(rows=rows, start=None, late=0)
    monkeypatch.setattr("gen.commands.golden_rows.expect", lambda *_: answer)
    (place / "r.job.csv").write_text(content)
    command = ["golden", "j.cql", "--input", "t.user", *EXCERPT, "-o", "r.csv"]
    assert cli.run(command) == 0
    assert (place / "r.csv").read_text() == "window,job,max(cpu)\n0,6000000000,1\n"
    assert (place / "r.job.csv").exists() == ("cpu" in content)


def test_ids_that_the_command_reads_stay(place):
    """The ids also stay if rows in the other format, which may need the ids, lie beside them."""
    (place / "r.job.csv").write_text("job,original\n0,7\n")
    query = parse(JOBS)
    Outputs(["./r.job.csv"]).remove_old_originals(place / "r.csv", query)
    assert (place / "r.job.csv").exists()
    (place / "r.parquet").write_bytes(b"")
    Outputs([]).remove_old_originals(place / "r.csv", query)
    assert (place / "r.job.csv").exists()
    (place / "r.parquet").unlink()
    Outputs([]).remove_old_originals(place / "r.csv", query)
    assert not (place / "r.job.csv").exists()


def test_ids_that_are_not_needed_go_nowhere():
    """A query without dense ids may read data from the path of a file of ids."""
    query = parse(JOBS.replace("uint(16)", "uint(64)"))
    outputs = Outputs(["t.job.csv"])
    outputs.add_rows("t.csv")
    assert outputs.add_originals("t.csv", query, {}) is None


def test_the_rows_of_a_demo_do_not_replace_a_file_of_somebody_else(place, capfd):
    (place / "rows.csv").write_text("mine\n")
    arguments = ("demo", "q.cql", "--input", "d.csv", "-o", ".")
    refused(place, capfd, arguments, "rows.csv: is in the way: the hardware's rows must go there")


def test_a_file_of_a_design_that_is_read(tmp_path):
    """A directory is generated again from an input inside the directory: the input stays."""
    created = tmp_path / "made"
    files = {"a.v": "1", "manifest.json": "{}"}
    write_directory(created, files)
    (tmp_path / "data.csv").hardlink_to(created / "a.v")
    with pytest.raises(UserError, match=r"a\.v: is in the way: it is what the command reads"):
        write_directory(created, files, [tmp_path / "data.csv"])
    assert contents(created) == {name: text.encode() for name, text in files.items()}


def test_frames_are_written_whole_or_not_at_all(place, capfd, monkeypatch):
    """A file of frames of a run before stays when the disk is full."""
    (place / "f.pcap").write_text("before")
    query = parse(QUERY)
    tuples = Tuples(query.schema, pa.table({"a": [1], "b": [2]}))
    simulation = SimpleNamespace(rows=None, evictions=None, pcap=b"frames")
    monkeypatch.setattr(simulate_command, "golden_rows", lambda *_, **__: (tuples, None))
    monkeypatch.setattr(simulate_command, "simulate_and_compare", lambda *_, **__: simulation)

    def full(path, data):
        with open("/dev/full", "wb") as file:
            file.write(data)

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    arguments = ("simulate", "q.cql", "--input", "d.csv", "--network", "--pcap", "f.pcap")
    refused(place, capfd, arguments, "f.pcap: cannot be written: No space left on device")


def test_json_names_every_file_that_simulate_has_written(place, capfd, monkeypatch):
    """The list contains the file of ids, which the user has not named."""
    rows = pa.table({"window": [0, 0], "job": [0, 1], "max(cpu)": [1, 2]})
    answer = Answer(rows=rows, start=None, late=0)
    simulation = SimpleNamespace(rows=rows, evictions=None, pcap=b"frames", unpredicted=None)
    monkeypatch.setattr("gen.commands.golden_rows.expect", lambda *_: answer)
    monkeypatch.setattr(simulate_command, "simulate_and_compare", lambda *_, **__: simulation)
    monkeypatch.setattr(simulate_command, "figures", lambda *_: {"engine": "group-by"})
    monkeypatch.setattr(simulate_command, "figures_table", lambda *_: "")
    monkeypatch.setattr(simulate_command, "check", lambda _: None)
    arguments = ["simulate", "j.cql", "--input", "t.user", *EXCERPT, "--rows", "r.csv"]
    assert cli.run([*arguments, "--network", "--pcap", "f.pcap", "--json"]) == 0
    output = json.loads(capfd.readouterr().out)
    assert output == {"engine": "group-by", "files": ["r.csv", "r.job.csv", "f.pcap"]}
    assert all((place / name).is_file() for name in output["files"])
    assert cli.run(arguments) == 0
    assert "ids of job and their originals: r.job.csv\n" in capfd.readouterr().out
    simulation.rows = None  # of a run that broke the rules of its stream
    assert cli.run(arguments) == 0
    assert not (place / "r.csv").exists()
    assert not (place / "r.job.csv").exists()


@pytest.mark.parametrize(
    ("read", "output"),
    [
        ("in", "in/part-0.csv"),
        ("in", "in/new.csv"),
        ("in/*.csv", "in/part-0.csv"),
        ("in/*.csv", "sub/../in/new.csv"),
        ("in/part-[0-9].csv", "link/part-1.csv"),
    ],
)
def test_no_rows_go_where_all_files_are_read(place, read, output):
    """A file that the command would write there would be data of the next run."""
    (place / "in").mkdir()
    (place / "in/part-0.csv").write_text("a,b\n1,2\n")
    (place / "link").symlink_to("in")
    old_contents = contents(place)
    outputs = Outputs([read])
    with pytest.raises(UserError, match="the command reads"):
        outputs.add_rows(output)
    outputs.add_rows("sub/part-0.csv")
    outputs.add_rows("in.csv")
    assert contents(place) == old_contents


@pytest.mark.parametrize("read", ["in.csv", "in.csv/part-0.csv", "link.csv", "in.csv/*"])
@pytest.mark.parametrize("output", ["in.csv", "link.csv"])
def test_no_parts_replace_a_directory_that_is_read(place, read, output):
    (place / "in.csv").mkdir()
    (place / "in.csv/part-0.csv").write_text("a,b\n1,2\n")
    (place / "link.csv").symlink_to("in.csv")
    with pytest.raises(UserError, match=r"(it is what )?the command reads"):
        Outputs([read]).add_parts(output)
    Outputs(["d.csv"]).add_parts("in.csv")


@pytest.mark.parametrize(
    ("read", "output"),
    [("days/*", "days/mon/1.csv"), ("links", "real/data.csv"), ("li*", "real/data.csv")],
)
def test_no_rows_go_into_a_folder_of_a_pattern_or_to_the_end_of_a_link(place, read, output):
    for folder in ("days/mon", "days/tue", "real", "links"):
        (place / folder).mkdir(parents=True)
    for file in ("days/mon/1.csv", "days/tue/2.csv", "real/data.csv"):
        (place / file).write_text("a,b\n1,2\n")
    (place / "links/d.csv").symlink_to("../real/data.csv")
    with pytest.raises(UserError, match="the command reads"):
        Outputs([read]).add_rows(output)
    Outputs([read]).add_rows("real/rows.csv")


def test_golden_keeps_the_files_of_its_pattern(place, no_work, capsys):
    old_contents = contents(place)
    assert cli.run(["golden", "q.cql", "--input", "d*.csv", "-o", "d.csv"]) == 2
    assert "d.csv: cannot be written: the command reads d*.csv" in capsys.readouterr().err
    assert contents(place) == old_contents
