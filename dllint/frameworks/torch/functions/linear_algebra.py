"""Matrix products."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

RENAME: Final = {"mat2": "y", "vec": "y", "vec2": "y", "tensor": "y", "A": "x",
    "B": "y",
                 "tensor1": "x", "tensor2": "y"}  # fmt: skip
#: Functions that are methods with the same arguments.
BOTH: Final = {
    "matmul": "matmul", "mm": "mm", "bmm": "bmm", "mv": "mv", "dot": "dot vdot", "outer": "outer ger", "kron": "kron",
}  # fmt: skip
ADDED: Final = {"addmm": "addmm", "baddbmm": "baddbmm"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", ADDED),
    FunctionRow("torch.linalg.matmul", "matmul", "torch"),
    FunctionRow("torch.cdist", "cdist", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow("torch.tensordot", "tensordot", "torch"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *rows("torch.Tensor", "torch", ADDED),
)
