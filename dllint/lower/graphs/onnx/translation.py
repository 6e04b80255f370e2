"""From ONNX operators to canonical operations."""

from __future__ import annotations

from typing import Any

from dllint.domains.lattice import Unknown
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.onnx.reading import Reader
from dllint.lower.graphs.onnx.tables import ROWS
from dllint.lower.graphs.rows import by_row


class Translator:
    """Translates the nodes of one model."""

    def __init__(self, reader: Reader) -> None:
        self._opset = reader.opsets.get("", 1)

    def __call__(self, call: Call) -> Any:
        """The results of a node."""
        row = ROWS.get(call.node.operator) if call.node.domain == "" else None
        if row is not None:
            return by_row(call, row)
        return Unknown("unmodelled-call", call.node.operator)
