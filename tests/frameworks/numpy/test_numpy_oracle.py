"""numpy expressions: shape and element type as numpy computes them, for the same program text."""

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import executed, inferred

PRELUDE = """
import numpy as np
x = np.zeros((4, 6))
y = np.ones((4, 6), dtype=np.float32)
v = np.arange(6)
images = np.zeros((10, 28, 28), dtype='uint8')
rng = np.random.default_rng(0)
"""

EXPRESSIONS = [
    "x", "y", "v", "images", "np.zeros(5)", "np.zeros([2, 3], dtype=int)", "np.ones_like(y)", "np.full((2, 2), 7)",
    "np.full((3,), 0.5)",
    "np.eye(3)", "np.identity(4)", "np.arange(10)", "np.arange(2, 10, 3)", "np.arange(0, 1, 0.25)", "np.linspace(0, 1)",
    "np.linspace(0, 1, 5)",
    "np.array([1, 2, 3])", "np.array([[1.0, 2], [3, 4]])", "np.array([1, 2], dtype='float32')", "np.asarray([[1], [2]])",
    "np.array(x)",
    "np.array([x, x])", "np.random.rand(3, 4)", "np.random.randn(2)", "np.random.random((5, 2))",
    "np.random.uniform(0, 1, (3, 3))",
    "np.random.normal(0.0, 1.0, size=(7,))", "np.random.randint(0, 10, size=(4, 4))", "np.random.randint(5, size=3)",
    "np.random.randint(0, 2, 100)",
    "np.random.permutation(8)", "np.random.choice(10, (3, 2))", "np.random.choice(v, 4)", "rng.normal(size=(2, 3))",
    "rng.random((4,))", "rng.integers(0, 5, size=(2, 2))",
    "x + y", "x * 2", "y / 2", "y + 1.5", "v / 2", "v // 2", "v % 4", "-y", "x ** 2", "x > 0", "y @ x.T", "np.dot(x, x.T)",
    "x == y",
    "images / 255.0", "images.astype('float32') / 255", "images.astype(np.float64)", "np.exp(y)", "np.sqrt(v)",
    "np.maximum(x, 0)",
    "np.where(x > 0, x, 0)", "np.clip(y, 0, 1)", "np.abs(v)", "np.round(x)", "np.logical_and(x > 0, y > 0)", "np.isnan(y)",
    "x.sum()", "x.sum(axis=0)", "np.mean(y, axis=1)", "np.mean(v)", "x.max(axis=-1)", "np.argmax(x, axis=1)",
    "x.argmax(axis=1)", "np.std(y, axis=0)",
    "np.sum(x, axis=(0, 1))", "np.mean(x, axis=0, keepdims=True)", "images.mean(axis=(1, 2))", "np.cumsum(v)",
    "np.prod(x, axis=1)",
    "np.any(x > 0, axis=1)", "np.sort(x)", "np.argsort(v)", "np.linalg.norm(x, axis=1)", "np.median(x, axis=0)",
    "x.reshape(24)", "x.reshape(-1, 3)", "x.reshape((2, 2, 6))", "np.reshape(x, (3, 8))", "images.reshape(10, 784)",
    "images.reshape(len(images), -1)",
    "images.reshape(images.shape[0], 28, 28, 1)", "x.T", "images.T", "v.T", "np.array(3).T", "images.T.T",
    "x.transpose()", "images.transpose(0, 2, 1)",
    "np.transpose(images, (2, 0, 1))",
    "np.expand_dims(x, 0)", "np.expand_dims(images, axis=-1)", "images[..., np.newaxis]", "x[None]", "x[:, None, :]",
    "np.squeeze(x[None])",
    "x.flatten()", "x.ravel()", "np.swapaxes(images, 0, 2)", "np.moveaxis(images, 0, -1)", "np.concatenate([x, y])",
    "np.concatenate((x, y), axis=1)",
    "np.stack([x, y])", "np.stack([x, y], axis=-1)", "np.vstack([x, y])", "np.hstack([x, y])", "np.tile(v, 3)",
    "np.tile(x, (2, 1))",
    "np.repeat(x, 2, axis=0)", "np.split(x, 2)[0]", "np.array_split(v, 4)[0]", "np.flip(x, 1)",
    "np.pad(x, ((1, 1), (0, 2)))", "np.roll(x, 1)",
    "x[0]", "x[-1]", "x[1:3]", "x[:, 2]", "x[::2, 1:]", "images[0:5]", "images[:, 0, 0]", "x[x.argmax(axis=0)]",
    "v[v > 2].ndim", "images[[1, 3, 5]]",
    "np.zeros((len(v), 4))", "np.outer(v, v)", "np.diag(v)", "np.tril(np.ones((3, 3)))", "np.broadcast_to(v, (4, 6))",
    "np.einsum('ij,kj->ik', x, y)",
    "np.float32(x)", "np.zeros(x.shape)", "np.empty((0, 3))", "x.copy()", "np.array(3.0)", "np.bincount(v)", "np.copy(y)",
    "np.tensordot(x, y, axes=([1], [1]))",
    "np.nan_to_num(y)", "np.take(x, [0, 2], axis=1)", "x.mean(1)", "x.std()", "np.all(x == y)", "np.vstack((v, v)).T",
    "np.concatenate([v, v])[:, None]", "np.append(x, y)", "np.append(x, y, axis=0)", "np.append(v, 3)", "np.atleast_2d(v)",
    "np.atleast_3d(x)", "np.atleast_1d(v)", "np.column_stack([v, v])", "np.column_stack((x, np.arange(4)))",
    "np.dstack([x, y])",
    "np.c_[x, y]", "np.c_[v, v]", "np.r_[v, v]",
    "np.delete(x, 1, axis=0)", "np.delete(v, [0, 2])", "np.delete(x, 0, 1)", "np.insert(v, 0, 1)", "np.diff(v)",
    "np.diff(x, axis=0)", "np.hsplit(x, 2)[0]", "np.vsplit(x, 2)[1]", "np.unique(v, return_counts=True)[1].ndim",
    "np.unique(v, return_inverse=True)[1]", "np.argwhere(x > 0).shape[1]", "np.isin(v, [1, 2])", "np.digitize(v, [1, 3])",
    "np.searchsorted(v, [1, 2, 3])", "np.interp(v, v, v)", "np.histogram(v, bins=4)[1]", "np.percentile(x, 50, axis=0)",
    "np.percentile(x, [25, 75], axis=1)", "np.linalg.inv(np.eye(3))", "np.size(x)", "np.shape(x)[1]", "np.ndim(images)",
    "np.size(x, 1)", "np.fliplr(x)", "np.flipud(x)", "v.cumprod()", "np.random.multinomial(1, [0.5, 0.5], size=7)",
    "np.unique(x, axis=0)", "np.unique(x, axis=1)", "np.unique(x, axis=-1)",
    "np.random.dirichlet([1, 1, 1])", "np.random.multivariate_normal([0, 0], [[1, 0], [0, 1]], 5)",
]  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression):
    np = pytest.importorskip("numpy")
    program = f"{PRELUDE}out = {expression}\n"
    real, ours = executed(program), inferred(program)
    if not isinstance(ours, TensorVal):
        assert np.shape(real) == ()
        assert not isinstance(ours, Unknown)
        return
    sizes = tuple(d if isinstance(d, int) else r for d, r in zip(ours.shape, np.shape(real), strict=True))
    assert sizes == np.shape(real)
    assert isinstance(ours.dtype, Unknown) or ours.dtype.name == np.asarray(real).dtype.name


@pytest.mark.parametrize("axis", [0, 1])
def test_different_slices_of_an_array_of_unknown_rank_have_an_unknown_rank(axis):
    ours = inferred(f"{PRELUDE}rows = np.reshape(x, np.load('shape.npy'))\nout = np.unique(rows, axis={axis})\n")
    assert isinstance(ours, TensorVal)
    assert isinstance(ours.shape, Unknown)


def test_where_each_element_of_a_matrix_is_found_again_depends_on_the_version():
    ours = inferred(f"{PRELUDE}out = np.unique(x, return_inverse=True)[1]\n")
    assert isinstance(ours, TensorVal)
    assert isinstance(ours.shape, Unknown)
