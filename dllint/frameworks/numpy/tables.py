"""The tables of numpy as the registry loads them; importing this module registers the handlers."""

from __future__ import annotations

from typing import Final

from dllint.frameworks import number_limits as _number_limits  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.numpy import arrays, random, spectral
from dllint.frameworks.numpy import buffers as _buffers  # noqa: F401  (importing it registers the handlers)
from dllint.frameworks.numpy import files as _files  # noqa: F401
from dllint.frameworks.numpy import grids as _grids  # noqa: F401
from dllint.frameworks.numpy import handlers as _handlers  # noqa: F401
from dllint.frameworks.numpy import joining as _joining  # noqa: F401
from dllint.frameworks.numpy import samples as _samples  # noqa: F401
from dllint.frameworks.numpy import selecting as _selecting  # noqa: F401
from dllint.frameworks.rows import FunctionRow

__all__ = ["FUNCTIONS", "RENAMES"]

FUNCTIONS: Final[dict[str, FunctionRow]] = {row.name: row for table in (arrays, random, spectral) for row in table.ROWS}
RENAMES: Final = {"a": "x", "b": "y", "arr": "x", "x1": "x", "x2": "y", "axis": "dim", "keepdims": "keepdim"}
