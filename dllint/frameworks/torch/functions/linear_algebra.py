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
#: Decompositions: rows and columns of a matrix are taken apart.
DECOMPOSED: Final = (
    FunctionRow("torch.linalg.svd", "svd", "torch", RENAME, {"order": "rows"}, "A, full_matrices=True, *, driver=None"),
    FunctionRow("torch.linalg.svdvals", "svd", "torch", RENAME, {"compute_uv": False}, "A, *, driver=None"),
    FunctionRow("torch.linalg.qr", "qr", "torch", RENAME, params="A, mode='reduced'"),
    FunctionRow("torch.linalg.eigh", "eigh", "torch", RENAME, params="input"),
    FunctionRow("torch.linalg.eigvalsh", "eigh", "torch", RENAME, {"compute_vectors": False}, "input"),
    FunctionRow("torch.linalg.eig", "eig", "torch", RENAME, params="input"),
    FunctionRow("torch.linalg.eigvals", "eig", "torch", RENAME, {"compute_vectors": False}, "input"),
    FunctionRow("torch.linalg.slogdet", "slogdet", "torch", RENAME, params="A"),
    FunctionRow("torch.linalg.pinv", "pinv", "torch", RENAME, params="A"),
    FunctionRow("torch.linalg.det", "det", "torch", RENAME, params="A"),
    FunctionRow("torch.linalg.solve", "solve", "torch", RENAME, params="A, B"),
)
#: The same under older names and as methods.
OLDER: Final = {"pinverse": "pinv", "det": "det", "slogdet": "slogdet"}
ADDED: Final = {"addmm": "addmm", "baddbmm": "baddbmm"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", ADDED),
    *(FunctionRow(f"torch.{name}", "matrix_function", "torch", RENAME, params=names) for name, names in ALIKE.items()),
    *DECOMPOSED,
    *(FunctionRow(f"torch.{name}", op, "torch", params="input") for name, op in OLDER.items()),
    FunctionRow("torch.logdet", "det", "torch", const={"logarithm": True}, params="input"),
    FunctionRow("torch.svd", "svd", "torch", const={"order": "columns"}, params="input"),
    *(FunctionRow(f"torch.{name}", "covariance", "torch", params="input") for name in ("cov", "corrcoef")),
    FunctionRow("torch.cross", "cross", "torch", RENAME, params="input, other, dim=None"),
    FunctionRow("torch.linalg.cross", "cross", "torch", RENAME, params="input, other, *, dim=-1"),
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
    *(FunctionRow(f"torch.Tensor.{name}", op, "torch", params="self") for name, op in OLDER.items()),
    FunctionRow("torch.Tensor.logdet", "det", "torch", const={"logarithm": True}, params="self"),
    FunctionRow("torch.Tensor.cross", "cross", "torch", RENAME, params="self, other, dim=None"),
    *(FunctionRow(f"torch.Tensor.{name}", "covariance", "torch", params="self") for name in ("cov", "corrcoef")),
    FunctionRow("torch.Tensor.svd", "svd", "torch", const={"order": "columns"}, params="self"),
)
