"""Library calls that raise because of their arguments: one is missing or of the wrong kind, or no kernel supports its element
type.

``signatures/operands.json`` has, for functions, classes and layers of libraries, what calls of them have shown: required
arguments, arguments that must be tensors (of one element) or whole numbers, element types that both CPU and GPU kernels refuse,
tensors that must have one element type, and operands that are broadcast. ``python -m dllint.dev.operands`` writes it from the
samples of torch's tests, from calls without an argument of everything that has a signature (except Keras, whose releases differ
in their defaults), and from calls of TensorFlow's functions with tensors of every type. A number or None in the place of a
layer's tensor counts only if it is a literal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.dim import DimExpr, differs, product, show
from dllint.domains.dtype import BFLOAT16, FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import broadcast, show_shape
from dllint.frameworks import registry
from dllint.frameworks.binding import Bound, Param, bind
from dllint.frameworks.operands import Operands, operands
from dllint.frameworks.rows import LayerRow
from dllint.ir.program import Fault, Framework, Op, TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value
from dllint.lower import exceptions, mro
from dllint.lower.asked_tensors import of_tensors
from dllint.lower.guesses import rests_on_presumption
from dllint.lower.lazy import ChoiceVal
from dllint.ops import faults

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.ir.program import Program
    from dllint.lower.parts import Performs
    from dllint.lower.scopes import Frame
    from dllint.lower.state import Identities


_FRAMEWORKS: Final[Mapping[str, Framework]] = {"torch": "torch", "numpy": "numpy", "tensorflow": "tensorflow"}
_FACTORS: Final = frozenset({"alpha", "beta", "value"})
#: What may be one thing or another.
_VAGUE: Final = (Unknown, ChoiceVal, LibSymbol)
#: So many operations may belong to one call.
_LATEST: Final = 8


def check(m: Performs, name: str, arguments: Arguments) -> bool:
    """Record a fault of the call that was just performed, unless its operation has already recorded one. Returns whether the
    call raises."""
    return _check(m, name, registry.parameters(name), arguments)


def paired(m: Machine, name: str, arguments: Arguments) -> Value:
    """The result of a function without a model that is known to broadcast its two tensors; ``None`` for other functions."""
    asked, params = operands(name), registry.parameters(name)
    if (
        asked is None
        or not asked.elementwise
        or params is None
        or arguments.star is not None
        or arguments.double_star is not None
    ):
        return None
    values = bind(params, arguments).values
    if values.keys() != {*asked.broadcasts}:
        return None
    framework, (x, y) = _FRAMEWORKS[name.partition(".")[0]], (values[name] for name in asked.broadcasts)
    own = [isinstance(value, TensorVal) and value.framework == framework for value in (x, y)]
    if not any(own) or not all(is_own or _is_number(value) for is_own, value in zip(own, (x, y), strict=True)):
        return None
    return m.emit("unknown_pairing", {"x": x, "y": y}, framework=framework, spelled=name)


def check_layer(m: Performs, row: LayerRow, arguments: Arguments) -> bool:
    """As :func:`check`, for the call of a layer."""
    name = f"{row.name}.__call__"
    return _check(m, name, registry.parameters(name, row.call), arguments, written=True)


def _check(m: Performs, name: str, params: tuple[Param, ...] | None, arguments: Arguments, written: bool = False) -> bool:
    """``written``: of numbers in the place of tensors, only those count that are written there; others may stand for tensors
    that a loop adds up."""
    asked = operands(name)
    if asked is None or params is None or arguments.star is not None or arguments.double_star is not None:
        return False
    bound = bind(params, arguments)
    found = (
        ()
        if bound.unbound or _may_be_factors(params, bound) or _is_vague(asked, bound)
        else (*_faults(asked, bound, written), *of_tensors(asked, bound.values, params[0].name if params else ""))
    )
    if _may_lack_arguments(m.known, name, bound):
        found = tuple(fault for fault in found if fault.detail != faults.MISSING)
    if not found or _has_fault(m.frame, m.program):
        return False
    framework = _FRAMEWORKS[name.partition(".")[0]]
    first = next((value for value in bound.values.values() if isinstance(value, TensorVal)), None)
    if m.control.catching:
        exceptions.raise_fault(m, framework, found[0].kind)
    result = m.emit(
        "library_call",
        {"x": first, **{key: value for key, value in bound.values.items() if key != "x"}},
        framework=framework,
        spelled=name.removesuffix(".__call__"),
    )
    if isinstance(result, TensorVal) and result.producer is not None:
        result.producer.faults = found[:1]
    return True


def _may_be_factors(params: tuple[Param, ...], bound: Bound) -> bool:
    """Whether more positions are given than the signature has, because factors stand before their tensors, as they did once:
    ``torch.addmm(beta, x, alpha, a, b)``."""
    return bound.surplus > 0 and any(param.kind == "only" and param.name in _FACTORS for param in params)


def _is_vague(asked: Operands, bound: Bound) -> bool:
    """Whether some argument in the place of a tensor is unknown. Then the others are not checked either, since the call may
    never be made."""
    tensors = (*asked.tensors, *asked.typed, *asked.broadcasts, *asked.alike, *asked.kinds, "out")
    values = [bound.values[name] for name in tensors if name in bound.values]
    return any(isinstance(value, _VAGUE) or mro.may_be_anything(value) for value in values)


def _may_lack_arguments(known: Identities, name: str, bound: Bound) -> bool:
    """Whether a method may be that of an array of numpy, which can do without (``x.transpose()``, ``x.repeat(2)``)."""
    return name.startswith("torch.Tensor.") and rests_on_presumption(known, bound.values.get("self"))


def _has_fault(frame: Frame, program: Program) -> bool:
    """Whether an operation of this call has a fault."""
    site = frame.site()
    latest = program.trace[-_LATEST:]
    return any(isinstance(item, Op) and item.site.node is site.node and item.faults for item in latest)


def _of_other_kinds(asked: Operands, bound: Bound, written: bool) -> Iterator[Fault]:
    """The fault of arguments that have to be tensors, whole numbers or single elements and are not."""
    for name in asked.tensors:
        if _is_number(value := bound.values.get(name)) and (_is_written(bound, name) or not written):
            yield Fault(faults.ARGUMENT, operand=name, actual=value, detail="it takes a tensor")
    if asked.either and bound.values.keys() == {*asked.either} and all(map(_is_number, bound.values.values())):
        first, second = asked.either
        yield Fault(faults.ARGUMENT, operand=first, detail=f"`{first}` or `{second}` has to be a tensor")
    for name in asked.given:
        if name in bound.values and bound.values[name] is None and _is_written(bound, name):
            yield Fault(faults.ARGUMENT, operand=name, actual=None, detail="it takes a tensor")
    for name in asked.whole:
        value = bound.values.get(name)
        if type(value) is float or (name in asked.plain and _is_of_fractions(value)):
            actual = value if isinstance(value, float) else None
            yield Fault(faults.ARGUMENT, operand=name, actual=actual, detail="it takes a whole number")
    for name in asked.single:
        shape = value.shape if isinstance(value := bound.values.get(name), TensorVal) else None
        if isinstance(shape, tuple) and differs(product(shape), 1):
            detail = f"it takes a tensor with one element, not {show_shape(shape)}"
            yield Fault(faults.ARGUMENT, operand=name, detail=detail)


def _is_number(value: Value) -> bool:
    return type(value) in (bool, int, float, complex)


def _is_of_fractions(value: Value) -> bool:
    """Whether a tensor, which might be a whole number if it had one, has elements of another kind."""
    return isinstance(value, TensorVal) and isinstance(value.dtype, DType) and value.dtype.kind in ("float", "complex")


def _is_written(bound: Bound, name: str) -> bool:
    """Whether an argument is a constant in the source."""
    node = bound.nodes.get(name)
    value = node.value if isinstance(node, cst.Arg) else node
    while isinstance(value, cst.UnaryOperation):
        value = value.expression
    return isinstance(value, cst.BaseNumber) or (isinstance(value, cst.Name) and value.value in ("None", "True", "False"))


def _faults(asked: Operands, bound: Bound, written: bool) -> Iterator[Fault]:
    for name in bound.twice if asked.once else ():
        yield Fault(faults.ARGUMENT, operand=name, detail="it is given twice")
    for name in bound.missing:
        if name in asked.needed:
            yield Fault(faults.ARGUMENT, operand=name, detail=faults.MISSING)
    yield from _of_other_kinds(asked, bound, written)
    if (refused := _refused(asked, bound.values)) is not None:
        yield refused
    if (mixed := _mixed([bound.values.get(name) for name in asked.same])) is not None:
        yield mixed
    if asked.alone and _is_alone(asked, bound.values):
        yield from _of_other_axes(asked, bound.values[asked.alone[0]])
    if asked.onto:
        yield from _broadcast_to(*(bound.values.get(name) for name in asked.onto))
    if asked.broadcasts:
        yield from _broadcast(*(bound.values.get(name) for name in asked.broadcasts))


def _is_alone(asked: Operands, values: Mapping[str, Value]) -> bool:
    """Whether one tensor is all that is given, but for what changes nothing about its axes."""
    others = {name: value for name, value in values.items() if name not in asked.alone}
    return len(others) < len(values) and all(
        name in asked.options and isinstance(value, (bool, str, NoneType)) for name, value in others.items()
    )


#: Tensors of more axes were not tried.
_MOST_AXES: Final = 5


def _of_other_axes(asked: Operands, x: Value) -> Iterator[Fault]:
    """The fault in the axes of the only tensor."""
    shape = x.shape if isinstance(x, TensorVal) else None
    if not isinstance(x, TensorVal) or not isinstance(shape, tuple) or len(shape) > _MOST_AXES:
        return
    if 0 in shape and x.framework == "tensorflow":
        return
    operand = "x" if asked.alone[0] == "self" else asked.alone[0]
    if len(shape) not in asked.ranks:
        yield Fault(faults.RANK, operand=operand, expected=tuple(asked.ranks), actual=len(shape), shapes=(shape,))
    elif asked.square and differs(shape[-1], shape[-2]):
        detail = f"the last two axes have to be of one size, not {show(shape[-2])} and {show(shape[-1])}"
        yield Fault(faults.OPERATOR_SHAPE, operand=operand, shapes=(shape,), detail=detail)


def _mixed(values: Sequence[Value]) -> Fault | None:
    """What is wrong with two tensors of different types where the types have to agree. Arrays are converted, and matrix
    products have kernels for some mixed pairs, which their operation checks."""
    types = [value.dtype for value in values if isinstance(value, TensorVal) and value.framework == "tensorflow"]
    known = [dtype for dtype in types if isinstance(dtype, DType) and dtype.kind in _KINDS]
    if len(known) < 2 or len(known) < len(values) or known[0] == known[1] or {*known} == {BFLOAT16, FLOAT32}:
        return None
    return Fault(faults.DTYPE, operand="y", expected=known[0], actual=known[1], advice="convert it first")


def _refused(asked: Operands, values: Mapping[str, Value]) -> Fault | None:
    """What is wrong where no kernel takes the element type of all tensors, or the type that two operands are promoted to.
    Silent if a number among the operands may change the type."""
    if not asked.refused or values.get("dtype") is not None or _has_vague(asked, values):
        return None
    if asked.typed and not values.keys() <= {*asked.typed, *asked.needed, *_INNOCENT}:
        return None
    tensors = [value for value in _flat(tuple(values.values())) if isinstance(value, TensorVal)]
    known = {value.dtype for value in tensors if isinstance(value.dtype, DType) and value.dtype.kind in _KINDS}
    if not known or any(not isinstance(value.dtype, DType) or _may_be_left_alone(value) for value in tensors):
        return None
    if any(value.framework != tensors[0].framework for value in tensors):
        return None
    dtype = max(known, key=lambda found: list(_KINDS).index(found.kind))
    promoted = bool(asked.broadcasts) and dtype.kind == "complex" and tensors[0].dtype == dtype
    if dtype.name in _HALVES or dtype.name not in asked.refused or (len(known) > 1 and not promoted):
        return None
    if dtype.kind != "complex" and any(
        _is_higher(value, dtype)
        for name, value in values.items()
        if name not in asked.whole and tensors[0].framework != "tensorflow"
    ):
        return None
    return Fault(faults.DTYPE, operand="x", expected=_taken(asked), actual=dtype, advice="convert it first")


#: Parameters of TensorFlow that change nothing about the types that a function takes.
_INNOCENT: Final = ("name", "axis", "keepdims")
#: Types that every device has kernels of its own for, and that automatic casts make others.
_HALVES: Final = frozenset({"float16", "bfloat16"})


def _has_vague(asked: Operands, values: Mapping[str, Value]) -> bool:
    return any(map(_may_be_tensor, map(values.get, (*asked.tensors, *asked.typed))))


def _may_be_tensor(value: Value) -> bool:
    """Whether what stands in the place of a tensor is of no known kind: it may be a tensor of any type."""
    return not isinstance(value, (TensorVal, int, float, complex, NoneType))


def _may_be_left_alone(value: TensorVal) -> bool:
    """Whether a tensor has no elements, or a single one without axes: torch may then return before it selects a kernel."""
    if value.framework in ("tensorflow", "numpy"):
        return False
    return not isinstance(value.shape, tuple) or not value.shape or 0 in value.shape


def _is_higher(value: Value, dtype: DType) -> bool:
    """Whether an argument is a number that may make tensors of another type."""
    return isinstance(value, (*_VAGUE, InstanceVal, float, complex)) or (
        dtype.kind == "bool" and isinstance(value, (int, DimExpr))
    )


#: Kinds of elements from the lowest to the highest, each with its name and its types.
_KINDS: Final = {
    "bool": ("boolean", ("bool",)),
    "int": ("integer", ("int64", "int32", "int16", "int8", "uint8")),
    "float": ("floating-point", ("float32", "float64")),
    "complex": ("complex", ("complex64", "complex128")),
}


def _taken(asked: Operands) -> str:
    """The kinds of elements that a function takes, in words, and the types of those kinds that it takes in part."""
    words, names = [], []
    for word, types in _KINDS.values():
        left = [name for name in types if name not in asked.refused]
        if len(left) == len(types):
            words.append(word)
        else:
            names += left
    kinds = [f"a {' or '.join(reversed(words))} type"] if words else []
    return " or ".join([*kinds, *names])


def _flat(value: Value) -> Iterator[Value]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value


def _broadcast(*values: Value) -> Iterator[Fault]:
    shapes = [value.shape for value in values if isinstance(value, TensorVal)]
    known = [shape for shape in shapes if isinstance(shape, tuple)]
    if len(known) < 2:
        return
    _, conflict = broadcast(known)
    if conflict is not None:
        yield Fault(faults.BROADCAST, operand="y", axis=conflict.axis, expected=conflict.left, actual=conflict.right,
                    shapes=(known[0], known[1]))  # fmt: skip


def _broadcast_to(x: Value, other: Value) -> Iterator[Fault]:
    """The fault of broadcasting a tensor to the shape of one that is changed."""
    if not isinstance(x, TensorVal) or not isinstance(other, TensorVal):
        return
    shape, given = x.shape, other.shape
    if not isinstance(shape, tuple) or not isinstance(given, tuple):
        return
    if len(given) > len(shape):
        detail = f"the other tensor has {len(given)} axes, the tensor that is changed {len(shape)}"
        yield Fault(faults.OPERATOR_SHAPE, operand="other", shapes=(shape, given), detail=detail)
        return
    for axis in range(-len(given), 0):
        if differs(given[axis], shape[axis]) and differs(given[axis], 1):
            yield Fault(faults.BROADCAST, operand="other", axis=axis, expected=shape[axis], actual=given[axis],
                        shapes=(shape, given))  # fmt: skip
            return
