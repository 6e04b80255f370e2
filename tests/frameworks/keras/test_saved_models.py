"""Models that Keras has saved beside the code are known: what they return for data, and what they refuse."""

from __future__ import annotations

import json
import zipfile

import pytest

from dllint.config.discovery import Configuration
from dllint.domains.lattice import Unknown
from dllint.engine.session import Session
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal
from tests.frameworks.test_files_of_arrays import attributes

keras = pytest.importorskip("keras")
layers = keras.layers


def stack():
    return keras.Sequential(
        [
            keras.Input((12, 10, 3)),
            layers.Conv2D(4, (3, 2), strides=2, activation="relu"),
            layers.BatchNormalization(),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dropout(0.3),
            layers.Dense(5, activation="softmax"),
        ]
    )


def recurrent():
    sequence = keras.Input((7,), dtype="int32")
    embedded = layers.Embedding(50, 6)(sequence)
    both = layers.Bidirectional(layers.LSTM(4, return_sequences=True))(embedded)
    return keras.Model(sequence, layers.TimeDistributed(layers.Dense(3))(both))


def branches():
    first, second = keras.Input((8, 8, 3)), keras.Input((5,))
    a = layers.Conv2D(4, 3, padding="same")(first)
    b = layers.Conv2D(4, 3, padding="same", activation="relu")(a)
    pooled = layers.GlobalAveragePooling2D()(layers.Add()([a, b]))
    joined = layers.Concatenate()([pooled, second])
    return keras.Model([first, second], [layers.Dense(2)(joined), layers.Dense(1, activation="sigmoid")(joined)])


MODELS = {
    stack: "np.zeros((4, 12, 10, 3), 'float32')",
    recurrent: "np.zeros((4, 7), 'int32')",
    branches: "[np.zeros((4, 8, 8, 3), 'float32'), np.zeros((4, 5), 'float32')]",
}
HEAD = "import numpy as np\nimport keras\nfrom keras.models import load_model\n"


@pytest.mark.parametrize("ending", ["keras", "h5"])
@pytest.mark.parametrize("make", MODELS)
def test_the_outputs_are_those_of_the_model(make, ending, tmp_path):
    model = make()
    model.save(tmp_path / f"m.{ending}")
    found = attributes(tmp_path, f"{HEAD}m = load_model('m.{ending}')\ny = m.predict({MODELS[make]})\n")
    outputs = [tuple(output.shape[1:]) for output in model.outputs]
    values = (found["y"],) if isinstance(found["y"], TensorVal) else tuple(found["y"])
    assert [value.type.shape[1:] for value in values] == outputs


def test_other_data_is_refused(tmp_path):
    stack().save(tmp_path / "m.keras")
    source = f"{HEAD}m = load_model('m.keras')\n"
    (tmp_path / "train.py").write_text(f"{source}m.predict(np.zeros((4, 12, 10, 1), 'float32'))\n")
    session = Session(Configuration(isolated=True, root=tmp_path))
    assert [finding.code for finding in session.check_file(tmp_path / "train.py").findings] == ["DLT110"]
    (tmp_path / "train.py").write_text(f"{source}m.predict(np.zeros((4, 12, 10, 3), 'float32'))\n")
    assert session.check_file(tmp_path / "train.py").findings == []


@pytest.mark.parametrize(
    "config",
    [
        {"class_name": "Sequential", "config": {"layers": [{"module": "mine", "class_name": "Dense", "config": {"units": 3}}]}},
        {"class_name": "Sequential", "config": {"layers": [{"class_name": "Mine", "config": {}}]}},
        {"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense", "config": {"units": {"module": "x"}}}]}},
        {"class_name": "Sequential", "config": {"layers": 3}},
        {"class_name": "Functional", "config": {"layers": [], "input_layers": [["x", 0, 0]], "output_layers": []}},
        {"class_name": "Mine", "config": {"layers": []}},
        {"class_name": "Sequential"},
        [],
    ],
)
def test_other_forms_are_not_known(config, tmp_path):
    with zipfile.ZipFile(tmp_path / "m.keras", "w") as file:
        file.writestr("config.json", json.dumps(config))
    assert isinstance(attributes(tmp_path, f"{HEAD}m = load_model('m.keras')\n")["m"], Unknown)


def test_models_that_the_program_saves_are_not_looked_at(tmp_path):
    stack().save(tmp_path / "m.keras")
    assert isinstance(attributes(tmp_path, f"{HEAD}m = load_model('m.keras')\n")["m"], InstanceVal)
    source = f"{HEAD}def train(m):\n    m.save('m.keras')\nm = load_model('m.keras')\n"
    assert isinstance(attributes(tmp_path, source)["m"], Unknown)
