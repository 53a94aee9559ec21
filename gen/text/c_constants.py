"""Writes integers of 64 bits as constants in C."""


def c_constant(value: int, signed: bool) -> str:
    """Returns an int64_t or uint64_t as a constant: ``INT64_C(-3)``, ``UINT64_C(3)``.

    The least int64_t is ``INT64_MIN``, because C reads its digits as a number that is too large.
    """
    if value == -(1 << 63):
        return "INT64_MIN"
    return f"INT64_C({value})" if signed else f"UINT64_C({value})"


def c_number(value: int) -> str:
    """Returns an integer in digits, or as a constant if its digits do not fit an int in C."""
    if -(1 << 31) < value < 1 << 31:
        return str(value)
    return c_constant(value, signed=value < 1 << 63)
