"""Options, host settings and usual steps of SZ."""

from fractions import Fraction

from rtl.contract.options import option
from rtl.contract.settings import HostSetting
from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.codec.change_decoder import RUN
from rtl.keyed.codec.codec import CodecEntry, width_of
from rtl.keyed.codec.sz.interval import BOUND_BITS, WORKING_BITS
from rtl.keyed.codec.sz.sz import EXPONENTS, SMALL_BITS, Sz

#: Default of the option ``exponent`` for floating point.
FLOAT_EXPONENT = -16


def bound_option():
    """Returns the field of the option ``bound``."""
    return option(
        "with codec=sz how far from a value one may be that stands for it: a part of the value, "
        "such as 1%, or a number, such as 0.25; the host may set another",
        default="1%",
    )


def exponent_option():
    """Returns the field of the option ``exponent``."""
    return option(
        "with codec=sz values are kept as whole numbers of up to 31 bits, in units of 2 to this "
        "power",
        range=(-1022, 993),
        absent=f"0; of floating point {FLOAT_EXPONENT}",
    )


class SzEntry(CodecEntry):
    """Entry of SZ, with the options ``bound`` and ``exponent``."""

    def codec_for(self, type_, options, stamp_bits):
        width, exponent = width_of(type_), options.resolved.exponent
        if type_.floating:
            return Sz(width, "float", exponent, stamp_bits=stamp_bits)
        kind = "signed" if type_.signed else "unsigned"
        return Sz(width, kind, exponent, type_.width, stamp_bits=stamp_bits)

    def check(self, column, type_, options):
        super().check(column, type_, options)
        low, high = EXPONENTS[type_.width] if type_.floating else (0, type_.width - 1)
        if not low <= (exponent := options.resolved.exponent) <= high:
            raise ValueError(f"exponent must be from {low} to {high} for {column}, not {exponent}")
        self._bound(type_, options)

    def default_options(self, type_):
        return {"exponent": FLOAT_EXPONENT} if type_.floating else {}

    def host_settings(self, type_, options):
        relative, absolute = self._bound(type_, options)
        settings = (
            ("relative", "as a part of the value, in 1/65536", BOUND_BITS, "1/65536", relative),
            ("absolute", "in working values", WORKING_BITS - 1, "working values", absolute),
        )
        return tuple(
            HostSetting.full_range(
                name=name,
                doc=f"how far from a value one may be that stands for it, {doc}; the greater of "
                "relative and absolute holds",
                bits=bits,
                unit=unit,
                value=value,
            )
            for name, doc, bits, unit, value in settings
        )

    def _bound(self, type_, options):
        """Returns the option ``bound`` as the settings (relative, absolute); raises ValueError.

        For instance (655, 0) for 1 %, and (0, 4) for 0.25 with an exponent of -4.
        """
        text = str(options.bound)  # an API user may give a number
        percent = text.removesuffix("%")
        try:
            number = Fraction(percent)
        except (ValueError, ZeroDivisionError):
            number = Fraction(-1)
        if percent != text:
            if not 0 <= number < 100:
                raise ValueError(f"bound must be from 0% to less than 100%, not {text!r}")
            return int(number / 100 * (1 << BOUND_BITS)), 0
        unit = Fraction(2) ** (options.resolved.exponent - type_.fraction)
        maximum = (1 << WORKING_BITS - 1) - 1
        if not 0 <= number / unit <= maximum:
            raise ValueError(f"bound must be from 0 to {float(maximum * unit):g}, not {text!r}")
        return 0, int(number / unit)


def usual_sz_steps(codec, ratio):
    """Returns the average steps of a block whose values are compressed ``ratio`` times.

    A block has room for 2 bits for each value and 32 more for each outlier. All other values are
    constant predictions, and outliers come at random, as changes do in
    :func:`~rtl.keyed.codec.block_steps.usual_change_steps`. For instance a ratio of 23 of doubles:
    184 values, of which 1 is an outlier: 13.4 steps.
    """
    value_count = max(1.0, ratio * codec.format.raw_values)
    room = BLOCK_BITS - codec.format.head_bits - codec.format.seed_bits
    outliers = min(max(0.0, (room - SMALL_BITS * value_count) / WORKING_BITS), value_count)
    constant = (value_count - outliers) / (outliers + 1)
    stays = constant / (1 + constant)
    return outliers + (outliers + 1) * stays / (1 - stays**RUN)
