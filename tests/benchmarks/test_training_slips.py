"""The faults that are put into training scripts raise, or change what runs, as their kinds say."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import defaultdict

import pytest

from benchmarks.training_slips.checking import slips
from benchmarks.training_slips.draw import SETS, rows
from benchmarks.training_slips.kinds.every import kinds
from benchmarks.training_slips.proofs import PROGRAMS, TRAINED_TWICE, error_of

#: Kinds that no run of the programs can show: those of Keras and of several processes.
_ELSEWHERE = frozenset({
    "set-epoch-dropped", "frozen-after-fit", "monitor-missing", "optimizer-by-name", "forward-outside-tape",
    "gradients-not-applied", "training-flag-dropped",
})  # fmt: skip

KERAS = """
import tensorflow as tf
from tensorflow import keras
opt = keras.optimizers.Adam(learning_rate=0.01)
model = keras.Sequential([keras.layers.Dense(3), keras.layers.Dropout(0.5)])
model.compile(optimizer=opt, loss="mse")
model.fit(x, y, validation_data=(x, y), callbacks=[keras.callbacks.EarlyStopping(monitor="val_loss")])
for epoch in range(3):
    with tf.GradientTape() as tape:
        out = model(x, training=True)
        loss = keras.losses.mse(out, y)
    gradients = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(gradients, model.trainable_variables))
"""
SAMPLER = """
from torch.utils.data import DistributedSampler
sampler = DistributedSampler(data)
for epoch in range(3):
    sampler.set_epoch(epoch)
"""


@pytest.fixture(scope="module")
def made():
    return {text: list(slips("own", text, "1")) for text in (*PROGRAMS, KERAS, SAMPLER)}


def test_every_kind_has_a_place_in_some_program(made):
    assert {kind.name for kind in kinds()} == {slip.kind.name for found in made.values() for slip in found}


def test_a_fault_changes_a_program_that_can_still_be_parsed(made):
    for text, found in made.items():
        for slip in found:
            assert ast.dump(ast.parse(slip.text)) != ast.dump(ast.parse(text)), slip.kind.name


@pytest.mark.oracle
def test_the_kinds_raise_that_are_said_to_raise_and_no_others(made):
    assert [error_of(text) for text in PROGRAMS] == [""] * len(PROGRAMS)
    shown = defaultdict(set)
    for text in PROGRAMS:
        for slip in made[text]:
            shown[slip.kind].add(error_of(slip.text))
    for kind in kinds():
        if kind.name not in _ELSEWHERE:
            assert ("" in shown[kind]) == (kind.effect == "silent"), (kind.name, shown[kind])


@pytest.mark.thorough
@pytest.mark.oracle
def test_layers_that_are_frozen_between_two_trainings_go_on_learning_with_keras_on_tensorflow():
    (frozen,) = [slip.text for slip in slips("own", TRAINED_TWICE, "1", {"frozen-after-fit"})]
    compiled = frozen.replace("trainable = False\n", "trainable = False\nmodel.compile(optimizer='adam', loss='mse')\n")
    environment = {**os.environ, "KERAS_BACKEND": "tensorflow"}
    for text, shown in ((TRAINED_TWICE, "True True"), (frozen, "False True"), (compiled, "False False")):
        run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment, check=True)
        assert run.stdout.split() == shown.split()


def test_places_are_drawn_by_the_seed():
    drawn = [[(slip.kind.name, slip.text) for slip in slips("own", PROGRAMS[0], seed)] for seed in ("1", "1")]
    assert drawn[0] == drawn[1]


def test_no_script_is_in_two_draws():
    listed = [row[0] for file in sorted(SETS.glob("*.tsv")) for row in rows(file)]
    assert len(listed) == len(set(listed)) > 20
