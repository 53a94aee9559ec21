"""The one exception for what a user wrote or passed wrongly: one line, with the place if known."""


class UserError(Exception):
    """A bad query, parameter or input; the command line prints it and exits with code 2.

    Parameters
    ----------
    message : str
        What is wrong, with the offending value. One line.
    file : str or None
        The file at fault.
    line, column : int or None
        Position in ``file``, counted from 1.
    """

    def __init__(self, message, *, file=None, line=None, column=None):
        self.message = message
        self.file = None if file is None else str(file)
        self.line = line
        self.column = column
        super().__init__(str(self))

    def at(self, file):
        """The same error, with its file named."""
        return type(self)(self.message, file=file, line=self.line, column=self.column)

    def __str__(self):
        place = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join([*place, f" {self.message}"]) if place else self.message


class QueryError(UserError):
    """A query text that does not parse or does not make sense."""
