"""From ONNX operators to canonical operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dllint.domains.lattice import Unknown
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.operators import all as _families  # noqa: F401  (importing it declares the operators)
from dllint.lower.graphs.onnx.registry import OPERATORS
from dllint.lower.graphs.onnx.tables import ROWS
from dllint.lower.graphs.rows import by_row


class Translator:
    """Translates the nodes of one model; ``opsets`` has the version of each operator set."""

    def __init__(self, opsets: Mapping[str, int]) -> None:
        self._opsets = opsets

    def __call__(self, call: Call) -> Any:
        """The results of a node."""
        node = call.node
        row = ROWS.get(node.operator) if node.domain == "" else None
        if row is not None:
            return by_row(call, row)
        translation = OPERATORS.get((node.domain, node.operator))
        if translation is None:
            return Unknown("unmodelled-call", f"{node.domain}.{node.operator}".lstrip("."))
        return translation(call, self._opsets.get(node.domain, 1))
