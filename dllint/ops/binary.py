"""Functions of two and three operands that broadcast: arithmetic, comparison, logic, selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dllint.domains.dim import differs
from dllint.domains.dtype import BOOL, FLOAT32, FLOAT64, INT8, INT32, INT64, UINT8, DType, numpy_pair
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenShape, Shape, TensorType, broadcast, last_size
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.positions import positions
from dllint.ops.promotion import by_backend, floating, promote, refuse
from dllint.ops.spec import Call, Result, op
from dllint.ops.traits import NONE, Trait
from dllint.ops.view import Strides, elementwise_layout

TypeRule = Callable[[Call, Value, Value], "DType | Unknown"]


def broadcast_operands(call: Call, *operands: Value) -> Shape | Unknown:
    """The broadcast shape of tensors and numbers, with a ``broadcast`` fault at the first provable conflict."""
    shapes = [as_tensor(call, operand).shape for operand in operands]
    unknown = next((s for s in shapes if isinstance(s, Unknown)), None)
    if unknown is not None:
        return _open_result(call, unknown, shapes)
    known = tuple(s for s in shapes if not isinstance(s, Unknown))
    shape, conflict = broadcast(known)
    if conflict is not None:
        involved = tuple(s for s in known if s)
        call.fault(
            faults.BROADCAST, operand="y", axis=conflict.axis, expected=conflict.left, actual=conflict.right, shapes=involved
        )
    return shape


def _open_result(call: Call, unknown: Unknown, shapes: list[Shape | Unknown]) -> Unknown:
    """The rank is not known; the last size is, if the operands' last sizes are. Those that conflict do so at every rank."""
    lasts = [last_size(s) for s in shapes if s != ()]
    sizes = [size for size in lasts if size is not None]
    (last, *_), conflict = broadcast([(size,) for size in sizes] or [(1,)])
    if conflict is not None:
        call.fault(faults.BROADCAST, operand="y", axis=-1, expected=conflict.left, actual=conflict.right)
    elif len(sizes) == len(lasts):
        return OpenShape(unknown.reason, unknown.detail, last)
    return Unknown(unknown.reason, unknown.detail)


def combined_layout(call: Call, shape: Shape | Unknown, *operands: Value) -> Strides:
    """The layout of a broadcast result: the first operand's if it has the result's shape, else known only if all are
    row-major."""
    tensors = [as_tensor(call, operand) for operand in operands]
    if all(t.strides is None for t in tensors):
        return None
    first = tensors[0]
    return elementwise_layout(first) if first.shape == shape else Unknown("layout", "broadcast")


def _common(call: Call, x: Value, y: Value) -> DType | Unknown:
    """numpy divides truth values as the smallest whole numbers; torch has no order of complex numbers."""
    found = promote(call, x, y)
    if call.framework == "torch" and call.kind in _ORDERED and isinstance(found, DType) and found.kind == "complex":
        refuse(call, TensorType(as_tensor(call, x).shape, found))
    return INT8 if found == BOOL and call.framework == "numpy" and call.kind in _DIVISIONS else found


_ORDERED: Final = frozenset({"maximum", "minimum", "floor_divide", "fmod", "mod", "remainder"})
_DIVISIONS: Final = frozenset({"remainder", "fmod", "floor_divide", "mod"})


def _difference(call: Call, x: Value, y: Value) -> DType | Unknown:
    """torch subtracts no booleans, numpy no two of them."""
    common = promote(call, x, y)
    tensors = [t for t in (x, y) if isinstance(t, TensorType)]
    booleans = [t for t in tensors if t.dtype == BOOL]
    if call.framework == "torch" and tensors and (booleans or isinstance(x, bool) or isinstance(y, bool)):
        refuse(call, booleans[0] if booleans else as_tensor(call, x if isinstance(x, bool) else y))
    elif call.framework == "numpy" and booleans and common == BOOL:
        refuse(call, booleans[0])
    return common


def quotient_type(call: Call, x: Value, y: Value) -> DType | Unknown:
    """The element type of a true division."""
    common = promote(call, x, y)
    if call.framework == "numpy" and isinstance(common, DType) and common.kind in ("bool", "int"):
        return FLOAT64
    if call.framework == "tensorflow" and isinstance(common, DType) and common.kind == "int":
        return FLOAT64 if common.bits >= 32 else FLOAT32
    return floating(call, TensorType((), common))


def _bitwise(call: Call, x: Value, y: Value) -> DType | Unknown:
    """Bits of floats are not combined."""
    common = promote(call, x, y)
    if call.framework != "keras" and isinstance(common, DType) and common.kind in ("float", "complex"):
        refuse(call, TensorType(as_tensor(call, x).shape, common), expected=INT64)
    return common


def _divisors(call: Call, x: Value, y: Value) -> DType | Unknown:
    """Only whole numbers have common divisors and multiples, and truth values beside them."""
    common = promote(call, x, y)
    if isinstance(common, DType) and common.kind in ("bool", "float", "complex"):
        refuse(call, TensorType(as_tensor(call, x).shape, common), expected=INT64)
    return common


def _comparison(call: Call, x: Value, y: Value) -> DType | Unknown:
    if call.framework == "tensorflow":
        promote(call, x, y)
    return BOOL


def _logic(call: Call, x: Value, y: Value) -> DType | Unknown:
    return BOOL


def _angle(call: Call, x: Value, y: Value) -> DType | Unknown:
    """Functions with real results; numpy makes floats of both operands before it combines them."""
    common = promote(call, x, y)
    if call.framework == "numpy" and isinstance(x, TensorType) and isinstance(y, TensorType):
        left, right = floating(call, x), floating(call, y)
        return numpy_pair(left, right) if isinstance(left, DType) and isinstance(right, DType) else common
    return floating(call, TensorType((), common))


def _remains(call: Call, x: Value, y: Value) -> DType | Unknown:
    """Keras makes truth values numbers before it divides them."""
    common = _common(call, x, y)
    return INT32 if call.framework == "keras" and common == BOOL else common


def _power(call: Call, x: Value, y: Value) -> DType | Unknown:
    """numpy's powers of truth values are whole numbers of a width that depends on the exponent."""
    is_of_truth = call.framework == "numpy" and as_tensor(call, x).dtype == BOOL
    common = promote(call, x, y)
    return Unknown("no-promotion", "power of truth values") if is_of_truth and common in (BOOL, INT64) else common


_PROMOTED = ("add", "mul", "maximum", "minimum", "remainder", "floor_divide")
RULES: Mapping[str, TypeRule] = {
    **dict.fromkeys(_PROMOTED, _common),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), _bitwise),
    **dict.fromkeys(("gcd", "lcm"), _divisors),
    **dict.fromkeys(("eq", "ne", "lt", "le", "gt", "ge"), _comparison),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor", "isclose"), _logic),
    **dict.fromkeys(("atan2", "xlogy", "hypot"), _angle),
    **dict.fromkeys(("mod", "fmod"), _remains),
    "sub": _difference,
    "div": quotient_type,
    "pow": _power,
}


def binary(call: Call, x: Value, y: Value, dtype: Value = None, rounding_mode: Value = None) -> Result:
    """The broadcast shape of ``x`` and ``y``; the element type by the operation's rule, or the one asked for (numpy). Quotients
    that are rounded keep whole numbers."""
    shape, wanted = broadcast_operands(call, x, y), read_dtype(dtype)
    if wanted is not None:
        return TensorType(shape, wanted)
    found = RULES[call.kind](call, x, y)
    if call.kind == "div" and rounding_mode is not None:
        rounded = _common(call, x, y)
        found = rounded if isinstance(rounding_mode, str) or rounded == found else Unknown("no-argument", "rounding_mode")
    if call.kind in _BY_BACKEND:
        found = by_backend(call, found)
    return TensorType(shape, found, combined_layout(call, shape, x, y))


#: Functions whose results of 64 bits Keras makes shorter with some backends.
_BY_BACKEND = frozenset({"div", "atan2", "maximum", "minimum", "floor_divide"})


#: What is true of each, besides that it works element by element.
_TRAITS: Final[Mapping[str, Trait]] = {
    "add": Trait.MONOTONE | Trait.ADDS,
    "mul": Trait.MULTIPLIES,
    "maximum": Trait.MONOTONE | Trait.LARGER,
    "minimum": Trait.MONOTONE | Trait.SMALLER,
    "remainder": Trait.REMAINDER,
    "fmod": Trait.KEEPS_SIGN,
    "floor_divide": Trait.NO_GRADIENT | Trait.DIVIDES_WHOLE,
    "mod": Trait.REMAINDER,
    "bitwise_and": Trait.NO_GRADIENT | Trait.BOTH,
    "bitwise_or": Trait.NO_GRADIENT | Trait.EITHER,
    "bitwise_xor": Trait.NO_GRADIENT,
    "gcd": Trait.NO_GRADIENT,
    "lcm": Trait.NO_GRADIENT,
    "eq": Trait.COMPARES,
    "ne": Trait.COMPARES,
    "lt": Trait.ORDERS,
    "le": Trait.ORDERS,
    "gt": Trait.ORDERS,
    "ge": Trait.ORDERS,
    "logical_and": Trait.LOGIC | Trait.BOTH,
    "logical_or": Trait.LOGIC | Trait.EITHER,
    "logical_xor": Trait.LOGIC,
    "isclose": Trait.TRUTH,
    "atan2": Trait.OF_PLANE | Trait.AUTOCAST_WIDEST_ON_CARD,
    "xlogy": NONE,
    "hypot": Trait.NON_NEGATIVE | Trait.OF_PLANE,
    "sub": Trait.SUBTRACTS,
    "div": Trait.DIVIDES,
    "pow": Trait.RAISES | Trait.AUTOCAST_SINGLE_ON_CARD | Trait.NEEDS_OPERAND,
}

for _name in RULES:
    op(_name, traits=Trait.POINTWISE | _TRAITS[_name])(binary)


@op("where", traits=Trait.POINTWISE | Trait.REPLACES | Trait.CHOOSES, various=True)
def where(call: Call, condition: Value, x: Value = None, y: Value = None) -> Result:
    """``x`` where ``condition``, else ``y``; with the condition alone, the indices of its true elements."""
    if x is None and y is None:
        if call.framework == "keras":
            return Unknown("backend", "where with a condition alone")
        return positions(as_tensor(call, condition), as_tuple=call.framework != "tensorflow")
    test = as_tensor(call, condition)
    if call.framework == "torch" and isinstance(test.dtype, DType) and test.dtype not in (BOOL, UINT8):
        call.fault(faults.DTYPE, operand="condition", expected=BOOL, actual=test.dtype)
    shape = broadcast_operands(call, *((x, y) if _chooses_rows(call, condition, x, y) else (condition, x, y)))
    return TensorType(shape, promote(call, x, y))


def _chooses_rows(call: Call, condition: Value, x: Value, y: Value) -> bool:
    """TensorFlow 1: a vector of conditions chooses among the rows of matrices. Of unknown ranks, this is what conditions are
    for that do not broadcast."""
    if call.framework != "tensorflow":
        return False
    test, tensor, other = (as_tensor(call, value).shape for value in (condition, x, y))
    tensor = other if isinstance(tensor, Unknown) and not isinstance(other, Unknown) else tensor
    if isinstance(test, Unknown) or isinstance(tensor, Unknown):
        lasts = [(size,) for size in (last_size(test), last_size(tensor)) if size is not None]
        return (isinstance(test, Unknown) or len(test) == 1) and broadcast(lasts)[1] is not None
    return len(test) == 1 < len(tensor) and not differs(test[0], tensor[0])


@op("lerp", traits=Trait.POINTWISE | Trait.MIXES)
def lerp(call: Call, x: Value, y: Value, weight: Value) -> Result:
    """``x + weight * (y - x)``."""
    return TensorType(broadcast_operands(call, x, y, weight), promote(call, x, y))


@op("addcmul", traits=Trait.POINTWISE | Trait.AUTOCAST_WIDEST_ON_CARD)
def addcmul(call: Call, x: Value, tensor1: Value, tensor2: Value, value: Value = 1) -> Result:
    """``x + value * tensor1 * tensor2``."""
    return TensorType(broadcast_operands(call, x, tensor1, tensor2), promote(call, x, tensor1, tensor2))


@op("addcdiv", traits=Trait.POINTWISE | Trait.AUTOCAST_WIDEST_ON_CARD)
def addcdiv(call: Call, x: Value, tensor1: Value, tensor2: Value, value: Value = 1) -> Result:
    """``x + value * tensor1 / tensor2``."""
    return TensorType(broadcast_operands(call, x, tensor1, tensor2), promote(call, x, tensor1, tensor2))


@op("clamp", traits=Trait.KEEPS_SHAPE | Trait.POINTWISE | Trait.MONOTONE | Trait.CLAMPS | Trait.NEEDS_OPERAND)
def clamp(call: Call, x: TensorType, min: Value = None, max: Value = None) -> Result:
    """``x`` limited to ``min`` and ``max``, numbers or tensors that broadcast with it."""
    limits = tuple(v for v in (min, max) if v is not None)
    return TensorType(broadcast_operands(call, x, *limits), _limited(call, x, limits))


def _limited(call: Call, x: TensorType, limits: tuple[Value, ...]) -> DType | Unknown:
    """Some backends of Keras make tensors of the limits, whose types count beside those of a tensor without axes."""
    if call.framework == "keras" and x.shape == () and isinstance(x.dtype, DType) and x.dtype.bits < INT32.bits:
        return Unknown("backend", "limits")
    return promote(call, x, *limits)
