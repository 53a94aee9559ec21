"""What can go wrong between a host and an engine; each message says what to do."""


class HostError(Exception):
    """The directory, the machine or the order of calls is not as it must be."""


class TableError(HostError, ValueError):
    """A table has a column too few, or a value that its column's type does not hold."""


class SettingError(HostError, ValueError):
    """A setting that there is not, or a value that it cannot have."""


class DeviceError(HostError):
    """No engine answers, or another one, or it has set an error bit."""


class OverrunError(DeviceError):
    """Tuples were lost, as there was no room for them: the rows are not those of the query.

    Attributes
    ----------
    rows : object
        What came out all the same.
    """

    def __init__(self, message, rows=None):
        super().__init__(message)
        self.rows = rows


class EvictionError(DeviceError):
    """Keys were evicted from the table of keys: rows of the query are missing or differ.

    Attributes
    ----------
    rows : object
        The rows that came.
    """

    def __init__(self, message, rows=None):
        super().__init__(message)
        self.rows = rows


class HangError(DeviceError):
    """What was waited for did not come."""
