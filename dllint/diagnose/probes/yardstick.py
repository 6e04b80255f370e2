"""Quality measures of predictions (the *yardstick*), which do not depend on the program's loss."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Final, Protocol


@dataclass(frozen=True, slots=True)
class Measure:
    """``accuracy`` (of classes; ``balanced accuracy`` if one is ten times rarer than another), ``area under the ROC curve`` (of
    yes and no) or ``explained variance`` (of numbers): more is better. ``floor`` is what a predictor that knows only the
    targets' distribution reaches, with the margin of chance; ``count`` the samples it rests on."""

    name: str
    value: float
    floor: float
    count: int


class Yardstick(Protocol):
    """Collects predictions and targets in the last quarter of a run; every batch before this step learns from it, which an
    earlier epoch may have done."""

    def measure(self) -> Measure | None:
        """The result; ``None`` if the program does not show what its targets are."""


#: Framework (the top-level module whose import calls for it) → module and class of its yardstick. Those above others come
#: first: they know better what is compared.
YARDSTICKS: Final = {
    "keras": ("dllint.diagnose.probes.keras.yardstick", "KerasYardstick"),
    "torch": ("dllint.diagnose.probes.torch.yardstick", "TorchYardstick"),
}


def make_yardstick(framework: str, steps: int) -> Yardstick:
    """The yardstick of a framework that has been imported, already at work; ``steps`` is how long the run is to be."""
    module, name = YARDSTICKS[framework]
    yardstick: Yardstick = getattr(import_module(module), name)(steps)
    return yardstick
