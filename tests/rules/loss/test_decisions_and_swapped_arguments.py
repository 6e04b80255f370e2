"""Thresholds of raw scores, and truth and prediction in each other's place, in every structural form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import numpy as np
import torch
from sklearn.metrics import classification_report, confusion_matrix, precision_score, recall_score
from torch import nn"""
SETUP = """model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1){0})
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()"""
NAMES = ("model", "optimizer", "x", "y")
STEP = """for step in range(100):
    scores = model(x)
    optimizer.zero_grad()
    nn.functional.binary_cross_entropy_with_logits({0}, y).backward()
    optimizer.step()
{1}"""
DECISIONS = (
    "guessed = {0} > 0.5",
    "guessed = ({0} >= 0.5).int()",
    "guessed = torch.round({0})",
    "guessed = {0}.round().long()",
    "guessed = torch.gt({0}, 0.5)",
    "wrong = ({0} < 0.5).sum()",
)
#: Layout operations between the layer and the decision.
BETWEEN = ("{0}", "{0}.detach()", "{0}.squeeze(-1)", "{0}.view(-1)", "{0}.cpu().contiguous()")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("decision", DECISIONS)
def test_a_raw_score_is_taken_for_a_probability(decision: str, form: str, tmp_path: Path) -> None:
    between = BETWEEN[DECISIONS.index(decision) % len(BETWEEN)]
    body = STEP.format("scores", decision.format(between.format("model(x)")))
    assert "DLL118" in found(FORMS[form](Case("DLL118", IMPORTS, SETUP.format(""), body, NAMES)), tmp_path, ["DLL118"])


@pytest.mark.parametrize("score", ["torch.sigmoid(model(x))", "model(x) + 0.5", "y", "nn.Linear(8, 1)(x)", "model(x).exp()"])
@pytest.mark.parametrize("decision", DECISIONS)
def test_a_probability_is_compared(decision: str, score: str, tmp_path: Path) -> None:
    body = STEP.format("scores", decision.format(f"({score})"))
    assert not found(FORMS["plain"](Case("DLL118", IMPORTS, SETUP.format(""), body, NAMES)), tmp_path, ["DLL118"])


METRICS = (
    "classification_report({0}, {1})", "confusion_matrix({0}, {1})", "precision_score({0}, {1}, average='macro')",
    "recall_score({0}, {1})"
)  # fmt: skip
PREDICTED = (
    "(torch.sigmoid(model(x)) > 0.5)",
    "model(x).argmax(1).numpy()",
    "np.asarray(model(x).detach().cpu().round())",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_gets_the_prediction_first(metric: str, form: str, tmp_path: Path) -> None:
    predicted = PREDICTED[METRICS.index(metric) % len(PREDICTED)]
    wrong = Case("DLL114", IMPORTS, SETUP.format(""), f"print({metric.format(predicted, 'y.numpy()')})", NAMES)
    right = Case("DLL114", IMPORTS, SETUP.format(""), f"print({metric.format('y.numpy()', predicted)})", NAMES)
    assert found(FORMS[form](wrong), tmp_path, ["DLL114"]) == ["DLL114"]
    assert not found(FORMS[form](right), tmp_path, ["DLL114"])


@pytest.mark.parametrize("names", ["y_pred, y_true", "preds, labels", "predictions.cpu(), target.numpy()", "yhat[0], y_test"])
@pytest.mark.parametrize("metric", METRICS)
def test_names_tell_where_nothing_is_known(metric: str, names: str, tmp_path: Path) -> None:
    first, second = names.split(", ")
    text = "import torch\nfrom sklearn.metrics import *\nfrom unknown import load\n\n"
    text += f"{first.partition('.')[0].partition('[')[0]}, {second.partition('.')[0]} = load()\n"
    for given, reported in (((first, second), ["DLL114"]), ((second, first), [])):
        assert found({"main.py": f"{text}print({metric.format(*given)})\n"}, tmp_path, ["DLL114"]) == reported


LOSSES = (
    "nn.BCELoss()({0}, {1})", "nn.functional.binary_cross_entropy({0}, {1})",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_gets_the_target_first(loss: str, form: str, tmp_path: Path) -> None:
    step = "for step in range(100):\n    optimizer.zero_grad()\n    {0}.backward()\n    optimizer.step()"
    wrong, right = (
        Case("DLL114", IMPORTS, SETUP.format(", nn.Sigmoid()"), step.format(loss.format(*pair)), NAMES)
        for pair in (("y", "model(x)"), ("model(x)", "y"))
    )
    assert found(FORMS[form](wrong), tmp_path, ["DLL114"]) == ["DLL114"]
    assert not found(FORMS[form](right), tmp_path, ["DLL114"])


KERAS_IMPORTS = "import keras\nimport tensorflow as tf"
KERAS_SETUP = """model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
x, y = tf.random.normal([16, 4]), tf.ones([16, 1])"""
KERAS_STEP = """with tf.GradientTape() as tape:
    scores = model(x, training=True)
    loss = {0}
optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))"""
#: They take the truth first.
KERAS_LOSSES = (
    "keras.losses.BinaryCrossentropy(from_logits=True)({0}, {1})",
    "keras.losses.binary_crossentropy({0}, {1}, from_logits=True)",
    "tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits({0}, {1}))",
)


@pytest.mark.parametrize("form", list(FORMS)[::2])
@pytest.mark.parametrize("truth", ["y", "tf.ones_like(scores)", "tf.zeros_like(scores) + 0.9"])
@pytest.mark.parametrize("loss", KERAS_LOSSES)
def test_keras_takes_the_truth_first(loss: str, truth: str, form: str, tmp_path: Path) -> None:
    names = ("model", "optimizer", "x", "y")
    wrong = Case("DLL114", KERAS_IMPORTS, KERAS_SETUP, KERAS_STEP.format(loss.format("scores", truth)), names)
    right = Case("DLL114", KERAS_IMPORTS, KERAS_SETUP, KERAS_STEP.format(loss.format(truth, "scores")), names)
    assert found(FORMS[form](wrong), tmp_path, ["DLL114"]) == ["DLL114"]
    assert not found(FORMS[form](right), tmp_path, ["DLL114"])


@pytest.mark.parametrize(
    "body",
    [
        "loss = keras.losses.binary_crossentropy(teacher(x), model(x))",  # both are of models
        "loss = keras.losses.binary_crossentropy(model(x), model(x + 0.1))",
        "loss = keras.losses.mean_squared_error(model(x), y)",  # symmetric
        "loss = keras.losses.kl_divergence(tf.nn.softmax(model(x)), y)",  # meant either way
        "loss = keras.losses.binary_crossentropy(tf.ones_like(model(x)) * model(x), teacher(x))",
    ],
)
def test_other_pairs_of_keras(body: str, tmp_path: Path) -> None:
    setup = f"{KERAS_SETUP}\nteacher = keras.Sequential([keras.layers.Dense(1)])"
    case = Case("DLL114", KERAS_IMPORTS, setup, body, ("model", "teacher", "x", "y"))
    assert not found(FORMS["plain"](case), tmp_path, ["DLL114"])


def test_the_order_of_graphs_is_open(tmp_path: Path) -> None:
    text = """import tensorflow as tf
x, y = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.float32, [None, 1])
scores = tf.layers.dense(x, 1)
old = tf.nn.sigmoid_cross_entropy_with_logits(scores, y)
new = tf.nn.sigmoid_cross_entropy_with_logits(y, scores)
weighed = tf.nn.weighted_cross_entropy_with_logits(y, scores, 2.0)
"""
    assert not found({"main.py": text}, tmp_path, ["DLL114"])
    swapped = text + "tf.losses.sigmoid_cross_entropy(scores, y)\n"
    assert found({"main.py": swapped}, tmp_path, ["DLL114"]) == ["DLL114"]
    assert not found({"main.py": text + "tf.losses.sigmoid_cross_entropy(y, scores)\n"}, tmp_path, ["DLL114"])


def test_what_is_filled_like_a_score_is_no_prediction(tmp_path: Path) -> None:
    body = STEP.replace("({0}, y)", "({0})").format("torch.ones_like(scores), scores", "")
    case = Case("DLL114", IMPORTS, SETUP.format(""), body, NAMES)
    assert found(FORMS["plain"](case), tmp_path, ["DLL114"]) == ["DLL114"]
