"""Intermediate outputs: what each layer put out when it was last seen."""

from __future__ import annotations

from typing import Final

from dllint.diagnose.page.layers import passing_order
from dllint.diagnose.page.view import View
from dllint.diagnose.records import LayerRecord, LayerSample, RunRecord, TensorStats
from dllint.page.document import table
from dllint.page.markup import Markup, element
from dllint.page.numbers import percent, shown

_MOST: Final = 320
_HEAD: Final = ("Layer", "Kind", "Built at", "Mean", "Standard deviation", "Lowest", "Highest", "Zero", "Not finite")


def outputs(run: RunRecord, view: View) -> Markup:
    """A table of the layers that were seen."""
    last: dict[str, LayerSample] = {}
    for step in run.steps:
        last.update(step.layers)
    order = passing_order(run)
    layers = sorted((layer for layer in run.layers if layer.name in last), key=lambda layer: order[layer.name])
    return table(_HEAD, [_row(layer, last[layer.name].output, view) for layer in layers[:_MOST]], "figures")


def _row(layer: LayerRecord, stats: TensorStats, view: View) -> tuple[str, ...]:
    bad = 1 - stats.finite_share
    return (
        layer.name,
        layer.kind,
        element("code", view.place(layer.place).rpartition("/")[2]),
        shown(stats.mean),
        shown(stats.std),
        shown(stats.minimum),
        shown(stats.maximum),
        percent(stats.zero_share),
        element("b", percent(bad), class_="alarm") if bad else "none",
    )
