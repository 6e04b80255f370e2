"""The tables of Keras as the registry loads them; importing this module registers the protocol handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.keras.functions import activations, backend, image, neural, ops
from dllint.frameworks.keras.layers.rows import LAYERS
from dllint.frameworks.keras.names import canonical
from dllint.frameworks.keras.protocols import all as _protocols  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.rows import FunctionRow

__all__ = ["FUNCTIONS", "LAYERS", "RENAMES", "canonical"]

FUNCTIONS: Final[dict[str, FunctionRow]] = {
    row.name: row for table in (ops, backend, activations, image, neural) for row in table.ROWS
}
RENAMES: Final = {"x1": "x", "x2": "y", "axis": "dim", "keepdims": "keepdim", "inputs": "x", "data": "x"}
