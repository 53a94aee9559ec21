"""Finds the test files that are nearest to a source in the import graph of the tree."""

import ast
import textwrap
from collections import deque
from pathlib import Path

from tb.mirror import ROOMS, covering_test, covering_tests, mirrored_test


class Imports:
    """The import graph of a tree.

    A file also counts as an importer of the files that it loads by name:

    - the module of a string such as ``"sim.pins.cocotb_job"`` or ``".pynq_board"``, and the file of
      a string such as ``"bench.py"`` in the same folder;
    - all modules of the folder in ``import_module(f"golden.aggregates.{name}")``;
    - the imports of a program in a string;
    - for a test, the ``conftest.py`` of a fixture that it uses.

    Parameters
    ----------
    root : Path
        The tree.
    """

    def __init__(self, root):
        self._root = Path(root)
        rooms = (*ROOMS, "tb")
        paths = [path for room in rooms for path in sorted((self._root / room).rglob("*.py"))]
        self._files = {self._name(path): self._file(path) for path in paths}
        self._importers = {file: set() for file in self._files.values()}
        fixtures, arguments = {}, {}
        for path in paths:
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            for imported in self._imported(path, nodes):
                self._importers[imported].add(self._file(path))
            arguments[path] = {node.arg for node in nodes if isinstance(node, ast.arg)}
            if path.name == "conftest.py":
                fixtures[path] = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
        for conftest, names in fixtures.items():
            for path in paths:
                if names & arguments[path] and path.is_relative_to(conftest.parent):
                    self._importers[self._file(conftest)].add(self._file(path))

    def _file(self, path):
        return path.relative_to(self._root).as_posix()

    def _name(self, path):
        parts = path.relative_to(self._root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imported(self, path, nodes):
        package = path.relative_to(self._root).parts[:-1]
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                up = package[: len(package) - node.level + 1] if node.level else ()
                base = ".".join([*up, *([node.module] if node.module else [])])
                names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Constant) and id(node) not in docstrings:
                names = _names_in(node.value, ".".join(package))
                yield from self._imported(path, _nodes_of_program(node.value))
            elif isinstance(node, ast.Call):
                names = self._folder_of(node)
            else:
                continue
            yield from (self._files[name] for name in names if name in self._files)

    def _folder_of(self, call):
        """Returns all modules of the folder from which a call loads modules by computed names."""
        name = getattr(call.func, "id", getattr(call.func, "attr", None))
        argument = next(iter(call.args), None)
        if name != "import_module" or not isinstance(argument, ast.JoinedStr):
            return []
        first = next(iter(argument.values), None)
        prefix = first.value if isinstance(first, ast.Constant) else ""
        if not prefix.endswith("."):
            return []
        return [module for module in self._files if module.startswith(prefix)]

    def distances(self, file):
        """Returns the test files that import ``file``, also indirectly, with the number of steps.

        An import of one file of ``tb`` by another file of ``tb`` counts 0 steps, because a bench
        belongs to its test.
        """
        steps_to, queue = {file: 0}, deque([file])
        while queue:
            current = queue.popleft()
            for importer in sorted(self._importers[current]):
                step = 0 if current.startswith("tb/") else 1
                if steps_to.get(importer, len(self._importers)) > steps_to[current] + step:
                    steps_to[importer] = steps_to[current] + step
                    (queue.append if step else queue.appendleft)(importer)
        return {path: steps for path, steps in steps_to.items() if is_test(path)}

    def nearest(self, file):
        """Returns the test files, nearest first: the test of :mod:`tb.mirror`, then by steps.

        Of files with the same number of steps, files of the same room come first.
        """
        distances = self.distances(file)
        path = Path(file)
        covering = covering_test(file, covering_tests(path.parts[0], self._root))
        for test in (mirrored_test(file), covering):
            if test in self._importers:
                distances[test] = 0
        room = f"tb/{path.parent}/"
        if not distances:  # the source is imported by a computed name only
            distances = {t: 0 for t in self._importers if is_test(t) and t.startswith(room)}
        return sorted(
            distances, key=lambda test: (distances[test], not test.startswith(room), test)
        )


def _nodes_of_program(value):
    """Returns the syntax nodes of a string that is a program: imports, and other statements."""
    if not isinstance(value, str) or "import " not in value:
        return []
    try:
        body = ast.parse(textwrap.dedent(value)).body
    except SyntaxError:
        return []
    only_imports = all(isinstance(node, ast.Import | ast.ImportFrom) for node in body)
    return [] if only_imports else [node for part in body for node in ast.walk(part)]


def _names_in(value, package):
    """Returns the dotted names of the modules that a string may stand for."""
    if not isinstance(value, str):
        return []
    if value.startswith("."):
        return [package + value]
    return [value, f"{package}.{value.removesuffix('.py')}"] if "." in value else []


def is_test(file):
    """True if pytest collects the file."""
    return file.startswith("tb/") and Path(file).name.startswith("test_")
