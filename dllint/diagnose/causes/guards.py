"""An operation gets arguments outside of its domain, or its result overflows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: Operation → what bounds its argument.
_BOUNDS: Final = {
    "log": "clamp(min=1e-8)",
    "log2": "clamp(min=1e-8)",
    "log10": "clamp(min=1e-8)",
    "log1p": "clamp(min=-1 + 1e-6)",
    "sqrt": "clamp(min=1e-8)",
    "rsqrt": "clamp(min=1e-8)",
    "exp": "clamp(max=50.0)",
    "acos": "clamp(-1 + 1e-6, 1 - 1e-6)",
    "asin": "clamp(-1 + 1e-6, 1 - 1e-6)",
}
#: log of this function → the function that computes both exactly.
_FUSED: Final = {"softmax": "log_softmax", "sigmoid": "logsigmoid"}


class Guards(Hypothesis):
    """The first bad operation is one that has a domain: logarithm, root, quotient, exponential."""

    kind = "guard"
    supports: ClassVar = {"numerical error": 0.95, "invalid loss": 0.8}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Bounds for the argument, at the operation that gave the first bad number."""
        place = case.symptom.place
        code = case.sources.code(place.path) if place is not None else None
        node = code.at(place) if code is not None and place is not None else None
        if code is None or node is None or case.symptom.evidence.get("operation") is None:
            return
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                yield from _of_call(code, part)
            elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                divisor = code.source(part.right)
                yield "Keep the divisor away from 0", (code.replace(part.right, f"({divisor} + 1e-8)"),), 0.9


def _of_call(code: Code, call: ast.Call) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    operation = code.name(call.func).rpartition(".")[2] or (call.func.attr if isinstance(call.func, ast.Attribute) else "")
    bound = _BOUNDS.get(operation)
    argument = _argument(code, call)
    if bound is None or argument is None:
        return
    if operation == "log" and isinstance(argument, ast.Call):
        yield from _fused(code, call, argument)
    text = code.source(argument)
    plain = isinstance(argument, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    bounded = f"{text}.{bound}" if plain else f"({text}).{bound}"
    yield f"Bound the argument of `{operation}`", (code.replace(argument, bounded),), 0.95


def _argument(code: Code, call: ast.Call) -> ast.expr | None:
    """The operand of the operation: the argument of a function, or the receiver of a method."""
    name = code.name(call.func)
    if name.startswith("torch."):
        return call.args[0] if call.args else None
    if name.startswith(("keras.", "numpy.", "tensorflow.")):
        return None
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _fused(code: Code, call: ast.Call, inner: ast.Call) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """``log(softmax(x, 1))`` becomes ``log_softmax(x, 1)``."""
    name = code.name(inner.func)
    function = name.rpartition(".")[2] or (inner.func.attr if isinstance(inner.func, ast.Attribute) else "")
    fused = _FUSED.get(function)
    if fused is None or not isinstance(inner.func, ast.Attribute):
        return
    text = code.source(inner)
    head = code.source(inner.func.value)
    tail = text[len(code.source(inner.func)) :]
    if function == "sigmoid" and name.startswith("torch."):
        head = f"{head}.nn.functional" if name == "torch.sigmoid" else head
    yield f"Compute logarithm and {function} in one", (code.replace(call, f"{head}.{fused}{tail}"),), 1.0
