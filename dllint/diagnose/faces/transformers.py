"""A callback for the ``Trainer`` of transformers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import torch

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.observation import Observation

#: The trainer only asks for the methods of its base class, whose defaults do nothing.
_Base: Any = import_module("transformers").TrainerCallback if find_spec("transformers") else object


class TrainerDiagnosis(_Base):  # type: ignore[misc]
    """Diagnoses ``Trainer.train``; ``diagnosis`` is the result. Make it before the model, so that the lines that build layers
    are known.

    A training that is certainly broken is ended by ``should_training_stop``.
    """

    def __init__(self) -> None:
        self._observation = Observation()

    @property
    def diagnosis(self) -> Diagnosis | None:
        """What was found, as soon as a training has ended."""
        return self._observation.diagnosis

    def __getattr__(self, name: str) -> Any:
        """The events that do not matter here, where there is no base class to have them."""
        if name.startswith("on_"):
            return lambda *_, **__: None
        raise AttributeError(name)

    def on_train_begin(self, args: Any, state: Any, control: Any, model: torch.nn.Module | None = None, **kwargs: Any) -> None:
        """Observe from now on."""
        self._observation.begin(lambda: model)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """End a training that is certainly broken."""
        self._observation.end_if_broken(lambda: setattr(control, "should_training_stop", True))
        return control

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        """Note measures on other data, which the trainer calls ``eval_…``."""
        self._observation.metrics(lambda: (_renamed(metrics or {}), state.global_step))

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Say what was found."""
        self._observation.conclude()


def _renamed(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers, under the names that measures on other data have in a record."""
    return {str(name).replace("eval_", "val_", 1): value for name, value in metrics.items() if isinstance(value, int | float)}
