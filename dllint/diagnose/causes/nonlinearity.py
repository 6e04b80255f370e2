"""The model has linear layers only, which together are one linear layer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import RunRecord
from dllint.edit import Edit

_LINEAR: Final = ("Linear", "Conv1d", "Conv2d", "Conv3d")
#: What may stand between linear layers and leaves them linear.
_NEUTRAL: Final = (*_LINEAR, "Sequential", "Dropout", "Flatten", "BatchNorm1d", "BatchNorm2d", "AvgPool2d", "Identity")


class Nonlinearity(Hypothesis):
    """No layer or function of the model that was seen is nonlinear, although it has several layers with weights."""

    kind = "nonlinearity"
    supports: ClassVar = {"loss not decreasing": 0.9, "accuracy not increasing": 0.95, "cannot fit one batch": 0.9}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Rectifiers between them."""
        if not _is_linear(case.run):
            return
        edits = dict.fromkeys(edit for code in case.codes() for edit in (*_in_sequences(code), *_in_forward(case, code)))
        if edits:
            yield "Put a ReLU between the linear layers", tuple(edits), 1.0


def _is_linear(run: RunRecord) -> bool:
    kinds = [layer.kind for layer in run.layers]
    models = {layer.kind for layer in run.layers if layer.name == layer.model}
    return sum(kind in _LINEAR for kind in kinds) > 1 and all(kind in _NEUTRAL or kind in models for kind in kinds)


def _in_sequences(code: Code) -> Iterator[Edit]:
    """After every linear layer of a ``Sequential`` but the last one."""
    for call in code.calls():
        if code.name(call.func) != "torch.nn.Sequential":
            continue
        layers = [item for item in call.args if isinstance(item, ast.Call) and _kind(code, item) in _LINEAR]
        for layer, _ in pairwise(layers):
            end = code.span(layer)[1]
            prefix = code.source(layer.func).rpartition(".")[0]
            yield Edit(code.path, end, end, f", {prefix}.ReLU()" if prefix else ", torch.nn.ReLU()")


def _in_forward(case: Case, code: Code) -> Iterator[Edit]:
    """Around every call of a linear layer in a forward pass but the last one."""
    names = {spot.code.assigned_to(spot.call) for _, spot in case.layer_spots(*_LINEAR) if spot.code is code}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.FunctionDef) and node.name == "forward":
            called = [call for call in code.calls(node) if code.source(call.func) in names]
            # Of nested calls the inner one comes first in time, although not in the text.
            last = max(called, key=lambda call: (call.lineno, -call.col_offset), default=None)
            for call in called:
                if call is not last:
                    start, end = code.span(call)
                    yield Edit(code.path, start, start, "torch.relu(")
                    yield Edit(code.path, end, end, ")")


def _kind(code: Code, call: ast.Call) -> str:
    return code.name(call.func).rpartition(".")[2]
