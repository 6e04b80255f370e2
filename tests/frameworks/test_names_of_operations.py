"""Names of functions that a table row leads to an operation: shapes and types that are known are those of the library."""

from __future__ import annotations

from typing import Final

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from tests.lower.tracing import values

pytestmark = pytest.mark.oracle

HEADS: Final = {
    "numpy": """
import numpy as np
a = np.linspace(0.1, 0.9, 12).reshape(3, 4)
f = a.astype(np.float32)
i = np.arange(12).reshape(3, 4)
s = a[:, :3] @ a[:, :3].T
""",
    "tensorflow": """
import tensorflow as tf
a = tf.constant([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
d = tf.cast(a, tf.float64)
image = tf.zeros((2, 8, 8, 3))
words = tf.constant(["a", "b"])
""",
    "keras": """
import numpy as np
from keras import ops
a = ops.convert_to_tensor(np.linspace(0.1, 0.9, 12).reshape(3, 4).astype("float32"))
i = ops.convert_to_tensor(np.arange(12).reshape(3, 4).astype("int32"))
image = ops.zeros((2, 8, 8, 4))
s = ops.eye(3)
""",
}
CALLS: Final = {
    "numpy": """
        np.cbrt(a)|np.cbrt(f)|np.asin(a)|np.arcsinh(a)|np.arccosh(a + 1)|np.arctanh(f)|np.acos(f)|np.atan(a)|np.sinc(a)
        np.signbit(a)
        np.positive(f)|np.invert(i)|np.bitwise_not(i)|np.fix(a)|np.fix(f)|np.pow(a, 2)|np.atan2(a, a)|np.hypot(a, f)
        np.hypot(f, f)
        np.bitwise_and(i, 3)|np.bitwise_or(i, i)|np.bitwise_xor(i, i)|np.logaddexp(a, a[0])|np.copysign(f, -f)
        np.heaviside(a, 0.5)
        np.float_power(f, 2)|np.left_shift(i, 1)|np.right_shift(i, i)|np.ldexp(a, i)|np.nanargmax(a, axis=1)|np.nanargmin(a)
        np.nancumsum(a, axis=0)|np.nancumprod(f, axis=1)|np.concat([a, a], axis=1)|np.permute_dims(a, (1, 0))|np.permute_dims(a)
        np.linalg.svd(f)[1]|np.linalg.qr(f)[0]|np.linalg.eigh(s)[1]|np.linalg.pinv(i)|np.linalg.slogdet(s)[1]
        np.hypot(i, i)|np.cbrt(i)|np.sinc(i)|np.logaddexp(i, i)|np.i0(a)""",
    "tensorflow": """
        tf.strings.lower(words)|tf.strings.upper("a")|tf.strings.strip(words)|tf.strings.regex_replace(words, "a", "b")
        tf.as_string(a)
        tf.strings.substr(words, 0, 1)|tf.strings.length(words)|tf.strings.to_hash_bucket_fast(words, 5)
        tf.strings.to_number("3")
        tf.strings.regex_full_match(words, "a")|tf.strings.to_number(["1", "2"], tf.int32)
        tf.math.erfinv(a)|tf.math.softsign(a)|tf.math.xlogy(a, a)|tf.math.cumulative_logsumexp(a, axis=1)
        tf.math.reduce_euclidean_norm(a)|tf.math.reduce_euclidean_norm(a, axis=1)
        tf.math.reduce_euclidean_norm(a, 0, keepdims=True)
        tf.math.reciprocal_no_nan(d)|tf.math.bessel_i0(a)|tf.image.stateless_random_brightness(image, 0.2, (1, 2))
        tf.tensor_scatter_nd_max(a, [[0]], [[1.0, 2.0, 3.0]])|tf.tensor_scatter_nd_sub(a, [[0]], [[1.0, 2.0, 3.0]])
        tf.image.stateless_random_flip_left_right(image, (1, 2))|tf.image.rgb_to_yuv(image)|tf.image.yuv_to_rgb(image)
        tf.image.stateless_random_contrast(image, 0.2, 0.5, (1, 2))|tf.linalg.expm(tf.eye(3))|tf.linalg.qr(a)[1]
        tf.linalg.eigh(tf.eye(3))[0]|tf.linalg.slogdet(tf.eye(3))[1]|tf.linalg.eigvalsh(tf.eye(3))""",
    "keras": """
        ops.cbrt(a)|ops.cbrt(i)|ops.deg2rad(a)|ops.rad2deg(a)|ops.erfc(a)|ops.sinc(a)|ops.signbit(a)|ops.nansum(a)
        ops.nansum(a, axis=1)
        ops.nanmean(a, axis=0)|ops.average(a, axis=1)|ops.nanprod(a)|ops.nanmax(a, axis=-1)|ops.nanmin(a)
        ops.nanargmax(a, axis=1)
        ops.nanargmin(a)|ops.nanstd(a, axis=0)|ops.nanvar(a)|ops.nancumsum(a, axis=1)|ops.nancumprod(a, axis=0)|ops.trace(a)
        ops.rot90(a)|ops.fliplr(a)|ops.flipud(a)|ops.depth_to_space(image, 2)|ops.space_to_depth(image, 2)|ops.isin(i, i[0])
        ops.cholesky(s)|ops.inv(s)|ops.det(s)|ops.slogdet(s)[1]|ops.logdet(s)|ops.eigh(s)[0]|ops.qr(a)[0]
        ops.svd(a)[0]|ops.svd(a, full_matrices=False)[2]|ops.solve(s, a)|ops.searchsorted(a[0], a[1])
        ops.saturate_cast(a, "int8")
        ops.segment_sum(a, ops.array([0, 0, 1]), num_segments=2)|ops.segment_max(a, ops.array([0, 0, 1]), 4)""",
}
ASKED: Final = [
    (library, call.strip()) for library, calls in CALLS.items() for call in calls.replace("\n", "|").split("|") if call.strip()
]


def _real(library: str, call: str) -> tuple[tuple[int, ...], str]:
    names: dict[str, object] = {}
    exec(f"{HEADS[library]}y = {call}\n", names)
    found = names["y"]
    return tuple(found.shape), str(getattr(found.dtype, "name", found.dtype)).removeprefix("torch.")


def _agrees(known: Value, shape: tuple[int, ...], dtype: str) -> bool:
    """Whether the shape is known, and it and the type, if that is known, are the library's."""
    assert isinstance(known, TensorVal), known
    return known.shape == shape and (isinstance(known.dtype, Unknown) or str(known.dtype) == dtype)


@pytest.mark.parametrize(("library", "call"), ASKED)
def test_what_is_known_is_so(library: str, call: str) -> None:
    known = values(f"{HEADS[library]}y = {call}\n")["y"]
    assert _agrees(known, *_real(library, call)), known
