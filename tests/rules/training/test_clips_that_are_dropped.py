"""Gradients of TensorFlow that are clipped, where the clipped ones are applied or dropped."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

IMPORTS = "import tensorflow as tf\n\n\n"
STEP = """def fit(model, x, y, {0}rate=0.1):
    optimizer = tf.keras.optimizers.SGD(rate)
    variables = model.trainable_variables
    for epoch in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        found = tape.gradient(loss, variables)
        {1}
        optimizer.apply_gradients(zip({2}, variables))


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
fit(model, tf.random.normal((8, 4)), tf.random.normal((8, 1)))
"""
#: What is done with the gradients `found`, and what is applied → whether something is clipped for nothing.
CLIPS = {
    ("for one in found:\n            tf.clip_by_norm(one, 1.0)", "found"): True,
    ("for one in found:\n            one = tf.clip_by_norm(one, 1.0)", "found"): True,
    ("[tf.clip_by_value(one, -1.0, 1.0) for one in found]", "found"): True,
    ("clipped = [tf.clip_by_value(one, -1.0, 1.0) for one in found]", "found"): True,
    ("clipped, norm = tf.clip_by_global_norm(found, 1.0)", "found"): True,
    ("tf.clip_by_global_norm(found, 1.0)", "found"): True,
    ("found = [tf.clip_by_norm(one, 1.0) for one in found]", "found"): False,
    ("found, _ = tf.clip_by_global_norm(found, 1.0)", "found"): False,
    ("clipped, norm = tf.clip_by_global_norm(found, 1.0)", "clipped"): False,
    ("clipped, norm = tf.clip_by_global_norm(found, 1.0)\n        print(clipped)", "found"): False,
    ("pass", "(tf.clip_by_norm(one, 1.0) for one in found)"): False,
}


@pytest.mark.parametrize("clip", CLIPS)
def test_clipped_gradients_are_dropped(clip: tuple[str, str], tmp_path: Path) -> None:
    told = found({MAIN: IMPORTS + STEP.format("", *clip)}, tmp_path, ["DLO121"])
    assert told == (["DLO121"] if CLIPS[clip] else [])


@pytest.mark.parametrize("clip", CLIPS)
def test_clipped_gradients_in_a_helper(clip: tuple[str, str], tmp_path: Path) -> None:
    body, applied = clip
    given_back = "found" if applied.startswith("(") else applied
    helper = f"def limited(found):\n    {body.replace(chr(10) + ' ' * 8, chr(10) + ' ' * 4)}\n    return {given_back}\n\n\n"
    text = IMPORTS + helper + STEP.format("", "found = limited(found)", "found")
    told = found({MAIN: text}, tmp_path, ["DLO121"])
    assert told == (["DLO121"] if CLIPS[clip] else [])
