"""Reductions, scans and sorts: ``torch.*`` and the tensor methods of the same names.

``max``, ``min``, ``median``, ``std``, ``var`` with their several forms are in :mod:`protocols.overloads`.
"""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

NAMES: Final = {
    "sum": "sum", "nansum": "nansum", "mean": "mean", "nanmean": "nanmean", "prod": "prod", "amax": "amax", "amin": "amin",
    "argmax": "argmax",
    "argmin": "argmin", "all": "all", "any": "any", "logsumexp": "logsumexp", "cumsum": "cumsum", "cumprod": "cumprod",
    "topk": "topk", "sort": "sort", "argsort": "argsort", "count_nonzero": "count_nonzero", "unique": "unique",
    "bincount": "bincount", "std": "std", "var": "var", "norm": "norm", "softmax": "softmax", "log_softmax": "log_softmax",
    "kthvalue": "kthvalue", "diff": "diff", "logcumsumexp": "logcumsumexp", "aminmax": "aminmax", "cummax": "cummax",
    "cummin": "cummin", "mode": "mode", "histc": "histc",
}  # fmt: skip
ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", NAMES),
    FunctionRow("torch.linalg.norm", "norm", "torch", {"ord": "p"}),
    FunctionRow("torch.linalg.vector_norm", "norm", "torch", {"ord": "p"}),
    FunctionRow("torch.linalg.matrix_norm", "matrix_norm", "torch", {"A": "x"}),
)
METHODS: Final[tuple[FunctionRow, ...]] = tuple(rows("torch.Tensor", "torch", NAMES))
