"""Rows of ``tf.linalg`` and of the products of tensors."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow

_PRODUCT: Final = {"a": "x", "b": "y"}

ROWS: Final[tuple[FunctionRow, ...]] = (
    FunctionRow(
        "tensorflow.batch_matmul",
        "matmul",
        "tensorflow",
        {"adj_x": "transpose_a", "adj_y": "transpose_b"},
        params="x, y, adj_x=False, adj_y=False, name=None",
    ),
    FunctionRow("tensorflow.linalg.matvec", "matvec", "tensorflow", _PRODUCT),
    FunctionRow("tensorflow.sparse.sparse_dense_matmul", "matmul", "tensorflow", {**_PRODUCT, "sp_a": "x"}),
    FunctionRow("tensorflow.einsum", "einsum", "tensorflow", params="equation, *operands, **options"),
    FunctionRow("tensorflow.tensordot", "tensordot", "tensorflow", {**_PRODUCT, "axes": "dims"}),
    FunctionRow("tensorflow.linalg.trace", "trace", "tensorflow"),
    FunctionRow("tensorflow.linalg.diag", "diag_embed", "tensorflow", {"diagonal": "x"}),
    FunctionRow("tensorflow.linalg.tensor_diag_part", "tensor_diag_part", "tensorflow"),
    FunctionRow("tensorflow.linalg.diag_part", "diagonal", "tensorflow", const={"dim1": -2, "dim2": -1}),
    FunctionRow("tensorflow.linalg.triangular_solve", "solve", "tensorflow", {"matrix": "x", "rhs": "y"}),
    FunctionRow("tensorflow.linalg.solve", "solve", "tensorflow", {"matrix": "x", "rhs": "y"}),
    FunctionRow("tensorflow.linalg.cholesky_solve", "solve", "tensorflow", {"chol": "x", "rhs": "y"}),
    FunctionRow("tensorflow.linalg.det", "det", "tensorflow"),
    FunctionRow("tensorflow.linalg.logdet", "det", "tensorflow", {"matrix": "x"}, const={"logarithm": True}),
    FunctionRow("tensorflow.linalg.svd", "svd", "tensorflow"),
    FunctionRow("tensorflow.linalg.qr", "qr", "tensorflow"),
    FunctionRow("tensorflow.linalg.eigh", "eigh", "tensorflow"),
    FunctionRow("tensorflow.linalg.eigvalsh", "eigh", "tensorflow", const={"compute_vectors": False}),
    FunctionRow("tensorflow.linalg.eig", "eig", "tensorflow"),
    FunctionRow("tensorflow.linalg.eigvals", "eig", "tensorflow", const={"compute_vectors": False}),
    FunctionRow("tensorflow.linalg.pinv", "pinv", "tensorflow", {"a": "x"}),
    FunctionRow("tensorflow.linalg.slogdet", "slogdet", "tensorflow"),
    FunctionRow("tensorflow.norm", "norm", "tensorflow", {"ord": "p"}),
)
