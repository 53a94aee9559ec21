"""Decodes blocks of SZ whose working values have a scale."""

from amaranth.hdl import Mux

from rtl.keyed.codec.sz.decoder import SzDecoder
from rtl.keyed.codec.sz.scaled_interval import SCALE_MIN


class ScaledSzDecoder(SzDecoder):
    """Decodes blocks of SZ whose outliers have a scale; see
    :class:`~rtl.keyed.codec.sz.scaled.ScaledSz`.

    Steps, latency and initiation interval are those of
    :class:`~rtl.keyed.codec.sz.decoder.SzDecoder`. An outlier with another scale than the values
    before it becomes a, b and c. For instance a, b and c are 3, 2 and 1 in scale 128: after an
    outlier of 9 in scale 128 they are 9, 3 and 2, after an outlier of 9 in scale 129 they are 9, 9
    and 9.
    """

    def _is_out_of_range(self, parsed):
        scale = parsed.scale
        no_scale = (scale < SCALE_MIN) | (scale > self._codec.scale_max)
        return super()._is_out_of_range(parsed) | no_scale

    def _next_values(self, parsed, last_values):
        previous = parsed.last_values
        guess = parsed.guess
        changed = parsed.scale != previous.scale
        third = Mux(parsed.two_constant, previous.a, previous.b)
        return [
            last_values.scale.eq(parsed.scale),
            last_values.a.eq(guess),
            last_values.b.eq(Mux(changed, guess, previous.a)),
            last_values.c.eq(Mux(changed, guess, third)),
        ]
