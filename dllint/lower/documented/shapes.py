"""Shapes that docstrings and comments give to the inputs of entries.

An input of unknown shape takes the shape that its first operation demands (``ops/layers.py``). Where the operation demands
none, it takes the documented shape (``source/documented_shapes.py``): names become symbols, or the value of the model's
attribute of that name. Documentation may be wrong and proves nothing: if the run then shows a fault, the entry is run again
without documented shapes, and only that run counts (:mod:`dllint.lower.document`). Annotations (jaxtyping, torchtyping) are
contracts and count at once. If an assertion fixes a size of an input (``_assert(H == self.img_size[0])``), the entry is run
once more with that size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import FuncVal, InstanceVal, Value, unwrap
from dllint.lower import demands
from dllint.source import documented_shapes
from dllint.source.documented_shapes import Sizes
from dllint.source.memo import of_node

if TYPE_CHECKING:
    from dllint.lower.parts import Refines

#: Statements at the start of a body whose comments are read for the parameters.
_FIRST = 2


def note(m: Refines, func: FuncVal, name: str, tensor: TensorVal) -> None:
    """Remember what is written about an input, if its shape is open."""
    if not m.run.trusted or not isinstance(tensor.type.shape, Unknown):
        return
    sizes = _read(func.node).get(name)
    if sizes is not None:
        m.run.documented[tensor.id] = tuple(_size(m, func, size) for size in sizes)


def note_example(m: Refines, sizes: Sequence[int], tensor: TensorVal) -> None:
    """Remember the sizes that an example passes for an input of which nothing else is written. The number of its samples, and
    what is 1, may be any number."""
    if m.run.trusted and isinstance(tensor.type.shape, Unknown) and tensor.id not in m.run.documented:
        shape = [symbol(f"{tensor.name}{axis}") if axis == 0 or size == 1 else size for axis, size in enumerate(sizes)]
        m.run.documented[tensor.id] = tuple(shape)


def settle(m: Refines, kind: str, args: Mapping[str, Value]) -> bool:
    """Give the inputs of unknown shape that an operation takes their documented shapes; returns whether there were any."""
    if kind in demands.TRANSPARENT:
        return False
    settled = False
    for tensor in _tensors(args):
        shape = m.run.documented.get(_origin(tensor).id) if isinstance(tensor.type.shape, Unknown) else None
        if shape is not None:
            demands.settle(m, tensor, shape)
            settled = m.run.relied = True
    return settled


def _tensors(args: Mapping[str, Value]) -> Iterator[TensorVal]:
    for value in args.values():
        yield from (v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, TensorVal))


def _origin(tensor: TensorVal) -> TensorVal:
    """The tensor that one was made from without change of shape."""
    while tensor.producer is not None and tensor.producer.kind in demands.TRANSPARENT:
        before = tensor.producer.args.get("x")
        if not isinstance(before, TensorVal):
            break
        tensor = before
    return tensor


def _size(m: Refines, func: FuncVal, text: str) -> Dim:
    if text.isdigit():
        return int(text)
    owner = m.run.owner
    known = unwrap(owner.attrs.get(text.removeprefix("self."))) if isinstance(owner, InstanceVal) else None
    if isinstance(known, (int, DimExpr)) and not isinstance(known, bool):
        return known
    made: Dim = m.derive(("axis", id(func.node), text), partial(symbol, text), func.node)
    return made


# --- reading the source -----------------------------------------------------------------------------------------------------


@of_node
def _read(node: cst.CSTNode) -> Mapping[str, Sizes]:
    """The shapes written about a function's parameters."""
    if not isinstance(node, cst.FunctionDef):
        return {}
    params = [*node.params.posonly_params, *node.params.params, *node.params.kwonly_params]
    names = [param.name.value for param in params]
    out = documented_shapes.in_docstring(node.get_docstring() or "", names)
    for comment in _first_comments(node):
        out = documented_shapes.in_comment(comment, names) | out
    for param in params:
        trailing = _trailing_comment(param)
        sizes = documented_shapes.shape_in(f"shape {trailing}") if trailing else None
        if sizes is not None:
            out.setdefault(param.name.value, sizes)
    return out


def _trailing_comment(param: cst.Param) -> str:
    """The comment after a parameter that stands on its own line."""
    space = getattr(param.comma, "whitespace_after", None)
    line = space.first_line if isinstance(space, cst.ParenthesizedWhitespace) else None
    return line.comment.value if line is not None and line.comment is not None else ""


def _first_comments(node: cst.FunctionDef) -> Iterator[str]:
    """The comments above the first statements of a body."""
    body = node.body
    if not isinstance(body, cst.IndentedBlock):
        return
    if body.header.comment is not None:
        yield body.header.comment.value
    first: list[Any] = [*body.body[: _FIRST + (node.get_docstring() is not None)]]
    for statement in first:
        yield from (line.comment.value for line in statement.leading_lines if line.comment is not None)
