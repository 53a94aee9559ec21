"""Checks that the host class of a generated directory needs only NumPy and its own files."""

import subprocess
import sys

PROGRAM = """
import sys

class Blocker:
    '''Refuses every module that is not of Python, NumPy or the generated directory.'''

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "numpy", "host"}:
            raise ModuleNotFoundError(f"no module {name}", name=name)

sys.meta_path.insert(0, Blocker())
sys.path.insert(0, sys.argv[1])
import host
from host.backend import Backend
from host.description import Description
from host.engine import Engine
from host.errors import HostError
assert host.__file__.startswith(sys.argv[1])

class Silent(Backend):
    '''Back end whose registers identify the right engine, and whose stream returns no packet.'''

    def __init__(self, description):
        magic = description.registers["magic"]
        self.values = {magic: int(description.host["magic"], 16)}
        self.values[description.registers["configuration"]] = description.configuration

    def read(self, address):
        return self.values.get(address, 0)

    def write(self, address, value):
        pass

    def close(self):
        pass

    def transfer(self, tuples, finished):
        self.tuples = tuples
        return {"m_axis": []}

backend = Silent(Description.read(sys.argv[1]))
with Engine.open(sys.argv[1], backend) as engine:
    names = [field.name for field in engine.description.tuples.fields]
    rows = engine.run({name: [] for name in names})
    print(len(backend.tuples), sorted({len(column) for column in rows.values()}))
for name in ("simulation", "pynq"):
    try:
        Engine.open(sys.argv[1], name)
    except HostError as error:
        print(error)
"""


def test_the_host_class_needs_only_numpy(generated):
    _, directory = generated("two-stacks")
    completed = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(directory)], capture_output=True, text=True
    )
    assert completed.stderr == ""
    assert completed.stdout.splitlines() == [
        "0 [0]",
        "the back end simulation needs sim: on a board install pynq, elsewhere sluice",
        "the back end pynq needs pynq: on a board install pynq, elsewhere sluice",
    ]
