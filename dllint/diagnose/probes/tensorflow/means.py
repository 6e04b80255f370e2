"""TensorFlow's part of the quality measure of Keras: reading numbers in compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.eager import record
from tensorflow.python.eager.polymorphic_function.polymorphic_function import Function

from dllint.diagnose.probes.patching import Patches


class TensorFlowMeans:
    """Functions are compiled without XLA from now on, which would let no numbers out. That is for trials only: it changes the
    last digits."""

    def __init__(self) -> None:
        Patches().wrap(Function, "__init__", _without_xla)

    def is_training(self) -> bool:
        """Whether a tape is recording."""
        return bool(record.could_possibly_record())

    def hand_over(self, take: Callable[[Any, Any], None], target: Any, prediction: Any) -> None:
        """Have ``take`` called with both: now, or at each run of the function that is being compiled."""
        if tf.executing_eagerly():
            take(target, prediction)
        else:
            tf.numpy_function(take, [tf.convert_to_tensor(target), tf.stop_gradient(prediction)], [])


def _without_xla(original: Callable[..., None], function: Function, *args: Any, **kwargs: Any) -> None:
    original(function, *args, **kwargs)
    function._jit_compile = None
