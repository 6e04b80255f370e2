"""Folders that are read for training and again for validation, in every structural form."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import keras\nimport tensorflow as tf\nfrom tensorflow.keras.preprocessing.image import ImageDataGenerator"
SETUP = (
    "model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(3)])\n"
    "model.compile(optimizer='adam', loss='mse')\nfolder = 'data/train'"
)
READ = {
    "a data set": "keras.utils.image_dataset_from_directory({0}, image_size=(32, 32){1})",
    "with steps": "keras.utils.image_dataset_from_directory({0}, image_size=(32, 32){1}).cache().prefetch(2)",
    "a flow": "ImageDataGenerator(rescale=1 / 255).flow_from_directory({0}, target_size=(32, 32){1})",
    "texts": "keras.utils.text_dataset_from_directory({0}{1})",
}
FIT = "first = {0}\nsecond = {1}\nmodel.fit(first, validation_data=second)"
SAME = (("'data/train'", ""), ("folder", ""), ("folder", ", validation_split=0.2, subset='training', seed=1"))
OTHER = (
    ("'data/train'", "", "'data/test'", ""),
    (
        "folder",
        ", validation_split=0.2, subset='training', seed=1",
        "folder",
        ", validation_split=0.2, subset='validation', seed=1",
    ),
    ("read_from", "", "held_out", ""),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("read", "given"), [*product(READ, SAME)][::2])
def test_one_folder(read: str, given: tuple[str, str], form: str, tmp_path: Path) -> None:
    text = READ[read].format(*given)
    case = Case("DLD107", IMPORTS, SETUP, FIT.format(text, text), ("model", "folder"))
    assert "DLD107" in found(FORMS[form](case), tmp_path, ["DLD107"])


@pytest.mark.parametrize(("read", "given"), [*product(READ, OTHER)])
def test_two_folders_or_two_parts(read: str, given: tuple[str, str, str, str], tmp_path: Path) -> None:
    body = FIT.format(READ[read].format(*given[:2]), READ[read].format(*given[2:]))
    text = f"{IMPORTS}\nimport sys\n\nread_from, held_out = sys.argv[1], sys.argv[2]\n{SETUP}\n{body}\n"
    assert not found({"main.py": text}, tmp_path, ["DLD107"])


@pytest.mark.parametrize("parts", ["first.take(10), validation_data=first.skip(10)", "first"])
def test_parts_of_one_data_set(parts: str, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n\n{SETUP}\nfirst = {READ['a data set'].format('folder', '')}\nmodel.fit({parts})\n"
    assert not found({"main.py": text}, tmp_path, ["DLD107"])


@pytest.mark.parametrize(
    "source", ["keras.utils.image_dataset_from_directory(folder)", "tf.data.Dataset.from_tensor_slices((x, y))"]
)
@pytest.mark.parametrize("first", ["data.take(80)", "data.skip(20)", "data.shuffle(9).take(80).batch(4)", "data.shard(2, 0)"])
@pytest.mark.parametrize(
    "second", ["data.skip(80)", "data.take(20).batch(4)", "data.filter(lambda *row: True)", "data.shard(2, 1)"]
)
def test_parts_by_number(source: str, first: str, second: str, tmp_path: Path) -> None:
    arrays = "x, y = tf.zeros((100, 8)), tf.zeros((100, 3))"
    kept = "kept = lambda *row: True"
    fit = f"model.fit({first}, validation_data={second})"
    assert not found({"main.py": f"{IMPORTS}\n\n{SETUP}\n{arrays}\n{kept}\ndata = {source}\n{fit}\n"}, tmp_path, ["DLD107"])


@pytest.mark.parametrize("step", ["", ".shuffle(10)", ".cache()", ".prefetch(2)"])
def test_all_of_one_data_set(step: str, tmp_path: Path) -> None:
    arrays = "x, y = tf.zeros((100, 8)), tf.zeros((100, 3))\ndata = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)"
    fit = f"model.fit(data, validation_data=data{step})"
    assert found({"main.py": f"{IMPORTS}\n\n{SETUP}\n{arrays}\n{fit}\n"}, tmp_path, ["DLD107"]) == ["DLD107"]
