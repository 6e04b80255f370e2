"""From a node of a TensorFlow graph to canonical operations."""

from __future__ import annotations

from typing import Any

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import computed
from dllint.lower.graphs.rows import OperatorRow
from dllint.lower.graphs.tensorflow import arrays, layers, values  # noqa: F401  (importing them declares their node types)
from dllint.lower.graphs.tensorflow.handler import HANDLERS
from dllint.lower.graphs.tensorflow.tables import ROWS, WITH_NUMBERS


def translate(call: Call) -> Any:
    """The results of a node, by its handler or its row; Unknown for a type that has neither."""
    operator = call.node.operator
    handler = HANDLERS.get(operator)
    if handler is not None:
        return handler(call)
    row = ROWS.get(operator)
    return Unknown("unmodelled-call", operator) if row is None else by_row(call, row)


def by_row(call: Call, row: OperatorRow) -> Any:
    """Perform the operation of a row."""
    args: dict[str, Any] = {**row.const, **_attributes(call, row), **_operands(call, row)}
    result = call.emit(row.op, **args)
    if isinstance(result, TensorVal):
        return call.holds(result, computed(row.op, result, {name: _known(call, value) for name, value in args.items()}))
    return result


def _attributes(call: Call, row: OperatorRow) -> dict[str, Any]:
    return {name: call.attribute(attr) for attr, name in row.attributes.items() if call.attribute(attr) is not None}


def _operands(call: Call, row: OperatorRow) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for number, name in enumerate(row.inputs):
        if name.startswith("*"):
            out[name[1:]] = tuple(value for n in range(number, len(call)) if (value := call.input(n)) is not None)
        elif name.endswith("!"):
            found = call.elements(number)
            out[name[:-1]] = Unknown("no-argument", name[:-1]) if found is None and number < len(call) else found
        elif (value := call.input(number)) is not None:
            out[name] = value
    return _with_numbers(call, out) if row.op in WITH_NUMBERS else out


def _with_numbers(call: Call, args: dict[str, Value]) -> dict[str, Any]:
    """The arguments with numbers in place of constants of rank 0, as source code has them; one tensor stays."""
    plain = {name: number for name, value in args.items() if (number := _number(call, value)) is not None}
    if len(plain) == len(args):
        plain.pop(next(iter(plain), ""), None)
    return {**args, **plain}


def _number(call: Call, value: Value) -> float | DimExpr | None:
    if not isinstance(value, TensorVal) or value.shape != ():
        return None
    found = call.builder.elements.get(value.id)
    return found if isinstance(found, (int, float, DimExpr)) else None


def _known(call: Call, value: Value) -> Any:
    """The elements of an argument, ``None`` if they are not known."""
    if isinstance(value, TensorVal):
        return call.builder.elements.get(value.id)
    if isinstance(value, tuple) and any(isinstance(item, TensorVal) for item in value):
        return tuple(_known(call, item) for item in value)
    return None if isinstance(value, Unknown) else value
