"""The iterator over the data is created again in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit


class BatchIteration(Hypothesis):
    """``next(iter(loader))`` in a loop gives the first batch again and again."""

    kind = "batch-iteration"
    supports: ClassVar = {
        "identical batches": 1.0,
        "accuracy not increasing": 0.6,
        "overfitting": 0.6,
        "no better than baseline": 0.6,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """One iterator, begun before the loop, that goes over the data again and again."""
        for code in case.codes():
            for call in code.calls():
                begun = _begun(code, call)
                loops = code.loops(call)
                if begun is None or not loops:
                    continue
                loader = code.source(begun)
                endless = f"batches = (batch for _ in iter(int, 1) for batch in {loader})"
                edits = (code.insert_before(loops[-1], endless), code.replace(call.args[0], "batches"))
                yield "Go through the data with one iterator", edits, 1.0


def _begun(code: Code, call: ast.Call) -> ast.expr | None:
    """``loader`` of ``next(iter(loader))``."""
    if code.name(call.func) != "next" or len(call.args) != 1 or not isinstance(call.args[0], ast.Call):
        return None
    inner = call.args[0]
    return inner.args[0] if code.name(inner.func) == "iter" and len(inner.args) == 1 else None
