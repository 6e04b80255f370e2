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
#: Functions of matrices whose results are matrices of the same size: their parameters.
ALIKE: Final = {
    "inverse": "input", "linalg.inv": "A", "cholesky": "input, upper=False", "linalg.cholesky": "input, *, upper=False",
    "matrix_exp": "input", "linalg.matrix_exp": "input", "matrix_power": "input, n", "linalg.matrix_power": "input, n",
}  # fmt: skip
ADDED: Final = {"addmm": "addmm", "baddbmm": "baddbmm"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", ADDED),
    *(FunctionRow(f"torch.{name}", "matrix_function", "torch", RENAME, params=names) for name, names in ALIKE.items()),
    FunctionRow("torch.linalg.matmul", "matmul", "torch"),
    FunctionRow("torch.cdist", "cdist", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow("torch.tensordot", "tensordot", "torch"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *rows("torch.Tensor", "torch", ADDED),
    *(
        FunctionRow(f"torch.Tensor.{name}", "matrix_function", "torch", params=names.replace("input", "self"))
        for name, names in ALIKE.items()
        if "." not in name
    ),
)
