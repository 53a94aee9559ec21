"""Checks the readers of the two published traces, on published, made and partial files."""

from fractions import Fraction

import numpy as np
import pytest

from golden.readers import read
from golden.readers.google import squeeze
from query.parser import parse
from tb.golden.data_files import DATA, MADE_TRACES, file, query_of, refused, unpacked
from tb.golden.made_traces import DEBS_LINES, GOOGLE_LINES, made_trace


def both(name):
    """Returns the published trace, if it exists, and the made trace of its shape, as parameters."""
    published = [pytest.param(DATA / name, id="published")] if (DATA / name).exists() else []
    return [*published, pytest.param(made_trace(name, MADE_TRACES), id="made")]


GOOGLE, DEBS = both("google_cluster_task_events.txt.gz"), both("debs2012_manufacturing.txt.gz")


class TestGoogle:
    QUERY = parse(
        "CREATE INPUT STREAM T (time uint(64), job uint(32), machine int(64), cpu fixed(8,24));"
        "SELECT job, count(*), max(cpu), min(machine), max(time) FROM T GROUP BY job;"
    )
    BY_USER = parse(
        "CREATE INPUT STREAM T (user uint(32)); SELECT user, count(*) FROM T GROUP BY user;"
    )
    PUBLISHED = (
        "5000000,,6000000002,0,,0,aGFzaA==,3,9,0.0625,0.07,0.0003,0\n"
        "5000001,2,3418309,1,4155527081,1,YQ==,3,9,,,,\n"
        "9223372036854775807,,6000000002,0,71,4,aGFzaA==,3,9,0.5,0.07,0.0003,\n"
    )

    def test_published_table(self, tmp_path):
        tuples = read(file(tmp_path, self.PUBLISHED, "part.csv"), self.QUERY, "google-task-events")
        assert tuples.mappings["job"].to_pylist() == [3418309, 6000000002]
        table = tuples.table.to_pydict()
        assert table["job"] == [1, 0, 1]
        assert table["machine"] == [-1, 4155527081, 71]
        assert table["cpu"] == [1 << 20, 0, 1 << 23]
        assert [int(t) for t in table["time"]] == [5000000, 5000001, 2**63 - 1]

    def test_every_column_of_both_layouts(self, tmp_path):
        """The names are in the order of the columns; the published table may lack fields."""
        names = (
            *("time", "job", "task", "machine", "event", "user", "class", "priority", "cpu"),
            *("ram", "disk", "constraint"),
        )
        columns = [f"{name} int(64)" for name in names]
        excerpt = file(tmp_path, " ".join(str(n) for n in range(1, 13)), "part.txt")
        table = read(excerpt, query_of(*columns), "google-task-events").table.to_pydict()
        assert table == {name: [n] for n, name in enumerate(names, start=1)}
        for line, expected in (
            ("1,missing info,2,3,4,5,6,7,8,9,10,11,12", list(range(1, 13))),
            ("\n1,,2,3,,5,6,7,8,,,,", [1, 2, 3, -1, 5, 6, 7, 8, 0, 0, 0, 0]),
        ):
            path = file(tmp_path, line, "part.csv")
            table = read(path, query_of(*columns), "google-task-events").table.to_pydict()
            assert [table[name] for name in names] == [[value] for value in expected]

    @pytest.mark.parametrize(("unit", "right"), [("", 1), ("us", 1), ("seconds", 0), ("ms", 0)])
    def test_another_unit_than_the_published_one_is_refused(self, unit, right, tmp_path):
        query = parse(
            f"CREATE INPUT STREAM T (time uint(64) {unit});"
            "SELECT count(*) FROM T [RANGE 10 SLIDE 10 WATTR time];"
        )
        path = file(tmp_path, self.PUBLISHED, "part.csv")
        if right:
            assert len(read(path, query, "google-task-events")) == 3
        else:
            message = f"time is in us here, and the query declares time uint(64) {unit}; declare "
            message_ = refused(path, query, format="google-task-events")
            assert message_.strip() == f'{message}"time uint(64) us"'

    def test_users_that_are_text(self, tmp_path):
        path = file(tmp_path, self.PUBLISHED, "part.csv")
        dense = read(path, self.BY_USER, "google-task-events")
        assert dense.table["user"].to_pylist() == [1, 0, 1]
        assert dense.mappings["user"].to_pylist() == ["YQ==", "aGFzaA=="]
        text = parse(
            "CREATE INPUT STREAM T (user string(8)); SELECT user, count(*) FROM T GROUP BY user;"
        )
        texts = read(path, text, "google-task-events")
        assert texts.table["user"].to_pylist() == ["aGFzaA==", "YQ==", "aGFzaA=="]
        assert texts.mappings == {}

    @pytest.mark.parametrize("bad", ["", "job-7"])
    def test_a_job_that_is_no_integer_is_refused(self, bad, tmp_path):
        """The line of 6000000002, which does not fit 32 bits but is an id, comes before it."""
        lines = self.PUBLISHED.splitlines()
        lines[1] = lines[1].replace("3418309", bad)
        path = file(tmp_path, "\n".join(lines), "part.csv")
        message = refused(path, self.QUERY, "google-task-events")
        assert message == f"2: job: '{bad}' is not a number for int(64)"

    def test_the_earliest_id_that_is_no_integer_is_named(self, tmp_path):
        lines = self.PUBLISHED.replace("6000000002,0,,", "j,0,,").splitlines()
        lines = ["1,,1,0,m,0,,3,9,0,0,0,0", *lines]
        query = parse(
            "CREATE INPUT STREAM T (job uint(8), machine uint(8));"
            "SELECT job, count(distinct machine) FROM T GROUP BY job;"
        )
        path = file(tmp_path, "\n".join(lines), "part.csv")
        message = refused(path, query, "google-task-events")
        assert message == "1: machine: 'm' is not a number for int(64)"

    def test_ids_that_a_float_would_merge_are_dense(self, tmp_path):
        """Both jobs are 6000000000 as a float, the least distance of which is 512 there."""
        published = self.PUBLISHED.replace("3418309", "6000000003")
        path = file(tmp_path, published, "part.csv")
        query = parse(
            "CREATE INPUT STREAM T (job float); SELECT job, count(*) FROM T GROUP BY job;"
        )
        tuples = read(path, query, "google-task-events")
        assert tuples.mappings["job"].to_pylist() == [6000000002, 6000000003]
        assert tuples.table["job"].to_pylist() == [0.0, 1.0, 0.0]
        double = parse(
            "CREATE INPUT STREAM T (job double); SELECT job, count(*) FROM T GROUP BY job;"
        )
        tuples = read(path, double, "google-task-events")
        assert tuples.mappings == {}
        assert tuples.table["job"].to_pylist() == [6000000002.0, 6000000003.0, 6000000002.0]

    @pytest.mark.parametrize("path", GOOGLE)
    def test_excerpt_equals_plain_splitting(self, path):
        lines = [line.split() for line in unpacked(path)]
        for format in ("google-task-events", "google-task-events-excerpt"):
            tuples = read(path, self.QUERY, format)
            originals = sorted({int(line[1]) for line in lines})
            assert tuples.mappings["job"].to_pylist() == originals
            table = tuples.table.to_pydict()
            assert [originals[i] for i in table["job"]] == [int(line[1]) for line in lines]
            assert table["machine"] == [int(line[3]) for line in lines]
            assert table["cpu"] == [round(Fraction(line[8]) * 2**24) for line in lines]
            assert [int(t) for t in table["time"]] == [int(line[0]) for line in lines]
            assert len(tuples) == len(lines) == GOOGLE_LINES
        assert max(originals) >= 1 << 32
        assert {len(line) for line in lines} == {12}

    @pytest.mark.parametrize("path", GOOGLE)
    def test_ids_that_fit_stay(self, path):
        tuples = read(path, query_of("job uint(33)", "event uint(4)"), "google-task-events")
        assert tuples.mappings == {}
        assert tuples.table["job"][0].as_py() == int(unpacked(path)[0].split()[1])

    @pytest.mark.parametrize("path", GOOGLE)
    def test_constants_on_renumbered_ids_are_refused(self, path):
        message = refused(path, query_of("job uint(32)"), "google-task-events")
        assert "WHERE compares job" in message

    @pytest.mark.parametrize(
        ("select", "message"),
        [
            ("max(job) FROM T [ROWS 2 SLIDE 2]", "max(job) reads job"),
            ("sum(job) FROM T [ROWS 2 SLIDE 2]", "sum(job) reads job"),
            ("median(job) FROM T [ROWS 2 SLIDE 2]", "median(job) reads job"),
            ("count(*) FROM T [RANGE 2 SLIDE 2 WATTR job]", "RANGE reads job"),
            ("count(*) FROM T [ROWS 2 SLIDE 2] WHERE job > 0", "WHERE compares job"),
            ("count(*), count(distinct job) FROM T [ROWS 2 SLIDE 2]", None),
        ],
    )
    def test_numbers_of_renumbered_ids_are_refused(self, select, message, tmp_path):
        path = file(tmp_path, self.PUBLISHED, "part.csv")
        query = parse(f"CREATE INPUT STREAM T (job uint(32)); SELECT {select};")
        if message is None:
            assert len(read(path, query, "google-task-events")) == 3
        else:
            assert refused(path, query, "google-task-events") == (
                f" {message}, whose originals do not fit uint(32): declare it int(64), which keeps "
                "them"
            )

    def test_errors_name_the_line(self, tmp_path):
        bad = self.PUBLISHED.replace("0.5,", "half,")
        path = file(tmp_path, bad, "part.csv")
        message = refused(path, self.QUERY, "google-task-events")
        assert message == "3: cpu: 'half' is not a number for fixed(8,24)"
        path = file(tmp_path, " 1 2  3 4 5 6 7 8 9 10 11   12\n\n 1 2\n", "part.txt")
        assert (
            refused(path, self.QUERY, "google-task-events") == "3: there must be 12 fields, not 2"
        )
        assert "there is no column load" in refused(
            path, query_of("load int"), "google-task-events"
        )

    def test_squeeze(self):
        assert squeeze(b"  a  b\tc  \r\n\n d   e ") == b"a b c\n\nd e\n"
        assert squeeze(b"a b \r c\r\rd") == b"a b\nc\n\nd\n"


class TestDebs:
    QUERY = query_of("bm05 uint(1)", "ts uint(64)", "mf01 int", "s56 uint(1)")

    @pytest.mark.parametrize("path", DEBS)
    def test_equals_plain_splitting(self, path):
        lines = [line.split("\t") for line in unpacked(path)]
        table = read(path, self.QUERY, "debs2012").table.to_pydict()
        assert table["mf01"] == [int(line[2]) for line in lines]
        assert table["bm05"] == [int(line[12]) for line in lines]
        assert table["s56"] == [int(line[55]) for line in lines]
        stamps = np.array([line[0][:-6] + "00" for line in lines], "datetime64[ns]")
        assert [int(t) for t in table["ts"]] == stamps.astype(np.int64).tolist()
        assert len(table["ts"]) == DEBS_LINES
        assert {len(line) for line in lines} == {56}

    def test_every_column(self, tmp_path):
        """The first names are those of the challenge's message; the others are numbered from 1."""
        names = (
            *("index", "mf01", "mf02", "mf03", "pc13", "pc14", "pc15", "pc25", "pc26", "pc27"),
            *("res", "bm05", "bm06", "bm07", "bm08", "bm09", "bm10"),
            *(f"s{n}" for n in range(19, 57)),
        )
        line = "\t".join(["1970-01-01T00:00:00Z", *map(str, range(2, 57))])
        query = query_of(*(f"{name} int" for name in names))
        table = read(file(tmp_path, line, "debs.txt"), query, "debs2012").table.to_pydict()
        assert table == {name: [n] for n, name in enumerate(names, start=2)}

    @pytest.mark.parametrize(
        ("stamp", "nanoseconds"),
        [
            ("2012-02-29T23:59:59.000000001Z", 1330559999000000001),
            ("1970-01-01T00:00:00Z", 0),
            ("2261-12-31T23:59:59Z", 9214646399000000000),
            ("2011-02-29T23:59:59Z", None),
            ("2012-02-30T00:00:00Z", None),
            ("2012-04-31T00:00:00Z", None),
            ("2012-13-01T00:00:00Z", None),
            ("2012-01-00T00:00:00Z", None),
            ("2012-01-01T24:00:00Z", None),
            ("2012-06-30T23:59:60Z", None),
        ],
    )
    def test_only_existing_days_and_seconds_are_read(self, tmp_path, stamp, nanoseconds):
        lines = ["\t".join([text, *["1"] * 55]) for text in ("2012-02-22T16:46:28Z", stamp)]
        path = file(tmp_path, "\n".join(lines), "debs.txt")
        if nanoseconds is None:
            message = f"2: ts: {stamp!r} is not a time stamp"
            assert refused(path, self.QUERY, "debs2012") == message
        else:
            actual = read(path, self.QUERY, "debs2012").table["ts"][1].as_py()
            assert int(actual) == nanoseconds

    @pytest.mark.parametrize(
        "stamp",
        [
            *("9999-02-22T16:46:28.5Z", "2263-02-22T16:46:28.5Z", "0001-02-22T16:46:28.5Z"),
            "2262-04-11T23:47:16.9Z",  # the last second of 64 bits, which is not whole
        ],
    )
    def test_years_beyond_64_bits(self, tmp_path, stamp):
        line = "\t".join([stamp, *["1"] * 55])
        assert refused(file(tmp_path, line, "debs.txt"), self.QUERY, "debs2012") == (
            f"1: ts: '{stamp}' must be from 1678 to 2261: nanoseconds of 64 bits"
        )

    def test_a_byte_order_mark(self, tmp_path):
        line = "\t".join(["1970-01-01T00:00:01Z", *["1"] * 55])
        path = file(tmp_path, "\ufeff" + line, "debs.txt")
        assert int(read(path, self.QUERY, "debs2012").table["ts"][0].as_py()) == 10**9

    def test_bad_stamp(self, tmp_path):
        line = "\t".join(["2012-02-22T16:46:28.9670320+00:00", *["1"] * 55])
        path = file(tmp_path, f"{line}\n{line.replace('T', ' ')}\n", "debs.txt")
        assert refused(path, self.QUERY, "debs2012") == (
            "2: ts: '2012-02-22 16:46:28.9670320+00:00' is not a time stamp"
        )
