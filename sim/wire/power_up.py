"""Lists the register writes at power-up: the query's settings, and both ends of a wire."""


def power_up_writes(description, link):
    """Returns pairs of address and value that a design with a network face needs before a frame.

    The settings have the query's own numbers; a setting without one, such as ``start``, stays as
    the reset leaves it. ``mac`` is last, because the design drops all frames while it is 0.

    Parameters
    ----------
    description : host.description.Description
    link : dict of str to int
        Raw numbers of the network settings by name; one that is missing stays 0.
    """
    writes = []
    for setting in description.settings.values():
        if setting.value is not None:
            writes += _words(description, setting.registers, setting.value)
    settings = [s for s in description.network["settings"] if s["name"] in link]
    for setting in sorted(settings, key=lambda setting: setting["name"] == "mac"):
        writes += _words(description, setting["registers"], link[setting["name"]])
    return writes


def _words(description, registers, value):
    """Yields the write of each register of a setting, the lowest word first."""
    for k, register in enumerate(registers):
        yield description.registers[register], value >> 32 * k & 0xFFFF_FFFF
