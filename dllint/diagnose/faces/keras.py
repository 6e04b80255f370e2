"""A callback for ``fit`` of Keras."""

from __future__ import annotations

from typing import Any

import keras

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.faces.telling import tell
from dllint.diagnose.watching import Watch


class KerasDiagnosis(keras.callbacks.Callback):  # type: ignore[misc]
    """Diagnoses a training; ``diagnosis`` is the result. Make it before the model, so that the lines that build layers are
    known.

    A training that is certainly broken is ended by ``stop_training``.
    """

    def __init__(self) -> None:
        super().__init__()
        self.diagnosis: Diagnosis | None = None
        self._watch: Watch | None = Watch(polite=True)

    def on_train_begin(self, logs: Any = None) -> None:
        """Observe from now on."""
        self._watch = self._watch or Watch(polite=True)
        self._watch.adopt(self.model)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """End a training that is certainly broken."""
        if self._watch is not None and self._watch.ended:
            self.model.stop_training = True

    def on_train_end(self, logs: Any = None) -> None:
        """Say what was found."""
        if self._watch is not None:
            self.diagnosis = self._watch.diagnosis()
            self._watch = None
            tell(self.diagnosis)
