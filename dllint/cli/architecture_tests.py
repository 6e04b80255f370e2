"""The work of ``dllint summary --write-test``."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.analysis.architecture.asked import Input
from dllint.cli.asking import refusal
from dllint.cli.failures import Failure
from dllint.cli.opening import open_analysed
from dllint.cli.outputs import open_output
from dllint.engine.analysis import Analysis
from dllint.engine.architecture_test import expected, module_name, written_test
from dllint.engine.asked_model import NoModelError
from dllint.source.neutral import neutral


def write(path: Path, expression: str, inputs: list[Input], python: str, target: Path) -> None:
    """Write the test of a model; an existing file is left alone.

    Raises:
        Failure: there is no such model, nothing is known of it, or the file cannot be written.
    """
    if target.exists():
        raise Failure(f"{target} exists; name another file")

    def analyse(added: str) -> Analysis:
        return open_analysed(path, python, added=added, architectures=True).analysis

    try:
        found = expected(analyse, expression, inputs)
    except NoModelError as error:
        raise refusal(path, error) from error
    if found.is_empty:
        raise Failure(f"too little is known of `{expression}` to test it")
    with open_output(target) as stream:
        stream.write(written_test(found, module_name(path.absolute()), expression))
    click.echo(f"wrote {neutral(str(target))}")
