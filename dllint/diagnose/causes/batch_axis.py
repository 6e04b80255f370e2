"""An operation of the model works along the axis of the batch."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code, keyword
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

_ALONG: Final = ("softmax", "log_softmax", "Softmax", "LogSoftmax")
_STATISTICS: Final = ("mean", "sum", "std", "var", "amax", "norm", "normalize", "cumsum", "flip", "roll")
#: Layers that take the first axis for time unless they are told otherwise. Some are copied by what they are given to.
_RECURRENT: Final = tuple(
    f"torch.nn.{name}"
    for name in (
        "RNN",
        "LSTM",
        "GRU",
        "MultiheadAttention",
        "TransformerEncoderLayer",
        "TransformerDecoderLayer",
        "Transformer",
    )
)


class BatchAxis(Hypothesis):
    """A softmax or a statistic over axis 0, or a recurrent layer that takes the batch for time."""

    kind = "axis"
    supports: ClassVar = {
        "batch cross-talk": 1.0,
        "loss not decreasing": 0.7,
        "accuracy not increasing": 0.7,
        "cannot fit one batch": 0.8,
        "initial loss": 0.6,
    }

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """The last axis; the batch first."""
        for code in case.codes():
            for call in code.calls():
                short = code.name(call.func).rpartition(".")[2] or getattr(call.func, "attr", "")
                axis = _axis(code, call, short)
                given = case.origin(code, axis) if axis is not None else None
                is_zero = given is not None and given.node.value == 0 and given.node.value is not False
                if given is not None and is_zero and (short in _ALONG or _is_forward(code, call)):
                    message = f"Compute the {short} over the last axis, not over the batch"
                    strength = 1.0 if short in _ALONG or case.near(code, call) else 0.7
                    yield message, (given.code.replace(given.node, "-1"),), strength
                    if case.near(code, call):
                        yield (
                            f"Compute the {short} over axis 1, not over the batch",
                            (given.code.replace(given.node, "1"),),
                            0.98,
                        )
        edits = tuple(
            code.with_keyword(call, "batch_first", "True")
            for code in case.codes()
            for call in code.calls()
            if code.name(call.func) in _RECURRENT and keyword(call, "batch_first") is None
        )
        if edits:
            yield "Tell the layer that the batch comes first", edits, 0.9


def _axis(code: Code, call: ast.Call, short: str) -> ast.expr | None:
    """The argument that names the axis."""
    if short not in (*_ALONG, *_STATISTICS):
        return None
    named = keyword(call, "dim", "axis")
    is_method = isinstance(call.func, ast.Attribute) and not code.name(call.func).startswith("torch.")
    at = 0 if is_method or short[0].isupper() else 1
    return named or next(iter(call.args[at : at + 1]), None)


def _is_forward(code: Code, call: ast.Call) -> bool:
    function = code.function(call)
    return isinstance(function, ast.FunctionDef) and function.name == "forward"
