"""Runs the commands of `sluice shell` in one process, with one session of Spark."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from gen.terminal.console import Output, is_output_discarded
from query.errors import UserError, brief, one_line

_PROMPT = "sluice> "
_END = ("exit", "quit")
_REFUSED = 2  # exit code of a line that is no command


def shell(
    context: typer.Context,
    stop: Annotated[
        bool, typer.Option("--stop", help="End at the first command that fails.")
    ] = False,
) -> int:
    """Run commands from standard input in one process, so that Spark starts once."""
    run: Callable[[Sequence[str]], int] = context.obj
    out = Output()
    first_failure = 0
    for number, line in _lines():
        try:
            words = _words(line, number)
        except UserError as error:
            out.note(f"sluice: {error}")
            code = _REFUSED
        else:
            if not words:
                continue
            if words[0] in _END:
                break
            code = run(words)
            if code and not sys.stdin.isatty():
                out.note(f"sluice: standard input:{number}: exit code {code}")
        first_failure = first_failure or code
        if is_output_discarded() or (code and stop):
            break
    return first_failure


def _words(line: str, number: int) -> list[str]:
    """Returns the words of the line ``number`` without a leading "sluice"; [] for a comment.

    Raises UserError for a quote that is not closed, and for a shell in the shell.
    """
    try:
        words = shlex.split(_without_comment(line))
    except ValueError as error:
        message = f"{str(error).lower()}: {brief(one_line(line.strip()))}"
        raise UserError(message, file="standard input", line=number) from None
    words = words[1:] if words[:1] == ["sluice"] else words
    if words[:1] == ["shell"]:
        raise UserError("a shell runs already", file="standard input", line=number)
    return words


def _without_comment(line):
    """Returns the line without its comment, which begins with a # at the line's begin or after a
    blank.

    Quotes and backslashes have the same meaning as in shlex.
    """
    quote, before, is_escaped = "", " ", False
    for place, letter in enumerate(line):
        if is_escaped:
            is_escaped, letter = False, "x"  # a letter of the word, whatever it is
        elif letter == "\\" and quote != "'":
            is_escaped = True
        elif quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and before in " \t\r\n":
            return line[:place]
        before = letter
    return line


def _lines() -> Iterator[tuple[int, str]]:
    """Yields the number, from 1, and the text of each line; a terminal gets a prompt.

    The prompt goes to standard error if standard output is no terminal, so that a file or a pipe
    gets results only.
    """
    number = 0
    if sys.stdin.isatty():
        import readline  # noqa: F401  edits the line and has the earlier lines
    while True:
        try:
            line = _typed_line() if sys.stdin.isatty() else next(sys.stdin)
        except (EOFError, StopIteration):
            return
        number += 1
        yield number, line


def _typed_line():
    """Returns a line that the user types after a prompt."""
    if sys.stdout.isatty():
        return input(_PROMPT)
    print(_PROMPT, end="", file=sys.stderr, flush=True)
    return input()
