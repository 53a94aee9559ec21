"""Creates the back end of an engine by the name of the back end, or the engine's address."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import Any

from .backend import Backend
from .description import Description
from .errors import HostError

#: Module and class of each back end. The simulation is in the project, not in this package.
_BACKENDS = {
    "simulation": ("sim.host_simulation", "CompiledSimulation"),
    "pynq": (".pynq_board", "PynqBoard"),
    "udp": (".udp_board", "UdpBoard"),
}
_PLACES = 'at="udp://10.0.0.1", or at="serial:///dev/ttyUSB0"'  # examples, for messages


def backend_of(
    description: Description,
    directory: str | os.PathLike[str],
    backend: Backend | str | None,
    at: str | None,
    options: dict[str, Any],
) -> Backend:
    """Returns the back end for the arguments of :meth:`host.engine.Engine.open`.

    Raises HostError if the arguments exclude each other, or the back end is not installed.
    """
    if at is not None:
        if backend is not None:
            raise HostError(f"at={at!r} chooses the back end: leave backend={backend!r} out")
        backend, options = "udp", {"at": at, **options}
    elif backend == "udp":
        raise HostError(f"the back end udp needs the place of the engine: {_PLACES}")
    elif description.network is not None and not isinstance(backend, Backend):
        if description.network.get("host_link"):
            way = f"name the place of the engine: {_PLACES}"
        else:
            way = "send them by host.datagrams.DatagramLink, as its README.md shows"
        raise HostError(f"{directory}: tuples and rows of this design are in datagrams: {way}")
    if not isinstance(backend, Backend):
        return _created(backend, description, options)
    if options:
        raise HostError(f"options must go with a back end's name, not {', '.join(options)}")
    return backend


def check_backend_name(name: object, other: str = "a Backend") -> None:
    """Raises HostError unless ``name`` is the name of a back end.

    The message names ``other``, which the caller takes in the place of a name.
    """
    if not isinstance(name, str) or name not in _BACKENDS:
        names = ", ".join(_BACKENDS)
        raise HostError(f"backend must be one of {names}, or {other}, not {name!r}")


def _created(name, description, options):
    """Creates the back end of a name; only the module of that back end is imported."""
    if name is None:
        name = "pynq" if find_spec("pynq") else "simulation"
    check_backend_name(name)
    module, class_name = _BACKENDS[name]
    try:
        back_end = getattr(import_module(module, __package__), class_name)
        known = list(signature(back_end).parameters)[1:]  # the first is the description
        if unknown := [option for option in options if option not in known]:
            raise HostError(
                f"the back end {name} has no option {', '.join(unknown)}, only: {', '.join(known)}"
            )
        return back_end(description, **options)
    except HostError:
        raise
    except ValueError as error:
        raise HostError(f"the back end {name}: {error}") from error
    except ModuleNotFoundError as error:
        raise HostError(
            f"the back end {name} needs {error.name}: on a board install pynq, elsewhere sluice"
        ) from None
