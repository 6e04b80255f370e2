"""Binary labels of another rank than the predictions: Keras 3 refuses them, Keras 2 broadcast them, which changes nothing where
all labels are one number."""

from __future__ import annotations

import os
from itertools import product

import pytest

from dllint.finding import Severity
from tests.engine.test_releases import check

HEAD = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n\nscores = tf.fill((8, {rest}), 0.3)\n"
RESTS = ("2, 2, 1", "4, 4, 3", "3, 2")
EQUAL = ("np.full(1, 1.0)", "np.ones(2)", "tf.zeros((1,))", "np.full((1,), 0.0).astype('float32')")
DIFFERING = ("np.array([0.0, 1.0])", "tf.constant([1.0, 0.0])", "tf.random.uniform((2,))")
#: The one is told of labels that look like class indices.
CODES = ("DLT109", "DLL108")
#: Two labels do not broadcast with three predictions.
MISFIT = ("4, 4, 3", "np.ones(2)")
LOSSES = (
    "keras.losses.binary_crossentropy({labels}, scores)",
    "tf.keras.losses.binary_crossentropy(y_true={labels}, y_pred=scores)",
)


def severities(tmp_path, text, pin=""):
    found = check(tmp_path, text, {"requirements.txt": f"{pin}\n"} if pin else None, codes=CODES)
    return [finding.severity for finding in found]


CASES = [case for case in product(RESTS, EQUAL, LOSSES) if case[:2] != MISFIT]


@pytest.mark.parametrize(("rest", "labels", "loss"), CASES)
def test_equal_labels_depend_on_the_release(rest, labels, loss, tmp_path):
    text = f"{HEAD.format(rest=rest)}loss = {loss.format(labels=labels)}\n"
    assert severities(tmp_path, text) == [Severity.INFO]
    assert severities(tmp_path, text, "keras==2.3.1") == severities(tmp_path, text, "tensorflow==2.4.1") == []
    assert severities(tmp_path, text, "keras>=3") == [Severity.ERROR]


@pytest.mark.parametrize(("rest", "labels", "loss"), list(product(RESTS, DIFFERING, LOSSES)))
def test_labels_that_may_differ_are_paired_with_the_wrong_predictions_in_every_release(rest, labels, loss, tmp_path):
    text = f"{HEAD.format(rest=rest)}loss = {loss.format(labels=labels)}\n"
    found = check(tmp_path, text, codes=CODES)
    assert [(finding.severity, finding.releases) for finding in found] == [(Severity.ERROR, None)]


@pytest.mark.parametrize("loss", LOSSES)
def test_labels_that_do_not_broadcast_are_an_error_in_every_release(loss, tmp_path):
    rest, labels = MISFIT
    text = f"{HEAD.format(rest=rest)}loss = {loss.format(labels=labels)}\n"
    assert severities(tmp_path, text) == severities(tmp_path, text, "keras>=3") == [Severity.ERROR]


@pytest.mark.oracle
@pytest.mark.parametrize(("rest", "labels"), list(product(RESTS, (*EQUAL, *DIFFERING))))
def test_keras_says_so(rest, labels):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    pytest.importorskip("tensorflow")
    with pytest.raises(Exception, match=r"same (rank|shape)"):
        exec(f"{HEAD.format(rest=rest)}{LOSSES[0].format(labels=labels)}", {})
