"""Fixtures of the generator's tests."""

import pytest

from gen import cli
from gen.design.build import resolve
from gen.directory.design_files import design_files
from tb.gen.examples import EXAMPLES


@pytest.fixture(scope="session")
def cache(request):
    """Returns the path of the cache, which keeps results between runs of the tests."""
    return request.config.rootpath / ".cache"


@pytest.fixture(scope="session")
def examples(request):
    """Returns the path of the folder of example queries."""
    return request.config.rootpath / "examples"


@pytest.fixture(scope="session")
def sluice_files(examples, cache):
    """Returns a function from an engine to the name and the generated files of its example."""

    def name_and_files(engine, board=None):
        build = resolve(examples / f"{EXAMPLES[engine]}.toml", board=board)
        assert build.design.engine == engine
        return build.name, design_files(build, cache)

    return name_and_files


@pytest.fixture(scope="session")
def saved_design_files():
    """Returns a function like `design_files` that generates each design only once.

    A call with further options, such as changed files, generates the design again.
    """
    saved = {}

    def files(build, cache, **options):
        if options:
            return design_files(build, cache, **options)
        board = build.board
        key = (build.name, repr(build.configuration()), board.name, board.clock_mhz, board.link)
        if key not in saved:
            saved[key] = design_files(build, cache)
        return dict(saved[key])

    return files


@pytest.fixture
def sluice(capfd, cache):
    """Returns a function that runs a command line in this process.

    The function returns the exit code, the standard output and the standard error.
    """

    def run(*arguments):
        texts = [str(argument) for argument in arguments]
        others = {"--bench", "--tuples", "--tuple-count", "--unit"}
        if texts[0] == "generate" and not others & {*texts}:
            texts.append("--no-bench")  # such tests are about the other files
        cached = ("--cache", str(cache)) if texts[0] in CACHED else ()
        code = cli.run([*texts, *cached])
        out, err = capfd.readouterr()
        return code, out, err

    return run


#: Commands with the option ``--cache``.
CACHED = ("generate", "golden", "simulate", "report", "demo", "serve")
