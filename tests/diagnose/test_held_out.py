"""Data that a model is evaluated on and that says nothing: samples that are trained on, and the end of sorted data."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import numpy as np
import pytest

from dllint.diagnose import bound_names
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.same_rows import shared_rows
from dllint.diagnose.records import HeldOutRecord
from dllint.diagnose.symptoms.held_out import OtherClasses, SharedSamples

TORCH = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset, random_split

torch.manual_seed(0)
x = torch.randn(300, 6)
y = (x[:, 0] > 0).long()
class Rows(Dataset):
    def __init__(self, part="train"):
        self.part = part
    def __len__(self):
        return 200 if self.part == "train" else 100
    def __getitem__(self, index):
        at = index if self.part == "train" else 200 + index
        return x[at], y[at]
def loader_of(data, shuffle=False):
    return DataLoader(data, batch_size=50, shuffle=shuffle)
{data}
net = nn.Linear(6, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    {before}
    for rows, labels in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(net(rows), labels).backward()
        optimizer.step()
    with torch.no_grad():
        right = sum(int((net(rows).argmax(1) == labels).sum()) for rows, labels in {given})
"""
SPLIT = "train_set, val_set = random_split(TensorDataset(x, y), [200, 100])\n"
USUAL = {"before": "pass", "given": "val_loader"}
SHARING = {
    "the same data set": (SPLIT + "train_loader = loader_of(train_set, True)\nval_loader = loader_of(train_set)", "val_set"),
    "in one statement": (
        SPLIT + "train_loader, val_loader = loader_of(train_set, True), DataLoader(train_set, 50)",
        "val_set",
    ),
    "the user's data set": (
        "train_rows, val_rows = Rows(), Rows('val')\n"
        "train_loader = loader_of(train_rows, True)\nval_loader = DataLoader(dataset=train_rows, batch_size=50)",
        "val_rows",
    ),
    "slices that overlap": (
        "train_loader = loader_of(TensorDataset(x[:250], y[:250]), True)\n"
        "val_loader = loader_of(TensorDataset(x[200:], y[200:]))",
        None,
    ),
    "indices that overlap": (
        "data = Rows()\ntrain_loader = loader_of(Subset(data, range(150)))\n"
        "val_loader = loader_of(Subset(data, list(range(100, 200))))",
        None,
    ),
}
APART = {
    "a split": SPLIT + "train_loader = loader_of(train_set, True)\nval_loader = loader_of(val_set)",
    "parts of a data set of the user's": "train_loader, val_loader = loader_of(Rows()), loader_of(Rows('val'))",
    "a data set that is switched": "data = Rows()\ntrain_loader, val_loader = loader_of(data), loader_of(data)",
    "measured on the training's own data": SPLIT + "train_loader = loader_of(train_set)\ntrain_val_loader = val_loader = None",
    "rows of few values": "x = (x > 0).float()\n"
    "train_loader = loader_of(TensorDataset(x[:200], y[:200]))\nval_loader = loader_of(TensorDataset(x[200:], y[200:]))",
}
FOLDS = """
for held in range(3):
    at = torch.arange(300) % 3 == held
    train_loader = loader_of(TensorDataset(x[~at], y[~at]))
    val_loader = loader_of(TensorDataset(x[at], y[at]))
    for rows, labels in train_loader:
        optimizer.zero_grad()
        F.cross_entropy(net(rows), labels).backward()
        optimizer.step()
    with torch.no_grad():
        right = [int((net(rows).argmax(1) == labels).sum()) for rows, labels in val_loader]
"""


def told(done, symptom="evaluation on training samples"):
    return [finding for finding in done.findings if finding["symptom"] == symptom]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", SHARING)
def test_a_loader_of_held_out_data_that_gives_training_samples(diagnose, way):
    data, other = SHARING[way]
    text = TORCH.format(data=data, **USUAL)
    (finding,) = told(diagnose(text))
    assert "val_loader = " in text.splitlines()[finding["location"]["row"] - 1]
    assert [fix["edits"][0]["content"] for fix in finding["fixes"]] == ([other] if other is not None else [])


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", APART)
def test_loaders_of_other_data_are_silent(diagnose, way):
    switched = "data.part = 'train'" if "switched" in way else "pass"
    given = "(setattr(data, 'part', 'val'), val_loader)[1]" if "switched" in way else "val_loader or train_loader"
    assert not told(diagnose(TORCH.format(data=APART[way], before=switched, given=given)))


def test_folds_are_silent_though_other_folds_are_trained_on_it(diagnose):
    assert not told(diagnose(TORCH.format(data=APART["a split"], **USUAL) + FOLDS))


KERAS = """
import keras
import numpy as np

draw = np.random.default_rng(0)
y_train = np.repeat([0, 1, 2], 100)
x_train = (draw.normal(size=(300, 6)) + y_train[:, None]).astype("float32")
x_val, y_val = draw.normal(size=(60, 6)).astype("float32"), draw.integers(0, 3, 60)
{before}
net = keras.Sequential([keras.Input((6,)), keras.layers.Dense(3, activation="softmax")])
net.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
net.fit(x_train, y_train, epochs=3, verbose=0, {options})
"""
SHUFFLED = "at = draw.permutation(300)\nx_train, y_train = x_train[at], y_train[at]"


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("options", "before", "symptoms"),
    [
        ("validation_data=(x_train, y_train)", "", ["evaluation on training samples"]),
        ("validation_data=(x_val, y_val)", "", []),
        ("validation_split=0.2", "", ["evaluation of other classes"]),
        ("validation_split=0.2", SHUFFLED, []),
    ],
)
def test_what_fit_is_given_to_evaluate(diagnose, options, before, symptoms):
    text = KERAS.format(options=options, before=before)
    done = diagnose(text)
    found = [
        finding
        for symptom in ("evaluation on training samples", "evaluation of other classes")
        for finding in told(done, symptom)
    ]
    assert [finding["symptom"] for finding in found] == symptoms
    for finding in found:
        assert "net.fit(" in text.splitlines()[finding["location"]["row"] - 1]
        assert finding["fixes"]


@pytest.mark.oracle
def test_a_trial_confirms_the_order_in_which_sorted_data_is_split(diagnose):
    (finding,) = told(
        diagnose(KERAS.format(options="validation_split=0.2", before=""), replay=True), "evaluation of other classes"
    )
    best = finding["fixes"][0]
    assert (best["kind"], best["removed_symptom"]) == ("sorted-split", True)


TABLES = (
    "import pandas as pd\nat = draw.permutation(300)\n"
    "x_train, y_train = pd.DataFrame(x_train, index=at), pd.Series(y_train, index=at)"
)


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("before", "x", "y"),
    [
        (TABLES, "x_train", "y_train"),
        (TABLES, "x_train.to_numpy()", "y_train"),
        (TABLES + "\nframe = x_train.assign(target=y_train)", 'frame.drop(columns="target")', "frame.target"),
    ],
)
@pytest.mark.sampled(every=2)
def test_samples_of_tables_are_taken_by_their_position(diagnose, before, x, y):
    text = KERAS.format(options="validation_split=0.2", before=before).replace("fit(x_train, y_train", f"fit({x}, {y}")
    (finding,) = told(diagnose(text), "evaluation of other classes")
    edits = sorted((offset(text, edit["location"]), edit["content"]) for edit in finding["fixes"][0]["edits"])
    for at, content in reversed(edits):
        text = text[:at] + content + text[at:]
    # The repaired program runs, and its inputs stay with their targets.
    name = "net = keras"
    text = text.replace("net.fit(", "split = (").replace(", epochs=3, verbose=0, validation_split=0.2", "")
    bound = {}
    exec(text.partition(name)[0] + text[text.index("order = ") :], bound)
    rows, labels = map(np.asarray, bound["split"])
    assert len({*labels[-60:]}) > 1
    assert {tuple(row): label for row, label in zip(rows, labels, strict=True)} == {
        tuple(row): label for row, label in zip(np.asarray(bound["x_train"]), np.asarray(bound["y_train"]), strict=True)
    }


def offset(text, place):
    return sum(len(line) for line in text.splitlines(keepends=True)[: place["row"] - 1]) + place["column"] - 1


def record(classes, trained, *, is_tail=True):
    return HeldOutRecord(None, 0, 0, classes, trained, is_tail)


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (record({"2": 40}, {"0": 80, "1": 80}), 1),
        (record({"1": 50}, {"0": 125, "1": 75}), 1),
        (record({"2": 40}, {"0": 80, "1": 80}, is_tail=False), 0),
        # A rare class may be on one side by chance, and classes of data with an order in time come and go.
        (record({"0": 50, "1": 50, "2": 1}, {"0": 200, "1": 200}), 0),
        (record({"0": 50, "1": 50}, {"0": 200, "1": 200, "2": 90}), 0),
        (record({"0": 50, "1": 50}, {"0": 200, "1": 200}), 0),
        (record({}, {}), 0),
    ],
)
def test_classes_on_one_side_of_a_split(given, count):
    assert len(list(OtherClasses().check(SimpleNamespace(held_out=(given,))))) == count


@pytest.mark.parametrize(("samples", "shared", "count"), [(100, 100, 1), (100, 30, 1), (100, 10, 0), (8, 8, 0)])
def test_few_equal_samples_are_usual(samples, shared, count):
    run = SimpleNamespace(held_out=(HeldOutRecord(None, samples, shared),))
    assert len(list(SharedSamples().check(run))) == count


def test_samples_are_looked_for_by_all_that_they_are_made_of():
    x, y = np.random.default_rng(0).normal(size=(2, 500, 300))
    assert shared_rows([x, y], [x[100:200], y[100:200]]) == (100, 100)
    assert shared_rows([x, y], [x[100:200], y[200:300]]) == (100, 0)
    # Elements that samples are not found by differ.
    other = x[:100].copy()
    other[:, 3] += 1
    assert shared_rows([x], [other]) == (100, 0)
    assert shared_rows([x], [x[:, :200]]) == (0, 0)
    assert shared_rows([np.round(x[:, :1])], [np.round(x[:50, :1])]) == (0, 0)
    assert shared_rows([], []) == (0, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("val_loader = call()", {"val", "loader"}),
        ("a, testLoader = other(), call()", {"test", "loader"}),
        ("self.val: object = wrap(call())", {"val"}),
        ("loaders = {'train': other(), 'valid': call()}", {"valid"}),
        ("trainer.fit(model, val_dataloaders=call())", {"val", "dataloaders"}),
        ("def val_dataloader():\n    return call()", {"val", "dataloader"}),
        ("loaders['test'] = call()", {"test"}),
        ("call()", set()),
    ],
)
def test_names_that_a_result_is_bound_to(monkeypatch, text, words):
    node = next(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and ast.unparse(node) == "call()")
    place = SourcePlace(text, node.lineno, node.col_offset + 1, node.end_lineno, node.end_col_offset + 1, "val_dataloader")
    monkeypatch.setattr(bound_names, "tree_of", ast.parse)
    assert bound_names.bound_words(place) == words
