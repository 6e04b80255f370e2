"""``dllint dev``: tools for people who work on dllint; each one is imported when it runs."""

from __future__ import annotations

from typing import Final

import click

from dllint.cli.main import LazyGroup

COMMANDS: Final = {
    "coverage": ("dllint.dev.coverage", "How much is known about the tensors of some files, and why the rest is not."),
    "new-rule": ("dllint.dev.new_rule", "Write the file of a new rule and its test."),
    "new-op": ("dllint.dev.new_op", "Write a new operation and its test."),
    "signatures": ("dllint.dev.signature_command", "Generate the signature data from the installed libraries."),
    "docs": ("dllint.dev.docs", "Write the generated pages, or check that they are up to date."),
}


@click.group("dev", cls=LazyGroup, table=COMMANDS)
def command() -> None:
    """Tools for people who work on dllint."""
