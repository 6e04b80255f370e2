"""Prediction and target differ by an axis of length 1, so that every prediction is compared with every target."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.records import RunRecord
from dllint.edit import Edit

_LOSSES: Final = ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


class BroadcastTarget(Hypothesis):
    """The model's last layer gives one number per sample, the target has no axis for it."""

    kind = "target-shape"
    supports: ClassVar = {"loss not decreasing": 0.95, "accuracy not increasing": 0.9, "cannot fit one batch": 0.9}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Drop the axis from the prediction."""
        if not _is_broadcast(case.run):
            return
        for loss, code, node in case.losses():
            names = {code.name(node.func).rpartition(".")[2], loss.kind} if isinstance(node, ast.Call) else set()
            if isinstance(node, ast.Call) and len(node.args) > 1 and names & set(_LOSSES):
                prediction = node.args[0]
                yield (
                    "Drop the prediction's axis of length 1",
                    (code.replace(prediction, f"{code.source(prediction)}.squeeze(-1)"),),
                    1.0,
                )


def _is_broadcast(run: RunRecord) -> bool:
    weights = [parameter.shape for parameter in run.parameters if len(parameter.shape) == 2]
    targets = [
        tensor.shape
        for step in run.steps[:1]
        for tensor in (step.batch.tensors if step.batch is not None else ())
        if tensor.role == "target"
    ]
    return bool(weights) and weights[-1][0] == 1 and any(len(shape) == 1 for shape in targets)
