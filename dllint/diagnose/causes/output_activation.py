"""The last activation cannot reach the targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.heads import without_last
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.diagnose.learning import courses
from dllint.diagnose.records import LossCall
from dllint.edit import Edit

_REGRESSIONS: Final = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")
#: Activation → its layer, and the least and largest number that it gives.
_HEADS: Final = {
    "sigmoid": ("Sigmoid", 0.0, 1.0),
    "softmax": ("Softmax", 0.0, 1.0),
    "tanh": ("Tanh", -1.0, 1.0),
    "relu": ("ReLU", 0.0, float("inf")),
}


class OutputActivation(Hypothesis):
    """A regression ends in an activation whose range does not hold the targets."""

    kind = "output-activation"
    supports: ClassVar = {
        "out of range": 1.0,
        "loss not decreasing": 0.9,
        "cannot fit one batch": 0.9,
        "dead node": 0.6,
        "vanishing gradient": 0.6,
        "no better than baseline": 0.9,
        "input-independent output": 0.9,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Take it away."""
        for course in courses(case.run):
            call = course.calls[-1]
            head = _HEADS.get(call.activation)
            if course.kind in _REGRESSIONS and head is not None and not _holds(head[1:], call):
                for edits in without_last(case, head[0]):
                    yield f"Take the {head[0]} at the end away", edits, 1.0


def _holds(bounds: tuple[float, float], call: LossCall) -> bool:
    return bounds[0] <= call.target.minimum and call.target.maximum <= bounds[1]
