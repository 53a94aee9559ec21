"""Errors of simulations: a missing tool, a failed build, or a design that breaks a rule."""


class ToolMissingError(Exception):
    """The machine lacks a program. Tests skip with the name of the program.

    Parameters
    ----------
    name : str
        Name of the program or package to install.
    """

    def __init__(self, name):
        self.name = name
        super().__init__(f"tool missing: {name}")


class BuildError(Exception):
    """A simulator or compiler refused its input; the message ends with the tail of its log."""


class ProtocolError(AssertionError):
    """The design under test broke a rule of its streams, or made no progress."""


class HangError(ProtocolError):
    """The design under test made no progress within the caller's time limit."""
