"""The host class as it lies in a generated directory: with NumPy, and nothing of the project's."""

import subprocess
import sys

PROGRAM = """
import sys

class Nothing:
    '''Finds no module that a board may lack.'''

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "numpy", "host"}:
            raise ModuleNotFoundError(f"no module {name}", name=name)

sys.meta_path.insert(0, Nothing())
sys.path.insert(0, sys.argv[1])
import host
from host.backend import Backend
from host.description import Description
from host.engine import Engine
from host.errors import HostError
assert host.__file__.startswith(sys.argv[1])

class Silent(Backend):
    '''Registers that say the right thing, and a stream that gives nothing.'''

    def __init__(self, told):
        self.values = {told.registers["magic"]: int(told.host["magic"], 16)}
        self.values[told.registers["configuration"]] = told.configuration

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


def test_it_needs_numpy_alone(generated):
    _, directory = generated("two-stacks")
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, str(directory)], capture_output=True, text=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "0 [0]",
        "the back end simulation needs tb: on a board install pynq, elsewhere sluice",
        "the back end pynq needs pynq: on a board install pynq, elsewhere sluice",
    ]
