"""What is said of tensors and numbers after calls that libraries understand in their own ways, in generated variants, against
runs of the libraries."""

from __future__ import annotations

import itertools

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def _check(text: str, library: str = "torch") -> None:
    program = f"import {library}\n{text}\n"
    observed = run(program)
    assert observed.raised is None, (program, observed.raised)
    verdict = compared(claims(program), observed)
    assert not verdict.wrong, (program, verdict.wrong)
    assert not verdict.false_errors, (program, verdict.false_errors)


_KINDS = ("float32", "float64", "bfloat16")


@pytest.mark.parametrize("call", [
    "uniform_(1.0, to=2)", "uniform_(-3, to=-1.0)", "uniform_(2.0, 3.0)", "uniform_()", "normal_(std=0.0)", "normal_(5.0)",
    "random_(3)", "random_(2, to=4)", "random_(to=2)", "exponential_(lambd=2.0)", "geometric_(p=0.5)",
])  # fmt: skip
@pytest.mark.parametrize("dtype", _KINDS)
def test_numbers_drawn_into_a_tensor(call: str, dtype: str) -> None:
    _check(f"x = torch.zeros(40, dtype=torch.{dtype})\ny = x.{call}\nz = y + 1")


_MADE = ("linspace(0, 1e-6, 4", "linspace(-3, 1.7, 4", "full((4,), 1e-6", "full((4,), 2", "zeros(4", "ones(2, 2", "eye(2",
         "arange(0, 3e-6, 1e-6", "arange(4", "logspace(0, 1, 4", "rand(4", "randn(4")  # fmt: skip


@pytest.mark.parametrize(("made", "dtype"), list(itertools.product(_MADE, ("float32", "float64", "float16"))))
def test_numbers_for_a_tensor_that_is_given_have_its_type(made: str, dtype: str) -> None:
    _check(f"x = torch.zeros(4, dtype=torch.{dtype})\ny = torch.{made}, out=x)\nz = y * 2")


@pytest.mark.parametrize("axes", ["()", "(())", "dim=()", "0", "dim=0", "0, 2", "(0, 2)", "dim=(2,)", "[0]", "-1"])
@pytest.mark.parametrize("form", ["x.squeeze({})", "torch.squeeze(x, {})", "x.clone().squeeze_({})"])
def test_axes_that_are_squeezed(axes: str, form: str) -> None:
    if axes == "dim=()" and form != "torch.squeeze(x, {})":
        axes = "dim=(0,)"
    given = "" if axes == "()" and form != "torch.squeeze(x, {})" else axes
    if form == "torch.squeeze(x, {})" and given == "0, 2":
        given = "(0, 2)"
    _check(f"x = torch.ones(1, 3, 1)\ny = {form.format(given)}\nz = y + 1")


@pytest.mark.parametrize("axes", ["()", "None", "0", "(0, 2)"])
@pytest.mark.parametrize("call", ["np.squeeze(x, axis={})", "x.squeeze({})"])
def test_axes_that_numpy_squeezes(axes: str, call: str) -> None:
    _check(f"x = np.ones((1, 3, 1))\ny = {call.format(axes)}", "numpy as np")


@pytest.mark.parametrize("call", ["squeeze(x, {})", "reduce_sum(x, {})", "reduce_max(x, {})"])
@pytest.mark.parametrize("axes", ["()", "[]", "None", "[0]"])
def test_axes_of_tensorflow(call: str, axes: str) -> None:
    pytest.importorskip("tensorflow")
    _check(f"x = tf.ones((1, 3, 1))\ny = tf.{call.format(axes)}", "tensorflow as tf")


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min", "reduce_sum", "reduce_prod", "reduce_mean"])
@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 0), ((2, 0, 3), 1), ((0, 3), 1), ((2, 3), 0)])
def test_reductions_of_no_elements(name: str, shape: tuple[int, ...], axis: int) -> None:
    pytest.importorskip("tensorflow")
    _check(f"x = tf.random.uniform({shape}, 1, 2)\ny = tf.{name}(x, {axis})\nz = y + 1", "tensorflow as tf")


@pytest.mark.parametrize("copied", [
    "np.array(x, copy=False)", "np.array(x, copy=None)", "np.array(x)", "np.array(x, copy=True)", "np.asarray(x)",
    "np.asanyarray(x)", "np.ascontiguousarray(x)", "x.astype(np.int64, copy=False)", "x.astype(np.int64)", "np.copy(x)",
    "np.reshape(x, (3, 1))[:, 0]", "np.array(x[1:], copy=False)",
])  # fmt: skip
@pytest.mark.parametrize("written", ["y[0] = -3", "y += 5", "y.fill(7)", "x[1] = 9"])
def test_arrays_that_may_share_elements(copied: str, written: str) -> None:
    _check(f"x = np.random.randint(0, 2, (3,))\ny = {copied}\n{written}\nz = x + 1", "numpy as np")


@pytest.mark.parametrize("number", ["x", "x.max()", "x.item()", "x[None][0]", "float(x)"])
@pytest.mark.parametrize("call", ["int({})", "round(float({}))", "math.floor({})", "math.ceil({})"])
@pytest.mark.parametrize(
    "value", ["torch.rand(()) - 9", "torch.randint(-9, -7, ())", "torch.rand(()) + 5", "-torch.ones(()).exp()"]
)
def test_numbers_of_elements_may_be_negative(number: str, call: str, value: str) -> None:
    _check(f"import math\nx = {value}\ny = {call.format(number)}\nz = torch.ones(3) * y")


@pytest.mark.parametrize("method", ["as_strided_((2, 2), (1, 2))", "resize_(2)", "t_()", "unsqueeze_(0)", "transpose_(0, 1)",
                                    "swapaxes_(0, 1)", "swapdims_(0, 1)", "squeeze_()", "resize_as_(x[0])"])  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_methods_that_give_their_tensor_another_shape(method: str, dtype: str) -> None:
    _check(f"x = torch.ones(3, 3, dtype=torch.{dtype})\ny = x.{method}\nz = x + 1")


@pytest.mark.parametrize("delta", [-3, 0.5, 2])
@pytest.mark.parametrize("loss", ["keras.losses.Huber(delta={})(a, b)", "keras.losses.huber(a, b, delta={})"])
def test_losses_of_keras_with_a_delta_of_any_sign(loss: str, delta: float) -> None:
    pytest.importorskip("keras")
    text = f"a = keras.random.uniform((3, 2))\nb = keras.random.uniform((3, 2))\ny = {loss.format(delta)}"
    _check(text, "keras")


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("swapped", [False, True])
def test_embedding_bags_take_their_arguments_in_both_orders(mode: str, swapped: bool) -> None:
    args = "table, index" if swapped else "index, table"
    text = "table = torch.rand(10, 5)\nindex = torch.tensor([9, 4, 4, 9])\nstarts = torch.tensor([0, 3])"
    _check(f"{text}\ny = torch.nn.functional.embedding_bag({args}, offsets=starts, mode='{mode}')")


@pytest.mark.parametrize("dtype", ["complex64", "complex128", "float64", "float16"])
def test_the_type_of_a_cross_entropy_of_logits(dtype: str) -> None:
    text = f"x = torch.rand(3)\ny = torch.rand(3, dtype=torch.{dtype})"
    _check(f"{text}\nz = torch.nn.functional.binary_cross_entropy_with_logits(x, y)\nw = z + 1")


@pytest.mark.parametrize("other", ["torch.masked.std(x, dim=(1,), correction=1.3).flatten()", "torch.special.zeta(x, x)",
                                   "torch.linalg.vander(x.double())"])  # fmt: skip
def test_the_type_of_a_tensor_that_is_not_followed(other: str) -> None:
    _check(f"x = torch.randint(1, 9, (3, 3), dtype=torch.int16)\ny = {other}\nz = x.to(y)\nw = x.to({other})")


@pytest.mark.parametrize("values", ["[6.446, 0.1]", "[-8.5, -0.01, 6.446]", "[3.0, 2.9999]", "[0.333, 5.77, 11.3]"])
@pytest.mark.parametrize("name", ["hardswish", "silu", "gelu", "mish", "elu", "selu", "celu", "relu6"])
def test_activations_round(values: str, name: str) -> None:
    _check(f"x = torch.tensor({values})\ny = torch.nn.functional.{name}(x)")


@pytest.mark.parametrize("equation", ["ii->i", "ij->ji", "ij->ij", "ij->", "ij,jk->ik", "ij->j"])
@pytest.mark.parametrize("written", ["y.fill_(-3.7)", "y += 5", "y.mul_(0)"])
def test_sums_of_one_tensor_may_share_its_elements(equation: str, written: str) -> None:
    operands = "x, x" if "," in equation else "x"
    _check(f"x = torch.arange(4.0).reshape(2, 2)\ny = torch.einsum('{equation}', {operands})\n{written}\nz = x + 1")


@pytest.mark.parametrize("name", ["LogSigmoid", "Sigmoid", "Tanh", "ReLU", "Softplus", "ELU", "GELU", "Mish", "Hardtanh"])
def test_layouts_of_activations(name: str) -> None:
    _check(
        f"x = torch.rand(5, 4).t()\ny = torch.nn.{name}()(x)\n"
        f"z = torch.rand(2, 3, 4).permute(2, 0, 1)\nw = torch.nn.{name}()(z)"
    )


@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "nearest", "area", "lanczos3"])
def test_resized_images_may_have_zeros(mode: str) -> None:
    pytest.importorskip("tensorflow")
    _check(f"x = tf.constant([[[1.0], [-1.0]], [[2.0], [-3.0]]])\ny = tf.image.resize(x, (5, 3), method='{mode}')",
           "tensorflow as tf")  # fmt: skip


@pytest.mark.parametrize("base", ["1e-46", "3", "x", "2.5"])
@pytest.mark.parametrize("call", ["torch.pow({}, x)", "torch.atan({} * x * 1e9)", "{} ** x"])
def test_numbers_are_rounded_to_the_type_of_a_result(base: str, call: str) -> None:
    for dtype in _KINDS:
        _check(f"x = torch.rand(7, dtype=torch.{dtype}) + 0.1\ny = {call.format(base)}\nz = y + 1")


@pytest.mark.parametrize("weights", ["tf.random.uniform((3, 6))", "tf.ones((3, 6))", "tf.random.uniform((3, 1)) + 0.5"])
@pytest.mark.parametrize("axes", ["[0, 1]", "[1]", "[0], keepdims=True"])
def test_weighted_moments(weights: str, axes: str) -> None:
    pytest.importorskip("tensorflow")
    given = axes.replace(", keepdims", f", {weights}, keepdims") if "keepdims" in axes else f"{axes}, {weights}"
    _check(f"x = tf.random.normal((3, 6))\nm, v = tf.nn.weighted_moments(x, {given})", "tensorflow as tf")


@pytest.mark.parametrize("left", ["bool_", "int8", "float32"])
@pytest.mark.parametrize("name", ["floor_divide", "mod", "remainder", "fmod", "maximum", "add", "multiply"])
def test_types_of_quotients_of_truth_values(left: str, name: str) -> None:
    _check(f"x = np.ones(3, np.{left})\ny = np.{name}(x, np.ones(3, np.bool_))", "numpy as np")


@pytest.mark.parametrize("kind", ["sum", "mean", "min", "max", "prod"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("ids", ["[0, 0, 2]", "[0, 1, 1]"])
def test_segments_of_no_elements_and_their_products(kind: str, dtype: str, ids: str) -> None:
    pytest.importorskip("tensorflow")
    text = f"x = tf.constant([-3, -3, 2], dtype=tf.{dtype})\nids = tf.constant({ids})\ny = tf.math.segment_{kind}(x, ids)"
    _check(f"{text}\nz = tf.math.unsorted_segment_{kind}(x, ids, 4)\nw = z + 1", "tensorflow as tf")


@pytest.mark.parametrize("shape", ["0", "(0,)", "(0, 3)", "(3, 0)"])
@pytest.mark.parametrize("equation", ["...i,...i->...", "...i,...j->...ij", "i...,i...->..."])
@pytest.mark.parametrize("library", ["numpy as np", "torch"])
def test_sums_of_no_products(shape: str, equation: str, library: str) -> None:
    name = library.rpartition(" ")[2]
    _check(f"x = {name}.exp({name}.ones({shape}))\ny = {name}.einsum('{equation}', x, x)\nz = y + 1", library)


@pytest.mark.parametrize("mode", ["nearest", "area", "bilinear", "bicubic", "lanczos3"])
@pytest.mark.parametrize("size", ["4, 5", "8, 8", "1, 3"])
def test_images_with_borders_of_zeros(mode: str, size: str) -> None:
    pytest.importorskip("tensorflow")
    _check(f"x = tf.fill((2, 6, 8, 3), -1.0)\ny = tf.image.resize_with_pad(x, {size}, '{mode}')\nz = y + 1", "tensorflow as tf")


@pytest.mark.parametrize("name", ["scatter", "scatter_add"])
@pytest.mark.parametrize(("shape", "index"), [((0, 3), (0, 4)), ((2, 3), (0, 9)), ((2, 3), (4, 0)), ((3, 0), (0, 0, 2))])
@pytest.mark.parametrize("dim", [0, 1])
def test_nothing_is_scattered_where_an_index_has_no_elements(
    name: str, shape: tuple[int, ...], index: tuple[int, ...], dim: int
) -> None:
    _check(f"x = torch.ones({shape})\nindex = torch.zeros({index}, dtype=torch.int64)\n"
           f"y = torch.{name}(x, {dim}, index, torch.ones(0, 3))")  # fmt: skip


@pytest.mark.parametrize("given", ["2.0", "0.5", "keras.ops.ones(())", "keras.ops.ones((3,))", "keras.ops.ones((2, 3))"])
@pytest.mark.parametrize("order", ["", ", order=1", ", axis=0, order=3"])
def test_keras_normalizes_at_least_one_axis(given: str, order: str) -> None:
    pytest.importorskip("keras")
    _check(f"y = keras.ops.normalize({given}{order})\nz = y * y\nw = z.shape", "keras")


@pytest.mark.parametrize("call", ["x.squeeze()", "np.squeeze(x)", "np.asarray(x).squeeze()", "x.squeeze(())", "x[:].squeeze()"])
@pytest.mark.parametrize("written", ["y.shape = (2, 6)", "x.shape = (2, 6)", "y.dtype = np.int8"])
@pytest.mark.parametrize("shape", [(3, 4), (3, 1, 4)])
def test_squeezed_arrays_that_are_the_array_itself(call: str, written: str, shape: tuple[int, ...]) -> None:
    _check(f"x = np.ones({shape})\ny = {call}\n{written}\nz = x + 1\nw = y + 1", "numpy as np")


@pytest.mark.parametrize("axes", [2, 3])
def test_pooling_functions_write_to_a_tensor_that_is_given(axes: int) -> None:
    size, pooled = (1, 2, *[5] * axes), (1, 2, *[2] * axes)
    _check(
        f"x = torch.rand{size}\nout = torch.zeros{pooled}\ny = torch.nn.functional.avg_pool{axes}d(x, 2, out=out)\nz = out + 1"
    )


@pytest.mark.parametrize("name", ["percentile", "quantile", "nanpercentile"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int8"])
@pytest.mark.parametrize(
    "shares",
    ["1", "np.ones(2, np.float32)", "0.5", "[0, 1]", "[0.5, 1]", "np.ones(2, np.float16)", "np.ones(2)", "np.ones(2, int)"],
)
def test_types_of_quantiles(name: str, dtype: str, shares: str) -> None:
    _check(f"x = np.ones((3, 4), np.{dtype})\ny = np.{name}(x, {shares})\nz = np.{name}(x, {shares}, axis=0)", "numpy as np")


@pytest.mark.parametrize("name", ["intc", "int32", "short", "double", "single", "int_", "bool_", "uint8"])
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "bool"])
@pytest.mark.parametrize("written", ["y[0] = 4", "y.fill(3)", "x[1] = 0"])
def test_types_of_numpy_give_arrays_of_their_own_type_back(name: str, dtype: str, written: str) -> None:
    _check(f"x = np.random.randint(0, 3, (4, 3)).astype(np.{dtype})\ny = np.{name}(x)\n{written}\nz = x + y", "numpy as np")


@pytest.mark.parametrize("hidden", ["np.rollaxis({}, -2)", "np.rad2deg({})", "np.sort_complex({}).real", "{}"])
@pytest.mark.parametrize(
    "call", ["np.full_like(y, 1e-46)", "np.clip(y, 0, 0.1)", "np.maximum(y, 0.1)", "np.where(y > 0, y, 0.1)"]
)
def test_numbers_beside_arrays_of_a_type_that_is_not_followed(hidden: str, call: str) -> None:
    _check(f"x = np.random.rand(2, 3).astype(np.float32)\ny = {hidden.format('x')}\nz = {call}", "numpy as np")


@pytest.mark.parametrize("rate", [0.3, 0.1, 0.5, 0.7])
@pytest.mark.parametrize(("call", "library"), [
    ("tf.nn.dropout(x, {})", "tensorflow as tf"), ("keras.random.dropout(x, {})", "keras"),
    ("torch.nn.functional.dropout(x, {})", "torch"), ("torch.nn.Dropout({})(x)", "torch"),
])  # fmt: skip
def test_what_dropout_leaves_is_rounded(rate: float, call: str, library: str) -> None:
    name = library.rpartition(" ")[2]
    pytest.importorskip(library.partition(" ")[0])
    made = {"tf": "tf.constant", "keras": "keras.ops.convert_to_tensor", "torch": "torch.tensor"}[name]
    numbers = [-0.52, -1.02, 0.6, 1.2, -0.6, 0.1, 0.7] * 9
    _check(f"x = {made}({numbers})\ny = {call.format(rate)}\nz = y + 1", library)


@pytest.mark.parametrize(
    "layer", ["Dropout(0.5", "SpatialDropout1D(0.5", "ReLU(", "Flatten(", "Permute((2, 1)", "ZeroPadding1D(1"]
)
@pytest.mark.parametrize("dtype", ["uint8", "int32"])
@pytest.mark.parametrize("given", ["keras.random.uniform((2, 4, 3))", "keras.ops.ones((2, 4, 3), dtype='int32')"])
def test_layers_that_compute_in_whole_numbers(layer: str, dtype: str, given: str) -> None:
    pytest.importorskip("keras")
    option = f"dtype='{dtype}'" if layer.endswith("(") else f", dtype='{dtype}'"
    _check(f"x = {given}\nlayer = keras.layers.{layer}{option})\ny = layer(x)", "keras")


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "hypot", "fmax", "divide", "arctan2", "nextafter"])
@pytest.mark.parametrize("kinds", [("a", "b"), ("b", "a"), ("a", "a"), ("t", "t"), ("a", "2"), ("a", "a.to_numpy()")])
def test_functions_of_columns_match_labels(name: str, kinds: tuple[str, str]) -> None:
    pytest.importorskip("pandas")
    text = "import numpy as np\na = pd.Series([1.0, 2.0, 3.0])\nb = pd.Series([1.0, 2.0])\nt = pd.DataFrame({'x': a, 'y': a})"
    _check(f"{text}\nc = np.{name}({', '.join(kinds)})\nd = len(a)", "pandas as pd")


@pytest.mark.parametrize("shapes", [("(2, 4)", "(1, 2)"), ("(4, 1)", "(1, 4)"), ("(3,)", "(2, 2)"), ("(2, 2)", "(2, 2)")])
def test_layouts_of_kronecker_products(shapes: tuple[str, str]) -> None:
    x, y = (f"torch.rand({shape})" for shape in shapes)
    _check(f"x = torch.kron({x}, {y})\ny = torch.fmod(x, 10)\nz = x + y")
