"""A graph as its file has it, the same for all formats: named values, nodes that take and give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dllint.domains.shape import TensorType
from dllint.ir.program import Condition, Framework


@dataclass(frozen=True, slots=True)
class Frame:
    """A place in source code that a graph names: where a node was traced. ``text`` is the line, as far as it is quoted."""

    path: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """An operation. ``operator`` is its type as the format spells it, ``inputs`` and ``outputs`` are names of values (an empty
    name: left out), ``attributes`` plain Python data, ``line`` the 1-based line of a text format, ``trace`` the call stack
    that it was traced from, innermost last, ``domain`` the operator set where there are several, ``path`` the conditions
    under which it is performed."""

    name: str
    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0
    trace: tuple[Frame, ...] = ()
    domain: str = ""
    path: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Weight:
    """A tensor that the graph holds: its type, the least and greatest of its elements (``None`` if not known, or if some are
    not finite) and its elements as nested tuples if they are few."""

    type: TensorType
    low: float | None = None
    high: float | None = None
    data: Any = None


@dataclass(slots=True)
class Graph:
    """What a file holds. ``declared`` has the types that the file states of values between nodes; ``text`` is the file's own
    text if the format is one; ``notes`` are sentences about what could not be read."""

    name: str
    framework: Framework
    nodes: list[Node]
    inputs: dict[str, TensorType]
    weights: dict[str, Weight] = field(default_factory=dict)
    outputs: list[str] = field(default_factory=list)
    declared: dict[str, TensorType] = field(default_factory=dict)
    text: str | None = None
    notes: list[str] = field(default_factory=list)
