"""The tables of TensorFlow as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow
from dllint.frameworks.tensorflow import datasets as _datasets  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.tensorflow import functions, graph, neural, windows
from dllint.frameworks.tensorflow import handlers as _handlers  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.tensorflow.names import canonical

__all__ = ["FUNCTIONS", "RENAMES", "canonical"]

FUNCTIONS: Final[dict[str, FunctionRow]] = {
    row.name: row for table in (functions, neural, windows, graph) for row in table.ROWS
}
RENAMES: Final = {"axis": "dim", "keepdims": "keepdim", "keep_dims": "keepdim"}
