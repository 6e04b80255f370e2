"""Training steps written with tapes: functional models, two tapes of one ``with``, modules of TensorFlow, tensors of arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS: Final = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras"
FUNCTIONAL: Final = """
start = keras.Input((4,))
hidden = keras.layers.{layer}(keras.layers.Dense(3)(start){flag})
model = {made}
"""
STEPPING: Final = """
class Stepping(keras.Model):
    pass
"""
DATA: Final = (
    "x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))\noptimizer = keras.optimizers.SGD(0.1)\n"
    "second = keras.optimizers.SGD(0.1)"
)
STEP: Final = (
    "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean((model(x{flag}) - y) ** 2)\n"
    "grads = tape.gradient(loss, model.trainable_variables)\n"
    "optimizer.apply_gradients(zip(grads, model.trainable_variables))"
)
LAYERS: Final = ("Dropout(0.3)", "BatchNormalization()")
MADE: Final = {
    "model": "keras.Model(start, keras.layers.Dense(1)(hidden))",
    "own class": "Stepping(inputs=start, outputs=keras.layers.Dense(1)(hidden))",
    "model in a model": "keras.Sequential([keras.Model(start, hidden), keras.layers.Dense(1)])",
}


def case_of(code: str, setup: str, body: str, names: tuple[str, ...]) -> Case:
    return Case(code, IMPORTS, f"{setup.strip()}\n{DATA}", body, names)


def findings(case: Case, form: str, folder: Path) -> list[str]:
    return found(FORMS[form](case), folder, (case.code,))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("made", MADE)
def test_functional_models_that_are_trained_without_the_flag(made: str, layer: str, form: str, tmp_path: Path) -> None:
    def told(call: str = "", graph: str = "") -> bool:
        setup = STEPPING + FUNCTIONAL.format(layer=layer, flag=graph, made=MADE[made])
        case = case_of("DLO116", setup, STEP.format(flag=call), ("model", "optimizer", "x", "y"))
        return bool(findings(case, form, tmp_path))

    assert told()
    assert not told(call=", training=True")


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize(("graph", "made"), [(", training=True", "model"), (", training=True", "own class")])
def test_functional_models_whose_graph_has_the_flag(graph: str, made: str, layer: str, tmp_path: Path) -> None:
    setup = STEPPING + FUNCTIONAL.format(layer=f"{layer}", flag="", made=MADE[made]).replace(
        "(keras.layers.Dense(3)(start))", f"(keras.layers.Dense(3)(start){graph})"
    )
    assert not findings(case_of("DLO116", setup, STEP.format(flag=""), ("model", "x", "y")), "plain", tmp_path)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("made", MADE)
def test_functional_models_that_are_evaluated_in_training_mode(made: str, layer: str, form: str, tmp_path: Path) -> None:
    def told(flag: str, name: str = "test_step") -> bool:
        setup = STEPPING + FUNCTIONAL.format(layer=layer, flag="", made=MADE[made])
        body = f"def {name}(network, inputs):\n    return network(inputs, training={flag})\nprint({name}(model, x))"
        return bool(findings(case_of("DLO116", setup, body, ("model", "x")), form, tmp_path))

    assert told("True")
    assert not told("False")
    assert not told("True", "sampled")


GAN: Final = """
maker = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4), keras.layers.BatchNormalization()])
judge = keras.Sequential([keras.Input((4,)), keras.layers.Dense(4), keras.layers.Dropout(0.3), keras.layers.Dense(1)])
"""
#: How two tapes begin to record at once.
TOGETHER: Final = {
    "one with": "with tf.GradientTape() as first, tf.GradientTape() as other:\n",
    "persistent": "with tf.GradientTape(persistent=True) as first, tf.GradientTape(persistent=True) as other:\n",
}
BOTH: Final = (
    "    made = maker(x{flag})\n    real, fake = judge(x{flag}), judge(made{flag})\n"
    "    gain, loss = -tf.reduce_mean(fake), tf.reduce_mean(fake - real)\n"
    "one = first.gradient(gain, maker.trainable_variables)\ntwo = other.gradient(loss, judge.trainable_variables)\n"
    "optimizer.apply_gradients(zip(one, maker.trainable_variables))\n"
    "second.apply_gradients(zip(two, judge.trainable_variables))"
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("start", TOGETHER)
def test_two_models_under_the_tapes_of_one_with(start: str, form: str, tmp_path: Path) -> None:
    names = ("maker", "judge", "optimizer", "second", "x")
    lines = findings(case_of("DLO116", GAN, TOGETHER[start] + BOTH.format(flag=""), names), form, tmp_path)
    assert len(lines) == 3
    assert not findings(case_of("DLO116", GAN, TOGETHER[start] + BOTH.format(flag=", training=True"), names), form, tmp_path)


PENALTY: Final = (
    "with tf.GradientTape() as outer:\n    with tf.GradientTape() as inner:\n        inner.watch(x)\n"
    "        score = judge(x)\n    slope = inner.gradient(score, x)\n    loss = tf.reduce_mean(slope ** 2)\n"
    "grads = outer.gradient(loss, judge.trainable_variables)\n"
    "optimizer.apply_gradients(zip(grads, judge.trainable_variables))"
)


def test_a_tape_in_a_tape_asks_for_other_gradients(tmp_path: Path) -> None:
    assert not findings(case_of("DLO116", GAN, PENALTY, ("judge", "optimizer", "x")), "plain", tmp_path)


MODULE: Final = """
class Line(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(tf.random.normal([4, 1]))

    def __call__(self, inputs):
        return inputs @ self.weight


model = Line()
"""
ASKED: Final = (
    "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean((model(x) - y) ** 2)\n"
    "variables = model.{variables}\ngrads = tape.gradient(loss, variables)\noptimizer.apply_gradients(zip({pairs}))"
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("variables", ["trainable_variables", "variables"])
def test_pairs_of_a_module_of_tensorflow(variables: str, form: str, tmp_path: Path) -> None:
    def told(pairs: str) -> bool:
        body = ASKED.format(variables=variables, pairs=pairs)
        return bool(findings(case_of("DLO117", MODULE, body, ("model", "optimizer", "x", "y")), form, tmp_path))

    assert told("variables, grads")
    assert not told("grads, variables")


#: Ways to make a tensor of an array.
CONVERTED: Final = (
    "tf.convert_to_tensor(array)",
    "tf.constant(array)",
    "tf.convert_to_tensor(array[None][0], dtype=tf.float32)",
    "tf.convert_to_tensor(np.float32(array) / 255)",
    "tf.cast(tf.constant(array), tf.float32)",
)
SALIENCY: Final = (
    "batch = {converted}\nwith tf.GradientTape() as tape:\n{watch}    score = tf.reduce_sum(model(batch))\n"
    "slope = tape.gradient(score, batch)\nprint(tf.abs(slope))"
)
ARRAY: Final = (
    "array = np.random.rand(8, 4).astype('float32')\nmodel = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])"
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("converted", CONVERTED)
def test_gradients_by_a_tensor_made_of_an_array(converted: str, form: str, tmp_path: Path) -> None:
    def told(converted: str, watch: str = "") -> bool:
        body = SALIENCY.format(converted=converted, watch=watch)
        return bool(findings(case_of("DLO117", ARRAY, body, ("array", "model")), form, tmp_path))

    assert told(converted)
    assert not told(converted, "    tape.watch(batch)\n")
    assert not told(f"tf.Variable({converted})")
