"""Which calls of TensorFlow 1 mean the same in TensorFlow 2, and which names ``compat.v1`` has as other objects.

The parameters are in ``dllint/frameworks/history/tensorflow-compatible.json``, made by :mod:`dllint.dev.compatible`. Here is
which of these functions compute the same from the same arguments; tests call both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

_TABLE: Final = Path(__file__).parents[1] / "history" / "tensorflow-compatible.json"

#: Old name of an argument → its name today.
ALIASES: Final[Mapping[str, str]] = {
    "keep_dims": "keepdims", "reduction_indices": "axis", "dimension": "axis", "dim": "axis", "squeeze_dims": "axis",
    "seq_dim": "seq_axis", "batch_dim": "batch_axis", "fn1": "true_fn", "fn2": "false_fn", "tensor": "input",
    "value": "input", "filter": "filters", "preferred_dtype": "dtype_hint",
}  # fmt: skip

_REDUCTIONS: Final = ("all", "any", "logsumexp", "max", "mean", "min", "prod", "sum")
#: Functions that compute the same under both names, if their arguments reach the same parameters.
ALIKE: Final = frozenset({
    *(f"{home}reduce_{name}" for home in ("", "math.") for name in _REDUCTIONS),
    "argmax", "argmin", "math.argmax", "math.argmin", "expand_dims", "squeeze", "transpose", "shape", "size", "pad", "norm",
    "ones_like", "zeros_like", "cond", "while_loop", "boolean_mask", "gather", "convert_to_tensor", "reverse_sequence",
    "nn.softmax", "nn.log_softmax", "nn.moments", "nn.conv2d", "nn.conv3d", "nn.max_pool", "nn.avg_pool",
})  # fmt: skip


@cache
def table() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Name → the parameters that it takes in ``compat.v1`` and in TensorFlow 2; empty for classes."""
    rows: dict[str, list[list[str]]] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {name: tuple(tuple(part) for part in row) for name, row in rows.items()}


def renamed_arguments(name: str, positional: int, keywords: Iterable[str]) -> Mapping[str, str] | None:
    """Old keyword → its name today, for a call that computes the same under today's name; ``None`` if it does not."""
    row = table().get(name)
    if row is None:
        return {}
    if name not in ALIKE or not row:
        return None
    old, new = row
    if positional > len(new) or any(_today(old[at], new) != new[at] for at in range(positional)):
        return None
    renamed = {keyword: _today(keyword, new) for keyword in keywords}
    if not new or set(renamed.values()) - set(new):
        return None
    return {keyword: today for keyword, today in renamed.items() if keyword != today}


def _today(keyword: str, new: tuple[str, ...]) -> str:
    return keyword if keyword in new else ALIASES.get(keyword, keyword)
