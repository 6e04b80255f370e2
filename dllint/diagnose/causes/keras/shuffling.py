"""Data that Keras takes in the order in which it comes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.keras.source import is_keras
from dllint.diagnose.causes.keras.training_calls import training_calls
from dllint.diagnose.causes.shuffling import Shuffling, is_sorted
from dllint.edit import Edit

#: Samples that a data set of TensorFlow is shuffled among.
_BUFFER = 10_000


class KerasShuffling(Shuffling):
    """``fit(shuffle=False)``, or a ``tf.data.Dataset`` that is not shuffled."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Shuffle."""
        strength = 1.0 if is_sorted(case.run) else 0.2
        for code, call in training_calls(case):
            shuffle = keyword(call, "shuffle")
            given = case.origin(code, shuffle) if shuffle is not None else None
            if given is not None and given.node.value is False:
                yield "Shuffle the data", (given.code.replace(given.node, "True"),), strength
        for code in case.codes() if is_keras(case) else ():
            for call in code.calls():
                edit = _shuffled(code, call)
                if edit is not None:
                    yield "Shuffle the data", (edit,), strength


def _shuffled(code: Code, call: ast.Call) -> Edit | None:
    """The edit that shuffles slices of tensors, unless what they are chained to does."""
    if code.name(call.func) != "tensorflow.data.Dataset.from_tensor_slices":
        return None
    chained = [above.attr for above in code.parents(call) if isinstance(above, ast.Attribute)]
    if "shuffle" in chained or "batch" not in chained:
        return None
    end = code.span(call)[1]
    return Edit(code.path, end, end, f".shuffle({_BUFFER})")
