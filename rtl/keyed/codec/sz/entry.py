"""Options, host settings and usual steps of SZ."""

from fractions import Fraction

from rtl.contract.options import exact_number, option
from rtl.contract.settings import HostSetting
from rtl.keyed.codec.block_format import BLOCK_BITS
from rtl.keyed.codec.change_decoder import RUN
from rtl.keyed.codec.codec import CodecEntry, width_of
from rtl.keyed.codec.sz.interval import FLOATS, WORKING_BITS
from rtl.keyed.codec.sz.interval_ends import BOUND_BITS
from rtl.keyed.codec.sz.scaled import ScaledSz
from rtl.keyed.codec.sz.sz import EXPONENTS, SMALL_BITS, Sz

#: Value of the option ``exponent`` with which the unit follows the values of each key; the default
#: for floating point.
ADAPTIVE = "adaptive"


#: Condition without which the options of SZ have no effect.
_NEEDS = ("codec=sz", lambda options: options.codec == "sz")


def bound_option():
    """Returns the field of the option ``bound``."""
    return option(
        "with codec=sz the largest distance of a stored value from its original: a part of the "
        "original, such as 1%, or a number, such as 0.25; the host may set another",
        default="1%",
        needs=_NEEDS,
    )


def exponent_option():
    """Returns the field of the option ``exponent``."""
    return option(
        "with codec=sz values are kept as whole numbers of up to 31 bits, in units of 2 to this "
        f"power; or {ADAPTIVE}, for floating point of any size: whole numbers of 23 bits, in units "
        "that follow the values of each key",
        range=(-1022, 993),
        choices=(ADAPTIVE,),
        absent=f"0; of floating point {ADAPTIVE}",
        needs=_NEEDS,
    )


class SzEntry(CodecEntry):
    """Entry of SZ, with the options ``bound`` and ``exponent``."""

    def codec_for(self, type_, options, stamp_bits):
        width = width_of(type_)
        exponent = options.resolved.exponent
        if exponent == ADAPTIVE:
            return ScaledSz(width, stamp_bits=stamp_bits)
        if type_.floating:
            return Sz(width, "float", exponent, stamp_bits=stamp_bits)
        kind = "signed" if type_.signed else "unsigned"
        return Sz(width, kind, exponent, type_.width, stamp_bits=stamp_bits)

    def check(self, column, type_, options):
        super().check(column, type_, options)
        low, high = EXPONENTS[type_.width] if type_.floating else (0, type_.width - 1)
        exponent = options.resolved.exponent
        allowed = type_.floating if exponent == ADAPTIVE else low <= exponent <= high
        if not allowed:
            raise ValueError(f"exponent must be from {low} to {high} for {column}, not {exponent}")
        self._bound(type_, options)

    def default_options(self, type_):
        return {"exponent": ADAPTIVE} if type_.floating else {}

    def host_settings(self, type_, options):
        relative, absolute = self._bound(type_, options)
        settings = [
            ("relative", "as a part of the original, in 1/65536", BOUND_BITS, "1/65536", None)
        ]
        if options.resolved.exponent == ADAPTIVE:
            doc = f"as bits {type_.width - 2} to {type_.width - 32} of a {type_}"
            greatest = _float_bits(_greatest(type_), type_)
            settings.append(("absolute", doc, WORKING_BITS - 1, "", greatest))
        else:
            unit = "working values"
            settings.append(("absolute", f"in {unit}", WORKING_BITS - 1, unit, None))
        return tuple(
            HostSetting.full_range(
                name=name,
                doc=f"largest distance of a stored value from its original, {doc}; the greater of "
                "relative and absolute holds",
                bits=bits,
                unit=unit,
                maximum=maximum,
                value=value,
            )
            for (name, doc, bits, unit, maximum), value in zip(
                settings, (relative, absolute), strict=True
            )
        )

    def _bound(self, type_, options):
        """Returns the option ``bound`` as the settings (relative, absolute); raises ValueError.

        For instance (655, 0) for 1 %, and (0, 4) for 0.25 with an exponent of -4. With an adaptive
        exponent the absolute bound is the upper 31 bits of a float: 0x3FD00000 for 0.25 of doubles.
        Both settings are rounded down. A bound above 0 that would become 0 is refused, because with
        a bound of 0 floating point is hardly compressed.
        """
        text = str(options.bound)  # an API user may give a number
        percent = text.removesuffix("%")
        if (number := exact_number(percent)) is None:
            number = Fraction(-1)
        if percent != text:
            if not 0 <= number < 100:
                raise ValueError(f"bound must be from 0% to less than 100%, not {text!r}")
            relative = int(number / 100 * (1 << BOUND_BITS))
            _check_least(text, number, relative, f"{100 / (1 << BOUND_BITS)}%")
            return relative, 0
        adaptive = options.resolved.exponent == ADAPTIVE
        unit = 1 if adaptive else Fraction(2) ** (options.resolved.exponent - type_.fraction)
        maximum = _greatest(type_) if adaptive else ((1 << WORKING_BITS - 1) - 1) * unit
        if not 0 <= number <= maximum:
            most = f"from 0 to {float(maximum):g}, or a percentage such as 1%"
            raise ValueError(f"bound must be {most}, not {text!r}")
        if adaptive:
            absolute = _float_bits(number, type_)
            power = _least_normal_power(type_)
        else:
            absolute = int(number / unit)
            power = options.resolved.exponent - type_.fraction
        _check_least(text, number, absolute, f"2^{power}")
        return 0, absolute


def _check_least(text, number, setting, least):
    """Raises ValueError if a bound above 0 became the setting 0.

    ``number`` is the bound, written as ``text``; ``least`` is the least bound with a setting above
    0.
    """
    if number and not setting:
        raise ValueError(f"bound must be 0, or at least {least}, not {text!r}")


def _least_normal_power(type_):
    """Returns the power of two that is the least normal number of a floating-point type.

    For instance -1022 of `double`.
    """
    _, exponent, _ = FLOATS[type_.width]
    return 2 - (1 << exponent - 1)


def _float_bits(number, type_):
    """Returns the upper 31 bits, without the sign, of a number as a float, rounded down.

    The number is 0 or more. A number below the least normal float gives 0.
    """
    fraction, exponent, _ = FLOATS[type_.width]
    fraction -= type_.width - 32
    if not number:
        return 0
    bias = (1 << exponent - 1) - 1
    power = bias + (number.numerator.bit_length() - number.denominator.bit_length())
    if number < Fraction(2) ** (power - bias):
        power -= 1
    if power < 1:
        return 0
    significand = int(number / Fraction(2) ** (power - bias) * (1 << fraction))
    return (power - 1 << fraction) + significand


def _greatest(type_):
    """Returns the greatest number of a type of floating point."""
    fraction, exponent, _ = FLOATS[type_.width]
    return (2 - Fraction(1, 1 << fraction)) * Fraction(2) ** ((1 << exponent - 1) - 1)


def usual_sz_steps(codec, ratio):
    """Returns the average steps of a block whose values are compressed ``ratio`` times.

    In a step a serial decoder decodes one outlier, or up to 16 values of a constant prediction.
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
