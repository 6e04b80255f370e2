"""A stored TensorFlow graph as plain data, before its functions are written out: nodes and functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dllint.lower.graphs.model import Frame


@dataclass(frozen=True, slots=True)
class FunctionName:
    """The name of a function of the graph's library, as the value of an attribute."""

    name: str


@dataclass(frozen=True, slots=True)
class StoredNode:
    """One node. ``inputs`` name results as the file does (``node``, ``node:1``, ``^node`` for mere order, inside functions
    ``node:output:0``); ``attributes`` hold text, numbers, ``DType``, shapes (``None`` for unknown sizes and ranks),
    ``Constant``, :class:`FunctionName` and tuples of these; ``trace`` and
    ``line`` are as in ``model.Node``."""

    name: str
    operator: str
    inputs: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    trace: tuple[Frame, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the library: names of its parameters, its nodes, and the results that it returns, in order."""

    name: str
    parameters: tuple[str, ...]
    nodes: tuple[StoredNode, ...]
    returns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """A graph and the functions that its nodes may call."""

    nodes: tuple[StoredNode, ...]
    functions: Mapping[str, Function] = field(default_factory=dict)
