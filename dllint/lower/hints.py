"""Type annotations: what they say about a parameter, the array annotations of jaxtyping and torchtyping included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.dim import Dim, symbol
from dllint.domains.dtype import BOOL, FLOAT16, FLOAT32, FLOAT64, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir.program import Framework
from dllint.ir.values import FuncVal, LibSymbol, Value
from dllint.lower.scopes import Frame
from dllint.source.expressions import concrete_expression

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives

_ELEMENTS: dict[str, DType | Unknown] = {
    "Float": FLOAT32, "Float16": FLOAT16, "Float32": FLOAT32, "Float64": FLOAT64, "Int": INT64, "Int32": INT32, "Int64": INT64,
    "Integer": INT64, "Bool": BOOL, "Num": Unknown("annotation"), "Shaped": Unknown("annotation"),
}  # fmt: skip
_WRAPPERS = frozenset({"typing.Optional", "typing.Annotated", "typing.Final", "typing.ClassVar"})


@dataclass(frozen=True, slots=True)
class ArrayAnnotation:
    """``Float[Tensor, "b c h w"]``: equal names are equal sizes within one function."""

    shape: Shape | None
    dtype: DType | Unknown
    framework: Framework


def evaluate(m: Interpreter, func: FuncVal, node: cst.CSTNode) -> Value | ArrayAnnotation | None:
    """The value of an annotation: a class, a library symbol, an array annotation; ``None`` if it determines nothing."""
    outer = m.frame
    m.frame = Frame(func.scope, func.document, outer)
    try:
        return _evaluate(m, func, node)
    finally:
        m.frame = outer


def _evaluate(m: Interpreter, func: FuncVal, node: cst.CSTNode) -> Value | ArrayAnnotation | None:
    if isinstance(node, cst.SimpleString):
        return _quoted(m, func, node)
    if isinstance(node, cst.Subscript):
        return _subscript(m, func, node)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        return _evaluate(m, func, node.left)
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return None
    found = m.eval(node)
    return None if isinstance(found, Unknown) or found is None else found


def _quoted(m: Interpreter, func: FuncVal, node: cst.SimpleString) -> Value | ArrayAnnotation | None:
    text = m.eval(node)
    if not isinstance(text, str):
        return None
    inner = concrete_expression(text)
    if inner is None:
        return None
    m.known.keep(inner)
    return _evaluate(m, func, inner)


def _subscript(m: Interpreter, func: FuncVal, node: cst.Subscript) -> Value | ArrayAnnotation | None:
    head = m.eval(node.value)
    parts = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
    if isinstance(head, LibSymbol) and head.name.startswith("jaxtyping.") and len(parts) == 2:
        return _array(m, func, head.name.rpartition(".")[2], parts)
    if isinstance(head, LibSymbol) and head.name == "torchtyping.TensorType":
        axes = [m.eval(part) for part in parts if isinstance(part, (cst.SimpleString, cst.Integer, cst.Ellipsis))]
        text = " ".join("..." if axis is ... else str(axis) for axis in axes)
        return ArrayAnnotation(_sizes(m, func, text), Unknown("annotation"), "torch")
    if isinstance(head, LibSymbol) and head.name in _WRAPPERS and parts:
        return _evaluate(m, func, parts[0])
    return head if isinstance(head, LibSymbol) and not head.name.startswith("typing.") else Unknown("annotation")


def _array(m: Interpreter, func: FuncVal, element: str, parts: list[Any]) -> ArrayAnnotation | None:
    text = m.eval(parts[1])
    array = m.eval(parts[0])
    framework: Framework = "numpy" if isinstance(array, LibSymbol) and array.name.startswith("numpy.") else "torch"
    shape = _sizes(m, func, text) if isinstance(text, str) else None
    return ArrayAnnotation(shape, _ELEMENTS.get(element, Unknown("annotation")), framework)


def _sizes(m: Derives, func: FuncVal, text: str) -> Shape | None:
    """Sizes of ``"b 3 h w"``; ``None`` if a part stands for any number of axes."""
    out: list[Dim] = []
    for part in text.split():
        if part.startswith("*") or part == "...":
            return None
        name = part.rpartition("=")[2].lstrip("#_?")
        if name.isdigit():
            out.append(int(name))
        elif name.isidentifier():
            out.append(m.derive(("axis", id(func.node), name), partial(symbol, name), func.node))
        else:
            out.append(symbol("n"))
    return tuple(out)
