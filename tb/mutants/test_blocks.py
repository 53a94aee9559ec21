"""Checks the choice of mutants for the benches in cocotb, their table, and their exit code."""

from collections import Counter
from datetime import date

import pytest

from tb.mutants import __main__ as command
from tb.mutants.blocks import BLOCKS, by_bench
from tb.mutants.catalogue import ROOT, mutants
from tb.mutants.runner import Runner, Verdict


@pytest.fixture(scope="module")
def chosen():
    """Returns the mutants that run without ``--count``, with their blocks."""
    return by_bench(mutants(), command.COUNT)


def test_every_block_has_mutants_of_its_own_files():
    files = [file for block in BLOCKS for file in block.files]
    assert len(files) == len(set(files))
    assert [file for file in files if not (ROOT / "rtl" / file).is_file()] == []
    mutated = {mutant.file for mutant in mutants()}
    assert [b.name for b in BLOCKS if mutated.isdisjoint(f"rtl/{file}" for file in b.files)] == []


def test_every_block_has_an_even_share(chosen):
    available = Counter(by_bench(mutants(), 10_000).values())
    shares = Counter(chosen.values())
    largest = max(shares.values())
    assert shares.total() == command.COUNT
    assert set(shares) == {block.name for block in BLOCKS}
    assert all(n >= min(largest - 1, available[name]) for name, n in shares.items())


def test_a_mutant_has_the_run_of_its_block_as_test(chosen):
    mutant = next(m for m, block in chosen.items() if block == "decompressor, sz")
    run = "tb/cocotb/keyed/test_decompressor.py::test_decompressor[codecsz-width64-exponent2-"
    assert mutant.tests[0].startswith(run)
    assert mutant.file in ("rtl/keyed/codec/sz/decoder.py", "rtl/keyed/codec/sz/values.py")


def test_other_days_have_other_mutants(chosen):
    assert by_bench(mutants(), command.COUNT) == chosen
    assert by_bench(mutants(), command.COUNT, date(1970, 1, 2)) != chosen


@pytest.mark.parametrize(("survivors", "code"), [(6, 0), (7, 1)])
def test_nine_in_ten_must_be_noticed(monkeypatch, capsys, survivors, code):
    """The table names the survivors, by block."""

    class FakeRunner(Runner):
        def __enter__(self):
            return self

        def run(self, selected, *, at_a_time):
            for k, mutant in enumerate(selected):
                outcome = "survived" if k < survivors else "killed"
                yield Verdict(mutant=mutant, outcome=outcome, reason="", seconds=1)

    monkeypatch.setattr(command, "Runner", FakeRunner)
    assert command.main(["--cocotb"]) == code
    lines = capsys.readouterr().out.splitlines()
    total = [command.COUNT, command.COUNT - survivors, survivors, 0, command.COUNT]
    assert f"in all {' '.join(map(str, total))}" in [" ".join(line.split()) for line in lines]
    survivor = "survived: prefix-scan: a scan that combines the wrong way round"
    assert (survivor in lines, len(lines)) == (True, lines.index(survivor) + survivors)


def test_copies_share_rows_and_nothing_else(tmp_path):
    folder = tmp_path / ".cache" / "rows"
    with Runner(tmp_path, shared=("rows",)) as runner, runner.copied() as copy:
        (copy / ".cache" / "rows" / "entry").write_text("computed once")
        (copy / ".cache" / "model").write_text("of a mutant")
    assert (folder / "entry").read_text() == "computed once"
    assert list(folder.parent.iterdir()) == [folder]
