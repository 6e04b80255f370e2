"""Keras in the user's source: compilations, the losses they name, and layers with their activations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dllint.diagnose.causes.case import Case, Spot
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.records import LayerRecord
from dllint.edit import Edit

#: Layers with an ``activation``, and the position of that argument.
_ACTIVATED: Final = {
    "Dense": 1,
    "Conv1D": None,
    "Conv2D": None,
    "Conv3D": None,
    "DepthwiseConv1D": None,
    "DepthwiseConv2D": None,
    "SeparableConv1D": None,
    "SeparableConv2D": None,
    "Conv1DTranspose": None,
    "Conv2DTranspose": None,
    "EinsumDense": None,
    "Activation": 0,
}
#: Layers that are an activation.
_ACTIVATIONS: Final = {"ReLU": "relu", "Softmax": "softmax", "LeakyReLU": "leaky_relu", "ELU": "elu"}


@dataclass(frozen=True, slots=True)
class Activated:
    """A layer that ends in an activation: its record, its call, the expression that names the activation (``None``: the layer
    has no such argument, or is an activation itself), and the activation's name (empty without one)."""

    layer: LayerRecord
    spot: Spot
    argument: ast.expr | None
    activation: str

    def changed(self, activation: str) -> Edit:
        """The edit that gives it another activation."""
        code, call = self.spot.code, self.spot.call
        if self.layer.kind in _ACTIVATIONS:
            prefix = code.source(call.func).rpartition(".")[0]
            name = f"{prefix}.Activation" if prefix else code.spelled("keras.layers.Activation")[0]
            return code.replace(call, f'{name}("{activation}")')
        if self.argument is not None:
            return code.replace(self.argument, f'"{activation}"')
        return code.with_keyword(call, "activation", f'"{activation}"')


def is_keras(case: Case) -> bool:
    """Whether the run trains a Keras model."""
    return "keras" in case.run.frameworks


def activated(case: Case) -> Iterator[Activated]:
    """The layers that have an activation, or could have one, in the order of the model."""
    if not is_keras(case):
        return
    for layer, spot in case.layer_spots(*_ACTIVATED, *_ACTIVATIONS):
        argument = _argument(layer.kind, spot.call)
        name = _ACTIVATIONS.get(layer.kind) or _name(spot.code, spot.code.value(argument))
        yield Activated(layer, spot, argument, name)


def heads(case: Case) -> Iterator[Activated]:
    """The layers at the end of each model, with the activation that their model's predictions come out of."""
    last: dict[str, Activated] = {}
    deepest: dict[str, int] = {}
    for layer in case.run.layers:
        if layer.name != layer.model:
            deepest[layer.model] = max(deepest.get(layer.model, 0), layer.depth)
    for item in activated(case):
        if item.layer.depth == deepest.get(item.layer.model):
            last[item.layer.model] = item
    yield from last.values()


def compilations(case: Case) -> Iterator[tuple[Code, ast.Call]]:
    """The calls of ``compile`` in the source."""
    if not is_keras(case):
        return
    for code in case.codes():
        for call in code.calls():
            if isinstance(call.func, ast.Attribute) and call.func.attr == "compile" and code.name(call.func) != "re.compile":
                yield code, call


def argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """An argument that may be given by position or by name."""
    return call.args[position] if len(call.args) > position else keyword(call, name)


def _argument(kind: str, call: ast.Call) -> ast.expr | None:
    position = _ACTIVATED.get(kind)
    return keyword(call, "activation") if position is None else argument(call, position, "activation")


def _name(code: Code, node: ast.expr | None) -> str:
    """The name of an activation: of a string, or of a function or class."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) and node.value != "linear" else ""
    if isinstance(node, ast.Call):
        node = node.func
    name = code.name(node).rpartition(".")[2] if node is not None else ""
    return name.lower() if name != "linear" else ""
