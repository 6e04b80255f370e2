"""The TensorFlow names whose signatures the TensorFlow tables bind with.

A name that both ``tf`` and ``tf.compat.v1`` have gets one signature: today's, and after it the keywords of TensorFlow 1
(``keep_dims``, ``reduction_indices``).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Final

from dllint.dev.signatures import public
from dllint.dev.stubs import Signature
from dllint.frameworks.tensorflow.names import canonical

MODULES: Final = ("math", "nn", "random", "linalg", "image", "signal", "losses")
#: Modules of ``tf.compat.v1`` beside the root. Its ``layers`` and ``nn.rnn_cell`` cannot be imported with Keras 3.
OLD_MODULES: Final = ("math", "nn", "random", "linalg", "image", "losses", "train", "metrics", "initializers")


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of ``tf`` and ``tf.compat.v1`` and of the listed modules, under its canonical name."""
    tensorflow: Any = importlib.import_module("tensorflow")
    for root, modules in ((tensorflow, MODULES), (tensorflow.compat.v1, OLD_MODULES)):
        for module, prefix in _modules(root, modules):
            for name, value in public(module, prefix):
                yield canonical(name) or name, value


def _modules(root: Any, names: tuple[str, ...]) -> Iterator[tuple[Any, str]]:
    yield root, "tensorflow"
    for name in names:
        yield getattr(root, name, None), f"tensorflow.{name}"


def stubs() -> dict[str, Signature]:
    """None: every function has its own signature."""
    return {}
