"""Data that a program loads: shapes, element types, ranges, and what is not known of texts."""

import pytest

from dllint.domains.dtype import FLOAT32, INT32, UINT8
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.program import TensorVal
from dllint.ops import all as _all  # noqa: F401
from dllint.ops.spec import apply
from tests.frameworks.keras.conftest import shapes_of

GENERATOR = "from keras.preprocessing.image import ImageDataGenerator\n"


@pytest.fixture
def value(trace):
    """``value(text)``: the abstract value of ``out``."""
    return lambda text: trace(text).module.attrs["out"]


def element(dataset):
    """The tensors of one element of a data set."""
    return dataset.state["element"]


def test_stored_data():
    assert apply("stored_data", "numpy", {"shape": (5, 3), "dtype": UINT8}).result == TensorType((5, 3), UINT8)
    unknown = apply("stored_data", "numpy", {"shape": (), "dtype": UINT8}).result
    assert unknown.shape == ()


def test_pictures_keep_their_range_until_they_are_divided(value):
    load = "(x, y), _ = keras.datasets.mnist.load_data()\n"
    raw = value(load + "out = x.reshape(-1, 784).astype('float32')")
    assert (raw.dtype, raw.low, raw.high) == (FLOAT32, 0, 255)
    assert value(load + "out = x / 255").high is None


def test_texts_are_lists(value, faults):
    load = "(x, y), _ = keras.datasets.imdb.load_data(num_words=1000)\n"
    first = value(load + "out = x[0]")
    assert isinstance(first, TensorVal)
    assert isinstance(first.shape, Unknown)
    assert faults(load + "for word in x[0][:10]:\n    print(x[0][3], max([max(s) for s in x]), len(x[1]))") == []


@pytest.mark.parametrize(
    ("mode", "shape", "dtype", "high"),
    [("binary", (None,), INT32, 1), ("sparse", (None,), INT32, None), ("categorical", (None, None), None, None)],
)
def test_labels_of_a_folder(value, mode, shape, dtype, high):
    text = f"out = ImageDataGenerator().flow_from_directory('photos', target_size=(64, 48), class_mode='{mode}')"
    images, labels = element(value(GENERATOR + text))
    assert shapes_of(images) == (None, 64, 48, 3)
    assert shapes_of(labels) == shape
    assert labels.high == high
    assert dtype is None or labels.dtype == dtype


def test_classes_of_a_folder(value):
    text = "out = ImageDataGenerator().flow_from_directory('photos', classes=['cat', 'dog', 'cow'])"
    _, labels = element(value(GENERATOR + text))
    assert shapes_of(labels) == (None, 3)


def test_a_folder_without_labels(value):
    text = "out = ImageDataGenerator().flow_from_directory('photos', class_mode=None, color_mode='grayscale')"
    images = element(value(GENERATOR + text))
    assert shapes_of(images) == (None, 256, 256, 1)


def test_a_generator_that_rescales(value):
    text = "out = ImageDataGenerator(rescale=1 / 255).flow_from_directory('photos')"
    images, _ = element(value(GENERATOR + text))
    assert images.producer.kind == "mul"
    assert images.high is None


def test_a_loss_of_ones_own_gets_batches(faults):
    text = """
weights = np.ones((100, 5))
def weighted(y_true, y_pred):
    return K.mean(K.abs(y_true - y_pred) * weights)
model = Sequential([keras.Input((5,)), Dense(5)])
model.compile("adam", weighted)
model.fit(np.ones((100, 5)), np.ones((100, 5)), batch_size={})
"""
    assert faults(text.format(32)) == [("mul", "broadcast")]
    assert faults(text.format(100)) == []
