"""``dllint graph``: a model as a graph of its layers with the tensors between them, without running it."""

from __future__ import annotations

from pathlib import Path

import click

from dllint.analysis.architecture.asked import Input
from dllint.analysis.architecture.graph import Wish, graph
from dllint.analysis.architecture.marking import marked
from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.outline import Places, tree_for
from dllint.analysis.architecture.tree import Module, kind_of
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.cli.failures import Failure
from dllint.cli.opening import Opened, open_analysed
from dllint.cli.summary import found_models, input_of, split_target
from dllint.page.diagram.boxes import Diagram
from dllint.page.diagram.mermaid import mermaid
from dllint.page.diagram.svg import svg
from dllint.source.neutral import neutral


@click.command("graph")
@click.argument("target", metavar="FILE[:MODEL]")
@click.option("--format", "form", type=click.Choice(["mermaid", "svg"]), help="By default what FILE of -o is, else mermaid.")
@click.option("-o", "--output-file", type=click.Path(dir_okay=False, path_type=Path), help="Write the graph there.")
@click.option("--depth", type=click.IntRange(1), help="Levels of modules that are shown; by default as many as stay readable.")
@click.option(
    "--input", "inputs", multiple=True, metavar="SIZES[:DTYPE]",
    help="What the model is given: `1,3,224,224`, `8,128:int64`; once for each input.",
)  # fmt: skip
@click.option("--python", default="", metavar="PATH", help="The environment whose installed packages are read, or `none`.")
def command(
    target: str, form: str | None, output_file: Path | None, depth: int | None, inputs: tuple[str, ...], python: str
) -> None:
    """Draw a model in FILE: its layers, with shapes on the arrows, parameters, and what is wrong. Nothing is run.

    MODEL is a class, a variable or an expression of the file: `net.py:Net`, `net.py:"Net(width=64)"`; a file with one model
    needs none. Equal blocks in a row are one box (`× 12`).
    """
    path, expression = split_target(target)
    diagram = _diagram(path, expression, [input_of(text) for text in inputs], depth, python)
    form = form or ("svg" if output_file is not None and output_file.suffix.lower() == ".svg" else "mermaid")
    text = "\n".join(mermaid(diagram)) if form == "mermaid" else svg(diagram)
    if output_file is None:
        click.echo(text)
        return
    try:
        output_file.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise Failure(f"cannot write {output_file}: {error.strerror or error}") from error


def _diagram(path: Path, expression: str, inputs: list[Input], depth: int | None, python: str) -> Diagram:
    if expression.isidentifier() and not inputs:
        opened = open_analysed(path, python, architectures=True)
        known = tree_for(opened.analysis.home, opened.analysis.programs, expression)
        if known is not None and known[1].calls:
            return _drawn(opened, *known, depth)
    opened, found = found_models(path, expression, inputs, python)
    if len(found) > 1:
        named = ", ".join(dict.fromkeys(neutral(kind_of(model.instance)) for model in found))
        raise Failure(f"{path} has {len(found)} models: say which one is drawn, `{path}:NAME` ({named})")
    return _drawn(opened, found[0], found[0].tree(ProgramWeights.of(opened.analysis.programs)), depth)


def _drawn(opened: Opened, model: Model, tree: Module, depth: int | None) -> Diagram:
    home = opened.analysis.home
    return graph(model, tree, Places(home), Wish(depth, wrong=marked(opened.analysis.findings, home.path)))
