"""Fixtures of the host class's tests."""

from pathlib import Path

import pytest

from gen.design.build import Build
from gen.directory.design_files import design_files
from gen.directory.whole_directory import write_directory
from query.design import DesignPoint
from rtl.contract.face import Face
from tb.rtl.engine.points import DESIGNS


@pytest.fixture(scope="session")
def cache(request):
    """Returns the folder of results that later test runs reuse."""
    return request.config.rootpath / ".cache"


@pytest.fixture
def generated(tmp_path, cache):
    """Returns a function that generates the directory of a design.

    Arguments are a name in `DESIGNS` and options of the face; the function returns the design and
    the directory.
    """

    def generate(name, **face):
        design = DESIGNS[name].with_face(Face(**face))
        file = Path("".join(c if c.isalnum() else "_" for c in name) + ".cql")
        point = DesignPoint(query=design.query, query_file=file, file=file, engine=design.engine)
        build = Build(point=point, design=design, board=None)
        directory = tmp_path / file.stem
        write_directory(directory, design_files(build, cache))
        return design, directory

    return generate
