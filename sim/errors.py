"""What can go wrong in the harness, told apart: the tool, the build, the design under test."""


class ToolMissingError(Exception):
    """A program that the machine lacks; a test turns it into a skip that names it.

    Parameters
    ----------
    name : str
        The program or package, as one would install it.
    """

    def __init__(self, name):
        self.name = name
        super().__init__(f"tool missing: {name}")


class BuildError(Exception):
    """A simulator or compiler refused its input; the message ends with the tail of its log."""


class ProtocolError(AssertionError):
    """The design under test broke a rule of its streams, or stopped moving."""


class HangError(ProtocolError):
    """No progress for as long as the caller was willing to wait."""
