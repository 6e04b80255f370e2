"""Numbers of an object that a method counts up, of which TensorFlow makes a graph: they are counted up once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

STEP = """import tensorflow as {tf}

{setting}
class Student({base}):
    def __init__(self):
        super().__init__()
        self.layer = {tf}.keras.layers.Dense(1)
        self.optimizer_of_it = {tf}.keras.optimizers.SGD(0.1)
        self.{count} = {start}

    def call(self, x):
        return self.layer(x)

    {decorator}
    def {step}(self, data):
        x, y = data
        {counted}
        with {tf}.GradientTape() as tape:
            loss = {tf}.reduce_mean((self.layer(x) - y) ** 2)
        gradients = tape.gradient(loss, self.layer.trainable_variables)
        self.optimizer_of_it.apply_gradients(zip(gradients, self.layer.trainable_variables))
        return {{"loss": loss}}


student = Student()
for _ in range(3):
    student.{step}(({tf}.zeros((4, 2)), {tf}.zeros((4, 1))))
print(student.{count})
"""
DECORATED = (
    {"base": "tf.Module", "decorator": "@tf.function", "step": "update"},
    {"base": "tf.Module", "decorator": "@tf.function(reduce_retracing=True)", "step": "one"},
    {"base": "tf.keras.Model", "decorator": "", "step": "train_step"},
    {"base": "tf.keras.Model", "decorator": "", "step": "test_step"},
)
COUNTED = (("steps", "0", "self.steps += 1"), ("seen", "0.0", "self.seen += 4.0"), ("left", "100", "self.left -= 1"))
SOUND = (
    ("steps", "tf.Variable(0)", "self.steps.assign_add(1)"),
    ("steps", "None", "self.steps = self.steps or 0"),
    ("traces", "0", "self.traces += 1"),
    ("steps", "0", "print(self.steps)"),
)


def _told(folder: Path, setting: str = "", **parts: str) -> list[str]:
    return found({MAIN: STEP.format(tf="tf", setting=setting, **parts)}, folder, ["DLG109"])


@pytest.mark.parametrize("form", DECORATED)
@pytest.mark.parametrize(("count", "start", "counted"), COUNTED)
def test_counters(form: dict[str, str], count: str, start: str, counted: str, tmp_path: Path) -> None:
    assert _told(tmp_path, count=count, start=start, counted=counted, **form) == ["DLG109"]


@pytest.mark.parametrize("form", DECORATED)
@pytest.mark.parametrize(("count", "start", "counted"), SOUND)
def test_what_is_no_counter(form: dict[str, str], count: str, start: str, counted: str, tmp_path: Path) -> None:
    assert not _told(tmp_path, count=count, start=start, counted=counted, **form)


@pytest.mark.parametrize(("count", "start", "counted"), COUNTED)
def test_methods_that_are_run_each_time(count: str, start: str, counted: str, tmp_path: Path) -> None:
    eager = {"base": "tf.Module", "decorator": "", "step": "update"}
    assert not _told(tmp_path, count=count, start=start, counted=counted, **eager)
    setting = "tf.config.run_functions_eagerly(True)\n"
    (tmp_path / "b").mkdir()
    assert not _told(tmp_path / "b", setting, count=count, start=start, counted=counted, **DECORATED[2])
