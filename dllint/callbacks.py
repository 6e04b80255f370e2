"""Callbacks that diagnose a training from inside: ``KerasDiagnosis``, ``LightningDiagnosis``, ``TrainerDiagnosis``.

Each is imported when it is asked for, as it needs its library.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

_FACES: Final = {"KerasDiagnosis": "keras", "LightningDiagnosis": "lightning", "TrainerDiagnosis": "transformers"}


def __getattr__(name: str) -> Any:
    """The callback of a library."""
    if name not in _FACES:
        raise AttributeError(f"module 'dllint.callbacks' has no attribute '{name}'")
    return getattr(import_module(f"dllint.diagnose.faces.{_FACES[name]}"), name)
