"""Data sets of folders: what dllint knows of their elements is what the installed Keras gives."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.frameworks.keras.conftest import shapes_of

CLASSES = ("ants", "bees")
BATCHES = ("", "batch_size=7", "batch_size=None")
ONE_HOT = "label_mode='categorical', class_names=['ants', 'bees']"
LABELS = ("", "label_mode='int'", "label_mode='binary'", ONE_HOT, "labels=None")
IMAGES = ("", "image_size=(4, 5)", "color_mode='grayscale'", "data_format='channels_first'")
SUBSETS = ("", "validation_split=0.5, subset='training', seed=1", "validation_split=0.5, subset='both', seed=1")
CALLS = [
    *(("image_dataset_from_directory", options) for options in itertools.product(BATCHES, LABELS, IMAGES)),
    *(("image_dataset_from_directory", options) for options in itertools.product(BATCHES, SUBSETS)),
    *(("text_dataset_from_directory", options) for options in itertools.product(BATCHES, LABELS, SUBSETS)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with pictures and texts of two classes."""
    tf = pytest.importorskip("tensorflow")
    root = tmp_path_factory.mktemp("files")
    for name in CLASSES:
        (root / name).mkdir()
        for number in range(4):
            picture = tf.io.encode_png(tf.zeros((8, 9, 3), tf.uint8))
            (root / name / f"{number}.png").write_bytes(picture.numpy())
            (root / name / f"{number}.txt").write_text("a text", encoding="utf-8")
    return root


def given(function: str, folder: Path, options: str):
    """Shapes and element types of one element as the library declares them, per data set."""
    import keras

    made = eval(f"keras.utils.{function}({str(folder)!r}, verbose=False, {options})", {"keras": keras})
    specs = [part.element_spec for part in (made if isinstance(made, list) else [made])]
    return [described(spec, lambda part: (tuple(part.shape), part.dtype.name)) for spec in specs]


def described(element, shape_and_type):
    """What is told of an element that is a tuple or a single tensor, in the same structure."""
    return tuple(map(shape_and_type, element)) if isinstance(element, tuple) else shape_and_type(element)


@pytest.mark.parametrize(("function", "options"), CALLS)
def test_elements_are_those_of_the_library(function, options, folder, trace):
    written = ", ".join(filter(None, options))
    out = trace(f"out = keras.utils.{function}('files', {written})\n").module.attrs["out"]
    inferred = [part.state["element"] for part in (out.items if "both" in written else [out])]
    inferred = [described(element, lambda value: (shapes_of(value), value.dtype.name)) for element in inferred]
    assert inferred == given(function, folder, written)


MODES = ("categorical", "binary", "sparse", "input", None)
PICTURES = ("x", "x, y", "x, y=y", "x, y, 3, True, weights", "x, sample_weight=weights, y=y", "x, None")
COLOURS = ("rgb", "grayscale")
GENERATED = [
    *(
        f"flow_from_directory({{folder}}, (4, 5), '{colour}', None, {mode!r})"
        for colour in ("rgb", "grayscale")
        for mode in MODES
    ),
    *(f"flow_from_directory({{folder}}, class_mode={mode!r}, target_size=(4, 5))" for mode in MODES),
    *(f"flow_from_dataframe({{table}}, {{folder}}, 'file', 'kind', None, (4, 5), 'rgb', None, {mode!r})" for mode in MODES),
    *(f"flow_from_dataframe({{table}}, {{folder}}, 'file', 'kind', class_mode={mode!r})" for mode in MODES),
    *(f"flow({given})" for given in PICTURES),
]
DRAWN = ("batch = next(made)", "for batch in made:\n    break")


@pytest.mark.parametrize("call", GENERATED)
def test_a_generator_gives_what_that_of_the_library_gives(call, folder, trace, monkeypatch):
    import numpy as np
    import pandas as pd
    from keras.src.legacy.preprocessing.image import ImageDataGenerator
    from keras.src.utils import image_utils

    def read(path, color_mode, target_size, **_):
        """A picture without the library that reads files."""
        return np.zeros((*target_size, 1 if color_mode == "grayscale" else 3))

    monkeypatch.setattr(image_utils, "load_img", read)
    table = pd.DataFrame({"file": [f"{kind}/{number}.png" for kind in CLASSES for number in range(4)], "kind": [*CLASSES] * 4})
    arrays = {"x": np.zeros((6, 4, 5, 3)), "y": np.zeros((6, 2)), "weights": np.zeros(6)}
    names = {"ImageDataGenerator": ImageDataGenerator, "folder": str(folder), "table": table, **arrays}
    batch = next(eval(f"ImageDataGenerator().{call.format(folder='folder', table='table')}", names))
    program = (
        "import numpy as np\nfrom tensorflow.keras.preprocessing.image import ImageDataGenerator\n"
        "x, y, weights = np.zeros((6, 4, 5, 3)), np.zeros((6, 2)), np.zeros(6)\n"
        f"made = ImageDataGenerator().{call.format(folder=repr('files'), table='table')}\n"
    )
    for drawn in DRAWN:
        inferred = trace(program + drawn + "\n").module.attrs["batch"]
        assert described(inferred, lambda value: len(shapes_of(value))) == described(batch, np.ndim)


CROPPED = """
import tensorflow as tf

def cropped(image, label):
    return tf.image.random_crop(image, (5, 5, 3)), label

files = keras.utils.image_dataset_from_directory("files", image_size=(8, 8), {options})
files = files.map(cropped){batched}
model = Sequential([keras.Input((5, 5, 3)), Conv2D(2, 3), Flatten(), Dense(2)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(files)
"""


@pytest.mark.parametrize("batched", [".batch(4)", ".shuffle(9).batch(4).prefetch(1)", ".cache().padded_batch(4)"])
def test_single_files_are_batched_later(batched, faults):
    assert faults(CROPPED.format(options="batch_size=None", batched=batched)) == []


def test_a_crop_of_a_batch_is_one_fault(faults):
    """Pictures of a batch have an axis more than the crop asks for; what comes of it is not told again."""
    assert faults(CROPPED.format(options="", batched="")) == [("slice", "operator-shape")]


WINDOWS = "out = keras.utils.timeseries_dataset_from_array(np.ones((50, 3)), {targets}, sequence_length=5{options})\n"


@pytest.mark.parametrize("targets", ["None", "np.ones((50, 2))"])
@pytest.mark.parametrize("options", ["", ", batch_size=None", ", batch_size=8"])
def test_windows_of_a_series(targets, options, trace):
    import keras
    import numpy as np

    text = WINDOWS.format(targets=targets, options=options)
    names = {"keras": keras, "np": np}
    exec(text, names)
    spec = names["out"].element_spec
    known = trace(text).module.attrs["out"].state["element"]
    assert described(known, lambda value: len(shapes_of(value))) == described(spec, lambda part: len(part.shape))


APPLIED = """
import tensorflow as tf

def rebatched(d):
    return d.batch(4)

d = tf.data.Dataset.from_tensor_slices(np.ones((9, 2)))
out = d.apply({applied})
"""


@pytest.mark.parametrize("applied", ["lambda d: d.batch(4)", "rebatched", "tf.data.experimental.map_and_batch(f, 4)"])
def test_what_a_function_makes_of_a_data_set(applied, trace):
    element = trace(APPLIED.format(applied=applied)).module.attrs["out"].state["element"]
    assert shapes_of(element) == (None, 2) if "map_and_batch" not in applied else not hasattr(element, "dtype")
