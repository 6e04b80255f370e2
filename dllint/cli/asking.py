"""Asking for one model of a file by an expression, on the command line."""

from __future__ import annotations

from pathlib import Path

from dllint.analysis.architecture.asked import Input
from dllint.analysis.architecture.models import Model
from dllint.cli.failures import Failure
from dllint.cli.opening import Opened, open_analysed
from dllint.engine.analysis import Analysis
from dllint.engine.asked_model import NoModelError
from dllint.engine.asked_model import ask as ask_for


def ask(path: Path, expression: str, inputs: list[Input], python: str) -> tuple[Opened, list[Model]]:
    """The model that an expression gives (see :func:`dllint.engine.asked_model.ask`).

    Raises:
        Failure: there is no such model.
    """
    opened: dict[int, Opened] = {}

    def analyse(added: str) -> Analysis:
        one = open_analysed(path, python, added=added, architectures=True)
        opened[id(one.analysis)] = one
        return one.analysis

    try:
        asked = ask_for(analyse, expression, inputs)
    except NoModelError as error:
        raise refusal(path, error) from error
    return opened[id(asked.analysis)], [asked.model]


def refusal(path: Path, error: NoModelError) -> Failure:
    """What is said of an expression that gives no model."""
    if not error.missing:
        return Failure(f"`{error.expression}` is no model that could be followed in {path}")
    names = ", ".join(f"{name}=…" for name in error.missing)
    return Failure(f'`{error.expression}` needs more arguments: write {path}:"{error.expression}({names})"')
