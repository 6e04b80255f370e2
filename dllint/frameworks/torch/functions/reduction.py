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
    "topk": "topk", "count_nonzero": "count_nonzero",
    "bincount": "bincount", "std": "std", "var": "var", "norm": "norm", "softmax": "softmax", "log_softmax": "log_softmax",
    "kthvalue": "kthvalue", "logcumsumexp": "logcumsumexp", "aminmax": "aminmax", "cummax": "cummax",
    "cummin": "cummin", "mode": "mode", "histc": "histc", "quantile": "quantile nanquantile",
}  # fmt: skip
CONSECUTIVE: Final = "return_inverse=False, return_counts=False, dim=None"
UNIQUE: Final = "sorted=True, return_inverse=False, return_counts=False, dim=None"
SORT: Final = "dim=-1, descending=False, stable=False, *, out=None"

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", NAMES),
    FunctionRow("torch.linalg.norm", "norm", "torch", {"ord": "p"}),
    FunctionRow("torch.linalg.vector_norm", "norm", "torch", {"ord": "p"}),
    *(FunctionRow(f"torch.{name}", name, "torch", params=f"input, {SORT}") for name in ("sort", "argsort")),
    FunctionRow("torch.unique_consecutive", "unique", "torch", params=f"input, {CONSECUTIVE}"),
    FunctionRow("torch.unique", "unique", "torch", params=f"input, {UNIQUE}"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", NAMES),
    *(FunctionRow(f"torch.Tensor.{name}", name, "torch", params=f"self, {SORT}") for name in ("sort", "argsort")),
    FunctionRow("torch.Tensor.unique_consecutive", "unique", "torch", params=f"self, {CONSECUTIVE}"),
    FunctionRow("torch.Tensor.unique", "unique", "torch", params=f"self, {UNIQUE}"),
)
