"""The calls of ``fit`` and ``train_on_batch`` in a Keras source, and the data sets that are given to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.keras.source import is_keras

_TRAINING: Final = ("fit", "train_on_batch")


def training_calls(case: Case) -> Iterator[tuple[Code, ast.Call]]:
    """The calls that had Keras train."""
    if not is_keras(case):
        return
    for loss in case.run.losses:
        code = case.sources.code(loss.backward.path) if loss.backward is not None else None
        call = code.call_at(loss.backward) if code is not None else None
        if code is not None and call is not None and isinstance(call.func, ast.Attribute) and call.func.attr in _TRAINING:
            yield code, call
