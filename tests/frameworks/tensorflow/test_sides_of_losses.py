"""Which positional argument of ``tf.nn``'s losses on raw scores is which, by the release that a file is for."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

#: Function → the rule about what has been through its activation before.
_LOSSES = {"softmax_cross_entropy_with_logits": "DLL101", "sigmoid_cross_entropy_with_logits": "DLL104"}
_WHOLE = {"softmax_cross_entropy_with_logits": "softmax", "sigmoid_cross_entropy_with_logits": "sigmoid"}
_GIVEN = {
    "by place": "{labels}, {scores}",
    "by name": "labels={labels}, logits={scores}",
    "in the other order": "logits={scores}, labels={labels}",
    "the scores by name": "{labels}, logits={scores}",
}
_CODE = """\
import {module} as tf


def distil(teacher, student, temperature):
    targets = tf.nn.{activation}(teacher / temperature)
    {made}
    return tf.reduce_mean(tf.nn.{loss}({given}))
"""


def _codes(loss: str, given: str, made: str, scores: str, module: str = "tensorflow") -> set[str]:
    called = _GIVEN[given].format(labels="targets", scores=scores)
    text = _CODE.format(module=module, activation=_WHOLE[loss], loss=loss, made=made, given=called)
    return {finding.code for finding in findings(text)}


@pytest.mark.parametrize("module", ["tensorflow", "tensorflow.compat.v2"])
@pytest.mark.parametrize("given", _GIVEN)
@pytest.mark.parametrize("loss", _LOSSES)
def test_labels_may_be_probabilities(loss: str, given: str, module: str) -> None:
    assert _LOSSES[loss] not in _codes(loss, given, "scores = student / temperature", "scores", module)


@pytest.mark.parametrize("given", _GIVEN)
@pytest.mark.parametrize("loss", _LOSSES)
def test_scores_may_not(loss: str, given: str) -> None:
    assert _LOSSES[loss] in _codes(loss, given, f"scores = tf.nn.{_WHOLE[loss]}(student)", "scores")


@pytest.mark.parametrize("loss", _LOSSES)
def test_the_scores_came_first_before_the_first_release(loss: str) -> None:
    graph = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [None, 3])\ny = tf.placeholder(tf.float32, [None, 3])\n"
        f"p = tf.nn.{_WHOLE[loss]}(x)\nloss = tf.nn.{loss}({{given}})\n"
    )
    assert _LOSSES[loss] in {finding.code for finding in findings(graph.format(given="p, y"))}
    assert _LOSSES[loss] not in {finding.code for finding in findings(graph.format(given="y, p"))}
