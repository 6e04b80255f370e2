"""Families of programs of numpy, TensorFlow and Keras about which something wrong was claimed once: each is run and compared
with what is said of it."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import check, is_found, refuted

pytestmark = pytest.mark.oracle

_HEAD = "import random\nimport keras\nimport numpy as np\nimport tensorflow as tf\n"


def _refuted(*lines: str) -> list[str]:
    return refuted("\n".join((_HEAD, *lines, "")))


@pytest.fixture(autouse=True)
def _libraries() -> None:
    for library in ("tensorflow", "keras"):
        pytest.importorskip(library)


_MIXTURES = ("np.mean(x)", "np.mean(x, 0)", "x.mean(1, keepdims=True)", "tf.reduce_mean(x, 1)", "keras.ops.mean(x, 0)",
             "keras.ops.mean(x[:1], 0)", "keras.layers.GlobalAveragePooling1D()(x[None])", "np.average(x, 0)",
             "keras.layers.AveragePooling1D(2)(x[None])", "keras.ops.average(x)")  # fmt: skip
_SIGNED = (
    "np.sign(np.random.randn(2, 4))",
    "np.where(np.arange(8).reshape(2, 4) % 2, 1.0, -1.0)",
    "np.sign([[-2.0, 2], [3, 1]])",
)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("x", "mixture"), list(product(_SIGNED, _MIXTURES)))
def test_mixtures_of_numbers_without_0(x: str, mixture: str) -> None:
    assert not _refuted(f"x = {x}", f"y = {mixture}")


@pytest.mark.parametrize("weight", ["0.5", "torch.full((4,), 0.5)", "torch.rand(4)"])
def test_mixtures_of_torch(weight: str) -> None:
    pytest.importorskip("torch")
    made = "a = torch.rand(4) + 1", "b = -a", f"y = torch.lerp(a, b, {weight})"
    scores = "q = torch.zeros(1, 1, 4)", "v = torch.stack([a, b])[None]"
    attention = "z = torch.nn.functional.scaled_dot_product_attention(q, torch.zeros(1, 2, 4), v)"
    assert not _refuted("import torch", *made, *scores, attention)


_FACTORS = ("tf.math.softsign(x)", "np.linalg.eigvalsh(x[:, None] * x)", "np.sort(-x)", "x.tolist()", "-x", "3.0 * x")


@pytest.mark.parametrize("factor", _FACTORS)
@pytest.mark.parametrize("einsum", ["np.einsum", "tf.einsum", "keras.ops.einsum"])
def test_einstein_sums_of_a_factor_that_is_not_followed(factor: str, einsum: str) -> None:
    assert not _refuted("x = np.array([-0.5, 2.0])", f"z = {einsum}('...i,...i->...', {factor}, np.ones_like(x))",
                        f"w = {einsum}('i,j->ij', np.ones_like(x), {factor})")  # fmt: skip


@pytest.mark.parametrize("k", ["0", "1", "3", "-2", "5", "n"])
@pytest.mark.parametrize("size", ["4", "4, 5", "1"])
def test_ones_beside_the_diagonal(size: str, k: str) -> None:
    made = "n = 1", f"x = np.eye({size}, k={k})", "y = np.linalg.norm(x)", "z = x + x", f"v = keras.ops.eye({size}, k={k})"
    assert not _refuted(*made, "w = v + v", "u = np.sum(x, 0)")


@pytest.mark.parametrize(
    "limits", ["1, 0, -0.02040816326530612", "0, 1, 0.1", "1.5, 9.2, 0.3", "-7.0, 0, 1 / 3", "1e3, 1e3 + 2, 0.1"]
)
@pytest.mark.parametrize("made", ["np.arange", "tf.range", "keras.ops.arange", "np.float32(np.arange"])
def test_rows_of_equal_steps(limits: str, made: str) -> None:
    assert not _refuted(f"x = {made}({limits}{')' * made.count('(')})", "y = x + 0", "z = -y")


_LIMITS = ("5", "1, 3", "-1, 0.8", "0.2, 1", "-3, 2", "0, 5, ()", "0, 5, None", "0, 5, (2, 3)", "[1, 2], 5", "np.array(5)",
           "0, 5, size=4, dtype='int8'", "3, dtype=np.int32")  # fmt: skip


@pytest.mark.parametrize("limits", _LIMITS)
@pytest.mark.parametrize("source", ["np.random", "np.random.RandomState(3)"])
def test_whole_random_numbers(limits: str, source: str) -> None:
    assert not _refuted(f"n = {source}.randint({limits})", "x = np.ones(3) * np.max(n)", "y = np.arange(9)[n]")


@pytest.mark.parametrize("more", ["", ", 3", ", size=(2,)", ", 20, endpoint=True", ", dtype='int32'"])
@pytest.mark.parametrize("limits", ["1", "0, 1", "[1, 2], 5"])
def test_whole_numbers_of_generators(limits: str, more: str) -> None:
    if limits == "[1, 2], 5" and "3" in more:
        return
    assert not _refuted(f"n = np.random.default_rng(1).integers({limits}{more if ',' in limits or 'size' in more else ''})")


@pytest.mark.parametrize(
    "number", ["random.randint(-3, 2)", "random.randint(1, 4)", "random.randrange(4)", "random.randrange(0, 9, 3)"]
)
def test_whole_numbers_of_python(number: str) -> None:
    assert not _refuted(
        f"n = {number}", "x = np.ones(3) * n", "y = np.arange(9)[n]", "z = np.array([n])", "w = np.zeros(max(n, 0))"
    )


@pytest.mark.parametrize("shape", ["-2", "(-3, 2)", "(2, -7)", "(-1, 6)", "(-5,)"])
@pytest.mark.parametrize("call", ["np.reshape(x, {})", "x.reshape({})"])
def test_sizes_that_numpy_infers(shape: str, call: str) -> None:
    check(f"{_HEAD}x = np.arange(6.0)\ny = {call.format(shape)}\n")


def test_only_numpy_takes_any_negative_size() -> None:
    assert is_found(f"{_HEAD}x = tf.zeros(4)\ny = tf.reshape(x, (-2,))\n")
    assert is_found(f"{_HEAD}x = np.zeros(6)\ny = x.reshape((-1, -2))\n")


@pytest.mark.parametrize(
    "given", ["tf.shape(x)", "[1, 2, 3]", "[[1, 2, 3], [4, 5, 6]]", "5", "(x, x)", "[x[0], x[1]]", "x", "2.5"]
)
def test_shapes_of_rows_and_shapes(given: str) -> None:
    lines = f"a = tf.shape({given})", "b = a[0] if len(a) else 0", f"d = keras.ops.shape({given})"
    assert not _refuted("x = tf.zeros((2, 3))", *lines)


_PRODUCTS = ("tf.tensordot(tf.ones((2, 3, 4), a), tf.ones((4, 2), b), 1)", "tf.matmul(tf.ones((2, 3), a), tf.ones((3, 2), b))",
             "tf.tensordot(tf.ones(3, a), tf.ones((3, 2, 2), b), 1)", "tf.linalg.matvec(tf.ones((2, 3), a), tf.ones(3, b))",
             "tf.matmul(tf.ones((2, 2, 3), a), tf.ones((2, 3, 2), b))")  # fmt: skip


@pytest.mark.parametrize("left", ["bfloat16", "float32", "float16"])
@pytest.mark.parametrize("right", ["bfloat16", "float32"])
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("product", _PRODUCTS)
def test_products_of_two_element_types(left: str, right: str, product: str) -> None:
    check(f"{_HEAD}a, b = tf.{left}, tf.{right}\ny = {product}\n")


_LENGTHS = ("np.linalg.norm(x)", "np.linalg.norm(x, axis=0)", "np.linalg.norm(x, 1, 1)", "tf.norm(tf.constant(x))",
            "keras.ops.norm(x)", "tf.norm(tf.constant(x), axis=1)")  # fmt: skip


@pytest.mark.parametrize("length", _LENGTHS)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_norms_whose_squares_overflow(length: str, dtype: str) -> None:
    assert not _refuted(f"x = (np.arange(96, dtype='{dtype}') * 7).reshape(8, 12)", f"y = {length}")


_UNITS = ("keras.ops.normalize({})", "keras.layers.UnitNormalization()({})", "tf.nn.l2_normalize(tf.constant({}), 1)",
          "keras.ops.normalize({}, order=3)", "keras.ops.normalize({}, epsilon=1e-30)")  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("unit", _UNITS)
@pytest.mark.parametrize("x", ["x * 1e-22", "x * 3e-3", "(x * 3e-4).astype('float16')", "x.astype('float16')"])
def test_vectors_of_length_1(unit: str, x: str) -> None:
    assert not _refuted("x = np.arange(24, dtype='float32').reshape(6, 4)", f"y = {unit.format(x)}")


@pytest.mark.parametrize("layer", ["Softmax(axis=2)", "LayerNormalization(axis=2)", "Softmax(axis=1)"])
def test_layers_whose_arguments_are_looked_at_when_the_model_runs(layer: str) -> None:
    built = f"{_HEAD}inputs = keras.Input((4,))\ny = keras.layers.{layer}(inputs)\n"
    check(f"{built}model = keras.Model(inputs, y)\nz = model(np.zeros((2, 4)))\n")
    if layer.startswith("Softmax"):
        assert not refuted(built)


@pytest.mark.parametrize(
    "function", ["np.mean", "np.nanmean", "np.sum", "np.nansum", "np.var", "keras.ops.mean", "tf.reduce_mean"]
)
@pytest.mark.parametrize(
    "x", ["np.arange(32, dtype='uint8').reshape(4, 8)", "np.full((4, 8), 20, 'int8')", "np.arange(-8, 8, 1.5)"]
)
def test_means_of_whole_numbers_whose_sums_wrap_around(function: str, x: str) -> None:
    typed = [f"z = {function}(x, dtype=np.uint8)", f"w = {function}(x, 0, dtype='int8')"] if function.startswith("np") else []
    assert not _refuted(f"x = {x}", f"y = {function}(x)", *typed)
