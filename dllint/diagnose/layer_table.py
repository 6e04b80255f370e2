"""A table of the layers' outputs (guide step 5), as breakpoints after each layer would show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Final

from dllint.diagnose.records import LayerRecord, LayerSample, RunRecord, TensorStats
from dllint.diagnose.text_table import table

_HEAD: Final = ("layer", "class", "line", "step", "mean", "deviation", "least", "greatest", "zero")


def layer_table(run: RunRecord) -> Iterator[str]:
    """The outputs of every layer in the first and the last step in which they were looked at; nothing if there were none."""
    rows = [row for layer in run.layers for row in _rows(layer, run)]
    if rows:
        yield "Outputs of layers:"
        yield from table([_HEAD, *rows], "<<<>>>>>>")


def _rows(layer: LayerRecord, run: RunRecord) -> Iterator[Sequence[str]]:
    seen = [(step.step, step.layers[layer.name]) for step in run.steps if layer.name in step.layers]
    for number, (step, sample) in enumerate(dict([*seen[:1], *seen[-1:]]).items()):
        yield (*(_title(layer) if not number else ("", "", "")), str(step), *_numbers(sample))


def _title(layer: LayerRecord) -> tuple[str, str, str]:
    return layer.name, layer.kind, f"{PurePath(layer.place.path).name}:{layer.place.line}" if layer.place is not None else ""


def _numbers(sample: LayerSample) -> Iterator[str]:
    stats: TensorStats = sample.output
    for number in (stats.mean, stats.std, stats.minimum, stats.maximum):
        yield f"{number:.3g}"
    yield f"{stats.zero_share:.0%}"
