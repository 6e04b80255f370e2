"""Sizes that are tensors, windows that fit nowhere, orders and element types of TensorFlow, and losses and layers of Keras,
against runs."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import check

pytest.importorskip("tensorflow")
pytestmark = pytest.mark.oracle

_START = "import tensorflow as tf\nx = tf.ones((2, 3))\n"


@pytest.mark.parametrize("size", ["tf.size(x)", "tf.rank(x)", "tf.shape(x)[0]", "tf.size(x) - 1"])
@pytest.mark.parametrize("use", [
    "n + 1", "n / 2", "1 / n", "n // 4", "n * 2.0", "7 - n", "-n / 3", "n * n", "n / n", "n % 2 / 3", "x / n",
    "tf.cast(n, tf.float32) / 2", "tf.reshape(tf.ones((n, 4)), (4, n))", "tf.zeros((n, 2)).shape[0] / 2", "int(n) / 2",
    "n.numpy() / 2", "float(n) * 0.5", "tf.range(n)", "n ** 2 + 1",
])  # fmt: skip
def test_arithmetic_of_sizes(size: str, use: str) -> None:
    check(f"{_START}n = {size}\ny = {use}\nn += 1\nn /= 2\n")


@pytest.mark.parametrize("call", ["tf.size", "tf.shape"])
@pytest.mark.parametrize("use", ["n / 2", "n + 1", "tf.range(n)", "n * n", "tf.cast(n, tf.float32) / 2"])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_types_of_sizes(call: str, use: str, dtype: str) -> None:
    part = "[0]" if call == "tf.shape" else ""
    check(f"{_START}n = {call}(x, out_type=tf.{dtype}){part}\ny = {use}\n")


@pytest.mark.parametrize("name", ["avg_pool", "max_pool"])
@pytest.mark.parametrize("shape", ["(1, 2, 3, 4)", "(1, 3, 3, 4)", "(1, 1, 3, 4)"])
@pytest.mark.parametrize("strides", [1, 2, 3])
def test_windows_that_fit_nowhere(name: str, shape: str, strides: int) -> None:
    strides = 1 if name == "max_pool" else strides  # its kernels of larger steps refuse some sizes
    check(f"import tensorflow as tf\nx = tf.ones({shape})\ny = tf.nn.{name}2d(x, 3, strides={strides}, padding='VALID')\n")


@pytest.mark.parametrize("call", [
    "tf.sort(x)", "tf.sort(x, axis=0)", "tf.sort(x, direction='DESCENDING')", "tf.random.shuffle(x)", "tf.reverse(x, [0])",
    "tf.image.flip_left_right(x)", "tf.image.random_flip_up_down(x)",
])  # fmt: skip
@pytest.mark.parametrize("use", ["y - x", "y / x", "tf.maximum(y, x)"])
def test_elements_in_another_order(call: str, use: str) -> None:
    made = "tf.constant([[[-1.78], [0.4]], [[2.9], [1.53]], [[-1.04], [1.32]]])"
    check(f"import tensorflow as tf\ntf.random.set_seed(1)\nx = {made}\ny = {call}\nz = {use}\n")


@pytest.mark.parametrize("made", ["tf.constant(3.0)", "tf.reduce_sum(tf.ones(3))", "tf.ones((2,))"])
@pytest.mark.parametrize("axes", ["[0]", "[1]"])
def test_a_scalar_is_reversed_along_any_axis(made: str, axes: str) -> None:
    check(f"import tensorflow as tf\nx = {made}\ny = tf.reverse(x, {axes})\n")


@pytest.mark.parametrize("limits", ["-1, 1", "3, 1", "0, 300", "2, 5"])
@pytest.mark.parametrize("made", ["tf.cast(tf.range(16), tf.uint8)", "tf.random.uniform((9,), 0, 9)", "tf.range(16)"])
def test_limits_that_exclude_each_other_or_do_not_fit(limits: str, made: str) -> None:
    check(f"import tensorflow as tf\nx = {made}\ny = tf.clip_by_value(x, {limits})\n")


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64"])
@pytest.mark.parametrize("more", ["None, None", "2.0, 2.0", "mean, mean"])
def test_normalization_computes_in_the_types_of_its_parameters(dtype: str, more: str) -> None:
    text = f"x = tf.cast(tf.reshape(tf.range(9), (3, 3)), tf.{dtype})\nmean = tf.random.uniform((3,)) + 1"
    check(f"import tensorflow as tf\n{text}\ny = tf.nn.batch_normalization(x, mean, mean, {more}, 0.001)\n")


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32"])
@pytest.mark.parametrize("more", ["", ", shift=1", ", keepdims=True"])
def test_moments_of_whole_numbers(dtype: str, more: str) -> None:
    check(f"import tensorflow as tf\nx = tf.cast(tf.reshape(tf.range(12), (3, 4)), tf.{dtype})\n"
          f"m, v = tf.nn.moments(x, [0]{more})\n")  # fmt: skip


@pytest.mark.parametrize("types", [("float32", "bfloat16"), ("bfloat16", "float32"), ("float32", "float64"), ("float32",) * 2])
@pytest.mark.parametrize("call", ["tf.matmul(x, y)", "tf.linalg.matvec(x, y[:, 0])", "tf.matmul(x[None], y[None])"])
def test_products_of_two_types(types: tuple[str, str], call: str) -> None:
    x, y = (f"tf.ones({shape}, tf.{kind})" for shape, kind in zip(("(2, 3)", "(3, 3)"), types, strict=True))
    check(f"import tensorflow as tf\nx = {x}\ny = {y}\nz = {call}\n")


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
@pytest.mark.parametrize("name", ["logdet", "det"])
def test_types_of_determinants(dtype: str, name: str) -> None:
    check(f"import tensorflow as tf\nx = tf.eye(3, dtype=tf.{dtype})\ny = tf.linalg.{name}(x)\n")


def test_reciprocals_are_approximations() -> None:
    check("import tensorflow as tf\nx = tf.cast(tf.range(1, 40), tf.float32)\ny = tf.math.reciprocal(x)\nz = [*y]\n")


_LOSSES = ("categorical_crossentropy", "binary_crossentropy", "categorical_focal_crossentropy", "binary_focal_crossentropy",
           "cosine_similarity", "dice", "tversky")  # fmt: skip


@pytest.mark.parametrize("name", _LOSSES)
@pytest.mark.parametrize("axis", [0, 1, -1, -2, 3, -4])
@pytest.mark.parametrize("form", ["keras.losses.{0}(x, y, axis={1})", "keras.losses.{2}(axis={1}, reduction=None)(x, y)",
                                  "keras.losses.{2}(axis={1})(x, y)"])  # fmt: skip
def test_axes_of_losses(name: str, axis: int, form: str) -> None:
    kind = "".join(part.capitalize() for part in name.split("_"))
    made = "x = keras.random.uniform((2, 3, 4))\ny = keras.random.uniform((2, 3, 4))"
    check(f"import keras\n{made}\nz = {form.format(name, axis, kind)}\n")


@pytest.mark.parametrize("axis", ["(0, 2)", "(0, -1)", "None", "(0, 1, 2)"])
@pytest.mark.parametrize("name", ["dice", "tversky"])
def test_several_axes_of_losses(axis: str, name: str) -> None:
    made = "x = keras.random.uniform((2, 3, 4))\ny = keras.random.uniform((2, 3, 4))"
    check(f"import keras\n{made}\nz = keras.losses.{name}(x, y, axis={axis})\n")


@pytest.mark.parametrize("shape", ["(0,)", "(0, 3)", "(3, 0)", "(2,)"])
@pytest.mark.parametrize("loss", ["MeanSquaredError()", "MeanSquaredError(reduction='sum')", "Huber()", "BinaryCrossentropy()"])
def test_losses_of_no_rows(shape: str, loss: str) -> None:
    check(f"import keras\nx = keras.ops.ones({shape})\nz = keras.losses.{loss}(x, x)\n")


@pytest.mark.parametrize("layer", ["Dense(3)", "ReLU()", "GlobalMaxPooling2D()", "LSTM(2)", "Conv1D(2, 2)", "Flatten()"])
@pytest.mark.parametrize("given", ["1", "0.5"])
@pytest.mark.parametrize("around", ["y = keras.layers.{}({})", "layer = keras.layers.{}\ny = layer({})"])
def test_numbers_are_no_inputs_of_layers(layer: str, given: str, around: str) -> None:
    check(f"import keras\n{around.format(layer, given)}\n")


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("rank", [2, 3, 4, 5])
def test_dropout_of_whole_channels_asks_for_axes(axes: int, rank: int) -> None:
    shape = (2,) * rank
    check(f"import keras\nx = keras.ops.ones({shape})\ny = keras.layers.SpatialDropout{axes}D(0.5)(x)\n")


@pytest.mark.parametrize("ranks", [(3, 3), (3, 2), (2, 2), (1, 1), (2, 1)])
def test_products_of_keras_with_many_axes(ranks: tuple[int, int]) -> None:
    x, y = (f"keras.ops.ones({(2,) * rank})" for rank in ranks)
    check(f"import keras\nz = keras.ops.dot({x}, {y})\n")
