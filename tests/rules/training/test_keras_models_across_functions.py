"""Keras: layers that are thawed between trainings, optimizers that functions make, callbacks beside unpacked data."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import keras\nimport numpy as np\nfrom keras import layers"
DATA = "x, y = np.random.rand(32, 8), np.random.randint(0, 3, 32)\n"
#: Models with a part, or a layer, `base` that is frozen and thawed.
MODELS = {
    "functional": "base = keras.Sequential([keras.Input((8,)), layers.Dense(4), layers.Dense(4)])\ninputs = keras.Input((8,))\n"
    "model = keras.Model(inputs, layers.Dense(3, activation='softmax')(base(inputs)))\n",
    "of functional": "first = keras.Input((8,))\nbase = keras.Model(first, layers.Dense(4)(layers.Dense(6)(first)))\n"
    "inputs = keras.Input((8,))\nmodel = keras.Model(inputs, layers.Dense(3, activation='softmax')(base(inputs)))\n",
    "sequential": "base = keras.Sequential([keras.Input((8,)), layers.Dense(4)])\n"
    "model = keras.Sequential([keras.Input((8,)), base, layers.Dense(3, activation='softmax')])\n",
    "one layer": "inputs = keras.Input((8,))\nbase = layers.Dense(4)\n"
    "model = keras.Model(inputs, layers.Dense(3, activation='softmax')(base(inputs)))\n",
}
COMPILED = "model.compile(optimizer='adam', loss='sparse_categorical_crossentropy')"
FIT = "model.fit(x, y, epochs=2, verbose=0)"
THAWED = {
    "statements": "base.trainable = True\n{0}\n{1}",
    "loop over parts": "for part in (base,):\n    part.trainable = True\n    {0}\n    {1}",
    "loop over stages": "for stage in range(2):\n    base.trainable = True\n    {0}\n    {1}",
    "test": "if not base.trainable or len(x) > 3:\n    base.trainable = True\n{0}\n{1}",
}
NAMES = ("x", "y", "base", "model")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", [form for form in FORMS if form != "aliased"])
@pytest.mark.parametrize("thawed", [kind for kind in THAWED if kind != "test"])
@pytest.mark.parametrize("model", MODELS)
def test_a_part_is_thawed_and_nothing_is_compiled(model: str, thawed: str, form: str, tmp_path: Path) -> None:
    setup = f"{DATA}{MODELS[model]}base.trainable = False\n{COMPILED}"
    case = Case("DLO115", IMPORTS, setup, f"{FIT}\n{THAWED[thawed].format('pass', FIT)}", NAMES)
    assert "DLO115" in found(FORMS[form](case), tmp_path, ["DLO115"])


@pytest.mark.parametrize("thawed", THAWED)
@pytest.mark.parametrize("model", MODELS)
def test_a_part_is_thawed_and_the_model_is_compiled_again(model: str, thawed: str, tmp_path: Path) -> None:
    setup = f"{DATA}{MODELS[model]}base.trainable = False\n{COMPILED}"
    body = f"{FIT}\n{THAWED[thawed].format(COMPILED, FIT)}"
    assert not found(FORMS["plain"](Case("DLO115", IMPORTS, setup, body, NAMES)), tmp_path, ["DLO115"])


@pytest.mark.parametrize("model", MODELS)
def test_another_part_is_thawed(model: str, tmp_path: Path) -> None:
    other = "other = keras.Sequential([keras.Input((8,)), layers.Dense(4)])\nother.trainable = False\n"
    setup = f"{DATA}{MODELS[model]}{other}{COMPILED}"
    body = f"{FIT}\nother.trainable = True\n{FIT}"
    assert not found(FORMS["plain"](Case("DLO115", IMPORTS, setup, body, (*NAMES, "other"))), tmp_path, ["DLO115"])


WORK = """class Work:
    def __init__(self, rate):
        self.rate = rate
        self.net = self.built()

    def chosen(self):
        {0}

    def built(self):
        net = keras.Sequential([keras.Input((8,)), layers.Dense(1)])
        {1}
        net.compile(loss="mse", optimizer={2})
        return net


Work(0.1).net.fit(np.random.rand(32, 8), np.random.rand(32))
"""
MAKING = (
    "return keras.optimizers.SGD(learning_rate=self.rate)",
    "made = keras.optimizers.SGD(learning_rate=self.rate)\n        return made",
    "schedule = keras.optimizers.schedules.ExponentialDecay(self.rate, 10, 0.9)\n"
    "        return keras.optimizers.Adam(schedule, clipnorm=1.0)",
)


@pytest.mark.parametrize("bound", ["optimizer = self.chosen()", "self.optimizer = self.chosen()"])
@pytest.mark.parametrize("making", MAKING)
def test_an_optimizer_of_a_method_is_not_used(making: str, bound: str, tmp_path: Path) -> None:
    told = found({MAIN: f"{IMPORTS}\n\n\n{WORK.format(making, bound, repr('adam'))}"}, tmp_path, ["DLO126"])
    assert told == ["DLO126"]


@pytest.mark.parametrize("making", MAKING)
def test_an_optimizer_of_a_method_is_used(making: str, tmp_path: Path) -> None:
    for text in (
        WORK.format(making, "optimizer = self.chosen()", "optimizer"),
        WORK.format(making, "pass", "self.chosen()"),
        WORK.format(making, "optimizer = self.chosen()\n        print(optimizer)", "'adam'"),
        WORK.format(making, "pass", "'adam'"),
    ):
        assert not found({MAIN: f"{IMPORTS}\n\n\n{text}"}, tmp_path, ["DLO126"])


TRAINED = """def watched(path):
    return [keras.callbacks.ModelCheckpoint(path, monitor={0}, save_best_only=True)]


def fit(model, train, valid):
    model.fit(*train, {1}epochs=5, callbacks=watched("a.keras"))


def main():
    data = np.random.rand(32, 8), np.random.rand(32)
    model = keras.Sequential([keras.Input((8,)), layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam", metrics=["mae"])
    fit(model, data, data)


main()
"""


@pytest.mark.parametrize(
    ("monitor", "data", "is_told"),
    [
        ("'val_accuracy'", "validation_data=valid, ", True),
        ("'val_loss'", "", True),
        ("'val_mae'", "validation_data=valid, ", False),
        ("'val_loss'", "validation_split=0.2, ", False),
        ("'loss'", "", False),
    ],
)
def test_a_metric_is_watched_beside_unpacked_data(monitor: str, data: str, is_told: bool, tmp_path: Path) -> None:
    told = found({MAIN: f"{IMPORTS}\n\n\n{TRAINED.format(monitor, data)}"}, tmp_path, ["DLO128"])
    assert told == (["DLO128"] if is_told else [])


def test_unknown_arguments_may_be_callbacks(tmp_path: Path) -> None:
    text = TRAINED.format("'val_loss'", "").replace("def fit(model, train, valid)", "def fit(model, *train)")
    text = text.replace("    fit(model, data, data)\n", "    fit(model, *open('a'))\n")
    assert not found({MAIN: f"{IMPORTS}\n\n\n{text}"}, tmp_path, ["DLO128"])
