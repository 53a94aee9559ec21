"""Jobs and results as files, between a process and the simulator that it starts."""

import json
from dataclasses import fields

import numpy as np

from tb.harness.beats import Beats
from tb.harness.result import RunResult

ARRAYS = ("data", "keep", "last")


def save(path, beats, options, **arrays):
    """Writes beats, further arrays, and options that JSON can hold."""
    parts = {name: getattr(beats, name) for name in ARRAYS}
    if beats.user is not None:
        parts["user"] = beats.user
    np.savez(path, options=np.array(json.dumps(options)), **parts, **arrays)


def load(path):
    """What :func:`save` wrote: beats, options, further arrays."""
    with np.load(path) as file:
        arrays = dict(file)
    beats = Beats(*(arrays.pop(name) for name in ARRAYS), arrays.pop("user", None))
    return beats, json.loads(str(arrays.pop("options"))), arrays


def save_result(path, result):
    """Writes a RunResult."""
    scalars = {f.name: getattr(result, f.name) for f in fields(result)}
    beats, taken = scalars.pop("beats"), scalars.pop("taken")
    save(path, beats, scalars, taken=taken)


def load_result(path):
    """What :func:`save_result` wrote."""
    beats, scalars, arrays = load(path)
    lists = {name: tuple(value) for name, value in scalars.items() if isinstance(value, list)}
    return RunResult(beats=beats, **arrays, **{**scalars, **lists})
