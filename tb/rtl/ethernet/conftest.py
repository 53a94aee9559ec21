"""Network faces that are compiled once."""

from functools import cache

import pytest

from gen.verilog.shipped_verilog import convert
from rtl.ethernet.face import NetworkFace
from sim.wire.run import Wire

NAMES = [counter.name for counter in NetworkFace.counters]


@pytest.fixture(scope="session")
def wire(request):
    """Returns a function ``wire(face, **parameters)`` that compiles a face with the sizes of
    ``face``."""
    folder = request.config.rootpath / ".cache" / "tb"

    @cache
    def built(**parameters):
        text = convert(NetworkFace(**parameters), "face", folder)
        return Wire(text, "face", NAMES, folder)

    def wire_of(face, **parameters):
        sizes = {name: getattr(face, name) for name in ("shortest", "longest", "longest_ping")}
        return built(row_bytes=face.row_bytes, **{"result_bytes": 16} | sizes | parameters)

    return wire_of
