"""Fixtures of the generator's tests."""

import pytest

from gen import cli
from gen.design.build import resolve
from gen.directory.design_files import design_files
from tb.gen.examples import EXAMPLES


@pytest.fixture(scope="session")
def cache(request):
    """Folder of results that tests keep between runs, by content."""
    return request.config.rootpath / ".cache"


@pytest.fixture(scope="session")
def examples(request):
    """The example queries."""
    return request.config.rootpath / "examples"


@pytest.fixture(scope="session")
def sluice_files(examples, cache):
    """Name and files of an engine's example."""

    def made(engine, board=None):
        build = resolve(examples / f"{EXAMPLES[engine]}.toml", board=board)
        assert build.design.engine == engine
        return build.name, design_files(build, cache)

    return made


@pytest.fixture
def sluice(capfd, cache):
    """Runs a command line in this process: (exit code, standard output, standard error)."""

    def run(*arguments):
        texts = [str(argument) for argument in arguments]
        cached = ("--cache", str(cache)) if texts[0] in CACHED else ()
        code = cli.run([*texts, *cached])
        out, err = capfd.readouterr()
        return code, out, err

    return run


CACHED = ("generate", "golden", "simulate", "report", "demo")
