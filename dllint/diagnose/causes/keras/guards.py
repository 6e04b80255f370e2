"""Operations of Keras and TensorFlow that are applied to numbers for which they are not defined."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.guards import Guards
from dllint.edit import Edit

#: Operation → function that bounds its argument, and the bound. 1e-7 is what Keras itself adds.
_BOUNDS: Final = {
    "log": ("maximum", "1e-7"),
    "log2": ("maximum", "1e-7"),
    "log10": ("maximum", "1e-7"),
    "log1p": ("maximum", "-1 + 1e-6"),
    "sqrt": ("maximum", "1e-7"),
    "rsqrt": ("maximum", "1e-7"),
    "exp": ("minimum", "50.0"),
}
#: The logarithm of a softmax is computed in one by these.
_FUSED: Final = {"tensorflow.nn.softmax": "tensorflow.nn.log_softmax", "keras.ops.softmax": "keras.ops.log_softmax"}


class KerasGuards(Guards):
    """The first bad operation is one that has a domain."""

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Bounds for the argument, at the operation that gave the first bad number."""
        place = case.symptom.place
        code = case.sources.code(place.path) if place is not None else None
        node = code.at(place) if code is not None and place is not None else None
        if code is None or node is None or case.symptom.evidence.get("operation") is None:
            return
        for part in ast.walk(node):
            if isinstance(part, ast.Call) and part.args:
                yield from _of_call(code, part)


def _of_call(code: Code, call: ast.Call) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    name = code.name(call.func)
    operation = name.rpartition(".")[2]
    if not name.startswith(("keras.", "tensorflow.")) or operation not in _BOUNDS:
        return
    argument = code.value(call.args[0])
    fused = _FUSED.get(code.name(argument.func)) if operation == "log" and isinstance(argument, ast.Call) else None
    if fused is not None and isinstance(argument, ast.Call):
        spelled, imports = code.spelled(fused)
        arguments = code.source(argument)[len(code.source(argument.func)) :]
        yield "Compute logarithm and softmax in one", (code.replace(call, f"{spelled}{arguments}"), *imports), 1.0
    function, bound = _BOUNDS[operation]
    module = "tensorflow" if name.startswith("tensorflow.") else "keras.ops"
    spelled, imports = code.spelled(f"{module}.{function}")
    bounded = code.replace(call.args[0], f"{spelled}({code.source(call.args[0])}, {bound})")
    yield f"Bound the argument of `{operation}`", (bounded, *imports), 0.95
