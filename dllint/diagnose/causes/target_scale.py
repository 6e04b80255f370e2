"""The targets of a regression are so large that the model takes very many steps to reach them."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from statistics import median
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.learning import courses
from dllint.diagnose.records import LossCall
from dllint.edit import Edit

_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
#: Targets of this size or more are far from what an untrained model gives.
_LARGE: Final = 10.0


class TargetScale(Hypothesis):
    """Mean or spread of the targets is far from 1, the size of what initial weights give."""

    kind = "target-scale"
    supports: ClassVar = {
        "loss not decreasing": 0.9,
        "cannot fit one batch": 0.9,
        "update-to-weight ratio": 0.9,
        "no better than baseline": 0.9,
        "exploding": 0.85,
        "numerical error": 0.6,
        "out of range": 0.7,
        "dead node": 0.6,
        "gradient noise": 0.4,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Standardise them where the loss is computed."""
        for course in courses(case.run):
            if course.kind not in _REGRESSIONS:
                continue
            mean, spread = _moments(course.calls)
            if math.hypot(mean, spread) < _LARGE or not spread:
                continue
            for loss, code, node in case.losses():
                if loss.track == course.steps[0].track and isinstance(node, ast.Call) and len(node.args) > 1:
                    target = node.args[1]
                    scaled = f"({code.source(target)} - {mean:.4g}) / {spread:.4g}".replace("- -", "+ ")
                    yield "Standardise the targets", (code.replace(target, scaled),), 1.0


def _moments(calls: tuple[LossCall, ...]) -> tuple[float, float]:
    """Mean and standard deviation of the targets of a typical batch."""
    return median(call.target.mean for call in calls), median(call.target.std for call in calls)
