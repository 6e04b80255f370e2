"""Matrix products, ``torch.linalg`` and ``torch.fft``."""

from __future__ import annotations

from typing import Final

from dllint.frameworks.rows import FunctionRow, rows

RENAME: Final = {"mat2": "y", "vec": "y", "vec2": "y", "tensor": "y", "A": "x",
    "B": "y",
                 "tensor1": "x", "tensor2": "y"}  # fmt: skip
#: Functions that are methods with the same arguments.
BOTH: Final = {
    "matmul": "matmul", "mm": "mm", "bmm": "bmm", "mv": "mv", "dot": "dot vdot", "inner": "inner",
    "outer": "outer ger", "kron": "kron", "cross": "cross", "inverse": "inverse", "det": "det logdet", "pinverse": "pinverse",
    "cholesky": "cholesky", "matrix_power": "matrix_power",
}  # fmt: skip
ADDED: Final = {"addmm": "addmm", "baddbmm": "baddbmm", "addmv": "addmv", "addbmm": "addbmm"}
LINALG: Final = {
    "matmul": "matmul", "inverse": "inv", "det": "det", "cholesky": "cholesky", "pinverse": "pinv", "solve": "solve",
    "svd": "svd",
    "eigh": "eigh", "eigvalsh": "eigvalsh", "qr": "qr", "matrix_power": "matrix_power", "cross": "cross", "vecdot": "vecdot",
}  # fmt: skip
FFT: Final = {"fft": "fft ifft", "fft2": "fft2 ifft2", "fftn": "fftn ifftn", "rfft": "rfft", "irfft": "irfft", "rfft2": "rfft2",
              "irfft2": "irfft2", "fftshift": "fftshift ifftshift"}  # fmt: skip

ROWS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch", "torch", BOTH, RENAME),
    *rows("torch", "torch", ADDED),
    *rows("torch.linalg", "torch", LINALG, RENAME),
    *rows("torch.fft", "torch", FFT, {"s": "shape"}),
    FunctionRow("torch.cdist", "cdist", "torch", {"x1": "x", "x2": "y"}),
    FunctionRow("torch.tensordot", "tensordot", "torch"),
)
METHODS: Final[tuple[FunctionRow, ...]] = (
    *rows("torch.Tensor", "torch", BOTH, RENAME),
    *rows("torch.Tensor", "torch", ADDED),
)
