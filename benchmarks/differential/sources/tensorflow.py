"""Programs about functions of TensorFlow, drawn by their signatures, and what is done with their results."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, Final

import numpy as np
import tensorflow as tf

from benchmarks.differential.calls import Code
from benchmarks.differential.chains import Chain, Kinds
from benchmarks.differential.grammars import TENSORFLOW
from benchmarks.differential.program import Program, Writer
from benchmarks.differential.sources.numpy import called
from benchmarks.differential.sources.signatures import Library, functions
from benchmarks.differential.tensors import tensorflow_text

TYPES: Final = ("float32", "float64", "int32", "int64", "float16", "bool", "bfloat16", "uint8")
LIBRARY: Final = Library(
    {"tf": tf, "tf.math": tf.math, "tf.nn": tf.nn, "tf.linalg": tf.linalg, "tf.image": tf.image, "tf.signal": tf.signal,
     "tf.random": tf.random},
    lambda name: Code(f"tf.{name}"),
    TYPES,
)  # fmt: skip
HEADER: Final = ("import numpy as np", "import tensorflow as tf")


def _is_of(test: str) -> Any:
    return lambda value: isinstance(value, tf.Tensor) and bool(getattr(value.dtype, test))


KINDS: Final = Kinds(
    _is_of("is_floating"), _is_of("is_integer"), _is_of("is_bool"), lambda v: isinstance(v, np.ndarray), TYPES,
    lambda value: isinstance(value, tf.Variable),
)  # fmt: skip


@cache
def names() -> tuple[str, ...]:
    """The functions that are called."""
    return functions(LIBRARY)


def program(source: random.Random) -> Program:
    """A program."""
    writer = Writer((*HEADER, f"tf.random.set_seed({source.randrange(1000)})"), tensorflow_text, source)
    chain = Chain(writer, TENSORFLOW, KINDS)
    subject = ""
    for _ in range(source.choice((1, 1, 2, 3))):
        name, ran = called(writer, LIBRARY, names())
        subject = subject or name
        if not ran:
            return Program(writer.text, subject)
        chain.go_on(source.choice((0, 1, 2, 3, 4)), keep=0.06)
    return Program(writer.text, subject)
