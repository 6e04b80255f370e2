"""Rows name operations that exist, and today's Keras has the layers and losses they stand for."""

import pytest

import dllint.ops.all  # noqa: F401  (declares the operations)
from dllint.frameworks import registry
from dllint.frameworks.keras import losses
from dllint.frameworks.keras.applications import ARCHITECTURES
from dllint.frameworks.keras.functions.activations import ACTIVATIONS
from dllint.frameworks.keras.layers.rows import LAYERS
from dllint.frameworks.keras.renames import LAYER_KEYWORDS, layer_keyword
from dllint.frameworks.keras.tables import FUNCTIONS
from dllint.frameworks.numpy.tables import FUNCTIONS as NUMPY
from dllint.frameworks.tensorflow.tables import FUNCTIONS as TENSORFLOW
from dllint.ops.spec import OPS

registry.load("tensorflow.keras")
registry.load("numpy")
ROWS = [*LAYERS.values(), *FUNCTIONS.values(), *NUMPY.values(), *TENSORFLOW.values()]
#: Layers of Keras 1 and 2 that Keras 3 has no more.
GONE = {"keras.layers.ThresholdedReLU", "keras.layers.Highway"}


def test_every_row_has_its_operation():
    assert {row.op for row in ROWS} - OPS.keys() == set()


def test_every_row_can_be_bound():
    assert [row.name for row in ROWS if registry.parameters(row.name, row.params) is None] == []


def test_constants_are_parameters_of_the_operation():
    wrong = {(row.name, name) for row in ROWS for name in row.const if name not in OPS[row.op].parameters}
    assert wrong == set()


def test_activations_are_operations():
    assert set(ACTIVATIONS.values()) - OPS.keys() == set()


@pytest.mark.parametrize(
    ("layer", "old", "new"),
    [
        ("Conv2D", "nb_filter", "filters"),
        ("Conv2D", "border_mode", "padding"),
        ("Conv2D", "init", "kernel_initializer"),
        ("Dense", "output_dim", "units"),
        ("Dropout", "p", "rate"),
        ("MaxPooling2D", "border_mode", "padding"),
        ("Dense", "units", None),
        ("Embedding", "output_dim", None),
    ],
)
def test_old_keywords(layer, old, new):
    assert layer_keyword(layer, old) == new


@pytest.mark.oracle
def test_layers_exist_in_keras():
    keras = pytest.importorskip("keras")
    missing = {name for name in LAYERS if not hasattr(keras.layers, name.rpartition(".")[2])}
    assert missing == GONE


@pytest.mark.oracle
def test_losses_and_activations_exist_in_keras():
    keras = pytest.importorskip("keras")
    assert {name for name in losses.CLASSES if not hasattr(keras.losses, name)} == set()
    assert {name for name in losses.KINDS if not hasattr(keras.losses, name)} == set()
    assert {name for name in ACTIVATIONS if not hasattr(keras.activations, name)} <= {"hard_swish", "mish", "swish"}


@pytest.mark.oracle
def test_new_names_of_renamed_keywords_exist():
    pytest.importorskip("keras")
    known = {
        name: {p.name for p in registry.parameters(f"keras.layers.{name}") or ()}
        for name in LAYER_KEYWORDS
        if name not in ("*", "Highway")
    }
    wrong = {(layer, new) for layer, names in known.items() for new in LAYER_KEYWORDS[layer].values() if new not in names}
    assert wrong == set()


@pytest.mark.oracle
def test_applications_exist_in_keras():
    keras = pytest.importorskip("keras")
    assert {name for name in ARCHITECTURES if not hasattr(keras.applications, name)} == set()
