"""Calls that raise whatever their tensors hold, beside those like them that run, against runs of the libraries."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import check

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


_AROUND = ("r = {}", "def f():\n    return {}\nr = f()", "r = [{} for _ in range(2)]")


@pytest.mark.parametrize("library", ["torch", "numpy"])
@pytest.mark.parametrize("made", ["ones(3)", "ones((3, 2)) > 0", "ones(0)", "ones(())", "arange(3)", "ones(3) * 1j"])
@pytest.mark.parametrize("around", _AROUND)
def test_bits_are_turned_round(library: str, made: str, around: str) -> None:
    check(f"import {library}\nx = {library}.{made}\n{around.format('~x')}\n")


@pytest.mark.parametrize("value", ["[[1]]", "[1, 2, 3]", "(1.0, 2.0, 3.0)", "1", "2.5", "True", "torch.ones(3)", "x[1]",
                                   "[x[0]]", "torch.tensor([1, 2, 3])", "x.shape", "list(x[0])", "x.sum()"])  # fmt: skip
@pytest.mark.parametrize("place", ["x[0]", "x[:1]", "x[..., 0]", "x[x > 0]"])
def test_lists_are_not_assigned_to_parts_of_tensors(value: str, place: str) -> None:
    if place == "x[x > 0]" and value in ("torch.ones(3)", "x[1]", "torch.tensor([1, 2, 3])"):
        value = "torch.ones(9)"
    check(f"import torch\nx = torch.ones(3, 3)\n{place} = {value}\n")


@pytest.mark.parametrize("shifts", ["1", "(1, 2)", "(1,)", "[2, 1, 1]"])
@pytest.mark.parametrize("axes", ["", ", 0", ", (0, 1)", ", (-1,)", ", ()", ", dims=[0, 1, 2]"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 3, 1)])
def test_every_axis_is_shifted_by_a_number(shifts: str, axes: str, shape: tuple[int, ...]) -> None:
    check(f"import torch\nx = torch.ones{shape}\nr = torch.roll(x, {shifts}{axes})\ns = x.roll({shifts}{axes})\n")


@pytest.mark.parametrize("dims", ["(0,)", "(0, 1)", "[0, 1, 2]", "(1, -1)"])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_plane_has_two_axes(dims: str, k: int) -> None:
    check(f"import torch\nr = torch.rot90(torch.ones(2, 3, 4), {k}, {dims})\n")


@pytest.mark.parametrize("sizes", ["(-5, 5)", "(-1, 5)", "(-2, 1, 5)", "(2, -1)", "(3, 1, -1)", "(0, 5)"])
@pytest.mark.parametrize("call", ["x.expand({})", "torch.broadcast_to(x, {})", "x.broadcast_to({})"])
def test_sizes_that_a_tensor_is_expanded_to(sizes: str, call: str) -> None:
    check(f"import torch\nx = torch.ones(1, 5)\nr = {call.format(sizes)}\n")


@pytest.mark.parametrize("shape", ["(2, 4)", "(1, 2, 4)", "(2, 3)", "(2, 4, 1)"])
@pytest.mark.parametrize("call", ["torch.nn.functional.max_unpool1d(x, index, 2)", "torch.nn.MaxUnpool1d(2)(x, index)"])
def test_indices_of_unpooling(shape: str, call: str) -> None:
    check(f"import torch\nx = torch.ones(2, 4)\nindex = torch.zeros({shape}, dtype=torch.int64)\nr = {call}\n")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("kinds", [("int64", "int64"), ("int64", "float32"), ("int8", "int32"), ("float64", "int8")])
@pytest.mark.parametrize("call", ["torch.nn.L1Loss(reduction='{}')(x, y)", "torch.nn.functional.l1_loss(x, y, reduction='{}')"])
def test_means_of_differences_of_whole_numbers(reduction: str, kinds: tuple[str, str], call: str) -> None:
    x, y = (f"torch.ones(2, 3, dtype=torch.{kind})" for kind in kinds)
    check(f"import torch\nx, y = {x}, {y}\nr = {call.format(reduction)}\n")


@pytest.mark.parametrize("name", ["index_add", "index_copy"])
@pytest.mark.parametrize("source", ["(2,)", "(2, 2)", "(2, 2, 2)", "(0, 2)", "(1, 2)"])
def test_sources_of_slices_have_the_rank_of_the_tensor(name: str, source: str) -> None:
    text = f"source = torch.ones({source})\nindex = torch.zeros(source.shape[0], dtype=torch.int64)"
    check(f"import torch\nx = torch.ones(3, 2)\n{text}\nr = torch.{name}(x, 0, index, source)\n")


@pytest.mark.parametrize("name", ["scatter", "scatter_add"])
@pytest.mark.parametrize("source", ["(2, 3)", "(2, 3, 1)", "(3,)", "(4, 4)"])
@pytest.mark.parametrize("index", ["(2, 3)", "(0, 3)", "(1, 1)"])
def test_sources_of_scattering_have_the_rank_of_the_index(name: str, source: str, index: str) -> None:
    text = f"index = torch.zeros({index}, dtype=torch.int64)"
    check(f"import torch\nx = torch.ones(4, 4)\n{text}\nr = torch.{name}(x, 0, index, torch.ones({source}))\n")


@pytest.mark.parametrize("call", [
    "tf.reduce_mean(x, {})", "tf.argmax(x, {})", "tf.cumsum(x, {})", "tf.reduce_max(x, axis={}, keepdims=True)",
    "tf.expand_dims(x, {})", "tf.stack([x, x], {})", "tf.reduce_sum(x, [{}])",
])  # fmt: skip
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("made", ["tf.constant(2.0)", "tf.reduce_sum(tf.ones((2, 3)))", "tf.ones((2,))"])
def test_tensorflow_has_no_axis_of_a_scalar(call: str, axis: int, made: str) -> None:
    pytest.importorskip("tensorflow")
    check(f"import tensorflow as tf\nx = {made}\nr = {call.format(axis)}\n")


_LOSSES = ("MeanSquaredError", "Huber", "BinaryCrossentropy", "CategoricalHinge", "KLDivergence")
_FUNCTIONS = ("mean_squared_error", "mse", "categorical_crossentropy", "log_cosh")


@pytest.mark.parametrize("loss", [*(f"{name}()" for name in _LOSSES), *_FUNCTIONS])
@pytest.mark.parametrize("given", ["x", "x, x", "x, y_pred=x", "y_true=x, y_pred=x", "*[x, x]"])
def test_losses_of_keras_need_a_prediction(loss: str, given: str) -> None:
    pytest.importorskip("keras")
    check(f"import keras\nx = keras.random.uniform((3, 2))\nr = keras.losses.{loss}({given})\n")


_MERGED = ("x", "[x, y]", "[x, z]", "[x, z, x]", "[x, w]", "(x, y)", "[z, v]")


@pytest.mark.parametrize("layer", ["Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract", "Concatenate"])
@pytest.mark.parametrize("given", _MERGED)
def test_merged_tensors_are_a_list_with_one_size_of_batch(layer: str, given: str) -> None:
    pytest.importorskip("keras")
    if layer in ("Subtract", "Concatenate") and given != "x":
        given = "[x, y]"
    sizes = {"x": (3, 2), "y": (3, 2), "z": (1, 2), "w": (3, 1, 2), "v": (1, 1, 2)}
    text = "\n".join(f"{name} = keras.random.uniform({size})" for name, size in sizes.items())
    check(f"import keras\n{text}\nr = keras.layers.{layer}()({given})\n")


@pytest.mark.parametrize("layer", ["Add", "Multiply", "Maximum"])
def test_merging_layers_look_at_batches_once(layer: str) -> None:
    pytest.importorskip("keras")
    made = "x = keras.random.uniform((3, 2))\ny = keras.random.uniform((1, 2))"
    check(f"import keras\n{made}\nlayer = keras.layers.{layer}()\na = layer([x, x])\nb = layer([x, y])\n")


@pytest.mark.parametrize("size", [-1, 0, 1, 2])
@pytest.mark.parametrize("kind", ["Average", "Max"])
@pytest.mark.parametrize("axes", [1, 2])
def test_adaptive_pooling_has_a_place_at_least(size: int, kind: str, axes: int) -> None:
    pytest.importorskip("keras")
    text = f"import keras\nx = keras.random.uniform({(2, *[6] * axes, 3)})\n"
    check(f"{text}layer = keras.layers.Adaptive{kind}Pooling{axes}D({size})\nr = layer(x)\n")


@pytest.mark.parametrize("given", ["[x], 'ij->i'", "'ij->i', x", "'ij->i', [x]", "(x, x), 'ij,jk->ik'", "'ij,jk->ik', x, x"])
@pytest.mark.parametrize("around", _AROUND)
def test_equations_stand_first(given: str, around: str) -> None:
    check(f"import torch\nx = torch.ones(3, 3)\n{around.format(f'torch.einsum({given})')}\n")


_PAIRS = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "kl_div", "poisson_nll_loss",
          "hinge_embedding_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "multilabel_soft_margin_loss",
          "cross_entropy")  # fmt: skip
_LAYERS = ("MSELoss", "L1Loss", "HuberLoss", "KLDivLoss", "BCELoss", "CrossEntropyLoss", "SoftMarginLoss", "SmoothL1Loss")


@pytest.mark.parametrize("reduction", ["mean", "sum", "none", "abc", "avg", "Mean"])
@pytest.mark.parametrize("call", [*(f"torch.nn.functional.{name}(x, x, reduction='{{}}')" for name in _PAIRS),
                                  *(f"torch.nn.{name}(reduction='{{}}')(x, x)" for name in _LAYERS)])  # fmt: skip
def test_names_of_reductions(reduction: str, call: str) -> None:
    check(f"import torch\nx = torch.rand(3, 2)\nr = {call.format(reduction)}\n")


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("rank", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("size", ["1", "(1,)", "2"])
def test_pooling_into_one_place_takes_tensors_of_any_rank(axes: int, rank: int, size: str) -> None:
    size = f"({'1, ' * axes})" if size == "(1,)" else size
    text = f"import torch\nx = torch.rand({(3,) * rank})\n"
    check(
        f"{text}r = torch.nn.AdaptiveAvgPool{axes}d({size})(x)\ns = torch.nn.functional.adaptive_avg_pool{axes}d(x, {size})\n"
    )


@pytest.mark.parametrize("shapes", [("(1, 0, 3)", "(2, 4, 2)"), ("(0, 4, 3)", "(2, 4, 2)"), ("(1, 4, 3)", "(2, 4, 2)")])
@pytest.mark.parametrize("kinds", [("float16", "float32"), ("float32", "float32"), ("float64", "float32")])
def test_convolutions_of_nothing_have_any_type(shapes: tuple[str, str], kinds: tuple[str, str]) -> None:
    x, weight = (f"torch.ones({shape}, dtype=torch.{kind})" for shape, kind in zip(shapes, kinds, strict=True))
    check(f"import torch\nr = torch.nn.functional.conv1d({x}, {weight})\ns = r.shape\n")
