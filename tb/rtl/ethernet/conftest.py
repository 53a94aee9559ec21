"""Faces that are compiled once."""

from functools import cache

import pytest

from gen.verilog.shipped_verilog import convert
from rtl.ethernet.face import NetworkFace
from sim.wire.run import Wire

NAMES = [counter.name for counter in NetworkFace.counters]


@pytest.fixture(scope="session")
def wire(request):
    """``wire(face, **more)``: a compiled face as ``face`` says, with ``more`` of its parameters."""
    folder = request.config.rootpath / ".cache" / "tb"

    @cache
    def built(**parameters):
        text = convert(NetworkFace(**parameters), "face", folder)
        return Wire(text, "face", NAMES, folder)

    def made(face, **more):
        ours = {name: getattr(face, name) for name in ("shortest", "longest", "longest_ping")}
        return built(row_bytes=face.row_bytes, **{"result_bytes": 16} | ours | more)

    return made
