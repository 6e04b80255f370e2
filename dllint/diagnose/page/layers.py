"""Layers over steps as heat maps: layers in the order of the forward pass, with the lines that built them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.headline import counted
from dllint.diagnose.layer_courses import DEVIATION, GRADIENT, LOST_UNITS, UPDATE_RATIO, Measure, parameters_by_layer
from dllint.diagnose.page.sources import address
from dllint.diagnose.page.view import View
from dllint.diagnose.records import LayerRecord, RunRecord, StepRecord
from dllint.page.heatmap import Panel, Ramp, Row, heat_maps
from dllint.page.markup import Markup, element
from dllint.page.thinning import evenly

_MOST_COLUMNS: Final = 60
_MOST_ROWS: Final = 320


@dataclass(frozen=True, slots=True)
class _Shown:
    """The layers of the heat maps with the names of their parameters."""

    layers: Sequence[LayerRecord]
    parameters: Mapping[str, Sequence[str]]


def layer_maps(diagnosis: Diagnosis, view: View, files: Sequence[Path]) -> Markup:
    """The heat maps; nothing if no layer was seen. Rows lead to findings, or to lines of the ``files`` on the page."""
    run = diagnosis.run
    shown, steps = _chosen(run), [run.steps[number] for number in evenly(len(run.steps), _MOST_COLUMNS)]
    if not shown.layers or not steps:
        return Markup("")
    rows = list(_rows(shown.layers, _found(diagnosis), view, files))
    panels = [panel for panel in _panels(shown, steps) if any(cell is not None for row in panel.cells for cell in row)]
    if not panels:
        return Markup("")
    label = f"{', '.join(panel.title.lower() for panel in panels)} of {len(rows)} layers"
    missing = len(run.layers) - len(rows)
    left_out = f" Left out: {counted(missing, 'layer')} that hold others or show nothing." if missing > 0 else ""
    note = element("p", f"Columns are sampled steps, rows are layers from input to output.{left_out}", class_="note")
    return element("div", note, heat_maps(label, rows, panels, [step.step for step in steps]))


def _found(diagnosis: Diagnosis) -> dict[str, str]:
    """The address of the first finding of each layer that has one."""
    found: dict[str, str] = {}
    for number, finding in enumerate(diagnosis.findings, 1):
        if finding.observation is not None and finding.observation.layer is not None:
            found.setdefault(finding.observation.layer, f"#finding-{number}")
    return found


def _rows(layers: Sequence[LayerRecord], found: Mapping[str, str], view: View, files: Sequence[Path]) -> Iterator[Row]:
    """One row per layer; what all have in common (the model, the file) is left out of their labels."""
    models = {layer.name.partition(".")[0] for layer in layers}
    built_in = {layer.place.path for layer in layers if layer.place is not None}
    for layer in layers:
        name = layer.name.partition(".")[2] if len(models) == 1 else layer.name
        place = view.place(layer.place)
        short = place[place.rfind(":" if len(built_in) == 1 else "/") + (len(built_in) != 1) :] if place else ""
        link = found.get(layer.name) or _built(layer, files)
        full = f"{layer.name}: {layer.kind}{f' at {place}' if place else ''}"
        yield Row(name or layer.name, f"{layer.kind} {short}".strip(), full, link, layer.name in found)


def _built(layer: LayerRecord, files: Sequence[Path]) -> str | None:
    return address(files, Path(layer.place.path), layer.place.line) if layer.place is not None else None


def _chosen(run: RunRecord) -> _Shown:
    parameters = parameters_by_layer(run)
    seen = {name for step in run.steps for name in step.layers}
    holding = {layer.name.rpartition(".")[0] for layer in run.layers if layer.name in seen or layer.name in parameters}
    shown = [layer for layer in run.layers if layer.name in parameters or (layer.name in seen and layer.name not in holding)]
    shown = _in_order(shown, passing_order(run))
    return _Shown([shown[number] for number in evenly(len(shown), _MOST_ROWS)], parameters)


def _in_order(layers: Sequence[LayerRecord], order: Mapping[str, int]) -> list[LayerRecord]:
    """Layers as values pass them; one that was not seen (its work is done by the layer that holds it) follows the one that was
    built before it."""
    ranks: dict[str, float] = {}
    last = -1.0
    for layer in sorted(layers, key=lambda layer: layer.depth):
        last = ranks[layer.name] = order.get(layer.name, last)
    return sorted(layers, key=lambda layer: (ranks[layer.name], layer.name not in order, layer.depth))


def passing_order(run: RunRecord) -> dict[str, int]:
    """The rank of each layer that was seen in the order of the forward pass; functions stand among the layers."""
    fullest = max(run.steps, key=lambda step: len(step.layers), default=None)
    names = [*(fullest.layers if fullest is not None else ()), *(name for step in run.steps for name in step.layers)]
    return {name: rank for rank, name in enumerate(dict.fromkeys(names))}


def _panels(shown: _Shown, steps: Sequence[StepRecord]) -> list[Panel]:
    gradients = _cells(shown, steps, GRADIENT)
    return [
        Panel("Std of outputs", Ramp(1e-3, 1e3, "two-sided"), _cells(shown, steps, DEVIATION)),
        Panel("Dead or saturated units", Ramp(0.0, 1.0, "one-sided", is_log=False), _cells(shown, steps, LOST_UNITS)),
        Panel("Gradient norm", _decades(gradients), gradients),
        Panel("Update : weight", Ramp(1e-6, 1.0, "two-sided"), _cells(shown, steps, UPDATE_RATIO)),
    ]


def _cells(shown: _Shown, steps: Sequence[StepRecord], measure: Measure) -> list[list[float | None]]:
    """One row per layer. A layer that was not called in a step keeps its last value, because models may alternate."""
    rows = []
    for layer in shown.layers:
        names, row, last = shown.parameters.get(layer.name, ()), [], None
        for step in steps:
            value = measure.of(step, layer.name, names)
            last = value if value is not None else last
            row.append(last)
        rows.append(row)
    return rows


def _decades(cells: Sequence[Sequence[float | None]]) -> Ramp:
    """Whole decades that hold all values, at most twelve of them."""
    known = [cell for row in cells for cell in row if cell is not None and math.isfinite(cell) and cell > 0]
    high = math.ceil(math.log10(max(known, default=1.0)))
    low = max(math.floor(math.log10(min(known, default=0.1))), high - 12)
    return Ramp(10.0**low, 10.0 ** max(high, low + 1), "one-sided")
