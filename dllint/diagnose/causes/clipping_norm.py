"""The norm at which gradients are clipped is far below what they have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_CLIPPING: Final = "clip_grad_norm_"
#: How calls that clip, optimizers and trainers name the norm.
_NAMES: Final = ("max_norm", "gradient_clip_val", "max_grad_norm", "clipnorm", "global_clipnorm")


class ClippingNorm(Hypothesis):
    """The limit was made for gradients of another size."""

    kind = "clipping-norm"
    supports: ClassVar = {"gradients clipped away": 1.0}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Clip at the norm that the gradients usually have, where the limit is given."""
        norm, limit = case.symptom.evidence.get("norm"), case.symptom.evidence.get("limit")
        if not isinstance(norm, float):
            return
        wanted = f"{float(f'{norm:.1g}'):g}"
        for code, node in _limits(case):
            given = case.origin(code, node)
            if given is not None and case.number(code, node) == limit:
                yield f"Clip at a norm of {wanted}", (given.code.replace(given.node, wanted),), 1.0


def _limits(case: Case) -> Iterator[tuple[Code, ast.expr]]:
    for code in case.files():
        for call in code.calls():
            node = keyword(call, *_NAMES)
            if node is None and code.source(call.func).endswith(_CLIPPING) and len(call.args) > 1:
                node = call.args[1]
            if node is not None:
                yield code, node
