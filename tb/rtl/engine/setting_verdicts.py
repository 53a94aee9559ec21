"""Host settings as the hardware judges them."""

from tb.rtl.gates import evaluate


def good_settings(design):
    """Returns the settings of the query; 0 for a setting that depends on the data."""
    settings = design.settings
    function = {"function": 0} if settings.functions else {}
    return function | dict.fromkeys(settings.set_by_host, 0) | settings.values


def verdicts(settings, vectors):
    """Judges vectors of settings in hardware.

    Returns, for each vector, the names of the refused numbers, a flag for an inconsistent
    combination, and a flag for a refused stream.
    """
    names = [number.name for number in settings.numbers]
    outputs = evaluate(
        {"values": settings.layout},
        dict.fromkeys((*names, "inconsistent", "refused"), 1),
        lambda values: {
            **{name: settings[name].refuses(values[name]) for name in names},
            "inconsistent": settings.inconsistent(values),
            "refused": settings.refused(values),
        },
        [{"values": vector} for vector in vectors],
    )
    return [({n for n in names if g[n]}, g["inconsistent"], g["refused"]) for g in outputs]
