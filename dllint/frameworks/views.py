"""Functions and methods without a model whose result may share the memory of their argument.

The result is a tensor of unknown shape that shares its elements, so that later writes to it are seen.
"""

from __future__ import annotations

from typing import Final

_VIEWS: Final = {
    "numpy": """
        asanyarray asarray_chkfinite asfortranarray asmatrix diagonal from_dlpack frombuffer imag matrix_transpose permute_dims
        polyder polyint real real_if_close require rollaxis rot90 trim_zeros
    """,
    "numpy.linalg": "diagonal matrix_power matrix_transpose",
    "numpy.ndarray": "byteswap conj conjugate diagonal view",
    "torch": "conj_physical dequantize from_dlpack imag real",
    "torch.linalg": "diagonal",
    "torch.Tensor": "conj_physical dequantize index resize",
}
VIEWS: Final = frozenset(f"{home}.{name}" for home, names in _VIEWS.items() for name in names.split())
