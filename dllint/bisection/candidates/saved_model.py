"""A TensorFlow SavedModel by its signature: inputs and outputs only, what is inside cannot be watched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays, Observable


class SavedModelCandidate:
    """One signature of a loaded model."""

    def __init__(self, loaded: Any, signature: Any) -> None:
        self._loaded = loaded  # it owns the variables
        self._signature = signature
        self._kinds = {name: spec.dtype for name, spec in signature.structured_input_signature[1].items()}
        self.inputs = list(self._kinds)
        self.outputs = list(signature.structured_outputs)
        self.observables = [Observable(name) for name in self.outputs]

    def run(self, inputs: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted outputs."""
        found = self._signature(**{name: tf.constant(inputs[name], kind) for name, kind in self._kinds.items()})
        return {name: np.asarray(found[name].numpy()) for name in wanted}


def opened(path: Path, setting: Setting) -> SavedModelCandidate:
    """The signature ``serving_default``, or ``serve`` as Keras exports it. Raises :class:`BisectionError` if there is none."""
    try:
        loaded = tf.saved_model.load(str(path))
    except (OSError, ValueError, tf.errors.OpError) as error:
        raise BisectionError(f"TensorFlow cannot load {path}: {str(error).partition(chr(10))[0]}") from error
    for name in ("serving_default", "serve"):
        if name in loaded.signatures:
            return SavedModelCandidate(loaded, loaded.signatures[name])
    raise BisectionError(f"{path} has no signature `serving_default`", "export it with `model.export(path)`")
