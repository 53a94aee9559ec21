"""Registers all units by name, and makes the component of a unit."""

from amaranth.hdl import Shape
from amaranth.lib.wiring import Component

from gen.units import ethernet, keyed, network, sort, window
from gen.units.unit import Unit
from query.errors import UserError, nearest

UNITS: dict[str, Unit] = network.UNITS | sort.UNITS | window.UNITS | keyed.UNITS | ethernet.UNITS
_MOST_BITS = 1 << 15  # of a port; Amaranth's netlists have less than 2^16 bits in a signal


def unit(name: str, options: dict[str, int | str]) -> tuple[dict[str, int | str], Component]:
    """Returns the settings and the component of a unit.

    Raises UserError for an unknown name or setting, and for a value that the component refuses.
    """
    if name not in UNITS:
        raise UserError(f"unknown unit {name}{nearest(name, UNITS)}")
    chosen = UNITS[name]
    for key, value in options.items():
        if key not in chosen.settings:
            near = nearest(key, chosen.settings)
            raise UserError(f"unknown parameter {key} of unit {name}{near}")
        default = chosen.settings[key]
        if type(value) is not type(default):
            kind = type(default).__name__
            raise UserError(f"{key} of unit {name} must be of type {kind}, not {value}")
        if key in chosen.switches:
            if value not in (0, 1):
                raise UserError(f"{key} of unit {name} must be 0 or 1, not {value}")
        elif isinstance(value, int) and isinstance(default, int) and value < 1 <= default:
            raise UserError(f"{key} of unit {name} must be at least 1, not {value}")
    settings = chosen.settings | options
    try:
        component = chosen.create(**settings)
    except (TypeError, ValueError) as error:
        raise UserError(str(error)) from None
    except OverflowError:
        raise UserError(f"a setting of unit {name} is too large to be built") from None
    ports = component.signature.flatten(component)
    if (widest := max(Shape.cast(member.shape).width for _, member, _ in ports)) > _MOST_BITS:
        raise UserError(
            f"unit {name} would have a port of {widest:,} bits, and {_MOST_BITS:,} are allowed"
        )
    return settings, component
