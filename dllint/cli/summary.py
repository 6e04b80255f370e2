"""``dllint summary``: the layers of models with shapes, parameters and costs, without running them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Final

import click

from dllint.analysis.architecture.asked import Input
from dllint.analysis.architecture.marking import Marks, marked, marks_of
from dllint.analysis.architecture.models import Model, main_models, models
from dllint.analysis.architecture.outline import Places
from dllint.analysis.architecture.rows import Table
from dllint.analysis.architecture.tree import Module, kind_of
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
@click.option("--unfold", is_flag=True, help="Show layers in a row that are alike one by one.")
@click.option(
    "--write-test", type=click.Path(path_type=Path), metavar="FILE", help="Write a pytest file of MODEL's architecture instead."
)
@click.option("--output-format", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
def command(
    target: str, inputs: tuple[str, ...], depth: int, unfold: bool, write_test: Path | None, output_format: str, python: str
) -> None:
    """Print the layers of the models in FILE: shapes, parameters, mult-adds, memory. Nothing is run.

    MODEL is a class, a variable or an expression of the file: `net.py:Net`, `net.py:"Net(width=64)"`. Without it, all models
    of the file that no other one holds are shown. Sizes that are not known are symbols; --input fixes them.
    """
    path, expression = split_target(target)
    given = [input_of(text) for text in inputs]
    if write_test is not None:
        from dllint.cli.architecture_tests import write

        write(path, expression or _only_model(path, python), given, python, write_test)
        return
    opened, found = found_models(path, expression, given, python)
    made = ProgramWeights.of(opened.analysis.programs)
    trees = [(model, tree := model.tree(made), marks_in(opened, model, tree)) for model in found]
    if output_format == "json":
        shown = [described(tree, place_of(opened, model), model.preconditions, marks) for model, tree, marks in trees]
        click.echo(json.dumps(shown, indent=2))
        return
    for number, (model, tree, marks) in enumerate(trees):
        title = f"{kind_of(model.instance)}  {place_of(opened, model)}".rstrip()
        lines = "\n".join(table(tree, title, Table(depth, unfold, marks), model.preconditions))
        click.echo(neutral_lines(("\n" if number else "") + lines))


def marks_in(opened: Opened, model: Model, tree: Module) -> Marks:
    """What is wrong with the modules of a model of a file."""
    home = opened.analysis.home
    return marks_of(model, tree, Places(home), marked(opened.analysis.findings, home.path))


def split_target(target: str) -> tuple[Path, str]:
    """The file and the expression behind its name."""
    for match in re.finditer(":", target):
        path, expression = Path(target[: match.start()]), target[match.end() :].strip()
        if path.is_file():
            return path, as_expression(expression)
    return Path(target), ""


def as_expression(text: str) -> str:
    """The text itself. Raises :class:`Failure` if it is no expression."""
    try:
        ast.parse(f"({text})", mode="eval")
    except (SyntaxError, ValueError) as error:
        raise Failure(f"`{text}` is no expression") from error
    return text


def input_of(text: str) -> Input:
    """An input by its sizes and element type, ``8,128:int64``. Raises :class:`Failure` if the text is none."""
    match = _INPUT.fullmatch(text.replace(" ", ""))
    dtype = dtype_named(match["dtype"]) if match is not None and match["dtype"] else FLOAT32
    if match is None or dtype is None:
        known = ", ".join(name for name in DTYPES if name != "string")
        raise Failure(f"`{text}` is no input: write sizes and an element type, `1,3,224,224` or `8,128:int64` ({known})")
    return Input(tuple(map(int, match["sizes"].split(","))), dtype)


def found_models(path: Path, expression: str, inputs: list[Input], python: str) -> tuple[Opened, list[Model]]:
    """The models of a file, or the one that an expression of it gives.

    Raises:
        Failure: there is none, or it is not clear which one gets the inputs.
    """
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


def _only_model(path: Path, python: str) -> str:
    """The name of the class of the only model of a file. Raises :class:`Failure` if there are several, or none."""
    _, found = found_models(path, "", [], python)
    if len(found) != 1:
        raise Failure(f"{path} has {len(found)} models: say which one is tested, `{path}:NAME`")
    return kind_of(found[0].instance)


def place_of(opened: Opened, model: Model) -> str:
    """Where a model is made, ``net.py:12:9``; empty if that is not in the file."""
    site = model.site
    if site is None or site.statement is None or site.document.path != opened.path:
        return ""
    line = site.document.span(site.statement, site.node).first.line
    return opened.place(site) if line <= opened.lines else ""
