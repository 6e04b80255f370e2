"""Importing this module declares all ONNX operators that a row of the table does not describe."""

from __future__ import annotations

from dllint.lower.graphs.onnx.operators import (  # noqa: F401
    arithmetic,
    control,
    indexing,
    layers,
    layout,
    norms,
    quantized,
    random,
    reductions,
)
