"""Running a symbolic graph of operations again on other tensors.

A Keras model built from ``Input`` objects is a graph of recorded operations. Calling it on data performs the
operations that lie between its inputs and outputs again, each at its own place in the source, called from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr
from dllint.domains.lattice import Unknown
from dllint.domains.substitution import substitute
from dllint.frameworks.machine import Machine
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value


def between(inputs: Iterable[TensorVal], outputs: Iterable[TensorVal]) -> list[Op]:
    """The operations on paths from ``inputs`` to ``outputs``, in an order in which each follows its operands."""
    start = {t.id for t in inputs}
    depends: dict[int, bool] = dict.fromkeys(start, True)
    order: list[Op] = []
    stack: list[tuple[TensorVal, bool]] = [(t, False) for t in outputs]
    while stack:
        value, entered = stack.pop()
        if value.id in depends:
            continue
        if value.producer is None:
            depends[value.id] = False
        elif not entered:
            stack.append((value, True))
            stack.extend((t, False) for t in value.producer.inputs)
        else:
            reaches = any(depends.get(t.id, False) for t in value.producer.inputs)
            for sibling in value.producer.outputs:
                depends[sibling.id] = reaches
            if reaches:
                order.append(value.producer)
    return order


def bindings(declared: Iterable[TensorVal], given: Iterable[TensorVal]) -> dict[Symbol, Dim]:
    """The values of the declared inputs' symbols (batch, free axes) for the tensors given."""
    out: dict[Symbol, Dim] = {}
    for wanted, actual in zip(declared, given, strict=False):
        if isinstance(wanted.shape, Unknown) or isinstance(actual.shape, Unknown):
            continue
        for size, value in zip(wanted.shape, actual.shape, strict=False):
            if isinstance(size, DimExpr) and size.symbol is not None:
                out.setdefault(size.symbol, value)
    return out


def replay(machine: Machine, inputs: Mapping[int, TensorVal], outputs: Value, values: Mapping[Symbol, Dim],
           operations: Iterable[Op]) -> Value:  # fmt: skip
    """``outputs`` computed again with the tensors ``inputs`` (by id of the tensor they stand for) and sizes ``values``."""
    known: dict[int, Value] = dict(inputs)
    for operation in operations:
        args = {name: _again(value, known, values) for name, value in operation.args.items()}
        with machine.at(operation.site):
            result = machine.emit(operation.kind, args, framework=operation.framework, spelled=operation.spelled,
                                  layer=operation.layer, defaulted=operation.defaulted)  # fmt: skip
        results = result if isinstance(result, tuple) else (result,)
        known.update(zip((t.id for t in operation.outputs), results, strict=False))
    return _again(outputs, known, values)


def _again(value: Value, known: Mapping[int, Value], values: Mapping[Symbol, Dim]) -> Value:
    if isinstance(value, TensorVal):
        return known.get(value.id, value)
    if isinstance(value, DimExpr):
        return substitute(value, values)
    if isinstance(value, tuple):
        return tuple(_again(v, known, values) for v in value)
    return value
