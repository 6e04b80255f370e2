"""Unary, binary and boolean operators on abstract values."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from types import NoneType
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.dim import Dim, DimExpr, bounds
from dllint.domains.dtype import BOOL, INT32, DType, numpy_pair
from dllint.domains.lattice import UNKNOWN_NUMBERS, Unknown, UnknownBool, UnknownFloat, UnknownResult
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.unsolved import unsolved
from dllint.ir.program import Framework, TensorVal
from dllint.ir.values import Arguments, Assumed, DictVal, InstanceVal, LibSymbol, ListVal, SetVal, SizesVal, TensorSize, Value
from dllint.lower import arguments, branches, bulk, calling, exceptions, mro, sets, strings
from dllint.lower.arguments import as_dim
from dllint.lower.dispatch import evaluates
from dllint.lower.lazy import ChoiceVal
from dllint.lower.numpy_scalars import is_scalar
from dllint.ops.promotion import type_with_number

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives, Operates

#: Operator node → canonical operation, Python function, special method.
BINARY: dict[type, tuple[str, Callable[[Any, Any], Any], str]] = {
    cst.Add: ("add", operator.add, "add"),
    cst.Subtract: ("sub", operator.sub, "sub"),
    cst.Multiply: ("mul", operator.mul, "mul"),
    cst.Divide: ("div", operator.truediv, "truediv"),
    cst.FloorDivide: ("floor_divide", operator.floordiv, "floordiv"),
    cst.Modulo: ("mod", operator.mod, "mod"),
    cst.Power: ("pow", operator.pow, "pow"),
    cst.MatrixMultiply: ("matmul", operator.matmul, "matmul"),
    cst.BitAnd: ("bitwise_and", operator.and_, "and"),
    cst.BitOr: ("bitwise_or", operator.or_, "or"),
    cst.BitXor: ("bitwise_xor", operator.xor, "xor"),
    cst.LeftShift: ("bitwise_left_shift", operator.lshift, "lshift"),
    cst.RightShift: ("bitwise_right_shift", operator.rshift, "rshift"),
}
AUGMENTED: dict[type, type] = {
    cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract, cst.MultiplyAssign: cst.Multiply, cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide, cst.ModuloAssign: cst.Modulo, cst.PowerAssign: cst.Power,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply, cst.BitAndAssign: cst.BitAnd, cst.BitOrAssign: cst.BitOr,
    cst.BitXorAssign: cst.BitXor, cst.LeftShiftAssign: cst.LeftShift, cst.RightShiftAssign: cst.RightShift,
}  # fmt: skip

_NUMBER = (int, float, complex)
_PLAIN = (int, float, complex, str, bytes, tuple)
_NUMBERS = (int, float, complex)
_BOOLS = (bool, UnknownBool)
_OPERANDS = (int, float, complex, DimExpr, TensorVal, *UNKNOWN_NUMBERS)
_OPAQUE = frozenset({"add", "sub", "mul", "floor_divide", "mod"})
#: What makes an integer of integers, besides; a power does, unless its exponent is negative.
_WHOLE = frozenset({"pow", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"})


@evaluates(cst.BinaryOperation)
def _binary(m: Interpreter, node: cst.BinaryOperation) -> Value:
    left_nodes = [node]
    inner: Any = node.left
    while inner.__class__ is cst.BinaryOperation:  # a long sum nests to the left: no recursion over it
        left_nodes.append(inner)
        inner = inner.left
    value = m.eval(inner)
    for current in reversed(left_nodes):
        right = m.eval(current.right)
        m.frame.node = current
        value = binary(m, type(current.operator), value, right)
    return value


def in_place(m: Interpreter, kind: type, a: Value, b: Value) -> Value:
    """The value of the target after ``a <kind>= b``: by the object's own method, if it has one."""
    found = mro.special(a, f"__i{BINARY[kind][2]}__") if isinstance(a, InstanceVal) else None
    return binary(m, kind, a, b) if found is None else calling.call(m, found, Arguments((b,)))


def binary(m: Interpreter, kind: type, a: Value, b: Value) -> Value:
    """``a <kind> b`` for an operator node type."""
    name, function, special = BINARY[kind]
    a = a.value if type(a) is Assumed else a
    b = b.value if type(b) is Assumed else b
    if pairs := _pairs(a, b):
        return branches.each(m, [partial(binary, m, kind, *pair) for pair in pairs])
    if isinstance(a, TensorSize) or isinstance(b, TensorSize):
        return _on_tensor_sizes(m, kind, a, b)
    if isinstance(a, _NUMBER) and isinstance(b, _NUMBER):
        of_numpy = isinstance(a, NumpyFloat) or isinstance(b, NumpyFloat)  # gives inf or NaN
        if b == 0 and kind in (cst.Divide, cst.FloorDivide, cst.Modulo) and not of_numpy:
            exceptions.raise_builtin(m, "ZeroDivisionError")
        return calculated(function, a, b)
    if isinstance(a, TensorVal) or isinstance(b, TensorVal):
        return _on_tensors(m, name, special, a, b)
    if isinstance(a, SizesVal) or isinstance(b, SizesVal):
        return _on_vectors(m, kind, a, b)
    if isinstance(a, (DimExpr, Unknown)) or isinstance(b, (DimExpr, Unknown)):
        return _on_sizes(m, name, function, a, b)
    return _on_objects(m, name, function, special, a, b)


def _pairs(a: Value, b: Value) -> list[tuple[Value, Value]]:
    """The operands one by one, if one is one of several numbers and tensors, as branches leave a sum that only some add to."""
    if isinstance(a, ChoiceVal) and all(isinstance(option, _OPERANDS) for option in a.options):
        return [(option, b) for option in a.options]
    if isinstance(b, ChoiceVal) and all(isinstance(option, _OPERANDS) for option in b.options):
        return [(a, option) for option in b.options]
    return []


def _on_tensor_sizes(m: Interpreter, kind: type, a: Value, b: Value) -> Value:
    """Arithmetic of a size that is held as a tensor: with a whole number it stays such a size, otherwise it is tensor
    arithmetic."""
    name, function, special = BINARY[kind]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in (a, b)) and name in _OPAQUE:
        found = calculated(function, a, b)
        return TensorSize(found) if isinstance(found, int) and -(2**31) <= found < 2**31 else Unknown("arithmetic")
    if isinstance(a, (DimExpr, Unknown)) or isinstance(b, (DimExpr, Unknown)):
        return _on_sizes(m, name, function, _plain_size(a), _plain_size(b))
    return _on_tensors(m, name, special, _as_tensor(m, a), _as_tensor(m, b))


def _plain_size(value: Value) -> Value:
    return int(value) if isinstance(value, TensorSize) else value


def _as_tensor(m: Machine, value: Value) -> Value:
    """The tensor that a size is."""
    if not isinstance(value, TensorSize):
        return value
    args: dict[str, Value] = {"data": int(value), "dtype": INT32}
    return m.emit("tensor", args, framework="tensorflow", spelled="tensorflow.constant")


def _on_vectors(m: Interpreter, kind: type, a: Value, b: Value) -> Value:
    """Arithmetic of a vector of sizes: each with a number, or with that of the other vector at the same place."""
    left, right = _numbers_of(a), _numbers_of(b)
    if left is None or right is None or kind in (cst.Divide, cst.MatrixMultiply):
        return Unknown("unknown-operand", "sizes")
    count = max(len(left), len(right))
    if not all(len(side) in (1, count) for side in (left, right)):
        return Unknown("unknown-operand", "sizes")
    pairs = zip(left * (count // len(left)), right * (count // len(right)), strict=True)
    return SizesVal(binary(m, kind, x, y) for x, y in pairs)


def _numbers_of(value: Value) -> tuple[Value, ...] | None:
    """The numbers of an operand beside a vector; ``None`` if it may be a vector that is not known."""
    if isinstance(value, tuple):
        return value or None
    if isinstance(value, ListVal):
        return tuple(value.items) if value.items and value.rest is None else None
    return (value,) if isinstance(value, (int, float, DimExpr)) else None


def calculated(function: Callable[[Any, Any], Any], a: Value, b: Value) -> Value:
    """The result of a Python function of numbers or sequences; Unknown where it raises, or would take too long."""
    if bulk.is_large_number(function.__name__, a, b):
        return Unknown("large-number")
    try:
        return bulk.limited(function(a, b))
    except (TypeError, ValueError, ArithmeticError) as error:
        return Unknown("arithmetic", type(error).__name__)


def _on_tensors(m: Interpreter, name: str, special: str, a: Value, b: Value) -> Value:
    if isinstance(a, str) and name == "mod":  # ``"loss %f" % loss`` makes text of the tensor
        return Unknown("unknown-string")
    for receiver, other, method in ((a, b, f"__{special}__"), (b, a, f"__r{special}__")):
        if isinstance(receiver, InstanceVal) and (found := mro.special(receiver, method)) is not None:
            return calling.call(m, found, Arguments((other,)))
    framework = framework_of(a, b)
    if framework == "torch" and _is_truth_of_numpy(a, b):
        return Unknown("undecided", "numpy computes with truth values")
    if framework in ("tensorflow", "keras"):
        a, b = _converted(m, a, b, framework), _converted(m, b, a, framework)
    result = m.emit(name, {"x": operand(m, a), "y": operand(m, b)}, framework=framework, spelled=f"operator.{special}")
    if framework == "torch" and isinstance(result, TensorVal) and isinstance(a, TensorVal) and isinstance(b, TensorVal):
        result.type = result.type.with_dtype(_type_beside_numpy(a, b, result.dtype))
    return result


def _type_beside_numpy(a: TensorVal, b: TensorVal, found: DType | Unknown) -> DType | Unknown:
    """The element type of what torch ``found`` for a tensor of its own and perhaps a value of numpy. Its scalars are numbers
    to torch; arrays may lead to numpy's arithmetic."""
    for tensor, number in ((a, b), (b, a)):
        if tensor.framework == "torch" and is_scalar(number):
            return type_with_number(tensor.dtype, number.dtype, found)
    return Unknown("undecided", "numpy computes in a type of its own") if _is_computed_by_numpy(a, b, found) else found


def _is_computed_by_numpy(a: TensorVal, b: TensorVal, found: Value) -> bool:
    """Whether numpy may give the result of a tensor of torch and an array another element type than torch would."""
    if a.framework == b.framework:
        return False
    left, right = a.dtype, b.dtype
    return not isinstance(left, DType) or not isinstance(right, DType) or found != numpy_pair(left, right)


def _is_truth_of_numpy(a: Value, b: Value) -> bool:
    """Whether truth values are among a tensor and an array: numpy takes some that torch refuses, and makes numbers of them."""
    if not isinstance(a, TensorVal) or not isinstance(b, TensorVal) or a.framework == b.framework:
        return False
    return BOOL in (a.dtype, b.dtype)


def _converted(m: Machine, value: Value, other: Value, framework: Framework) -> Value:
    """A list beside a tensor of TensorFlow becomes one of the same element type."""
    if not isinstance(value, (ListVal, tuple)) or not isinstance(other, TensorVal):
        return value
    return m.emit("tensor", {"data": value, "dtype": other.dtype}, framework=framework, spelled="tensorflow.convert_to_tensor")


def operand(m: Derives, value: Value) -> Value:
    """An operand beside a tensor: an argument that is known to be a number is one, what a run is given instead of None may be a
    tensor."""
    return value if value in m.known.given else as_dim(m, value)


def framework_of(a: Value, b: Value) -> Any:
    """The framework whose operation it is if at least one of two operands is a tensor."""
    known = [v.framework for v in (a, b) if isinstance(v, TensorVal)]
    return next((f for f in known if f not in ("numpy", "python")), known[0])


def _on_sizes(m: Derives, name: str, function: Callable[[Any, Any], Any], a: Value, b: Value) -> Value:
    if isinstance(a, str):
        return strings.joined(name, a, b)
    if isinstance(a, (ListVal, tuple)) or isinstance(b, (str, ListVal, tuple)):
        return _repeat(a, b) if name == "mul" else Unknown("unknown-operand", name)
    a, b = as_dim(m, a), as_dim(m, b)
    unknown = next((v for v in (a, b) if isinstance(v, Unknown) and not isinstance(v, UnknownFloat)), None)
    if unknown is not None:
        made = arguments.arithmetic(m, name, (a, b), partial(_on_sizes, m, name, function))
        same = ("arithmetic", name, _key(a), _key(b))
        return made or m.derive(same, lambda: UnknownResult(unknown.reason, unknown.detail, name, (a, b)), a, b)
    if isinstance(a, (int, DimExpr)) and isinstance(b, (int, DimExpr)) and name in _OPAQUE:
        rest: Value = function(a, b)
        return rest
    if name == "pow" and isinstance(a, DimExpr) and isinstance(b, int) and 0 <= b <= 4:
        out: Dim = 1
        for _ in range(b):
            out = out * a
        return out
    sizes = [value for value in (a, b) if isinstance(value, (int, DimExpr))]
    whole = name in _WHOLE and len(sizes) == 2 and not _below_zero(sizes[1])
    kind = UnknownResult if isinstance(a, complex) or isinstance(b, complex) else UnknownFloat
    return m.derive(
        ("arithmetic", name, _key(a), _key(b)),
        lambda: unsolved(name, sizes) if whole else kind("symbolic-arithmetic", name, name, (a, b)),
        a,
        b,
    )


def _below_zero(value: int | DimExpr) -> bool:
    _, high = bounds(value)
    return high is not None and high < 0


def _key(value: Value) -> Any:
    return value if isinstance(value, _NUMBER) else id(value)


def _repeat(a: Value, b: Value) -> Value:
    """``[x] * n`` with an unknown ``n``."""
    items = a if isinstance(a, (ListVal, tuple)) else b
    if isinstance(items, tuple):
        return Unknown("unknown-length", "tuple")
    if isinstance(items, ListVal) and items.items:
        first = items.items[0]
        return ListVal([], first if first is not None else Unknown("unknown-element"))
    return Unknown("unknown-length")


def _on_objects(m: Interpreter, name: str, function: Callable[[Any, Any], Any], special: str, a: Value, b: Value) -> Value:
    if isinstance(a, str) and name == "mod":
        return strings.percent(a, b)
    if isinstance(a, _PLAIN) and isinstance(b, _PLAIN):
        result = _sequence(function, a, b)
        if isinstance(result, Unknown) and result.detail == "TypeError":
            _raise_for(m, a, b)
        return result
    if isinstance(a, (ListVal, SetVal, DictVal)) or isinstance(b, (ListVal, SetVal, DictVal)):
        return _on_containers(m, name, a, b)
    for receiver, other, method in ((a, b, f"__{special}__"), (b, a, f"__r{special}__")):
        if isinstance(receiver, InstanceVal) and (found := mro.special(receiver, method)) is not None:
            return calling.call(m, found, Arguments((other,)))
        if isinstance(receiver, ChoiceVal):
            return Unknown("joined-branches")
    if name == "bitwise_or":
        return Unknown("type-union")
    return Unknown("unknown-operand", name)


def _sequence(function: Callable[[Any, Any], Any], a: Value, b: Value) -> Value:
    if bulk.is_long(function.__name__, a, b):
        return Unknown("large-sequence")
    return calculated(function, a, b)


def _on_containers(m: Interpreter, name: str, a: Value, b: Value) -> Value:
    if name == "mul":
        items, times = (a, b) if isinstance(a, ListVal) else (b, a)
        if (
            isinstance(items, ListVal)
            and isinstance(times, int)
            and items.rest is None
            and bulk.may_hold(max(len(items.items), 1) * abs(times))
        ):
            return ListVal(items.items * times)
        return Unknown("unknown-length")
    if name == "add" and isinstance(a, ListVal) and isinstance(b, (ListVal, tuple)):
        more, rest = (b.items, b.rest) if isinstance(b, ListVal) else (list(b), None)
        if isinstance(a.rest, Unknown):
            return ListVal(list(a.items), a.rest)
        if a.rest is not None:
            return ListVal(list(a.items), reduce(m.join, [a.rest, *more, *([] if rest is None else [rest])]))
        return bulk.limited(ListVal([*a.items, *more], rest))
    if isinstance(a, DictVal) and isinstance(b, DictVal) and name == "bitwise_or":
        if isinstance(a.factory, LibSymbol) or isinstance(b.factory, LibSymbol):  # a Counter takes the greater number
            return Unknown("unknown-operand", "counter")
        return bulk.limited(DictVal({**a.items, **b.items}, a.rest if a.rest is not None else b.rest))
    if name == "add" and (_no_list(a) or _no_list(b)):
        _raise_for(m, a, b)
    if isinstance(a, SetVal) and isinstance(b, SetVal):
        return sets.combined(m, name, a, b)
    return Unknown("unknown-operand", name)


def _raise_for(m: Operates, a: Value, b: Value) -> None:
    """An operator has no meaning for two values, unless one is a number of numpy: what else there is becomes an array then, if
    it is no text."""
    one_is_number = isinstance(a, _NUMBERS) is not isinstance(b, _NUMBERS)
    if one_is_number and not any(isinstance(value, (str, NoneType)) for value in (a, b)):
        exceptions.may_raise(m, (LibSymbol("builtins.TypeError"),))
    else:
        exceptions.raise_builtin(m, "TypeError")


def _no_list(value: Value) -> bool:
    """Whether a value can only be added to a number or a string."""
    return isinstance(value, (int, float, str, type(None)))


# --- unary ---------------------------------------------------------------------------------------------------------------


@evaluates(cst.UnaryOperation)
def _unary(m: Interpreter, node: cst.UnaryOperation) -> Value:
    value = m.eval(node.expression)
    kind = type(node.operator)
    m.frame.node = node
    if kind is cst.Not:
        return negate(m, value)
    inner = value.value if type(value) is Assumed else value
    if isinstance(inner, TensorVal):
        same = "clone" if inner.framework == "numpy" else "identity"
        names = {cst.Minus: "neg", cst.BitInvert: "bitwise_not", cst.Plus: same}
        return m.emit(names[kind], {"x": inner}, framework=inner.framework, spelled=f"operator.{names[kind]}")
    inner = as_dim(m, inner)
    if isinstance(inner, TensorSize) and kind is cst.Minus:
        return TensorSize(-inner)
    if isinstance(inner, (int, float, complex, DimExpr)):
        return _on_number(kind, inner)
    if isinstance(inner, InstanceVal):
        method = {cst.Minus: "__neg__", cst.BitInvert: "__invert__", cst.Plus: "__pos__"}[kind]
        found = mro.special(inner, method)
        return calling.call(m, found, Arguments()) if found is not None else Unknown("unknown-operand")
    return arguments.arithmetic(m, kind.__name__, (inner,), partial(_on_number, kind)) or Unknown("unknown-operand")


def _on_number(kind: type, value: Value) -> Value:
    """A unary operator on a number."""
    if kind is cst.Plus:
        return value
    if kind is cst.Minus and isinstance(value, (int, float, complex, DimExpr)):
        return -value
    return ~value if kind is cst.BitInvert and isinstance(value, int) else Unknown("arithmetic")


def negate(m: Interpreter, value: Value) -> Value:
    """``not value``; a negated unknown stays correlated with the unknown."""
    if isinstance(value, Assumed):
        inner = negate(m, value.value)
        return Assumed(inner, value.source) if isinstance(inner, bool) else inner
    decided = m.truth(value)
    if decided is not None:
        return not decided
    negated = m.derive(("not", id(value)), lambda: Unknown("undecided", "not"), value)
    m.known.negations.note(negated, value)
    return negated


@evaluates(cst.BooleanOperation)
def _boolean(m: Interpreter, node: cst.BooleanOperation) -> Value:
    left = m.eval(node.left)
    conjunction = node.operator.__class__ is cst.And
    test = branches.ask(m, left)
    if test.value is not None and not test.assumed:
        return left if test.value is not conjunction else m.eval(node.right)
    if test.value is not None and isinstance(left, Assumed):
        return _assumed_boolean(m, node, left, conjunction)
    right = branches.under(m, node.left, test, conjunction, lambda: m.eval(node.right))
    decided = m.truth(right)
    if decided is not None and decided is not conjunction and not isinstance(right, Assumed):
        if isinstance(right, bool):
            return right
        if not isinstance(left, Unknown):  # the one or the other, both of them alike in truth
            return m.join(left, right)
    kind = UnknownBool if isinstance(left, _BOOLS) and isinstance(right, _BOOLS) else Unknown
    either = m.derive(("boolean", id(left), _key(right), conjunction), lambda: kind("undecided", "and/or"), left, right)
    m.known.compounds.note(either, (conjunction, (left, right)))
    return either


def _assumed_boolean(m: Interpreter, node: cst.BooleanOperation, left: Assumed, conjunction: bool) -> Value:
    if m.truth(left) is not conjunction:
        return left
    right = m.eval(node.right)
    if isinstance(right, Assumed):
        return right
    return Assumed(right, left.source) if isinstance(right, (bool, int, float, str)) or right is None else right
