"""The edit against a gradient that is not finite where `where` has left a value out: the argument is chosen, too."""

from __future__ import annotations

from typing import Any, Final

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.arguments import positional_arguments
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import overwrites
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.guarding import operand_node, written
from dllint.source.walk import walk

_WHERE: Final = {"torch": "torch.where", "tensorflow": "tensorflow.where", "keras": "keras.ops.where"}
_ONES: Final = {"torch": "torch.ones_like", "tensorflow": "tensorflow.ones_like", "keras": "keras.ops.ones_like"}


@builder
def selected_inside(op: Op, chooser: Op, operand: TensorVal) -> tuple[Edit, ...]:
    """``where(c, f(x), y)`` becomes ``where(c, f(where(c, x, ones_like(x))), y)``: what is chosen stays as it is. None if the
    condition is not written in the same statement, is not free of effects, or chooses the result of something else."""
    name = next((name for name in ("x", "y") if op.args.get(name) is operand), "x")
    node, test = operand_node(op, name), _test(chooser)
    if (
        node is None
        or test is None
        or op.layer is not None
        or overwrites(op)
        or op.site.statement is not chooser.site.statement
    ):
        return ()
    kept = _side(op, chooser)
    if kept is None or chooser.framework not in _WHERE or not op.site.document.editable:
        return ()
    (where, first), (ones, second) = (name_for(op.site.document, names[chooser.framework]) for names in (_WHERE, _ONES))
    text, condition = written(op, node), written(op, test)
    arms = (text, f"{ones}({text})") if kept == "x" else (f"{ones}({text})", text)
    return (*replace_expression(op.site, node, f"{where}({condition}, {arms[0]}, {arms[1]})"), *first, *second)


def _test(chooser: Op) -> Any:
    """The expression of the condition, if evaluating it twice is harmless."""
    node = chooser.site.node
    if not does(chooser, Trait.CHOOSES) or not isinstance(node, cst.Call) or chooser.spelled.startswith("torch.Tensor."):
        return None
    given = positional_arguments(node)
    test = given[0].value if len(given) == 3 else None
    return test if test is not None and not any(isinstance(part, _EFFECTS) for part in walk(test)) else None


_EFFECTS: Final = (cst.Call, cst.NamedExpr, cst.Await, cst.Yield)


def _side(op: Op, chooser: Op) -> str | None:
    """Which operand of ``where`` the result is."""
    return next((name for name in ("x", "y") if chooser.args.get(name) is op.output), None)
