"""What is read of one of several models is no new operation of the graph; what the loop makes of it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLG108"
KEYS = ("Kind.{0}.name", "names()['{0}']")
LOOPS = (
    "for epoch in range(count):\n            for step in range(steps):\n                {run}",
    "for step in tqdm(range(steps)):\n            print(step)\n            {run}",
)
TEXT = """\
from argparse import ArgumentParser
from enum import Enum

import numpy as np
import tensorflow as tf
from tqdm import tqdm
from words import names


class Base:
    def __init__(self, size):
        self.x = tf.placeholder(tf.float32, [None, size])
        self.loss = tf.reduce_mean(self.body(self.x))


class Small(Base):
    def body(self, x):
        return tf.layers.dense(x, 4)


class Large(Base):
    def body(self, x):
        return tf.layers.dense(tf.layers.dense(x, 64), 4)


class Wide(Base):
    def body(self, x):
        return tf.layers.dense(x, 4) + 1


class Kind(Enum):
    small = 0
    large = 1
    wide = 2


KINDS = {{{small}: Small, {large}: Large, {wide}: Wide}}


def train(name, count=100, steps=1000):
    net = KINDS[name](8)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        {loop}


parser = ArgumentParser()
parser.add_argument("model")
train(parser.parse_args().model)
"""
READ = "session.run(net.loss, feed_dict={net.x: np.zeros((3, 8))})"
MADE = "session.run(tf.sqrt(net.loss), feed_dict={net.x: np.zeros((3, 8))})"


def told(key: str, loop: str, run: str, folder: Path) -> list[str]:
    keys = {name: key.format(name) for name in ("small", "large", "wide")}
    return found({"main.py": TEXT.format(loop=loop.format(run=run), **keys)}, folder, [CODE])


@pytest.mark.parametrize(("key", "loop"), list(zip(KEYS, LOOPS, strict=True)))
def test_what_is_read_of_chosen_models_is_silent(key: str, loop: str, tmp_path: Path) -> None:
    assert told(key, loop, READ, tmp_path) == []


def test_what_a_loop_makes_of_a_chosen_model_is_told(tmp_path: Path) -> None:
    assert told(KEYS[0], LOOPS[0], MADE, tmp_path) == [CODE]
