"""Shows the steps and warnings of a job: on the terminal of a command, or to nobody."""

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Progress(Protocol):
    """Shows steps and warnings; `gen.terminal.console.Output` shows them on standard error."""

    def step(self, text: str, *, mute: bool = False) -> AbstractContextManager[Callable]:
        """Returns a context in which the step ``text`` runs; it yields ``update(detail)``.

        With ``mute`` the standard error of other programs is muted.
        """
        ...

    def warn(self, *warnings: object) -> None:
        """Shows each warning."""
        ...


class SluiceWarning(UserWarning):
    """Warns of a query or a design; the command line prints the same text."""


class Silent:
    """Shows no step, and turns warnings into warnings of Python."""

    def step(self, text: str, *, mute: bool = False) -> AbstractContextManager[Callable]:
        return nullcontext(lambda detail: None)

    def warn(self, *messages: object) -> None:
        for message in messages:
            warnings.warn(str(message), SluiceWarning, stacklevel=4)
