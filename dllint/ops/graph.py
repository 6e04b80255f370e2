"""Operations at the borders of a TensorFlow graph: variables, values fed to placeholders, values fetched from a run."""

from __future__ import annotations

from collections.abc import Iterable

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr, differs, same, show
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.domains.substitution import substitute
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, dims_or_unknown, read_dtype
from dllint.ops.reduction import different
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


@op("variable", traits=Trait.VARIABLE)
def variable(call: Call, data: Value, dtype: Value = None) -> Result:
    """A variable with the shape of its initial value, and the value's type unless one is given."""
    initial, declared = as_tensor(call, data), read_dtype(dtype)
    return TensorType(initial.shape, initial.dtype if declared is None else declared)


@op("placeholder", traits=Trait.PLACEHOLDER)
def placeholder(call: Call, shape: Value = None, dtype: Value = None) -> Result:
    """A place in a graph that gets its value when the graph is run."""
    return TensorType(dims_or_unknown(shape), read_dtype(dtype) or FLOAT32)


@op("gradient", traits=Trait.GRADIENT)
def gradient(call: Call, x: TensorType, y: Value = None) -> Result:
    """The gradient of ``y`` with respect to ``x``, of the type of ``x``."""
    return TensorType(x.shape, x.dtype)


@op("assign")
def assign(call: Call, x: Value, variable: TensorType, validate_shape: Value = True) -> Result:
    """A new value for a variable, whose shape it must have."""
    value = as_tensor(call, x)
    given, declared = known_shape(value), known_shape(variable)
    fits = given is None or declared is None or not different(given, declared)
    if not fits and given is not None and declared is not None and validate_shape is True:
        detail = f"a value of shape {show_shape(given)} is assigned to a variable of shape {show_shape(declared)}"
        call.fault(faults.OPERATOR_SHAPE, operand="x", expected=declared, actual=given, shapes=(given, declared), detail=detail)
    return TensorType(variable.shape if validate_shape is True else value.shape, variable.dtype)


@op("feed", traits=Trait.CROSSES_GRAPH, partial=True)
def feed(call: Call, x: Value, placeholder: Value) -> Result:
    """A value for a placeholder: its rank and every size that the placeholder fixes must be the value's.

    The value is converted to the placeholder's element type; text does not become numbers.
    """
    value, place = as_tensor(call, x), as_tensor(call, placeholder)
    given, declared = known_shape(value), known_shape(place)
    if declared is not None and given is not None:
        _check_fed(call, given, declared)
    _check_type(call, value, place)
    return TensorType(value.shape if given is not None else place.shape, place.dtype)


def _check_fed(call: Call, given: Shape, declared: Shape) -> None:
    def refuse(axis: int | None, detail: str) -> None:
        shapes = (given, declared)
        call.fault(faults.OPERATOR_SHAPE, operand="x", axis=axis, expected=declared, actual=given, shapes=shapes, detail=detail)

    if len(given) != len(declared):
        refuse(None, f"a value of shape {show_shape(given)} cannot be fed to a placeholder of shape {show_shape(declared)}")
        return
    for axis, (g, d) in enumerate(zip(given, declared, strict=True)):
        if isinstance(d, int) and differs(g, d):
            detail = f"size {show(g)} is fed where the placeholder of shape {show_shape(declared)} has {d} on axis {axis}"
            refuse(axis, detail)


def _check_type(call: Call, value: TensorType, placeholder: TensorType) -> None:
    given, declared = value.dtype, placeholder.dtype
    if not isinstance(given, DType) or not isinstance(declared, DType):
        return
    if given.kind == "string" and declared.kind != "string":
        call.fault(faults.DTYPE, operand="x", expected=declared, actual=given)


@op("fetch", traits=Trait.KEEPS_VALUES | Trait.CROSSES_GRAPH)
def fetch(call: Call, x: TensorType, placeholders: Value = (), values: Value = ()) -> Result:
    """The array that running the graph gives for ``x``: sizes that placeholders leave open are those of the fed values."""
    shape = known_shape(x)
    if shape is None:
        return x
    if not isinstance(placeholders, tuple) or not isinstance(values, tuple) or len(placeholders) != len(values):
        return x.with_shape(Unknown("no-argument", "what is fed"))
    known = _open_sizes(zip(placeholders, values, strict=True))
    return x.with_shape(tuple(substitute(d, known) if isinstance(d, DimExpr) else d for d in shape))


def _open_sizes(fed: Iterable[tuple[Value, Value]]) -> dict[Symbol, Dim]:
    """The symbols of placeholders' shapes with the sizes fed for them, where all that are fed agree."""
    found: dict[Symbol, Dim] = {}
    unclear: set[Symbol] = set()
    for placeholder, value in fed:
        declared, given = known_shape(placeholder), known_shape(value)
        if declared is None or given is None or len(declared) != len(given):
            continue
        for d, g in zip(declared, given, strict=True):
            symbol = d.symbol if isinstance(d, DimExpr) else None
            if symbol is None:
                continue
            if not same(found.setdefault(symbol, g), g):
                unclear.add(symbol)
    return {symbol: size for symbol, size in found.items() if symbol not in unclear}
