"""Inputs that a Keras model should scale itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.evidence import unscaled_input
from dllint.diagnose.causes.input_scale import InputScale, is_pixels
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.keras.training_calls import training_calls
from dllint.diagnose.records import BatchTensor, RunRecord
from dllint.edit import Edit

_INPUTS: Final = ("Input", "InputLayer")


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a layer can be put before all others: in place of ``text[start:end]``, between two texts."""

    code: Code
    start: int
    end: int
    before: str
    after: str

    def prepend(self, layer: str) -> Edit:
        """The edit that puts a layer there."""
        return Edit(self.code.path, self.start, self.end, f"{self.before}{layer}{self.after}")


class KerasInputScale(InputScale):
    """A layer before the first one: it goes with the model wherever that is used."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Rescaling by the numbers that were seen; for tables also by column."""
        given = unscaled_input(case.run)
        if given is None or given.stats is None or not is_keras(case):
            return
        for beginning in _beginnings(case):
            for message, kind, arguments, strength in _layers(beginning.code, case, given):
                name, imports = beginning.code.spelled(f"keras.layers.{kind}")
                yield message, (beginning.prepend(f"{name}({arguments})"), *imports), strength


def _layers(code: Code, case: Case, given: BatchTensor) -> Iterator[tuple[str, str, str, float]]:
    """Layers that could come first: message, class, arguments and how well they suit the inputs."""
    stats = given.stats
    if stats is None:
        return
    scale = 1 / max(stats.std, 1e-6)
    if is_pixels(given):
        yield "Divide the inputs by 255", "Rescaling", "1.0 / 255", 1.0
    elif len(given.shape) == 2:
        for data in _tables(code, case):
            yield "Normalise every column", "Normalization", f"mean={data}.mean(axis=0), variance={data}.var(axis=0)", 1.0
        yield "Normalise every column by its batch", "BatchNormalization", "", 0.9
    yield "Standardise the inputs", "Rescaling", f"{scale:.4g}, offset={-stats.mean * scale:.4g}", 0.95


def _tables(code: Code, case: Case) -> Iterator[str]:
    """The array that is trained on, if it has a name before the model is built."""
    models = [spot for _, spot in case.roots() if spot.code is code]
    for other, call in training_calls(case):
        if other is code and call.args and isinstance(call.args[0], ast.Name) and isinstance(call.func, ast.Attribute):
            name = call.args[0].id
            assigned = [node.lineno for node in ast.walk(code.tree) if isinstance(node, ast.Name) and _stores(node, name)]
            if models and len(call.args) > 1 and assigned and max(assigned) < min(spot.call.lineno for spot in models):
                yield name


def _stores(node: ast.Name, name: str) -> bool:
    return isinstance(node.ctx, ast.Store) and node.id == name


def _beginnings(case: Case) -> Iterator[Beginning]:
    """The places before the first layer of each model."""
    for layer, spot in case.roots():
        if layer.kind == "Sequential":
            yield from _of_sequence(spot)
        else:
            yield from _of_graph(case)


def _of_sequence(spot: Spot) -> Iterator[Beginning]:
    code, call = spot.code, spot.call
    if call.args and isinstance(call.args[0], ast.List):
        yield from _of_list(code, call.args[0].elts)
        return
    name = code.assigned_to(call)
    for added in code.calls():
        if code.source(added.func) == f"{name}.add" and added.args and not _is_input(code, added.args[0]):
            first = code.insert_before(code.statement(added), f"{name}.add(")
            yield Beginning(
                code, first.start, first.end, first.content.rstrip(), ")" + first.content[len(first.content.rstrip()) :]
            )
            return


def _of_list(code: Code, layers: list[ast.expr]) -> Iterator[Beginning]:
    if not layers:
        return
    start, end = code.span(layers[0])
    yield Beginning(code, end, end, ", ", "") if _is_input(code, layers[0]) else Beginning(code, start, start, "", ", ")


def _of_graph(case: Case) -> Iterator[Beginning]:
    """``Dense(32)(inputs)`` is given what another layer makes of the inputs."""
    for name in _first_layers(case.run):
        layer = case.run.layer(name)
        spot = case.spot(layer.place) if layer is not None else None
        outer = spot.code.parent(spot.call) if spot is not None else None
        if spot is not None and isinstance(outer, ast.Call) and outer.func is spot.call and outer.args:
            start, end = spot.code.span(outer.args[0])
            yield Beginning(spot.code, start, end, "", f"({spot.code.text[start:end]})")


def _first_layers(run: RunRecord) -> list[str]:
    """The layers that were given the inputs."""
    return list(dict.fromkeys(name for step in run.steps for name, sample in step.layers.items() if sample.input is not None))


def _is_input(code: Code, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and code.name(node.func).rpartition(".")[2] in _INPUTS
