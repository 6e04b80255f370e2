"""Declaration of constant folding: the elements of an operation's results for operands whose elements are known.

    @values_of("softplus")
    def softplus(call: ValueCall, x: Enclosure, beta: float = 1, threshold: float = 20) -> Enclosure: ...

The signature is the list of arguments that the declaration understands, and its annotations say what they have to be
(:data:`KINDS`): an operation that was given anything else is not computed. Arguments that are None are as if left out. A
declaration raises :class:`UndeterminedError` for what it cannot tell; so does an operation without one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.enclosure import Enclosure, Format, UndeterminedError, exactly, rounded
from dllint.domains.floating import BINARY32, BINARY64, FORMATS, FloatFormat
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import SliceVal, Value

#: One result, or those of an operation that has several.
Computed = Enclosure | tuple[Enclosure, ...]
Computation = Callable[..., Computed]
#: One axis, several, or all of them.
Axes = int | tuple[int, ...] | None
_OPERATORS: Final = "operator."
_TENSOR, _TENSORS = "Enclosure", "tuple[Enclosure, ...]"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_axes(value: object) -> bool:
    return type(value) is int or (isinstance(value, tuple) and all(type(axis) is int for axis in value))


#: What an argument is to be, by its annotation; tensors arrive as their elements.
KINDS: Final[dict[str, Callable[[object], bool]]] = {
    "int": lambda value: type(value) is int,
    "float": _is_number,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "Axes": _is_axes,
    "Value": lambda value: True,
    _TENSOR: lambda value: isinstance(value, (TensorVal, bool, int, float)),
    _TENSORS: lambda value: isinstance(value, tuple),
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """What computes an operation, and the kinds of its parameters. ``open``: what else there may be is told by the type of the
    result. ``names``: the last parts of the library names for which it does."""

    compute: Computation
    kinds: dict[str, str]
    open: bool
    names: frozenset[str]

    def is_meant(self, spelled: str) -> bool:
        """Whether a library name stands for what is computed; of operators in place (``operator.iadd``) the others' names."""
        name = spelled.rpartition(".")[2].rstrip("_")
        return name in self.names or (spelled.startswith(_OPERATORS) and name.startswith("i") and name[1:] in self.names)


VALUES: dict[str, Declaration] = {}


def values_of(*names: str) -> Callable[[Computation], Computation]:
    """Declare what operations compute; see the module's docstring. Each text is an operation, and after it further names, the
    last parts of them, under which libraries compute the same: ``"sum reduce_sum"``."""

    def declare(compute: Computation) -> Computation:
        given = list(inspect.signature(compute).parameters.values())[1:]
        named = [p for p in given if p.kind is not inspect.Parameter.VAR_KEYWORD]
        kinds = {p.name: str(p.annotation).removesuffix(" | None") for p in named}
        assert set(kinds.values()) <= set(KINDS), kinds
        for text in names:
            kind, *aliases = text.split()
            assert kind not in VALUES, f"the values of {kind} are declared twice"
            VALUES[kind] = Declaration(compute, kinds, len(named) < len(given), frozenset({kind, *aliases}))
        return compute

    return declare


#: Arguments that say nothing about the elements beyond the type of the result.
_ASIDE: Final = frozenset({
    "dtype", "name", "device", "layout", "requires_grad", "memory_format", "pin_memory", "generator", "inplace", "non_blocking",
    "copy", "out_type", "sorted", "order", "casting", "subok", "like",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ValueCall:
    """An operation to be computed: ``elements`` gives those of a tensor, ``size`` the number that a symbolic size is."""

    op: Op
    elements: Callable[[TensorVal], Enclosure]
    size: Callable[[DimExpr], int]

    @property
    def fmt(self) -> Format:
        """The format that it computes in: that of the result, or of the operands if the result is a truth or position."""
        own = self.op.output.dtype
        if isinstance(own, DType) and own.kind == "float":
            found: Format = format_named(own)
        else:
            types = [
                value.dtype for value in self.op.inputs if not isinstance(value.dtype, DType) or value.dtype.kind == "float"
            ]
            found = max(map(format_named, types), key=lambda fmt: fmt.precision, default=None)
        if found is BINARY64 and self.op.framework == "keras":
            raise UndeterminedError("Keras takes numbers in single precision")
        return found

    def shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape of a result."""
        shape = self.op.outputs[index].shape
        if not isinstance(shape, tuple):
            raise UndeterminedError("shape")
        found = [self.known(size) for size in shape]
        sizes = tuple(size for size in found if isinstance(size, int) and size >= 0)
        if len(sizes) < len(shape):
            raise UndeterminedError("shape")
        return sizes

    def known(self, value: Value) -> object:
        """An argument with numbers for sizes and elements for tensors."""
        if isinstance(value, DimExpr):
            return self.size(value)
        if isinstance(value, tuple):
            return tuple(map(self.known, value))
        if isinstance(value, TensorVal):
            return self.elements(value)
        if value is None or isinstance(value, (bool, int, float, str, slice)) or value is ...:
            return value
        raise UndeterminedError("argument")

    def places(self, index: Value) -> object:
        """An index as numpy takes it: truths choose, whole numbers count."""
        if isinstance(index, tuple):
            return tuple(map(self.places, index))
        if isinstance(index, SliceVal):
            return slice(*(self.known(part) for part in (index.start, index.stop, index.step)))
        if not isinstance(index, TensorVal):
            return self.known(index)
        truths = isinstance(index.dtype, DType) and index.dtype.kind == "bool"
        return self.elements(index).numbers.astype(bool if truths else np.int64)

    def number(self, value: Value) -> Enclosure:
        """A tensor or number as operand: rounded to the format that is computed in."""
        if isinstance(value, TensorVal):
            found = self.elements(value)
        else:
            given = self.known(value)
            if not isinstance(given, (bool, int, float)):
                raise UndeterminedError("operand")
            self._check_whole(given)
            found = exactly(given)
        fmt = self.fmt
        return found if fmt is None else rounded(found, fmt)

    def _check_whole(self, number: float) -> None:
        """Libraries differ in what becomes of a whole number that the type of the tensors beside it does not hold."""
        if type(number) is not int:
            return
        for value in self.op.inputs:
            dtype = value.dtype
            if isinstance(dtype, DType) and dtype.kind == "int":
                largest = 2 ** (dtype.bits - dtype.signed)
                if not -largest * dtype.signed <= number < largest:
                    raise UndeterminedError("a number that its type does not hold")


def format_named(dtype: Value) -> FloatFormat:
    """The format of a floating-point type of at least single precision. Half precision is computed in wider formats at times,
    and not followed."""
    fmt = FORMATS.get(dtype) if isinstance(dtype, DType) else None
    if fmt is None or fmt.precision < 24:
        raise UndeterminedError("element type")
    return fmt


def computed(call: ValueCall) -> tuple[Enclosure, ...]:
    """The elements of an operation's results. Raises UndeterminedError."""
    declaration = VALUES.get(call.op.kind)
    meant = declaration is not None and declaration.is_meant(call.op.spelled)
    if declaration is None or not meant or any(isinstance(out.dtype, Unknown) for out in call.op.outputs):
        raise UndeterminedError(call.op.kind)
    try:
        made = declaration.compute(call, **_arguments(declaration, call))
    except (ValueError, IndexError, TypeError, ZeroDivisionError, OverflowError) as error:
        raise UndeterminedError(str(error)) from error
    results = made if isinstance(made, tuple) else (made,)
    return tuple(_checked(value, found) for value, found in zip(call.op.outputs, results, strict=False))


def _arguments(declaration: Declaration, call: ValueCall) -> dict[str, object]:
    out: dict[str, object] = {}
    for name, value in call.op.args.items():
        kind = declaration.kinds.get(name)
        if kind is None:
            aside = declaration.open or name in _ASIDE or name in call.op.defaulted
            if not aside and not _says_nothing(value):
                raise UndeterminedError(name)
        elif value is not None:
            out[name] = _argument(call, kind, value)
    return out


def _argument(call: ValueCall, kind: str, value: Value) -> object:
    if kind == _TENSORS and isinstance(value, tuple):
        return tuple(map(call.number, value))
    given = value if kind == _TENSOR else call.known(value)
    if not KINDS[kind](given):
        raise UndeterminedError("argument")
    return call.number(value) if kind == _TENSOR else given


def _says_nothing(value: Value) -> bool:
    return value is None or value is False or value in ({}, ())


def _checked(value: TensorVal, found: Enclosure) -> Enclosure:
    """A result as its element type holds it: truth values are 0 or 1. One that does not have the shape of its type, or a number
    that its type does not hold, is not known."""
    if isinstance(value.shape, tuple) and not _fits(value.shape, found.shape):
        raise UndeterminedError("shape")
    dtype = value.dtype
    if not isinstance(dtype, DType) or dtype.kind not in ("int", "bool"):
        return rounded(found, BINARY32) if dtype == FLOAT32 else found
    if dtype.kind == "bool":
        has_zero, is_zero = (found.low <= 0) & (found.high >= 0), (found.low == 0) & (found.high == 0)
        return Enclosure(np.where(has_zero, 0.0, 1.0), np.where(is_zero, 0.0, 1.0))
    largest = 2.0 ** (dtype.bits - dtype.signed)
    if (found.low < -largest * dtype.signed).any() or (found.high >= largest).any():
        raise UndeterminedError("wraps around")
    if (found.low % 1).any() or (found.high % 1).any():
        raise UndeterminedError("cut to whole numbers")
    return found


def _fits(shape: Shape, found: tuple[int, ...]) -> bool:
    """Whether the sizes of a type that are numbers are those of a result."""
    return len(shape) == len(found) and all(
        size == made for size, made in zip(shape, found, strict=True) if isinstance(size, int)
    )
