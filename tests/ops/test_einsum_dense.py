"""EinsumDense against Keras."""

import pytest

from dllint.domains.dtype import FLOAT32
from dllint.domains.shape import TensorType
from dllint.ops import all as _all  # noqa: F401
from dllint.ops.spec import apply

CASES = [
    ("ab,bc->ac", 64, (None, 32)),
    ("abc,cd->abd", (None, 64), (None, 32, 128)),
    ("...x,xy->...y", 64, (None, 32, 128)),
    ("abc,cde->abde", (None, 4, 16), (None, 10, 64)),
    ("abcd,cde->abe", (None, 7), (None, 10, 4, 16)),
]


def result(equation, shape, given):
    x = TensorType(tuple(3 if d is None else d for d in given), FLOAT32)
    return apply("einsum_dense", "keras", {"x": x, "equation": equation, "shape": shape})


@pytest.mark.oracle
@pytest.mark.parametrize(("equation", "shape", "given"), CASES)
def test_as_keras(equation, shape, given):
    keras = pytest.importorskip("keras")
    out = keras.layers.EinsumDense(equation, output_shape=shape)(keras.ops.ones((3, *given[1:])))
    assert result(equation, shape, given).result.shape == tuple(out.shape)


def test_wrong_rank_is_a_fault():
    (fault,) = result("abc,cd->abd", (None, 64), (None, 32)).faults
    assert fault.kind == "rank"
    assert fault.expected == (3,)
