"""Refuses a repeated option of a command if the option takes one value."""

from collections import Counter
from typing import Any

from typer.core import TyperCommand


class SingleOptionCommand(TyperCommand):
    """Refuses an option that is repeated, unless the option collects values or is a flag.

    Typer itself takes the last value and drops the earlier values silently: for ``--input a.csv
    --input b.csv`` a command would read only ``b.csv``. ``--set`` collects its values, and a
    repeated flag such as ``--json`` changes nothing.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses ``args``; raises UsageError for a repeated option."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        remaining = super().parse_args(ctx, args)
        for option, count in Counter(order).items():
            if count > 1 and option.param_type_name == "option" and not _repeatable(option):
                name = max(option.opts, key=len)
                ctx.fail(f"{name} takes one value and is there {count} times: leave one")
        return remaining


def _repeatable(option):
    return option.multiple or option.is_flag
