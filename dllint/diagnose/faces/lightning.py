"""A callback for the trainer of Lightning, under either of its names."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Protocol

import torch

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.observation import Observation

_NAME: Final = (
    "pytorch_lightning" if "lightning" not in sys.modules and "pytorch_lightning" in sys.modules else "lightning.pytorch"
)
_Callback: Any = import_module(f"{_NAME}.callbacks").Callback


class LightningDiagnosis(_Callback):  # type: ignore[misc]
    """Diagnoses ``Trainer.fit``; ``diagnosis`` is the result. Make it before the model, so that the lines that build layers are
    known.

    A training that is certainly broken is ended by ``should_stop``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._observation = Observation()

    @property
    def diagnosis(self) -> Diagnosis | None:
        """What was found, as soon as a training has ended."""
        return self._observation.diagnosis

    def on_fit_start(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Observe from now on."""
        self._observation.begin(lambda: pl_module)

    def on_train_batch_end(self, trainer: Any, *args: Any, **kwargs: Any) -> None:
        """End a training that is certainly broken."""
        self._observation.end_if_broken(lambda: setattr(trainer, "should_stop", True))

    def on_validation_epoch_end(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Note the measures that the module logs."""
        self._observation.metrics(lambda: _measures(trainer))

    def on_fit_end(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Say what was found."""
        self._observation.conclude()

    def on_exception(self, trainer: Any, pl_module: torch.nn.Module, exception: BaseException) -> None:
        """Say what was found up to the exception."""
        self._observation.conclude("error")


class _Trainer(Protocol):
    """What is asked of Lightning's trainer."""

    sanity_checking: bool
    callback_metrics: Mapping[str, Any]
    global_step: int


def _measures(trainer: _Trainer) -> tuple[Mapping[str, Any], int]:
    """What the module has logged, and the step; nothing of the check before the training."""
    return ({} if trainer.sanity_checking else dict(trainer.callback_metrics)), trainer.global_step
