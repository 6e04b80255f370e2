"""The graph is cut between the loss and the weights."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.code import Code
from dllint.diagnose.causes.hypothesis import Hypothesis
from dllint.edit import Edit

#: What makes a tensor of numbers that have left torch, how they leave, and what stands before that.
_MAKERS: Final = ("torch.tensor", "torch.as_tensor", "torch.from_numpy", "torch.Tensor", "torch.FloatTensor", "torch.asarray")
_OUT: Final = ("tolist", "numpy", "item")
_ON_THE_WAY: Final = ("detach", "cpu", "clone", "copy")
_ELSEWHERE: Final = 0.4


class Detached(Hypothesis):
    """Weights get no gradient, and the source detaches something in the forward pass."""

    kind = "detached"
    supports: ClassVar = {"unchanged weight": 0.9, "loss not decreasing": 0.5}

    def repairs(self, case: Case) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
        """Take each cut away."""
        strength = 1.0 if "gradient" in str(case.symptom.evidence.get("cause", "")) else 0.5
        is_placed = "operation" in case.symptom.evidence
        for code in case.codes():
            for node in ast.walk(code.tree):
                # Where the run has shown the cut, other ones do no harm.
                least = _ELSEWHERE if is_placed and not case.near(code, node) else 1.0
                if isinstance(node, ast.Call) and code.name(node.func) in _MAKERS:
                    yield from _made_anew(code, node, strength * least)
                elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "detach":
                    yield from _without(code, node, node.func.value, strength * least)
                elif isinstance(node, ast.Attribute) and node.attr == "data" and isinstance(node.ctx, ast.Load):
                    yield from _without(code, node, node.value, strength * (least if is_placed else 0.6))
                elif isinstance(node, ast.With) and _is_no_grad(code, node) and _holds_call(case, code, node):
                    item = node.items[0].context_expr
                    enabled = code.source(item).replace("no_grad", "enable_grad").replace("inference_mode", "enable_grad")
                    yield "Compute gradients here", (code.replace(item, enabled),), strength * least


def _made_anew(code: Code, call: ast.Call, strength: float) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    """``torch.tensor(x.tolist())`` is ``x``, and ``torch.from_numpy(x.detach().cpu().numpy())``, too."""
    inner = call.args[0] if call.args else None
    has_left = False
    while isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in (*_OUT, *_ON_THE_WAY):
        has_left |= inner.func.attr in _OUT
        inner = inner.func.value
    if has_left and inner is not None:
        text = code.source(inner)
        yield f"Use `{text}` itself, with its graph", (code.replace(call, text),), strength


def _without(code: Code, node: ast.expr, kept: ast.expr, strength: float) -> Iterator[tuple[str, tuple[Edit, ...], float]]:
    if code.name(kept) in ("", "torch") and not isinstance(kept, ast.Call | ast.Subscript):
        return
    yield f"Do not detach `{code.source(kept)}`", (code.replace(node, code.source(kept)),), strength


def _is_no_grad(code: Code, node: ast.With) -> bool:
    item = node.items[0].context_expr
    return isinstance(item, ast.Call) and code.name(item.func) in ("torch.no_grad", "torch.inference_mode")


def _holds_call(case: Case, code: Code, node: ast.With) -> bool:
    """Whether the block is in a function that a model's forward pass or a loss is in."""
    function = code.function(node)
    in_training = any(code.function(loss) is function for _, other, loss in case.losses() if other is code)
    return in_training or (isinstance(function, ast.FunctionDef) and function.name == "forward")
