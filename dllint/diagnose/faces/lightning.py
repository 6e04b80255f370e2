"""A callback for the trainer of Lightning, under either of its names."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, Final

import torch

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.telling import tell
from dllint.diagnose.watching import Watch

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
        self.diagnosis: Diagnosis | None = None
        self._watch: Watch | None = Watch(polite=True)

    def on_fit_start(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Observe from now on."""
        self._watch = self._watch or Watch(polite=True)
        self._watch.adopt(pl_module)

    def on_train_batch_end(self, trainer: Any, *args: Any, **kwargs: Any) -> None:
        """End a training that is certainly broken."""
        if self._watch is not None and self._watch.ended:
            trainer.should_stop = True

    def on_validation_epoch_end(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Note the measures that the module logs."""
        if self._watch is not None and not trainer.sanity_checking:
            self._watch.metrics(dict(trainer.callback_metrics), trainer.global_step)

    def on_fit_end(self, trainer: Any, pl_module: torch.nn.Module) -> None:
        """Say what was found."""
        self._conclude()

    def on_exception(self, trainer: Any, pl_module: torch.nn.Module, exception: BaseException) -> None:
        """Say what was found up to the exception."""
        self._conclude()

    def _conclude(self) -> None:
        if self._watch is not None:
            self.diagnosis = self._watch.diagnosis()
            self._watch = None
            tell(self.diagnosis)
