"""Builds the plain model of a design's codec if the codec is lossy."""

from golden.codecs.sz import Sz
from rtl.contract.design import Design
from rtl.engine.parts.columns import value_layout


def lossy_codec(design: Design) -> Sz | None:
    """Returns a model of :mod:`golden.codecs` with the design's settings, or None if lossless."""
    if design.parameters.get("codec") != "sz":
        return None
    (column,) = value_layout(design.query).members
    type_ = design.query.schema[column].type
    kind = "float" if type_.floating else "signed" if type_.signed else "unsigned"
    settings = design.settings.values
    return Sz(
        width=32 if type_.width <= 32 else 64,
        kind=kind,
        exponent=design.parameters["exponent"],
        relative=settings["relative"],
        absolute=settings["absolute"],
        bits=None if type_.floating else type_.width,
    )
