"""Optimizers and losses with settings that nothing uses, while `compile` is given a name, in variables and attributes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

CLASS = """import keras
from keras import layers


class Recipe:
    def __init__(self, rate):
        self.{chosen} = {made}

    def compiled(self):
        model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(3, activation="softmax")])
        model.compile({arguments})
        return model

    def told(self):
        return {told}


print(Recipe(0.001).compiled().count_params())
"""
OPTIMIZER, LOSS = "keras.optimizers.SGD(learning_rate=rate)", "keras.losses.CategoricalCrossentropy(label_smoothing=0.1)"


@pytest.mark.parametrize("chosen", ["chosen", "optimizer", "kept_1"])
@pytest.mark.parametrize(
    ("made", "arguments", "told", "is_told"),
    [
        (OPTIMIZER, 'optimizer="sgd", loss="mse"', "None", True),
        (LOSS, 'optimizer="sgd", loss="categorical_crossentropy"', "None", True),
        (LOSS, '"sgd", "categorical_crossentropy"', "None", True),
        (LOSS, '**{"optimizer": "sgd", "loss": "categorical_crossentropy"}', "None", True),
        (OPTIMIZER, 'optimizer=self.{chosen}, loss="mse"', "None", False),
        (LOSS, 'optimizer="sgd", loss=self.{chosen}', "None", False),
        (LOSS, 'optimizer="sgd", loss="categorical_crossentropy"', "self.{chosen}", False),
        (LOSS, 'optimizer="sgd", loss="categorical_crossentropy"', "vars(self)", False),
        ("keras.losses.CategoricalCrossentropy()", 'optimizer="sgd", loss="categorical_crossentropy"', "None", False),
    ],
)
def test_attributes(chosen: str, made: str, arguments: str, told: str, is_told: bool, tmp_path: Path) -> None:
    shown, given = (text.replace("{chosen}", chosen) for text in (told, arguments))
    text = CLASS.format(chosen=chosen, made=made, arguments=given, told=shown)
    assert ("DLO126" in found({MAIN: text}, tmp_path, ["DLO126"])) is is_told
