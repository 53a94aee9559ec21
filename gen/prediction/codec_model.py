"""Finds the plain model of a design's codec."""

from typing import Any

from golden.codecs.codec import Codec
from golden.codecs.registry import CODECS
from rtl.contract.design import Design
from rtl.engine.parts.columns import value_layout


def codec_model(design: Design) -> Codec:
    """Returns the plain model of the design's codec, with its options and host settings."""
    (column,) = value_layout(design.query).members
    type_ = design.query.schema[column].type
    return CODECS[design.parameters["codec"]].for_column(
        type_, design.parameters, design.settings.values
    )


def lossy_codec(design: Design) -> Codec | None:
    """Returns the plain model of the design's codec if the codec is lossy, else None."""
    if design.parameters.get("codec", "none") == "none":
        return None
    model = codec_model(design)
    return model if model.lossy else None


def sums_top(design: Design) -> int | None:
    """Returns the greatest level of the nodes that decoders add in a block; None without sums."""
    options: Any = design.options
    top: int | None = options.coding.top
    return top
