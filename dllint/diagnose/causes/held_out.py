"""The model is evaluated on what it is trained on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: What data that is held out is called in the place of ``train``.
_HELD_OUT: Final = ("val", "valid", "validation", "test", "dev", "eval", "holdout")
_TRAINED: Final = re.compile(r"training|train", re.IGNORECASE)
_SHARE: Final = "0.2"


class HeldOutData(Hypothesis):
    """The names of the data are those of the training, and there is other data with a name like it; else a library can split
    some off."""

    kind = "held-out-data"
    supports: ClassVar = {"evaluation on training samples": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Evaluate on the other data, or on a part of the data that is not trained on."""
        place, evidence = case.symptom.place, case.symptom.evidence
        code = case.sources.code(place.path) if place is not None else None
        node = code.at(place) if code is not None and place is not None else None
        if code is None or node is None or evidence.get("shared") != evidence.get("samples"):
            return
        for edits, names in _renamed(code, _data(node)):
            yield f"Evaluate on {names}", edits, 1.0
        call = code.parent(node)
        call = code.parent(call) if isinstance(call, ast.keyword) else call
        if isinstance(call, ast.Call) and keyword(call, "validation_data") is node:
            given = next(item for item in call.keywords if item.value is node)
            share = f"validation_split={_SHARE}"
            yield "Evaluate on a fifth of the data that is not trained on", (code.replace(given, share),), 0.8


def _data(node: ast.expr) -> list[ast.Name]:
    """The names of data in an argument, or in the call that builds a loader: of its first argument."""
    if isinstance(node, ast.Call):
        given = node.args[0] if node.args else keyword(node, "dataset")
        return [given] if isinstance(given, ast.Name) else []
    return [item for item in ast.walk(node) if isinstance(item, ast.Name)]


def _renamed(code: Code, names: list[ast.Name]) -> Iterator[tuple[tuple[Edit, ...], str]]:
    """Edits that put names of held-out data in place of those of training data, if the file has them all."""
    for word in _HELD_OUT:
        others = [_TRAINED.sub(word, name.id) for name in names]
        if others and all(other != name.id and other in code.names for other, name in zip(others, names, strict=True)):
            edits = tuple(code.replace(name, other) for name, other in zip(names, others, strict=True))
            yield edits, " and ".join(f"`{other}`" for other in others)
