"""Families of programs about which something wrong was claimed once: each is run and compared with what is said of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def _refuted(*lines: str) -> list[object]:
    """What a run shows to be wrong of what is said about a program."""
    text = "\n".join(
        ("import numpy as np", "import torch", "import torch.nn.functional as F", "torch.manual_seed(1)", *lines, "")
    )
    observed = run(text)
    assert observed.raised is None, (text, observed.raised)
    verdict = compared(claims(text), observed)
    return [*verdict.wrong, *verdict.false_errors]


def _is_found(*lines: str) -> bool:
    """Whether the error is reported with which a program ends."""
    text = "\n".join(("import torch", "import torch.nn.functional as F", *lines, ""))
    observed = run(text)
    assert observed.raised is not None, text
    return compared(claims(text), observed).found


#: Arrays of several layouts, and what is made of an array before a tensor is made of it.
_ARRAYS = ("np.zeros((2, 3, 4))", "np.random.rand(4, 3, 2).T", "np.transpose(np.ones((3, 2, 4)), (1, 0, 2))",
           "np.zeros((2, 3, 8))[..., ::2]", "np.zeros((2, 3, 4), order='F')",
           "torch.zeros(4, 3, 2).permute(2, 1, 0).numpy()")  # fmt: skip
_STEPS = ("{0}", "{0} + 1", "{0}.copy()", "np.array({0})", "np.ascontiguousarray({0})", "{0}.astype('float32')", "{0}.sum(0)",
          "np.stack([{0}, {0}])", "{0}.swapaxes(0, 1)", "{0}.reshape(6, 4)", "{0}[None]", "np.broadcast_to({0}, (2, 2, 3, 4))",
          "np.where({0} > 0, {0}, 0)", "np.exp({0})", "np.concatenate([{0}, {0}])")  # fmt: skip
_MAKERS = ("torch.from_numpy", "torch.tensor", "torch.as_tensor")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(("array", "step", "maker"), list(product(_ARRAYS, _STEPS, _MAKERS)))
def test_a_tensor_is_laid_out_as_the_array_that_it_is_made_of(array: str, step: str, maker: str) -> None:
    made = f"x = {maker}(b)"
    turned = "y = x.permute(*range(x.dim() - 1, -1, -1)).contiguous().view(-1)"
    assert not _refuted(f"a = {array}", f"b = {step.format('a')}", made, turned)


def test_no_view_is_refused_that_undoes_the_order_of_an_array() -> None:
    assert not _refuted("a = np.zeros((2, 3))", "b = torch.from_numpy(a.T)", "c = b.t().view(-1)")
    assert not _refuted("def load(a):", "    return torch.from_numpy(a.transpose(2, 0, 1))", "",
                        "image = load(np.zeros((4, 5, 3)))", "rows = image.permute(1, 2, 0).view(-1, 3)")  # fmt: skip


def _compared_with_numbers() -> Iterator[tuple[str, str, str]]:
    for dtype, number in product(("float32", "float16", "bfloat16", "float64"), ("1e-3", "0.1", "-0.7")):
        yield dtype, number, f"x.masked_fill(x > {number}, -5.0)"
        yield dtype, number, f"x.masked_fill(x < {number}, 5.0)"
        yield dtype, number, f"torch.where(x > {number}, x, {number})"
        yield dtype, number, f"torch.where({number} >= x, x, 0.0)"


@pytest.mark.parametrize(("dtype", "number", "selected"), list(_compared_with_numbers()))
def test_a_number_is_compared_as_the_type_of_the_tensor_has_it(dtype: str, number: str, selected: str) -> None:
    assert not _refuted(f"x = torch.randn(40, dtype=torch.{dtype})", f"x[:4] = {number}", f"y = {selected}")


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("divisor", ["1e-6", "0.3", "3", "torch.tensor([float('inf')]).to(x.dtype)", "torch.atanh(x)"])
@pytest.mark.parametrize("operator", ["/", "//"])
def test_quotients(dtype: str, divisor: str, operator: str) -> None:
    assert not _refuted(f"x = torch.ones(6, dtype=torch.{dtype})", f"y = x {operator} {divisor}")


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8"])
@pytest.mark.parametrize("power", ["n * n", "n ** n", "n ** 3", "n.square()", "torch.pow(n, torch.arange(12))", "2 ** n"])
def test_powers_of_whole_numbers_run_over(dtype: str, power: str) -> None:
    assert not _refuted(f"n = torch.arange(12).to(torch.{dtype})", "n = n * torch.ones_like(n)", f"y = {power}")


@pytest.mark.parametrize("made", ["torch.broadcast_tensors(a, b)[0]", "torch.cartesian_prod(a)", "torch.meshgrid(a)[0]"])
@pytest.mark.parametrize("write", ["y[torch.tensor([0])] = 0.5", "y[..., 0] = 0.5", "a[torch.tensor([0])] = 0.5", "a += 1"])
def test_views_of_one_of_several_tensors(made: str, write: str) -> None:
    assert not _refuted("a = torch.tensor([1.0, 2.0])", "b = torch.ones(2)", f"y = {made}", write)


@pytest.mark.parametrize("number", ["-3.7", "0.3", "7"])
@pytest.mark.parametrize("made", ["F.l1_loss(n, n, reduction='sum')", "F.l1_loss(n, -n, reduction='none')", "torch.imag(c)"])
def test_numbers_written_into_elements_of_an_unknown_type(made: str, number: str) -> None:
    lines = "n = torch.arange(4)", "c = torch.randn(4, dtype=torch.complex128)", f"y = {made}", f"y.fill_({number})"
    assert not _refuted(*lines)


@pytest.mark.parametrize("arguments", ["4, 2, 1, (1, 2, 1), True", "2, 2, 1, 3, True", "3, 1, 1, 2", "2, 2, 1"])
def test_windows_with_gaps_may_see_padding_alone(arguments: str) -> None:
    assert not _refuted("x = torch.rand(1, 4, 4, 4, 5)", f"y = F.max_pool3d(x, {arguments})")


@pytest.mark.parametrize("training", ["True", "False"])
@pytest.mark.parametrize("made", ["torch.zeros(5, 4).t()", "torch.zeros(2, 3, 4).permute(2, 0, 1)", "torch.zeros(3, 4)"])
def test_drawn_slopes_give_tensors_laid_out_row_by_row(made: str, training: str) -> None:
    assert not _refuted(f"x = {made}", f"y = F.rrelu(x, training={training})", "z = y.view(-1)")


@pytest.mark.parametrize(("x", "weight"), [("float64", "float32"), ("float32", "float16"), ("bfloat16", "float32")])
def test_slopes_of_another_type(x: str, weight: str) -> None:
    made = (f"x = torch.ones(2, 3, dtype=torch.{x})", f"w = torch.tensor([0.5], dtype=torch.{weight})")
    assert _is_found(*made, "y = F.prelu(x, w)")
    assert not _refuted(*made, "y = F.prelu(x, w.to(x.dtype))", "z = torch.nn.PReLU(dtype=x.dtype)(x)")


@pytest.mark.parametrize("function", ["softmax(x, -1)", "log_softmax(x, -1)", "softmin(x, -1)"])
@pytest.mark.parametrize("dtype", ["complex64", "complex128", "int64", "bool"])
def test_shares_of_what_has_no_order(function: str, dtype: str) -> None:
    assert _is_found(f"x = torch.ones(2, 3, dtype=torch.{dtype})", f"y = F.{function}")


@pytest.mark.parametrize("call", ["torch.zeros((), out=y)", "torch.ones(2, 3, out=y)", "torch.full((1, 4), 2.0, out=y)"])
@pytest.mark.parametrize("view", ["x.expand(-1, 5, -1)", "x[:, :, :2]", "x.view(-1)", "x[0]"])
def test_views_that_take_another_shape_with_out(call: str, view: str) -> None:
    assert not _refuted("x = torch.rand(5, 1, 4) * 18 - 9", f"y = {view}", call, "z = x.floor()")


@pytest.mark.parametrize("base", ["0", "0.0", "1", "2", "-2"])
@pytest.mark.parametrize("exponent", ["n", "n.float()", "n.trunc()", "-n.abs()"])
def test_powers_of_numbers_whose_exponents_are_negative(base: str, exponent: str) -> None:
    assert not _refuted("n = torch.randint(-9, 10, (20,))", f"y = torch.pow({base}, {exponent})")


@pytest.mark.parametrize("function", ["median", "nanmedian", "percentile", "quantile", "nanpercentile"])
def test_inputs_that_functions_may_overwrite(function: str) -> None:
    more = "" if function.endswith("median") else "0.5, "
    assert not _refuted(
        "x = np.array([0.5, -1.25, 0.25, 7.0])", f"y = np.{function}(x, {more}overwrite_input=True)", "z = x[0]"
    )


@pytest.mark.parametrize("channels", [3, 10, 12, 7])
@pytest.mark.parametrize("groups", [1, 2, 5])
def test_groups_without_weights_take_all_numbers_of_channels_that_divide(channels: int, groups: int) -> None:
    lines = (f"x = torch.ones(4, {channels}, 2)", f"layer = torch.nn.GroupNorm({groups}, 10, affine=False)", "y = layer(x)")
    if channels % groups:
        assert _is_found(*lines)
    else:
        assert not _refuted(*lines)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("turned", ["x", "x.t()", "x[::2]", "x[:, ::2]", "x.permute(1, 0)[1:]"])
def test_parts_of_complex_numbers_are_laid_out_as_they_are(dtype: str, turned: str) -> None:
    made = f"x = torch.randn(4, 6, dtype=torch.{dtype})"
    assert not _refuted(made, f"y = torch.view_as_real({turned})", "z = torch.view_as_complex(y)")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_pairs_of_numbers_of_any_precision(dtype: str) -> None:
    assert not _refuted(f"x = torch.ones(3, 2, dtype=torch.{dtype})", "y = torch.view_as_complex(x)")


@pytest.mark.parametrize("function", ["mul", "add", "bitwise_and"])
@pytest.mark.parametrize("shapes", ["(0, 1, 3) (0, 4, 3)", "(0,) (1,)", "(2, 0) (1, 1)"])
def test_results_without_elements_written_into_a_tensor(function: str, shapes: str) -> None:
    x, y = (f"torch.ones(({part}, dtype=torch.int32)" for part in shapes.replace(" (", "#(").replace("(", "").split("#"))
    assert not _refuted(f"x, y = {x}, {y}", "z = torch.ones((1,), dtype=torch.int32)", f"torch.{function}(x, y, out=z)",
                        "w = z.softmax(-1)")  # fmt: skip


@pytest.mark.parametrize("kind", ["uint8", "int8", "int64", "bool"])
@pytest.mark.parametrize("numbers", ["[-1, 5]", "[0, 255]", "[3, 3]", "[1, 127]", "[0, 0]"])
def test_whole_numbers_become_those_of_a_type_that_is_not_known(kind: str, numbers: str) -> None:
    x = f"x = torch.tensor({numbers}).to(torch.int16)"
    like = f"like = torch.as_strided(torch.ones(4, dtype=torch.{kind}), (2,), (1,))"
    hidden = "like = torch.diagonal_scatter(torch.ones(2, 2).to(like), torch.ones(2).to(like))[0]"
    assert not _refuted(x, like, hidden, "y = x.to(like)", "z = x.abs().type_as(like)")


@pytest.mark.parametrize("layer", ["InstanceNorm", "BatchNorm"])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("spaces", ["(0,)", "(0, 5)", "(4, 0, 1)"])
def test_nothing_is_refused_of_the_type_of_no_elements(layer: str, affine: bool, spaces: str) -> None:
    made = f"layer = torch.nn.{layer}{spaces.count(',') + (spaces[-2] != ',')}d(3, affine={affine})"
    assert not _refuted(made, f"x = torch.ones((2, 3, *{spaces}), dtype=torch.int32)", "y = layer(x)")


@pytest.mark.parametrize("order", ["0, 1, 2, 3", "0, 3, 1, 2", "1, 0, 2, 3", "3, 2, 1, 0"])
def test_shuffled_channels_are_laid_out_as_the_image_is(order: str) -> None:
    x = f"x = torch.ones(4, 6, 8, 2).permute({order})"
    assert not _refuted(x, "y = F.channel_shuffle(x, 2)", "layer = torch.nn.ChannelShuffle(2)", "z = layer(x)", "v = z + 1")


@pytest.mark.parametrize("call", ["split_copy(x, 2", "split_with_sizes_copy(x, (2, 2)", "unbind_copy(torch.ones(2, 2, 3)"])
def test_functions_that_write_to_several_tensors_may_give_nothing(call: str) -> None:
    assert not _refuted("x = torch.ones(4, 3)", "a, b = torch.ones(2, 3), torch.ones(2, 3)", f"y = torch.{call}, out=(a, b))",
                        "z = a + b")  # fmt: skip


@pytest.mark.parametrize(("call", "fitting", "unfit"), [
    ("F.max_pool2d(x, 2, dilation={})", ("1", "(1, 2)"), ("0", "-1", "(1, 1, 1)")),
    ("F.adaptive_avg_pool2d(x, {})", ("2", "(2, None)", "0"), ("-1", "(2,)", "(1, 2, 3)")),
    ("nn.AdaptiveMaxPool2d({})(x)", ("2", "(None, 3)"), ("(2, -1)", "(2,)")),
    ("F.linear(x, torch.ones(4, 6), torch.ones({}))", ("4", "1", "(5, 4)"), ("3", "6")),
    ("F.conv2d(x, torch.ones(4, 3, 1, 1), torch.ones({}))", ("4",), ("1", "3", "(1, 4)")),
    ("F.huber_loss(x, x, delta={})", ("1", "0.5"), ("0", "-1.0")),
    ("F.smooth_l1_loss(x, x, beta={})", ("1", "0"), ("-1",)),
    ("F.softshrink(x, {})", ("1", "0"), ("-1",)),
    ("torch.rand(2, 3, dtype=torch.{})", ("float64",), ("int64", "bool")),
    ("torch.kthvalue(x, {}, 1)", ("1", "3"), ("0", "4")),
    ("torch.where(x.to(torch.{}), x, 0)", ("bool",), ("int64", "float32")),
    ("torch.maximum(x, x.to(torch.{}))", ("int64",), ("complex64",)),
])  # fmt: skip
def test_arguments_that_are_refused(call: str, fitting: tuple[str, ...], unfit: tuple[str, ...]) -> None:
    lines = ("import torch.nn as nn", "x = torch.arange(180.0).reshape(2, 3, 5, 6)")
    for value in fitting:
        assert not _refuted(*lines, f"y = {call.format(value)}"), value
    for value in unfit:
        assert _is_found(*lines, f"y = {call.format(value)}"), value


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("mode", ["constant", "replicate", "circular", "reflect"])
@pytest.mark.parametrize("pads", ["(-5, 4)", "(4, -4)", "(-2, 1)", "(1, -2)", "(-3, 2)", "(2, -1)", "(1, -1, -3, 3)"])
@pytest.mark.parametrize("size", ["2", "3", "5"])
def test_crops_beside_padding_are_refused_where_torch_refuses_them(mode: str, pads: str, size: str) -> None:
    lines = (f"x = torch.rand(1, 2, {', '.join([size] * (pads.count(',') // 2 + 1))})", f"y = F.pad(x, {pads}, '{mode}')")
    observed = run("\n".join(("import torch", "import torch.nn.functional as F", *lines, "")))
    if observed.raised is None:
        assert not _refuted(*lines, "z = y * 2")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("operator", ["+", "*", "/", "//", "**", "-", "&"])
@pytest.mark.parametrize("left", ["bool", "uint8", "int64", "float32"])
@pytest.mark.parametrize("right", ["bool_", "int8", "int64", "float32", "float64"])
def test_arrays_beside_tensors_are_promoted_as_a_run_shows(operator: str, left: str, right: str) -> None:
    lines = (f"x = torch.ones(3).to(torch.{left})", f"a = np.ones(3).astype(np.{right})", f"y = x {operator} a")
    observed = run("\n".join(("import numpy as np", "import torch", *lines, "")))
    if observed.raised is None:
        assert not _refuted(*lines)


@pytest.mark.parametrize("write", ["x.fill_(1)", "torch.nn.init.ones_(x)", "x.add_(1)", "x[...] = 1"])
@pytest.mark.parametrize("mark", ["x.requires_grad_(False)", "x.requires_grad_()", "x.detach()"])
def test_a_marked_tensor_is_the_tensor_that_is_written_to(write: str, mark: str) -> None:
    assert not _refuted("x = torch.zeros(3)", f"y = {mark}", "torch.set_grad_enabled(False)", write, "z = y + 0")


@pytest.mark.parametrize("part", ["torch.imag(x)", "torch.real(x)", "torch.view_as_real(x)[..., 1]"])
@pytest.mark.parametrize("seen", ["y.view(-1)", "y.view(4, 1, 5)", "y.view(5, 4)", "y.unsqueeze(0).view(-1)"])
def test_parts_of_complex_tensors_keep_their_layout(part: str, seen: str) -> None:
    assert not _refuted("x = torch.randn(20, 1, dtype=torch.complex64)", f"y = torch.atleast_2d({part})", f"z = {seen}")


@pytest.mark.parametrize(
    "lines",
    [
        ("x = tf.boolean_mask(tf.zeros((0, 2)), tf.zeros((0,), tf.bool))", "y = tf.reduce_prod(x)"),
        ("x = tf.boolean_mask(tf.zeros((2,)), [False, False])", "y = tf.reduce_prod(x)", "z = tf.reduce_prod(x, 0)"),
        ("x = tf.zeros((2,))", "y = x == tf.boolean_mask(x, [False, False])", "z = x != tf.boolean_mask(x, [True, True])"),
        ("x = tf.zeros((2, 1)) == tf.zeros((1, 3))", "y = tf.zeros((2,)) == tf.zeros((3,))", "z = tf.zeros((2,)) != 1"),
        *[
            (f"x = tf.constant([-1.6685, 1.9], tf.{kind})", "y = tf.nn.leaky_relu(x)", "z = tf.nn.leaky_relu(x, 0.1)")
            for kind in ("float64", "float32", "float16", "bfloat16")
        ],
        *[
            (f"x = tf.cast(tf.reshape(tf.range(6), (2, 3)), tf.{kind})", f"y = tf.nn.weighted_moments({values}, [0, 1], x)")
            for kind in ("bfloat16", "bool", "int32", "float64")
            for values in ("0.5", "tf.ones((2, 3))")
        ],
    ],
)
def test_tensors_of_tensorflow_are_as_a_run_shows(lines: tuple[str, ...]) -> None:
    pytest.importorskip("tensorflow")
    assert not _refuted("import tensorflow as tf", *lines)


@pytest.mark.parametrize("kind", ["uint8", "int8", "int32", "int64", "float16"])
@pytest.mark.parametrize("equation", ["ij,ij->ij", "ij,ij->i", "ij,kj->ik"])
@pytest.mark.parametrize("last", [3, 1])
def test_sums_of_products_in_keras_have_the_type_that_a_run_shows(kind: str, equation: str, last: int) -> None:
    pytest.importorskip("keras")
    given = f"keras.ops.ones((2, 3), '{kind}'), keras.ops.ones((2, {last}), '{kind}')"
    assert not _refuted(
        "import keras",
        f"x = keras.ops.einsum('{equation}', {given})",
        f"y = keras.ops.einsum('ij->i', keras.ops.ones((2, 3), '{kind}'))",
    )
