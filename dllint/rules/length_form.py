"""The edit of a root of a sum of squares into the norm that it is: the same numbers, with a gradient at 0."""

from __future__ import annotations

from typing import TypeGuard

import libcst as cst

from dllint.analysis.compositions import maker
from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import overwrites
from dllint.fixes.repeating import means_the_same
from dllint.ir.program import Op
from dllint.ir.values import Value
from dllint.ops.kinds import does
from dllint.ops.ranges.order import same_aligned
from dllint.ops.traits import Trait
from dllint.rules.guarding import operand_node, written


@builder
def as_norm(root: Op) -> tuple[Edit, ...]:
    """``sqrt(sum(x ** 2, …))`` becomes ``torch.linalg.vector_norm(x, …)``, if ``x`` and the axes can be written there."""
    total = maker(root.args.get("x"))
    if (
        root.framework != "torch"
        or not does(total, Trait.SUMS | Trait.REDUCES)
        or not (_is_root(root) and root.site.document.editable)
        or overwrites(root)
    ):
        return ()
    squares = maker(total.args.get("x"))
    axes = _axes(total)
    node = operand_node(squares) if squares is not None and _is_square(squares) else None
    if squares is None or node is None or axes is None or not means_the_same(node, squares, root):
        return ()
    name, imports = name_for(root.site.document, "torch.linalg.vector_norm")
    return (*replace_expression(root.site, root.site.node, f"{name}({_plain(squares, node)}{axes})"), *imports)


def _is_root(op: Op) -> bool:
    return op.layer is None and (does(op, Trait.ROOT | Trait.MONOTONE) or (does(op, Trait.RAISES) and op.args.get("y") == 0.5))


def _is_square(op: Op) -> bool:
    if does(op, Trait.MULTIPLIES):
        return same_aligned(op.args.get("x"), op.args.get("y"))
    return does(op, Trait.SQUARES) or (does(op, Trait.RAISES) and op.args.get("y") == 2)


def _axes(total: Op) -> str | None:
    """The arguments that name the axes of a sum; ``None`` if they are not known."""
    dim, kept = total.args.get("dim"), total.args.get("keepdim")
    if kept not in (None, False, True) or not (dim is None or _is_axes(dim)) or (dim is None and kept):
        return None
    return ("" if dim is None else f", dim={dim}") + (", keepdim=True" if kept else "")


def _is_axes(dim: Value) -> TypeGuard[int | tuple[int, ...]]:
    return isinstance(dim, int) or (isinstance(dim, tuple) and all(isinstance(axis, int) for axis in dim))


def _plain(op: Op, node: cst.CSTNode) -> str:
    """The text of an argument, without parentheses that it no longer needs."""
    text = written(op, node)
    return text[1:-1] if len(getattr(node, "lpar", ())) == 1 and not isinstance(node, (cst.Tuple, cst.GeneratorExp)) else text
