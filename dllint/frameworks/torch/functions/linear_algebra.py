"""Matrix products, functions of matrices and decompositions."""

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
#: Functions of matrices whose results are matrices of the same size; some are not called by the names that are documented.
ALIKE: Final = {
    "inverse": "", "linalg.inv": "", "cholesky": "", "linalg.cholesky": "input, *, upper=False, out=None", "matrix_exp": "",
    "linalg.matrix_exp": "input", "matrix_power": "", "linalg.matrix_power": "input, n, *, out=None",
}  # fmt: skip
_VALUES: Final = {"compute_vectors": False}
_EIG: Final = "input, *, out=None"
_EIGH: Final = "input, UPLO='L', *, out=None"
#: Decompositions: rows and columns of a matrix are taken apart.
DECOMPOSED: Final = (
    FunctionRow("torch.linalg.svd", "svd", "torch", RENAME, {"order": "rows"}),
    FunctionRow("torch.linalg.svdvals", "svd", "torch", RENAME, {"compute_uv": False}),
    FunctionRow("torch.linalg.qr", "qr", "torch", RENAME),
    FunctionRow("torch.linalg.eigh", "eigh", "torch", params=_EIGH),
    FunctionRow("torch.linalg.eigvalsh", "eigh", "torch", const=_VALUES, params=_EIGH),
    FunctionRow("torch.linalg.eig", "eig", "torch", params=_EIG),
    FunctionRow("torch.linalg.eigvals", "eig", "torch", const=_VALUES, params=_EIG),
    FunctionRow("torch.linalg.slogdet", "slogdet", "torch", RENAME),
    FunctionRow(
        "torch.linalg.pinv", "pinv", "torch", RENAME, params="A, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None"
    ),
    FunctionRow("torch.linalg.det", "det", "torch", RENAME),
    FunctionRow("torch.linalg.solve", "solve", "torch", RENAME),
)
#: The same under older names and as methods.
OLDER: Final = {"pinverse": "pinv", "det": "det", "slogdet": "slogdet"}
ADDED: Final = {"addmm": "addmm", "baddbmm": "baddbmm"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", ADDED),
    *(FunctionRow(f"torch.{name}", "matrix_function", "torch", RENAME, params=names) for name, names in ALIKE.items()),
    *DECOMPOSED,
    *(FunctionRow(f"torch.{name}", op, "torch") for name, op in OLDER.items()),
    FunctionRow("torch.logdet", "det", "torch", const={"logarithm": True}),
    FunctionRow("torch.svd", "svd", "torch", const={"order": "columns"}),
    *(FunctionRow(f"torch.{name}", "covariance", "torch") for name in ("cov", "corrcoef")),
    FunctionRow("torch.cross", "cross", "torch", RENAME),
    FunctionRow("torch.linalg.cross", "cross", "torch", RENAME),
    FunctionRow("torch.linalg.matmul", "matmul", "torch"),
    FunctionRow("torch.cdist", "cdist", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow("torch.tensordot", "tensordot", "torch"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *rows("torch.Tensor", "torch", ADDED),
    *(FunctionRow(f"torch.Tensor.{name}", "matrix_function", "torch") for name in ALIKE if "." not in name),
    *(FunctionRow(f"torch.Tensor.{name}", op, "torch") for name, op in OLDER.items()),
    FunctionRow("torch.Tensor.logdet", "det", "torch", const={"logarithm": True}),
    FunctionRow("torch.Tensor.cross", "cross", "torch", RENAME),
    *(FunctionRow(f"torch.Tensor.{name}", "covariance", "torch") for name in ("cov", "corrcoef")),
    FunctionRow("torch.Tensor.svd", "svd", "torch", const={"order": "columns"}),
)
