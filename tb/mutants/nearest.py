"""Finds the test files that are nearest to a source in the import graph of the tree."""

import ast
from collections import deque
from pathlib import Path

ROOMS = ("query", "golden", "rtl", "boards", "host", "sim", "gen", "tb")


class Imports:
    """The import graph of a tree.

    Parameters
    ----------
    root : Path
        The tree.
    """

    def __init__(self, root):
        self._root = Path(root)
        paths = [path for room in ROOMS for path in sorted((self._root / room).rglob("*.py"))]
        self._files = {self._name(path): path.relative_to(self._root).as_posix() for path in paths}
        self._importers = {file: set() for file in self._files.values()}
        for path in paths:
            file = path.relative_to(self._root).as_posix()
            for imported in self._imported(path):
                self._importers[imported].add(file)

    def _name(self, path):
        parts = path.relative_to(self._root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    def _imported(self, path):
        package = path.relative_to(self._root).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                up = package[: len(package) - node.level + 1] if node.level else ()
                base = ".".join([*up, *([node.module] if node.module else [])])
                names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
            else:
                continue
            yield from (self._files[name] for name in names if name in self._files)

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
        """Returns the test files, nearest first: the mirrored file, then by the number of steps.

        Of files with the same number of steps, files of the same room come first. The mirrored file
        of ``rtl/stream/skid.py`` is ``tb/rtl/stream/test_skid.py``.
        """
        distances = self.distances(file)
        path = Path(file)
        mirrored = f"tb/{path.parent}/test_{path.stem}.py"
        if mirrored in self._importers:
            distances[mirrored] = 0
        room = f"tb/{path.parent}/"
        if not distances:  # the source is imported by a computed name only
            distances = {t: 0 for t in self._importers if is_test(t) and t.startswith(room)}
        return sorted(
            distances, key=lambda test: (distances[test], not test.startswith(room), test)
        )


def is_test(file):
    """True if pytest collects the file."""
    return file.startswith("tb/") and Path(file).name.startswith("test_")
