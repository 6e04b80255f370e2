"""The tool ``summary``: the layers of models with shapes, parameters and costs, as ``dllint summary`` has them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dllint.analysis.architecture.models import Model
from dllint.analysis.architecture.rows import Table
from dllint.analysis.architecture.tree import kind_of
from dllint.analysis.architecture.weights import ProgramWeights
from dllint.cli.opening import Opened
from dllint.cli.summary import as_expression, found_models, input_of, marks_in, place_of
from dllint.domains.dim import Dim, show
from dllint.mcp.answers import ModelTable, SummaryAnswer
from dllint.mcp.questions import Around, Summary
from dllint.report.architecture import table

_MOST_MODELS: Final = 5
_MOST_LINES: Final = 80


def summary(asked: Summary, around: Around) -> SummaryAnswer:
    """The models of a file.

    Raises:
        Failure: there is none, or an input cannot be read.
    """
    inputs = [input_of(text) for text in asked.inputs]
    expression = as_expression(asked.model) if asked.model else ""
    opened, models = found_models(asked.path, expression, inputs, around.python)
    made = ProgramWeights.of(opened.analysis.programs)
    shown = [_table(model, made, opened, asked, around) for model in models[:_MOST_MODELS]]
    return SummaryAnswer(shown, len(models) - len(shown))


def _table(model: Model, made: ProgramWeights, opened: Opened, asked: Summary, around: Around) -> ModelTable:
    root = model.tree(made)
    weights = root.weights
    lines = list(table(root, kind_of(model.instance), Table(asked.depth, marks=marks_in(opened, model, root))))[1:]
    return ModelTable(
        kind_of(model.instance),
        _place(opened, model, asked.path, around),
        _number(weights.total),
        _number(weights.trainable),
        not weights.is_open,
        _number(root.cost) if root.calls else None,
        bool(root.calls) and not root.has_open_cost,
        "\n".join(lines[:_MOST_LINES]),
        max(0, len(lines) - _MOST_LINES),
    )


def _place(opened: Opened, model: Model, path: Path, around: Around) -> str:
    place = place_of(opened, model)
    return around.roots.shown(path) + place.removeprefix(path.name) if place else around.roots.shown(path)


def _number(value: Dim) -> int | str:
    return value if isinstance(value, int) else show(value)
