"""Commands in which an option that takes one value appears once."""

from collections import Counter

from typer.core import TyperCommand


class SingleOptionCommand(TyperCommand):
    """Refuses an option that is repeated, unless the option collects values or is a flag.

    Typer itself takes the last value and drops the others without a word: of ``--input a.csv
    --input b.csv`` a command would read ``b.csv`` only. ``--set`` collects its values, and a flag
    such as ``--json`` says the same thing each time.
    """

    def parse_args(self, ctx, args):
        """Parses ``args`` as typer does; raises UsageError for a repeated option."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        rest = super().parse_args(ctx, args)
        for option, count in Counter(order).items():
            if count > 1 and option.param_type_name == "option" and not _repeatable(option):
                name = max(option.opts, key=len)
                ctx.fail(f"{name} takes one value and is there {count} times: leave one")
        return rest


def _repeatable(option):
    return option.multiple or option.is_flag
