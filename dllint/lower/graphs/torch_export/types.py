"""Element types, sizes and tensor types in the JSON of exported programs."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

from dllint.domains.dim import Dim, floordiv, maximum, minimum, mod, opaque, symbol
from dllint.domains.dtype import (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    DType,
)  # fmt: skip
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.source.expressions import abstract_expression

#: Element types by their numbers in the schema.
SCALARS: Final[Mapping[int, DType]] = {
    1: UINT8, 2: INT8, 3: INT16, 4: INT32, 5: INT64, 6: FLOAT16, 7: FLOAT32, 8: FLOAT64, 10: COMPLEX64, 11: COMPLEX128,
    12: BOOL, 13: BFLOAT16, 28: UINT16,
}  # fmt: skip
_LONGEST: Final = 2000
_Combine = Callable[[Any, Any], Any]
#: Functions of expressions, which are written as ``Add(Symbol('s0', positive=True, integer=True), Integer(1))``.
_FUNCTIONS: Final[Mapping[str, _Combine]] = {
    "Add": lambda x, y: x + y,
    "Mul": lambda x, y: x * y,
    "Max": maximum,
    "Min": minimum,
    **dict.fromkeys(("Mod", "PythonMod"), mod),
    **dict.fromkeys(("FloorDiv", "CleanDiv"), floordiv),
}


class Sizes:
    """Sizes of one program: a symbol of the file is one symbol of ours, wherever it occurs."""

    def __init__(self) -> None:
        self._symbols: dict[str, Dim] = {}

    def of(self, size: Any) -> Dim:
        """A size; one whose expression is not understood is unknown."""
        if "as_int" in size:
            return int(size["as_int"])
        text = size.get("as_expr", {}).get("expr_str", "")
        try:
            tree = abstract_expression(text[:_LONGEST])
            return opaque("size") if tree is None else self._value(tree)
        except (ValueError, TypeError, KeyError, ArithmeticError, MemoryError):
            return opaque("size")

    def _value(self, node: ast.expr) -> Dim:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self._value(node.operand) * -1
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise ValueError(type(node).__name__)
        if node.func.id == "Symbol":
            return self._symbol(node)
        found = reduce(_FUNCTIONS.get(node.func.id, _only), map(self._value, node.args))
        return int(found) if isinstance(found, int) else found

    def _symbol(self, node: ast.Call) -> Dim:
        name = ast.literal_eval(node.args[0])
        positive = any(keyword.arg == "positive" for keyword in node.keywords)
        return self._symbols.setdefault(name, symbol(str(name), lower=int(positive)))

    def type_of(self, meta: Any) -> TensorType:
        """The type of a tensor."""
        number = meta.get("dtype")
        dtype = SCALARS.get(number) or Unknown("element-type", str(number))
        return TensorType(tuple(self.of(size) for size in meta.get("sizes", ())), dtype)


def _only(_: Any, __: Any) -> Any:
    """``Integer(3)`` has one argument; what has more is not known here."""
    raise ValueError("function")
