"""A callback for ``fit`` of Keras."""

from __future__ import annotations

from typing import Any

import keras

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.observation import Observation


class KerasDiagnosis(keras.callbacks.Callback):  # type: ignore[misc]
    """Diagnoses a training; ``diagnosis`` is the result. Make it before the model, so that the lines that build layers are
    known.

    A training that is certainly broken is ended by ``stop_training``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._observation = Observation()

    @property
    def diagnosis(self) -> Diagnosis | None:
        """What was found, as soon as a training has ended."""
        return self._observation.diagnosis

    def on_train_begin(self, logs: Any = None) -> None:
        """Observe from now on."""
        self._observation.begin(lambda: self.model)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a training that is certainly broken."""
        self._observation.end_if_broken(self._end)

    def on_train_end(self, logs: Any = None) -> None:
        """Say what was found."""
        self._observation.conclude()

    def _end(self) -> None:
        self.model.stop_training = True
