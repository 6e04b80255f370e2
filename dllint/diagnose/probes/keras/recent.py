"""The latest batches of a model and its loss, for experiments at the end."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from keras import tree

from dllint.diagnose.probes.keras.loss_calls import Graded
from dllint.diagnose.probes.keras.statistics import host_array

_MOST_BATCHES: Final = 64
_MOST_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Example:
    """A batch: what the model was called with, and the call of the loss."""

    inputs: Any
    graded: Graded

    @property
    def rows(self) -> np.ndarray[Any, Any]:
        """The inputs of a model that takes one tensor."""
        return host_array(self.inputs)


class Recent:
    """Keeps batches of one model, within a bound of memory."""

    def __init__(self) -> None:
        self._examples: deque[tuple[Example, int]] = deque(maxlen=_MOST_BATCHES)
        #: The model of the batches: a program may let go of it before the run has ended.
        self.model: Any = None

    def keep(self, graded: Graded, model: Any, inputs: tuple[Any, ...]) -> None:
        """Keep a batch whose predictions are what the model gave."""
        if model is not self.model:
            self._examples.clear()
            self.model = model
        if len(inputs) != 1:
            return
        size = sum(int(getattr(part, "nbytes", 0)) or host_array(part).nbytes for part in tree.flatten(inputs[0]))
        self._examples.append((Example(inputs[0], graded), size + graded.target.nbytes))
        while sum(size for _, size in self._examples) > _MOST_BYTES:
            self._examples.popleft()

    def examples(self) -> list[Example]:
        """The batches of the latest loss, the latest last."""
        found = [example for example, _ in self._examples]
        return [example for example in found if example.graded.record.kind == found[-1].graded.record.kind]

    def forget(self) -> None:
        """Let go of the model and the batches."""
        self._examples.clear()
        self.model = None
