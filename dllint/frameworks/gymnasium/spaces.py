"""Spaces of observations and actions: their shapes, how many actions there are, and samples of them."""

from __future__ import annotations

from typing import Final, TypeGuard

from dllint.domains.dim import DimExpr, drawn
from dllint.domains.dtype import FLOAT32, INT8, INT64, DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.given import given
from dllint.frameworks.gymnasium.known import SpaceRow
from dllint.frameworks.machine import Getter, Handler, Machine, handler, prop
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value
from dllint.ops.operand import read_dtype

#: Where spaces are, in Gym by the same names (``tables.canonical``).
SPACES: Final = "gymnasium.spaces"
_SHAPE: Final = "shape"
_DTYPE: Final = "dtype"
_COUNT: Final = "count"
_UNKNOWN: Final = "space"


def space_of(machine: Machine, row: SpaceRow) -> Value:
    """The space of an environment of the library's, as an object."""
    if row.kind == "Discrete":
        return _space(machine, row.kind, {_COUNT: row.count, _SHAPE: (), _DTYPE: INT64})
    if row.kind not in ("Box", "MultiDiscrete", "MultiBinary"):
        return Unknown(_UNKNOWN, row.kind)
    return _space(machine, row.kind, {_SHAPE: row.shape, _DTYPE: dtype_named(row.dtype) or Unknown(_UNKNOWN, row.dtype)})


def sample(machine: Machine, space: Value, name: str, typed: bool = True) -> Value:
    """An element of a space: a number of a ``Discrete``, else an array, which is of the space's type if ``typed``."""
    if not isinstance(space, InstanceVal):
        return Unknown(_UNKNOWN, name)
    if _COUNT in space.state:
        count = space.state[_COUNT]
        return drawn(0, count - 1 if isinstance(count, int) else None)
    shape, dtype = space.state.get(_SHAPE), space.state.get(_DTYPE)
    if not _is_shape(shape):
        return Unknown(_UNKNOWN, name)
    known = dtype if typed and isinstance(dtype, DType) else Unknown("dtype", name)
    return machine.tensor(TensorType(shape, known), framework="numpy", name=name)


def _is_shape(value: Value) -> TypeGuard[Shape]:
    return isinstance(value, tuple) and all(isinstance(size, (int, DimExpr)) for size in value)


def _space(machine: Machine, kind: str, state: dict[str, Value]) -> InstanceVal:
    name = f"{SPACES}.{kind}"
    return InstanceVal(LibSymbol(name), site=machine.site, open=Unknown(_UNKNOWN, kind), state=state)


def _box(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Box(low, high, shape=None, dtype=float32)``: without a shape, that of the limits."""
    options = given("low, high, shape=None, dtype=None, seed=None", arguments)
    shape = options.get("shape")
    if shape is None:
        shape = _shape_of_limit(options.get("low"), options.get("high"))
    dtype = FLOAT32 if options.get("dtype") is None else _dtype(options["dtype"])
    return _space(machine, "Box", {_SHAPE: shape if _is_shape(shape) else Unknown(_UNKNOWN, "shape"), _DTYPE: dtype})


def _dtype(value: Value) -> DType | Unknown:
    found = read_dtype(value)
    return Unknown(_UNKNOWN, "dtype") if found is None else found


def _shape_of_limit(*limits: Value) -> Shape | Unknown:
    arrays = [limit.shape for limit in limits if isinstance(limit, TensorVal)]
    if arrays:
        return arrays[0]
    return () if all(isinstance(limit, (int, float)) for limit in limits) else Unknown(_UNKNOWN, "limits")


def _discrete(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Discrete(n, seed=None, start=0)``."""
    count = given("n, seed=None, start=0", arguments).get("n")
    return _space(machine, "Discrete", {_COUNT: count, _SHAPE: (), _DTYPE: INT64})


def _several(machine: Machine, kind: str, count: Value, dtype: DType) -> Value:
    return _space(machine, kind, {_SHAPE: (count,) if isinstance(count, int) else Unknown(_UNKNOWN, kind), _DTYPE: dtype})


def _multi_discrete(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``MultiDiscrete(nvec)``: so many numbers as the vector is long."""
    counts = machine.iterate(given("nvec, *rest, **more", arguments).get("nvec"))
    return _several(machine, "MultiDiscrete", None if isinstance(counts, Unknown) else len(counts), INT64)


def _multi_binary(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``MultiBinary(n)``."""
    return _several(machine, "MultiBinary", given("n, seed=None", arguments).get("n"), INT8)


_CONSTRUCTORS: Final[dict[str, Handler]] = {
    "Box": _box,
    "Discrete": _discrete,
    "MultiDiscrete": _multi_discrete,
    "MultiBinary": _multi_binary,
}
for _kind, _construct in _CONSTRUCTORS.items():
    handler(f"{SPACES}.{_kind}")(_construct)


def _sampled(kind: str) -> Handler:
    def draw(machine: Machine, space: Value, _arguments: Arguments) -> Value:
        return sample(machine, space, f"{kind}.sample")

    return draw


def _kept(name: str) -> Getter:
    def read(_machine: Machine, space: Value) -> Value:
        return space.kept(name) if isinstance(space, InstanceVal) else Unknown(_UNKNOWN, name)

    return read


def _limit(name: str) -> Getter:
    """``Box.low`` and ``Box.high`` are arrays of the space's shape and type."""

    def read(machine: Machine, space: Value) -> Value:
        return sample(machine, space, name)

    return read


for _kind in _CONSTRUCTORS:
    handler(f"{SPACES}.{_kind}.sample")(_sampled(_kind))
    prop(f"{SPACES}.{_kind}.shape")(_kept(_SHAPE))
    prop(f"{SPACES}.{_kind}.dtype")(_kept(_DTYPE))
prop(f"{SPACES}.Discrete.n")(_kept(_COUNT))
for _name in ("low", "high"):
    prop(f"{SPACES}.Box.{_name}")(_limit(_name))
