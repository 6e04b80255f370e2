"""``dllint summary``: the layers of models with shapes, parameters and costs, without running them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Final

import click

from dllint.analysis.architecture.asked import Input
from dllint.analysis.architecture.models import Model, main_models, models
from dllint.analysis.architecture.tree import kind_of
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.cli.asking import ask
from dllint.cli.failures import Failure
from dllint.cli.opening import Opened, open_analysed
from dllint.domains.dtype import DTYPES, FLOAT32, dtype_named
from dllint.report.architecture import table
from dllint.report.architecture_json import described
from dllint.source.neutral import neutral_lines

_INPUT: Final = re.compile(r"(?P<sizes>\d+(?:,\d+)*),?(?::(?P<dtype>\w+))?")
_DEPTH: Final = 3


@click.command("summary")
@click.argument("target", metavar="FILE[:MODEL]")
@click.option(
    "--input", "inputs", multiple=True, metavar="SIZES[:DTYPE]",
    help="What the model is given: `1,3,224,224`, `8,128:int64`; once for each input.",
)  # fmt: skip
@click.option("--depth", default=_DEPTH, show_default=True, type=click.IntRange(0), help="Levels of modules that are shown.")
@click.option("--output-format", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
def command(target: str, inputs: tuple[str, ...], depth: int, output_format: str, python: str) -> None:
    """Print the layers of the models in FILE: shapes, parameters, mult-adds, memory. Nothing is run.

    MODEL is a class, a variable or an expression of the file: `net.py:Net`, `net.py:"Net(width=64)"`. Without it, all models
    of the file that no other one holds are shown. Sizes that are not known are symbols; --input fixes them.
    """
    path, expression = _split(target)
    given = [_input(text) for text in inputs]
    opened, found = _found(path, expression, given, python)
    made = ProgramWeights.of(opened.analysis.programs)
    if output_format == "json":
        shown = [described(model.tree(made), _place(opened, model), model.preconditions) for model in found]
        click.echo(json.dumps(shown, indent=2))
        return
    for number, model in enumerate(found):
        title = f"{kind_of(model.instance)}  {_place(opened, model)}".rstrip()
        lines = "\n".join(table(model.tree(made), title, depth, model.preconditions))
        click.echo(neutral_lines(("\n" if number else "") + lines))


def _split(target: str) -> tuple[Path, str]:
    """The file and the expression behind its name."""
    for match in re.finditer(":", target):
        path, expression = Path(target[: match.start()]), target[match.end() :].strip()
        if path.is_file():
            try:
                ast.parse(f"({expression})", mode="eval")
            except (SyntaxError, ValueError) as error:
                raise Failure(f"`{expression}` is no expression") from error
            return path, expression
    return Path(target), ""


def _input(text: str) -> Input:
    match = _INPUT.fullmatch(text.replace(" ", ""))
    dtype = dtype_named(match["dtype"]) if match is not None and match["dtype"] else FLOAT32
    if match is None or dtype is None:
        known = ", ".join(name for name in DTYPES if name != "string")
        raise Failure(f"`{text}` is no input: write sizes and an element type, `1,3,224,224` or `8,128:int64` ({known})")
    return Input(tuple(map(int, match["sizes"].split(","))), dtype)


def _found(path: Path, expression: str, inputs: list[Input], python: str) -> tuple[Opened, list[Model]]:
    opened = open_analysed(path, python, architectures=True)
    found = main_models(opened.analysis.programs, ProgramWeights.of(opened.analysis.programs))
    if not expression:
        if inputs and len(found) != 1:
            raise Failure(f"{path} has {len(found)} models: say which one gets the input, `{path}:NAME`")
        if inputs:
            expression = kind_of(found[0].instance)
        elif not found:
            raise Failure(f"no model was found in {path}; `{path}:NAME` or `{path}:EXPRESSION` says what to look at")
        else:
            return opened, found
    every = () if inputs else models(opened.analysis.programs)
    named = [model for model in every if kind_of(model.instance) == expression and model.call is not None]
    return (opened, named) if named else ask(path, expression, inputs, python)


def _place(opened: Opened, model: Model) -> str:
    site = model.site
    if site is None or site.statement is None or site.document.path != opened.path:
        return ""
    line = site.document.span(site.statement, site.node).first.line
    return opened.place(site) if line <= opened.lines else ""
