"""The tables of torch as the registry loads them; importing this module registers the protocol handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks import number_limits as _number_limits  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.rows import FunctionRow, LayerRow
from dllint.frameworks.torch import methods
from dllint.frameworks.torch.functions import (
    creation,
    elementwise,
    indexing,
    linear_algebra,
    masked,
    nn_functional,
    reduction,
    shaping,
    spectral,
)
from dllint.frameworks.torch.layers import activation, convolution, loss, normalization, pooling, recurrent
from dllint.frameworks.torch.names import canonical
from dllint.frameworks.torch.protocols import all as _protocols  # noqa: F401  (importing it registers the handlers)

__all__ = ["FUNCTIONS", "LAYERS", "RENAMES", "canonical"]

_FUNCTION_TABLES: Final = (
    elementwise, reduction, shaping, indexing, linear_algebra, masked, creation, spectral, nn_functional, methods,
)  # fmt: skip
_LAYER_TABLES: Final = (convolution, pooling, normalization, activation, recurrent, loss)

FUNCTIONS: Final[dict[str, FunctionRow]] = {row.name: row for table in _FUNCTION_TABLES for row in table.ROWS}
LAYERS: Final[dict[str, LayerRow]] = {row.name: row for table in _LAYER_TABLES for row in table.ROWS}
RENAMES: Final = {"input": "x", "self": "x", "other": "y", "size": "shape", "tensor": "x"}
