"""``torch.masked``: functions of the elements that a mask leaves."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

_REDUCED: Final = "input, dim=None, *, keepdim=False, dtype=None, mask=None"
_SPREAD: Final = "input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None"
#: Reductions, with their signatures.
_REDUCTIONS: Final = {
    **dict.fromkeys(("sum", "prod", "mean", "amax", "amin", "argmax", "argmin", "logsumexp"), _REDUCED),
    **dict.fromkeys(("var", "std"), _SPREAD),
    "median": "input, dim=-1, *, keepdim=False, dtype=None, mask=None",
    "norm": "input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None",
}
#: Functions along an axis.
_ALONG: Final = {
    **dict.fromkeys(("softmax", "log_softmax", "softmin", "cumsum", "cumprod"), "input, dim, *, dtype=None, mask=None"),
    "normalize": "input, ord, dim, *, eps=1e-12, dtype=None, mask=None",
}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *(FunctionRow(f"torch.masked.{name}", "masked_reduction", "torch", params=params) for name, params in _REDUCTIONS.items()),
    *(FunctionRow(f"torch.masked.{name}", "masked_function", "torch", params=params) for name, params in _ALONG.items()),
)
