"""How a command says that it cannot do its work: one line on stderr, exit status 2."""

from __future__ import annotations

import sys
from typing import IO, Any, Final

import click

from dllint.config.errors import ConfigError
from dllint.source.neutral import neutral, neutral_lines

#: The exit status of a command that could not do its work.
UNUSABLE: Final = 2


class Failure(click.ClickException):
    """Ends a command with status 2 and ``error: message``."""

    exit_code = UNUSABLE

    def __init__(self, message: str | ConfigError) -> None:
        super().__init__(str(message))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message."""
        say(f"error: {self.message}")


def say(message: str) -> None:
    """A message for people, on stderr: one line, whatever it quotes."""
    print(neutral(message), file=sys.stderr)


def say_lines(text: str) -> None:
    """A text of several lines for people, on stderr, such as a traceback."""
    print(neutral_lines(text), file=sys.stderr)
