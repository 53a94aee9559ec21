"""The plain model of a design's codec, if that loses something of the values."""

from golden.codecs.sz import Sz
from rtl.engine.parts.columns import value_layout


def lossy_codec(design):
    """A model of :mod:`golden.codecs` with the design's settings; None if nothing is lost."""
    if design.parameters.get("codec") != "sz":
        return None
    (column,) = value_layout(design.query).members
    type_ = design.query.schema[column].type
    kind = "float" if type_.floating else "signed" if type_.signed else "unsigned"
    told = design.settings.values
    return Sz(
        width=32 if type_.width <= 32 else 64,
        kind=kind,
        exponent=design.parameters["exponent"],
        relative=told["relative"],
        absolute=told["absolute"],
        bits=None if type_.floating else type_.width,
    )
