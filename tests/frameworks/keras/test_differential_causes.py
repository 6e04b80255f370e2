"""Families of Keras programs about which something wrong was claimed once: each is run and compared with what is said of it."""

from __future__ import annotations

import pytest

from benchmarks.differential.claims import claims
from benchmarks.differential.comparing import compared
from benchmarks.differential.running import run

pytest.importorskip("keras")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


def _refuted(*lines: str) -> list[object]:
    """What a run shows to be wrong of what is said about a program."""
    text = "\n".join(("import keras", "import numpy as np", "keras.utils.set_random_seed(1)", *lines, ""))
    observed = run(text)
    verdict = compared(claims(text), observed)
    return [*verdict.wrong, *verdict.false_errors]


@pytest.mark.parametrize("layer", ["LSTM", "GRU", "SimpleRNN"])
@pytest.mark.parametrize("option", ["activation=None", "activation='relu'", "recurrent_activation='relu'"])
def test_states_are_bounded_by_the_usual_activations_only(layer: str, option: str) -> None:
    if layer == "SimpleRNN" and option.startswith("recurrent"):
        option = "activation='softplus'"
    x = "x = keras.ops.reshape(keras.ops.arange(36, dtype='float32'), (3, 4, 3))"
    assert not _refuted(x, f"y = keras.layers.{layer}(2, {option})(x)", f"z = keras.layers.{layer}(2)(x)")


@pytest.mark.parametrize("layer", ["Concatenate()([x, x])", "Flatten()(x)", "Maximum()([x, x])", "ReLU()(x)", "Add()([x, x])"])
@pytest.mark.parametrize("dtype", ["None", "'float16'", "'bfloat16'"])
def test_layers_round_what_they_are_given(layer: str, dtype: str) -> None:
    name, _, given = layer.partition("(")
    text = f"y = keras.layers.{name}(dtype={dtype}{')' if given.startswith(')') else ', '}{given.removeprefix(')')}"
    assert not _refuted("x = keras.ops.convert_to_tensor([[0.2467, 0.8, 2.68], [1.0788, -1.9469, 0.1]], dtype='float64')", text)


@pytest.mark.parametrize("function", ["divide(x, y)", "maximum(x, 1e-8)", "multiply(x, 0.3)", "add(x, 1e-3)", "minimum(x, y)"])
@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "float16", "float32"])
def test_results_of_a_type_that_backends_choose(function: str, dtype: str) -> None:
    lines = (f"{name} = keras.ops.convert_to_tensor([{number}], dtype='{dtype}')" for name, number in (("x", 0.0), ("y", -0.6)))
    assert not _refuted(*lines, f"z = keras.ops.{function}", "w = z - y")


@pytest.mark.parametrize("name", ["poisson", "hinge", "kl_divergence", "mean_squared_error", "mean_squared_logarithmic_error"])
@pytest.mark.parametrize("dtypes", [("float32", "float32"), ("int32", "bfloat16")])
@pytest.mark.parametrize("shapes", [("(2, 3, 3, 1)", "(2, 3, 3)"), ("(2, 3)", "(2, 3)")])
def test_losses_that_align_and_losses_that_do_not(name: str, dtypes: tuple[str, str], shapes: tuple[str, str]) -> None:
    lines = (f"{v} = keras.ops.ones({shape}, dtype='{t}')" for v, shape, t in zip("xy", shapes, dtypes, strict=True))
    assert not _refuted(*lines, f"z = keras.losses.{name}(x, y)")


@pytest.mark.parametrize("layer", ["Rescaling(0.1)", "Normalization(mean=0.5, variance=2.0)"])
@pytest.mark.parametrize("number", ["3", "0.5"])
def test_numbers_that_are_given_back_or_rescaled(layer: str, number: str) -> None:
    assert not _refuted(f"y = keras.layers.{layer}({number})", f"z = keras.activations.linear({number})")


@pytest.mark.parametrize("parts", ["[a, b]", "[b, a]", "[a, b, a]", "[b, b]"])
@pytest.mark.parametrize("axis", ["0", "-1"])
def test_vectors_without_elements_among_others(parts: str, axis: str) -> None:
    assert not _refuted(
        "a = keras.ops.ones((2, 2))", "b = keras.ops.ones((0,))", f"z = keras.ops.concatenate({parts}, axis={axis})"
    )


def _is_found(*lines: str) -> bool:
    """Whether the error is reported with which a program ends."""
    text = "\n".join(("import keras", *lines, ""))
    observed = run(text)
    assert observed.raised is not None, text
    return compared(claims(text), observed).found


@pytest.mark.parametrize("layer", ["Dense(3)", "Dropout(0.5)", "Flatten()", "LayerNormalization()"])
@pytest.mark.parametrize("number", ["True", "-1", "0.5", "-0.5"])
def test_layers_refuse_written_numbers(layer: str, number: str) -> None:
    assert _is_found(f"layer = keras.layers.{layer}", f"y = layer({number})")


@pytest.mark.parametrize("cell", ["LSTMCell", "GRUCell", "SimpleRNNCell"])
def test_cells_need_states(cell: str) -> None:
    made = ("x = keras.ops.ones((4, 3))", f"cell = keras.layers.{cell}(5)", "h = keras.ops.ones((4, 5))")
    assert _is_found(*made, "y = cell(x)")
    assert not _refuted(*made, f"y = cell(x, [h{', h' * (cell == 'LSTMCell')}])")


@pytest.mark.parametrize("shapes", ["(4, 3) (4, 3)", "(4, 3, 2) (4, 3, 2)", "(4,) (4, 3, 2)", "(4, 3) (4, 3, 2, 1)"])
@pytest.mark.parametrize("loss", ["keras.losses.CTC()(x, y)", "keras.losses.ctc(x, y)"])
def test_ctc_takes_labels_of_two_axes_and_scores_of_three(shapes: str, loss: str) -> None:
    x, y = (f"({part}" for part in shapes.split("(")[1:])
    assert _is_found(f"x = keras.ops.ones({x.strip()}, dtype='int32')", f"y = keras.ops.ones({y})", f"z = {loss}")


@pytest.mark.parametrize("function", ["logaddexp", "isclose", "hypot", "left_shift", "gcd", "heaviside", "nextafter"])
def test_functions_of_two_tensors_are_broadcast(function: str) -> None:
    dtype = "int32" if function in ("left_shift", "gcd") else "float32"
    x, y, z = (f"{name} = keras.ops.ones((4, {size}), dtype='{dtype}')" for name, size in (("x", 3), ("y", 1), ("z", 2)))
    assert not _refuted(x, y, f"w = keras.ops.{function}(x, y)", f"v = keras.ops.{function}(x, 2)")
    assert _is_found(x, z, f"w = keras.ops.{function}(x, z)")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32"])
@pytest.mark.parametrize("call", ["x > {}", "x == {}", "keras.ops.maximum(x, {})", "keras.ops.where(x > 2, x, {})", "x + {}"])
@pytest.mark.parametrize("number", [-1, 200, 3])
def test_numbers_that_the_type_of_a_tensor_does_not_hold(dtype: str, call: str, number: int) -> None:
    x = f"x = keras.ops.reshape(keras.ops.arange(6, dtype='{dtype}'), (2, 3))"
    assert not _refuted(
        x,
        f"y = {call.format(number)}",
        "z = keras.ops.relu(x)",
        f"w = {call.replace('x,', 'z,').replace('x ', 'z ').format(number)}",
    )


@pytest.mark.parametrize("loss", ["Poisson", "Hinge", "MeanSquaredError", "BinaryCrossentropy"])
@pytest.mark.parametrize(
    "dtypes", [("int32", "float16"), ("bfloat16", "bfloat16"), ("float32", "float16"), ("int32", "float32")]
)
def test_losses_that_are_classes_compute_in_the_usual_type(loss: str, dtypes: tuple[str, str]) -> None:
    lines = (f"{name} = keras.ops.ones((2, 3), dtype='{dtype}')" for name, dtype in zip("xy", dtypes, strict=True))
    assert not _refuted(*lines, f"loss = keras.losses.{loss}()", "z = loss(x, y)")
