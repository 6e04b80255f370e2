"""Another Keras model, or its file, as candidate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import keras

from dllint.bisection.candidates.graph_candidate import GraphCandidate
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.references.keras_functional import KerasReference


def opened(value: Any, setting: Setting) -> GraphCandidate:
    """A model or a ``.keras`` file. Raises :class:`BisectionError` if Keras cannot load it."""
    return GraphCandidate(KerasReference(_loaded(value) if isinstance(value, Path) else value))


def _loaded(path: Path) -> Any:
    try:
        return keras.models.load_model(path, compile=False)
    except (OSError, ValueError, TypeError) as error:
        text = f"Keras cannot load {path}: {str(error).partition(chr(10))[0]}"
        raise BisectionError(text, "load it in the spec, with its custom objects, and give the model") from error
