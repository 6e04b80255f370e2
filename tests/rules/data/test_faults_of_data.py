"""Faults of data in every structural form: splits, fitted transformations, loaders, pipelines, flows of pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

SKLEARN = """import keras
import numpy as np
import pandas as pd
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, Normalizer, StandardScaler"""
ARRAYS = "x, y = np.loadtxt('x.txt'), np.loadtxt('y.txt')"
TABLE = "table = pd.read_csv('data.csv')\nx, y = table.drop(columns=['y']), table['y']"
SPLIT = "a, b, c, d = train_test_split(x, y, test_size=0.2)"
TRANSFORMERS = ("StandardScaler()", "MinMaxScaler()", "PCA(4)", "SimpleImputer()")
BETWEEN = ("{}", "np.asarray({})", "{}.astype('float32')", "{}[:, :4]", "np.log1p({})")

REFITTED = {
    f"{transformer}, {between}, {kind}": Case(
        "DLD105",
        SKLEARN,
        f"{data}\n{SPLIT}\nchange = {transformer}",
        f"p = change.fit_transform({between.format('np.asarray(a)')})\n{again}",
        ("a", "b", "change"),
    )
    for transformer in TRANSFORMERS
    for between in BETWEEN
    for data, kind in ((ARRAYS, "arrays"), (TABLE, "table"))
    for again in (f"q = change.fit_transform({between.format('np.asarray(b)')})",)
}
EARLY = {
    f"{transformer}, {between}, {split}": Case(
        "DLD106",
        SKLEARN,
        f"{ARRAYS}\nchange = {transformer}",
        f"p = change.fit_transform(x)\np = {between.format('p')}\n{split}",
        ("x", "y", "change"),
    )
    for transformer in TRANSFORMERS
    for between in BETWEEN
    for split in (
        "a, b = train_test_split(p)",
        "a, b, c, d = train_test_split(p, y, random_state=1)",
        "a, b = p[:100], p[100:]",
        "for rows, others in KFold(5).split(p):\n    print(rows)",
    )
}
SOUND = {
    "fitted to the training rows": f"{SPLIT}\n"
    "scaler = StandardScaler().fit(a)\np, q = scaler.transform(a), scaler.transform(b)",
    "two parts of the features": f"{SPLIT}\nscaler = StandardScaler()\np, q = scaler.fit_transform(a[:, :2]), "
    "scaler.fit_transform(a[:, 2:])",
    "features and targets": f"{SPLIT}\np, q = StandardScaler().fit_transform(a), StandardScaler().fit_transform(c)",
    "rows by themselves": "x = Normalizer().fit_transform(x)\na, b = train_test_split(x)",
    "labels": "y = LabelEncoder().fit_transform(y)\na, b = train_test_split(y)",
    "a picture of the data": f"shown = PCA(2).fit_transform(x)\n{SPLIT}",
    "fitted anew in each fold": "for rows, others in KFold(5).split(x):\n    p = StandardScaler().fit_transform(x[rows])",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", list(REFITTED)[::3])
def test_a_transformation_is_fitted_to_the_held_out_rows(name: str, form: str, tmp_path: Path) -> None:
    assert "DLD105" in found(FORMS[form](REFITTED[name]), tmp_path, ["DLD105", "DLD106"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", list(EARLY)[::7])
def test_a_transformation_is_fitted_before_the_split(name: str, form: str, tmp_path: Path) -> None:
    assert "DLD106" in found(FORMS[form](EARLY[name]), tmp_path, ["DLD105", "DLD106"])


@pytest.mark.parametrize("data", [ARRAYS, TABLE.replace("table.drop(columns=['y'])", "table.drop(columns=['y']).values")])
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_use_of_transformations(name: str, data: str, tmp_path: Path) -> None:
    case = Case("DLD105", SKLEARN, data, SOUND[name], ("x", "y"))
    assert not found(FORMS["plain"](case), tmp_path, ["DLD105", "DLD106"])


@pytest.mark.parametrize("base", ["StandardScaler", "PCA"])
def test_a_transformation_of_an_own_class(base: str, tmp_path: Path) -> None:
    own = f"class Own({base}):\n    def name(self):\n        return 'own'\n\n\nchange = Own()"
    body = "p = change.fit_transform(a)\nq = change.fit_transform(b)"
    case = Case("DLD105", f"{SKLEARN}\n\n\n{own}", f"{ARRAYS}\n{SPLIT}", body, ("a", "b"))
    assert "DLD105" in found(FORMS["plain"](case), tmp_path, ["DLD105"])


@pytest.mark.parametrize("given", ["*data", "*data, test_size=0.1", "x, *data"])
def test_arrays_of_unknown_number_are_unpacked(given: str, tmp_path: Path) -> None:
    text = f"{SKLEARN}\nfrom unknown import data\n\n{ARRAYS}\na, b, c, d = train_test_split({given})\nprint(a, b, c, d)\n"
    assert not found({"main.py": text}, tmp_path, ["ALL"])


BY_HAND = (
    "p = (a - a.mean(axis=0)) / a.std(axis=0)\nq = (b - b.mean(axis=0)) / b.std(axis=0)",
    "m, s = np.mean(a, 0), np.std(a, 0)\np = (a - m) / (s + 1e-8)\n"
    "n, t = np.mean(b, 0), np.std(b, 0)\nq = (b - n) / (t + 1e-8)",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", BY_HAND)
def test_held_out_rows_are_standardised_by_themselves(body: str, form: str, tmp_path: Path) -> None:
    setup = "(x, _), _ = keras.datasets.mnist.load_data()\na, b = train_test_split(x)"
    assert "DLD105" in found(FORMS[form](Case("DLD105", SKLEARN, setup, body, ("a", "b"))), tmp_path, ["DLD105"])
    sound = body.replace("b.mean", "a.mean").replace("b.std", "a.std").replace("mean(b", "mean(a").replace("std(b", "std(a")
    assert not found(FORMS[form](Case("DLD105", SKLEARN, setup, sound, ("a", "b"))), tmp_path, ["DLD105"])


TORCH = """import torch
from torch import nn
from torchvision import datasets, transforms"""
MODEL = """data = datasets.{0}('photos', transform=transforms.ToTensor())
model = nn.Sequential(nn.Flatten(), nn.LazyLinear(10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loader = torch.utils.data.DataLoader(data, {1})"""
EPOCHS = """for epoch in range(10):
    for x, y in {0}:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()"""
ENUMERATED = EPOCHS.replace("x, y in {0}", "step, (x, y) in enumerate({0})")
NAMES = ("model", "optimizer", "loader")
UNSHUFFLED = {
    f"{dataset}, {options}": Case("DLD111", TORCH, MODEL.format(dataset, options), loop.format("loader"), NAMES)
    for dataset in ("ImageFolder", "CIFAR10")
    for options in ("batch_size=8", "8, num_workers=2", "8, shuffle=False")
    for loop in (EPOCHS, ENUMERATED)
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", UNSHUFFLED)
def test_a_training_loader_keeps_the_order(name: str, form: str, tmp_path: Path) -> None:
    assert "DLD111" in found(FORMS[form](UNSHUFFLED[name]), tmp_path, ["DLD111"])


@pytest.mark.parametrize("size", ["len(data)", "n", "2 * n"])
def test_a_batch_of_all_samples_has_no_order(size: str, tmp_path: Path) -> None:
    setup = MODEL.format("ImageFolder", size).replace("loader = ", "n = len(data)\nloader = ")
    assert not found(FORMS["plain"](Case("DLD111", TORCH, setup, EPOCHS.format("loader"), NAMES)), tmp_path, ["DLD111"])


@pytest.mark.parametrize("options", ["8, shuffle=True", "8, True", "8, sampler=torch.utils.data.RandomSampler(data)"])
def test_a_training_loader_shuffles(options: str, tmp_path: Path) -> None:
    case = Case("DLD111", TORCH, MODEL.format("ImageFolder", options), EPOCHS.format("loader"), NAMES)
    assert not found(FORMS["plain"](case), tmp_path, ["DLD111"])


JOINED = """def part(kind):
    return torch.utils.data.TensorDataset(torch.randn(50, 3) + kind, torch.full((50,), kind))


data = {0}
loader = torch.utils.data.DataLoader(data, batch_size=10{1})
model = nn.Linear(3, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
PARTS = {
    "torch.utils.data.ConcatDataset([part(k) for k in range(4)])": True,
    "torch.utils.data.ConcatDataset((part(0), part(1)))": True,
    "part(0)": False,
    "torch.utils.data.random_split(torch.utils.data.ConcatDataset([part(0), part(1)]), [80, 20])[0]": False,
}


@pytest.mark.parametrize("options", ["", ", shuffle=True"])
@pytest.mark.parametrize("data", PARTS)
def test_parts_that_stand_one_behind_the_other(data: str, options: str, tmp_path: Path) -> None:
    case = Case("DLD111", TORCH, JOINED.replace("{0}", data).replace("{1}", options), EPOCHS.format("loader"), NAMES)
    assert bool(found(FORMS["plain"](case), tmp_path, ["DLD111"])) == (PARTS[data] and not options)


STEPS = """for step in range(100):
    x, y = next(iter(loader))
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()"""


@pytest.mark.parametrize("form", FORMS)
def test_every_step_takes_the_first_batch(form: str, tmp_path: Path) -> None:
    case = Case("DLD118", TORCH, MODEL.format("ImageFolder", "8"), STEPS, NAMES)
    assert "DLD118" in found(FORMS[form](case), tmp_path, ["DLD118"])


@pytest.mark.parametrize("form", ["in_function", "in_helper"])
@pytest.mark.parametrize("options", ["8, shuffle=True", "8, True"])
def test_every_step_begins_a_new_order(options: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD118", TORCH, MODEL.format("ImageFolder", options), STEPS, NAMES)
    assert "DLD118" in found(FORMS[form](case), tmp_path, ["DLD118"])


ENDED = (
    "try:\n        x, y = next(batches)\n    except StopIteration:\n        batches = iter(loader)\n"
    "        x, y = next(batches)",
    "if step % len(loader) == 0:\n        batches = iter(loader)\n    x, y = next(batches)",
)


@pytest.mark.parametrize("options", ["8", "8, shuffle=True"])
@pytest.mark.parametrize("taken", ENDED)
def test_an_iterator_that_is_made_anew_when_it_has_ended(options: str, taken: str, tmp_path: Path) -> None:
    steps = "batches = iter(loader)\n" + STEPS.replace("x, y = next(iter(loader))", taken)
    case = Case("DLD118", TORCH, MODEL.format("ImageFolder", options), steps, NAMES)
    assert not found(FORMS["plain"](case), tmp_path, ["DLD118"])


ORDERS = {
    "T.Normalize([0.5], [0.5]), T.ToTensor()": True,
    "T.Resize(8), T.Normalize([0.5], [0.5]), T.RandomHorizontalFlip(), T.ToTensor()": True,
    "T.ToTensor(), T.Normalize([0.5], [0.5]), T.ToTensor()": True,
    "T.ToTensor(), T.Resize(8), T.ToTensor()": True,
    "T.PILToTensor(), T.Normalize([0.5], [0.5])": True,
    "T.Compose([T.Resize(8), T.ToTensor()]), T.ToTensor()": True,
    "T.RandomErasing(), T.ToTensor()": True,
    "T.ToTensor(), T.Normalize([0.5], [0.5]), T.RandomErasing()": False,
    "T.Resize(8), T.ToTensor(), T.RandomHorizontalFlip(), T.Normalize([0.5], [0.5])": False,
    "T.ToTensor(), T.ToPILImage(), T.ToTensor()": False,
    "T.Normalize([0.5], [0.5]), T.Lambda(lambda image: image.numpy()), T.ToTensor()": False,
    "T.ToTensor(), *rest, T.ToTensor()": False,
    "T.PILToTensor(), T.ConvertImageDtype(torch.float), T.Normalize([0.5], [0.5])": False,
}


@pytest.mark.parametrize("place", ["T.Compose([{}])", "T.Compose(transforms=[{}])", "T.Compose([T.Grayscale(), {}])"])
@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_transforms(order: str, place: str, tmp_path: Path) -> None:
    imports = "import sys\nimport torch\nfrom torchvision import transforms as T"
    text = f"{imports}\n\nrest = sys.argv\nchange = {place.format(order)}\n"
    assert ("DLD112" in found({"main.py": text}, tmp_path, ["DLD112"])) is ORDERS[order]


TENSORFLOW = "import tensorflow as tf"
SAMPLES = "data = tf.data.Dataset.from_tensor_slices((tf.zeros((600, 8)), tf.zeros((600,))))"
SHUFFLES = {
    "data.batch(32).shuffle(600)": True,
    "data.batch(32).map(lambda x, y: (x / 255, y)).shuffle(20).prefetch(1)": True,
    "data.cache().batch(32, drop_remainder=True).repeat().shuffle(20)": True,
    "data.shuffle(600).batch(32)": False,
    "data.shuffle(600).batch(32).shuffle(20)": False,
    "data.batch(32).unbatch().shuffle(600).batch(16)": False,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("steps", SHUFFLES)
def test_batches_are_shuffled(steps: str, form: str, tmp_path: Path) -> None:
    case = Case("DLD112", TENSORFLOW, SAMPLES, f"ready = {steps}", ("data",))
    assert ("DLD112" in found(FORMS[form](case), tmp_path, ["DLD112"])) is SHUFFLES[steps]


KERAS = """import keras
import numpy as np
from keras.preprocessing.image import ImageDataGenerator
from sklearn.metrics import classification_report, confusion_matrix"""
FITTED = """model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(5, activation='softmax')])
model.compile(loss='categorical_crossentropy', optimizer='adam')
flow = ImageDataGenerator(rescale=1 / 255{0}).flow_from_directory('photos'{1})
other = ImageDataGenerator(rescale=1 / 255).flow_from_directory('more')"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "metric", ["confusion_matrix(flow.classes, guessed)", "print(classification_report(flow.classes, guessed))"]
)
def test_predictions_without_the_order_of_the_files(metric: str, form: str, tmp_path: Path) -> None:
    case = Case(
        "DLD113", KERAS, FITTED.format("", ""), f"guessed = np.argmax(model.predict(flow), 1)\n{metric}", ("model", "flow")
    )
    assert "DLD113" in found(FORMS[form](case), tmp_path, ["DLD113"])
    sound = Case("DLD113", KERAS, FITTED.format("", ", shuffle=False"), case.body, case.names)
    assert not found(FORMS[form](sound), tmp_path, ["DLD113"])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("change", [", rotation_range=20", ", horizontal_flip=True", ", zoom_range=0.1, shear_range=0.1"])
def test_pictures_for_validation_are_changed(change: str, form: str, tmp_path: Path) -> None:
    body = "model.fit(other, epochs=2, validation_data=flow)\nmodel.evaluate(flow)"
    case = Case("DLD114", KERAS, FITTED.format(change, ""), body, ("model", "flow", "other"))
    assert "DLD114" in found(FORMS[form](case), tmp_path, ["DLD114"])
    assert not found(
        FORMS[form](Case("DLD114", KERAS, FITTED.format(", zoom_range=0", ""), body, case.names)), tmp_path, ["DLD114"]
    )
