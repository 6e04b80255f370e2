"""Watching changes no result of a Keras program."""

from __future__ import annotations

import pytest

from tests.diagnose.test_keras_symptoms import FIT

pytestmark = pytest.mark.oracle

SAVING = """
import random, sys
state = [*model.get_weights(), *[np.asarray(keras.ops.convert_to_numpy(v)) for v in model.optimizer.variables]]
drawn = [random.random(), float(np.random.rand()), float(keras.ops.convert_to_numpy(keras.random.uniform(())))]
with open(sys.argv[1], "wb") as stream:
    for array in state:
        stream.write(np.asarray(array).tobytes())
    stream.write(repr(drawn).encode())
"""


@pytest.fixture(params=["keras-torch", "keras-tensorflow"])
def framework(request):
    return request.param


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("built", [False, True])
def test_weights_optimizer_state_and_random_numbers_are_bitwise_the_same(built, tmp_path, run_in_fork):
    folder = tmp_path / "project"
    folder.mkdir()
    text = FIT.replace("EPOCHS", "7") + SAVING
    if built:
        text = text.replace("keras.Sequential([", "keras.Sequential([\n    keras.Input((8,)),")
    (folder / "train.py").write_text(text)
    contents = []
    for command in ([], ["diagnose"]):
        saved = tmp_path / f"{len(contents)}.bin"
        status, out, err = run_in_fork([*command, "train.py", str(saved)], folder, plain=not command)
        assert status == 0, out + err
        contents.append(saved.read_bytes())
    assert contents[0] == contents[1]
    assert [path.name for path in folder.iterdir()] == ["train.py"]


@pytest.mark.parametrize("saved", ["model.keras"])
def test_a_model_that_is_loaded_is_compiled(saved, tmp_path, run_in_fork):
    folder = tmp_path / "project"
    folder.mkdir()
    load = f"\nmodel.save({saved!r})\nagain = keras.models.load_model({saved!r})\nagain.evaluate(x, y)\nagain.fit(x, y)\n"
    (folder / "train.py").write_text(FIT.replace("EPOCHS", "3") + load)
    status, out, err = run_in_fork(["diagnose", "train.py"], folder)
    assert status == 0, out + err
