"""Operators on tables and columns: those of their arrays."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import BOOL, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import TensorType
from dllint.frameworks.array_like import as_array
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.pandas.columns import BOTH
from dllint.frameworks.pandas.frame import array_of, names_of, shape_of, wrapped
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, InstanceVal, Value

#: Special method → operation.
OPERATORS: Final = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_divide", "mod": "mod", "pow": "pow",
    "and": "bitwise_and", "or": "bitwise_or", "eq": "eq", "ne": "ne", "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}  # fmt: skip
#: Operations whose elements are truth values.
COMPARISONS: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


def _operator(op: str, swapped: bool) -> Handler:
    def perform(machine: Machine, one: Value, arguments: Arguments) -> Value:
        other = arguments.positional(0)
        if array_of(one) is None:
            return machine.unknown("unknown-data", f"operator.{op}")
        # Between two tables, or a table and a column, pandas matches labels, not places.
        if isinstance(other, InstanceVal) and array_of(other) is None:
            return machine.unknown("unknown-data", f"operator.{op}")
        if isinstance(other, InstanceVal) and shape_of(one) != shape_of(other):
            return _elementwise_unknown(machine, one, Unknown("unknown-data", "column"))
        if isinstance(other, str) or (isinstance(other, Unknown) and not _may_widen(one, other)):
            return _elementwise_unknown(machine, one, BOOL if op in COMPARISONS else Unknown("unknown-data", "column"))
        x, y = as_array(one), as_array(other)
        args = {"x": y, "y": x} if swapped else {"x": x, "y": y}
        return wrapped(machine, machine.emit(op, args, framework="numpy", spelled=f"operator.{op}"), names_of(one))

    return perform


def _may_widen(one: Value, other: Unknown) -> bool:
    """Whether an operand that is not known may make more of a column than a column."""
    return len(shape_of(one)) < 2 and not isinstance(other, UnknownFloat)


def _elementwise_unknown(machine: Machine, one: Value, dtype: DType | Unknown) -> Value:
    """Elements that are not followed, in the shape of the table or column."""
    return wrapped(machine, machine.tensor(TensorType(shape_of(one), dtype), framework="numpy"), names_of(one))


for _special, _op in OPERATORS.items():
    for _owner in BOTH:
        handler(f"{_owner}.__{_special}__")(_operator(_op, False))
        handler(f"{_owner}.__r{_special}__")(_operator(_op, True))


@handler(*(f"{owner}.__invert__" for owner in BOTH))
def inverted(machine: Machine, one: Value, arguments: Arguments) -> Value:
    """Truth values turned round: those of the array."""
    x = array_of(one)
    if x is None:
        return machine.unknown("unknown-data", "operator.invert")
    return wrapped(machine, machine.emit("logical_not", {"x": x}, framework="numpy", spelled="operator.invert"), names_of(one))


@handler("pandas.isna", "pandas.isnull", "pandas.notna", "pandas.notnull")
def missing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Which elements of a table, column or array are missing; whether a scalar is."""
    one = arguments.args[0] if arguments.args else arguments.kwargs.get("obj")
    if isinstance(one, TensorVal):
        return machine.emit("isnan", {"x": one}, framework="numpy", spelled="pandas.isna")
    if isinstance(one, InstanceVal) and as_array(one) is not one:
        return _elementwise_unknown(machine, one, BOOL)
    return Unknown("undecided", "isna")
