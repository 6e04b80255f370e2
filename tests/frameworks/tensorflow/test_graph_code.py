"""Which files build graphs as TensorFlow 1 does, whatever they call the library."""

import pytest

from dllint.frameworks.tensorflow.graph_code import builds_graphs

_IMPORTS = [
    ("import tensorflow as tf", "tf."), ("import tensorflow", "tensorflow."), ("import tensorflow as T  # the library", "T."),
    ("import tensorflow.compat.v1 as tf1", "tf1."), ("from tensorflow.compat import v1", "v1."),
    ("from tensorflow.compat import v1 as old", "old."), ("import tensorflow as tf, numpy as np", "tf."),
    ("import tensorflow as flow", "flow.compat.v1."),
    ("try:\n    import tensorflow as tf_\nexcept ImportError:\n    pass", "tf_."),
]  # fmt: skip
_OLD = [
    "placeholder(tf.float32, [None, 3])",
    "get_variable('w', [3])",
    "Session()",
    "train.AdamOptimizer(0.1)",
    "layers.dense(x, 3)",
]
_NEW = [
    "Variable(3.0)",
    "keras.layers.Dense(3)",
    "reduce_mean(x)",
    "GradientTape()",
    "keras.optimizers.Adam()",
    "train.Checkpoint()",
]


@pytest.mark.parametrize(("imported", "prefix"), _IMPORTS)
@pytest.mark.parametrize("call", _OLD)
def test_what_tensorflow_2_has_not_shows_graphs(imported: str, prefix: str, call: str) -> None:
    assert builds_graphs(f"{imported}\nx = {prefix}{call}\n")


@pytest.mark.parametrize(("imported", "prefix"), _IMPORTS)
@pytest.mark.parametrize("call", _NEW)
def test_what_tensorflow_2_has_does_not(imported: str, prefix: str, call: str) -> None:
    assert not builds_graphs(f"{imported}\nx = {prefix.replace('compat.v1.', '')}{call}\n")


@pytest.mark.parametrize("taken", ["placeholder, Session", "(Variable,\n    get_variable as new)", "Variable, ConfigProto"])
def test_names_taken_from_the_library(taken: str) -> None:
    assert builds_graphs(f"from tensorflow import {taken}\n")
    assert not builds_graphs(f"from tensorflow_probability import {taken}\n")


@pytest.mark.parametrize("text", [
    "import tensorflow as tf\nfrom tensorflow import keras\nfrom keras import layers\n",
    "import torch as T\nT.layers.Session()\n",
    "from tensorflow.keras import layers\nfrom tensorflow import Variable, keras\nplaceholder = 3\n",
])  # fmt: skip
def test_other_things_of_these_names(text: str) -> None:
    assert not builds_graphs(text)


@pytest.mark.parametrize(
    "text", ["import tensorflow as t\nt.compat.v1.disable_eager_execution()\n", "from x import y\ny.disable_v2_behavior()\n"]
)
def test_behaviour_that_is_turned_off(text: str) -> None:
    assert builds_graphs(text)
