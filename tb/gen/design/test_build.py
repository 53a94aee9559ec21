"""Tests what `gen.design.build.resolve` refuses before any work begins."""

import pytest

from gen.design.build import resolve
from query.errors import UserError


@pytest.mark.parametrize(("type_", "count"), [("uint(64)", 125), ("uint(32)", 249)])
def test_constants_that_need_too_many_registers(tmp_path, type_, count):
    """The register map has 248 registers of 32 bits for settings."""

    def design_of(comparisons):
        condition = " OR ".join(f"w = {k}" for k in range(comparisons))
        path = tmp_path / "q.cql"
        path.write_text(
            f"CREATE INPUT STREAM S (k uint(8), w {type_});"
            f"SELECT k, count(*) FROM S WHERE {condition} GROUP BY k;"
        )
        return resolve(path, options=["constants=run-time"]).design

    assert len(design_of(count - 1).settings.numbers) == count - 1
    with pytest.raises(UserError, match="the register map has room for 248; with constants="):
        design_of(count)
