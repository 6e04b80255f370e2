"""Gradients that a Keras or TensorFlow program stops itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.detached import Detached
from dllint.diagnose.causes.keras.source import is_keras
from dllint.edit import Edit

_STOPPING: Final = ("tensorflow.stop_gradient", "keras.ops.stop_gradient")


class KerasDetached(Detached):
    """Weights get no gradient, and the source stops gradients somewhere."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Let each of them through."""
        for code in case.codes() if is_keras(case) else ():
            for call in code.calls():
                if code.name(call.func) in _STOPPING and len(call.args) == 1:
                    kept = code.source(call.args[0])
                    yield f"Do not stop the gradients of `{kept}`", (code.replace(call, kept),), 1.0
