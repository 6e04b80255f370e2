"""A callback for the ``Trainer`` of transformers."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import torch

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.telling import tell
from dllint.diagnose.watching import Watch

#: The trainer only asks for the methods of its base class, whose defaults do nothing.
_Base: Any = import_module("transformers").TrainerCallback if find_spec("transformers") else object


class TrainerDiagnosis(_Base):  # type: ignore[misc]
    """Diagnoses ``Trainer.train``; ``diagnosis`` is the result. Make it before the model, so that the lines that build layers
    are known.

    A training that is certainly broken is ended by ``should_training_stop``.
    """

    def __init__(self) -> None:
        self.diagnosis: Diagnosis | None = None
        self._watch: Watch | None = Watch(polite=True)

    def __getattr__(self, name: str) -> Any:
        """The events that do not matter here, where there is no base class to have them."""
        if name.startswith("on_"):
            return lambda args, state, control, **kwargs: None
        raise AttributeError(name)

    def on_train_begin(self, args: Any, state: Any, control: Any, model: torch.nn.Module | None = None, **kwargs: Any) -> None:
        """Observe from now on."""
        self._watch = self._watch or Watch(polite=True)
        if model is not None:
            self._watch.adopt(model)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> Any:
        """End a training that is certainly broken."""
        if self._watch is not None and self._watch.ended:
            control.should_training_stop = True
        return control

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        """Note measures on other data, which the trainer calls ``eval_…``."""
        if self._watch is not None:
            numbers = {name: value for name, value in (metrics or {}).items() if isinstance(value, int | float)}
            renamed = {name.replace("eval_", "val_", 1): float(value) for name, value in numbers.items()}
            self._watch.metrics(renamed, state.global_step)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Say what was found."""
        if self._watch is not None:
            self.diagnosis = self._watch.diagnosis()
            self._watch = None
            tell(self.diagnosis)
