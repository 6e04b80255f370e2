"""Rows: what the operator types of a graph format mean. Data only, as in :mod:`dllint.frameworks.rows`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call

EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class OperatorRow:
    """An operator. ``inputs`` names the canonical parameter of each operand (``*tensors`` takes all that are left as a
    sequence, an empty name is not taken), ``attributes`` those of the attributes, ``const`` fixes parameters."""

    op: str
    inputs: tuple[str, ...] = ("x",)
    attributes: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    const: Mapping[str, Any] = field(default_factory=lambda: EMPTY)


def row(op: str, inputs: str = "x", attributes: Mapping[str, str] = EMPTY, **const: Value) -> OperatorRow:
    """A row, its inputs in one string: ``row("where", "condition x y")``."""
    return OperatorRow(op, tuple(inputs.split()), attributes, const)


def by_row(call: Call, found: OperatorRow) -> Any:
    """Perform what a row says for a node."""
    arguments = dict(found.const)
    for number, name in enumerate(found.inputs):
        if name.startswith("*"):
            arguments[name[1:]] = call.tensors()[number:]
        elif name != "-" and (value := call.operand(number)) is not None:
            arguments[name] = value
    for attribute, parameter in found.attributes.items():
        value = call.attribute(attribute)
        if value is not None:
            arguments[parameter] = value
    return call.emit(found.op, **arguments)
