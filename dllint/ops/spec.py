"""Declaration of operations: named functions from argument types to result types and faults.

An operation is declared by a decorated function whose signature *is* its canonical parameter list::

    @op("transpose")
    def transpose(call: Call, x: TensorType, dim0: Value, dim1: Value) -> Result: ...

Tensors arrive as :class:`TensorType`, sequences as tuples, Python numbers raw, symbolic sizes as ``DimExpr``; anything
may also be ``Unknown``, and what is of no kind that operations know always is (:func:`operand`). A parameter annotated
``TensorType`` that arrives as anything else makes the whole result Unknown before the function is entered, unless the
operation is declared ``partial=True`` or the framework takes literals there; every other parameter is annotated ``Value``
and is to be asked what it is. A function never raises on odd input: it returns a type with Unknown parts, and it records
what is provably wrong with :meth:`Call.fault` and goes on with the most plausible result, so that one mistake neither
hides the next nor cascades.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from types import EllipsisType, NoneType
from typing import Final, TypeAlias, TypeVar

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import OpenShape, Shape, TensorType, normalize_axis
from dllint.ir.program import Fault, Framework
from dllint.ir.values import LibSymbol, SliceVal, Value, each
from dllint.ops._index import OPERATIONS
from dllint.ops._index import WEIGHTS as WEIGHTS_IN
from dllint.ops.declared import Declared
from dllint.ops.every_rank import in_every_rank
from dllint.ops.layouts import settled, settled_array
from dllint.ops.literal import is_literal, literal_type
from dllint.ops.traits import NONE, Trait, closed

#: A tensor type, Unknown, a number or a size, or a tuple, list or dict of these.
Result: TypeAlias = Value
#: A parameter that is true or false: what is neither, or not known to be, is Unknown. Frameworks also take 0 and 1.
Flag = bool | Unknown
#: So many faults of one call are told: with a list of axes in a file, each may be wrong.
MOST_FAULTS: Final = 64
Transfer = Callable[..., Result]
M = TypeVar("M", bound=Transfer)


@dataclass(slots=True)
class Call:
    """One application of an operation: the framework whose rules hold, and the faults found."""

    kind: str
    framework: Framework = "torch"
    faults: list[Fault] = field(default_factory=list)

    def does(self, traits: Trait) -> bool:
        """Whether the operation has all of ``traits``."""
        return traits in OPS[self.kind].traits

    def fault(
        self,
        kind: str,
        *,
        operand: str = "",
        axis: int | None = None,
        expected: Value = None,
        actual: Value = None,
        shapes: tuple[Shape, ...] = (),
        detail: str = "",
        advice: str = "",
    ) -> None:
        """Record a provable violation (see :class:`dllint.ir.program.Fault` for the facts); of very many of one call, the first
        ones."""
        if len(self.faults) >= MOST_FAULTS:
            return
        self.faults.append(Fault(kind, operand, axis, expected, actual, shapes, detail, advice))

    def axis(self, axis: Value, x: TensorType, operand: str = "dim", extra: int = 0) -> int | None:
        """``axis`` as a non-negative number for ``x`` (``extra`` more axes for unsqueeze and stack), or ``None`` if it
        or the rank is unknown. An axis outside the rank is recorded as an ``axis-range`` fault and gives ``None``."""
        if not isinstance(axis, int) or isinstance(x.shape, Unknown):
            return None
        rank, room = len(x.shape), len(x.shape) + extra
        found = normalize_axis(int(axis), room) if room or self.framework != "tensorflow" else None
        if found is None:
            detail = f"a new axis can stand at {-room} to {room - 1}" if extra else ""
            self.fault("axis-range", operand=operand, actual=axis, expected=rank, shapes=(x.shape,), detail=detail)
        return found

    def rank(self, x: TensorType, *allowed: int, operand: str = "x") -> bool:
        """Whether ``x`` has one of the allowed ranks; a known other rank is recorded as a ``rank`` fault."""
        if isinstance(x.shape, Unknown):
            return False
        if len(x.shape) in allowed:
            return True
        self.fault("rank", operand=operand, expected=allowed, actual=len(x.shape), shapes=(x.shape,))
        return False


@dataclass(frozen=True, slots=True)
class OpSpec:
    """A canonical operation. ``weights`` gives a layer's parameters from its configuration, by attribute name."""

    name: str
    family: str
    transfer: Transfer
    parameters: Mapping[str, inspect.Parameter]
    #: Default values by parameter; ``Parameter.empty`` where there is none.
    defaults: Mapping[str, object]
    tensors: frozenset[str]
    flags: frozenset[str]
    partial: bool
    #: Whether the result may be anything but one tensor: several, or a number.
    various: bool
    #: What is true of it (:mod:`dllint.ops.traits`), with what that implies.
    traits: Trait
    doc: str


OPS: Final[Declared[OpSpec]] = Declared({name: family for name, (family, _) in OPERATIONS.items()})
WEIGHTS: Final[Declared[Callable[..., Mapping[str, TensorType]]]] = Declared(WEIGHTS_IN)


def op(name: str, *, traits: Trait = NONE, partial: bool = False, various: bool = False) -> Callable[[M], M]:
    """Declare the operation ``name`` and what is true of it; see the module's docstring."""

    def declare(transfer: M) -> M:
        parameters = dict(list(inspect.signature(transfer).parameters.items())[1:])
        tensors = frozenset(
            n for n, p in parameters.items() if "TensorType" in str(p.annotation) and "tuple" not in str(p.annotation)
        )
        flags = frozenset(n for n, p in parameters.items() if p.annotation == "Flag")
        defaults = {n: p.default for n, p in parameters.items() if p.kind is not inspect.Parameter.VAR_KEYWORD}
        family = transfer.__module__.rpartition(".")[2]
        doc = transfer.__doc__ or ""
        OPS.declare(
            name, OpSpec(name, family, transfer, parameters, defaults, tensors, flags, partial, various, closed(traits), doc)
        )
        return transfer

    return declare


def weights(name: str) -> Callable[[Callable[..., Mapping[str, TensorType]]], Callable[..., Mapping[str, TensorType]]]:
    """Declare the parameters of layers whose operation is ``name``: ``f(**config) -> {attribute: type}``."""

    def declare(function: Callable[..., Mapping[str, TensorType]]) -> Callable[..., Mapping[str, TensorType]]:
        WEIGHTS.declare(name, function)
        return function

    return declare


def weight_types(name: str, config: Mapping[str, Value], framework: Framework) -> Mapping[str, TensorType | Unknown] | None:
    """The parameters of a layer with this operation and these arguments, by attribute: Unknown where it is not known whether
    there is one. ``None`` if the parameters of such layers are not described."""
    maker = WEIGHTS.get(name)
    if maker is None:
        return None
    flags = [parameter for parameter, default in _defaults(maker).items() if isinstance(default, bool)]
    given = {name: operand(value) for name, value in config.items() if value is not None or name not in flags}
    given |= {flag: bool(given[flag]) for flag in flags if isinstance(given.get(flag), int)} | {"framework": framework}
    open_flags = [flag for flag in flags if flag in given and not isinstance(given[flag], int)]
    if not open_flags:
        return maker(**given)
    with_all, with_none = (maker(**{**given, **dict.fromkeys(open_flags, flag)}) for flag in (True, False))
    return {
        attribute: type_ if attribute in with_none else Unknown("no-flag", attribute) for attribute, type_ in with_all.items()
    }


@cache
def _defaults(maker: Callable[..., Value]) -> Mapping[str, Value]:
    return {name: parameter.default for name, parameter in inspect.signature(maker).parameters.items()}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result type(s) of an application and its faults."""

    result: Result
    faults: tuple[Fault, ...]


def apply(name: str, framework: Framework, args: Mapping[str, Value]) -> Outcome:
    """Apply the operation ``name`` to canonical arguments, see :func:`_applied`. Of tensors of unknown rank whose last size is
    known, what holds for every rank is known."""
    outcome = _applied(name, framework, args)
    if outcome.faults:
        return outcome

    def at_rank(given: Mapping[str, Value]) -> Value:
        found = _applied(name, framework, given)
        return None if found.faults else found.result

    return Outcome(in_every_rank(outcome.result, args, at_rank), ())


def _applied(name: str, framework: Framework, args: Mapping[str, Value]) -> Outcome:
    """Apply the operation ``name`` to canonical arguments (tensors as types). Unknown names and missing required
    arguments give Unknown with a reason; a meaning that raises is a bug of ours and gives Unknown, too, so that one
    odd argument cannot take a whole file down (``dllint dev coverage`` counts these as ``op-failed``)."""
    spec = OPS.get(name)
    if spec is None:
        return Outcome(Unknown("unmodelled-op", name), ())
    given = {parameter: operand(value) for parameter, value in args.items() if parameter in spec.parameters}
    for parameter, default in spec.defaults.items():
        if parameter not in given and default is inspect.Parameter.empty:
            return Outcome(Unknown("missing-argument", f"{name}.{parameter}"), ())
    for parameter in spec.tensors:
        value = _tensor(given.get(parameter), framework, f"{name}.{parameter}")
        if isinstance(value, Unknown) and not spec.partial:
            return Outcome(value, ())
        given[parameter] = value
    for parameter in spec.flags & given.keys():
        given[parameter] = _flag(given[parameter], spec.defaults[parameter], f"{name}.{parameter}")
    call = Call(name, framework)
    try:
        result = spec.transfer(call, **given)
    except (TypeError, ValueError, AttributeError, IndexError, KeyError, ZeroDivisionError, OverflowError) as error:
        return Outcome(Unknown("op-failed", f"{name}: {type(error).__name__}: {error}"), ())
    result = _plain(_without_borrowed_size(spec, given, result))
    settle = {"torch": settled, "numpy": settled_array}.get(framework)
    return Outcome(result if settle is None else settle(name, spec.traits, args, result), tuple(call.faults))


def _plain(result: Result) -> Result:
    """A result that nothing is known about says nothing, whatever the operand is that it is handed on from (a float, or a
    shape with a known last size)."""
    if isinstance(result, (UnknownFloat, OpenShape)):
        return Unknown(result.reason, result.detail)
    return result


#: The kinds of values that operations know; sequences and slices are made of these.
_KINDS: Final = (
    TensorType, int, float, str, NoneType, Unknown, DimExpr, DType, complex, bytes, EllipsisType, LibSymbol,
)  # fmt: skip


def operand(value: Value) -> Value:
    """An argument as operations take it. What is of no kind they know (an object, a function, one of several values) is
    Unknown to them."""
    if isinstance(value, _KINDS):
        return value
    if isinstance(value, tuple):
        return tuple(map(operand, value))
    if isinstance(value, dict):
        return {key: operand(part) for key, part in value.items()}
    if isinstance(value, (SliceVal, slice)):
        return SliceVal(operand(value.start), operand(value.stop), operand(value.step))
    return Unknown("foreign-operand", type(value).__name__)


def _tensor(value: Value, framework: Framework, place: str) -> TensorType | Unknown:
    """An argument in the place of a tensor. torch takes nothing else there; the others take what spells an array, too."""
    if isinstance(value, TensorType):
        return value
    if framework != "torch" and is_literal(value):
        return literal_type(framework, value)
    return value if isinstance(value, Unknown) else Unknown("no-tensor", f"{place} is {type(value).__name__}")


def _flag(value: Value, default: object, place: str) -> Value:
    """An argument that is true or false; ``None`` means that it is left out."""
    if value is None:
        return default if isinstance(default, (bool, Unknown)) else None
    if isinstance(value, int):
        return bool(value)
    return value if isinstance(value, Unknown) else Unknown("no-flag", f"{place} is {type(value).__name__}")


def _without_borrowed_size(spec: OpSpec, args: Mapping[str, Value], result: Result) -> Result:
    """An operation that hands its operand's unknown shape on need not keep its last size: forget it, unless it does."""
    if isinstance(result, TensorType) and not isinstance(result.shape, OpenShape):
        return result
    if Trait.KEEPS_SHAPE in spec.traits:
        return result
    if isinstance(result, tuple):
        return each(result, partial(_without_borrowed_size, spec, args))
    if not isinstance(result, TensorType) or not isinstance(result.shape, OpenShape):
        return result
    if any(given is result.shape for given in _open_shapes(tuple(args.values()))):
        return TensorType(Unknown(result.shape.reason, result.shape.detail), result.dtype, result.strides)
    return result


def _open_shapes(value: Value) -> list[OpenShape]:
    """The shapes of unknown rank among arguments, sequences flattened."""
    if isinstance(value, tuple):
        return [shape for part in value for shape in _open_shapes(part)]
    return [value.shape] if isinstance(value, TensorType) and isinstance(value.shape, OpenShape) else []


def known_shapes(*types: TensorType) -> tuple[Shape, ...]:
    """The shapes of those whose rank is known."""
    return tuple(type_.shape for type_ in types if not isinstance(type_.shape, Unknown))


def known_shape(x: Value) -> Shape | None:
    """The shape of a tensor type whose rank is known, else ``None``."""
    return x.shape if isinstance(x, TensorType) and not isinstance(x.shape, Unknown) else None
