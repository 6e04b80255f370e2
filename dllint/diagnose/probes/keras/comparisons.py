"""Where programs compare predictions with targets: loss objects, loss functions of Keras, and those of TensorFlow."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import keras

from dllint.diagnose.probes.containers import attribute, name_of
from dllint.diagnose.probes.patching import Patches

#: Loss functions and the framework-neutral names of what they compute, of probabilities and of logits.
KINDS: Final = {
    "sparse_categorical_crossentropy": ("probability_cross_entropy", "cross_entropy"),
    "categorical_crossentropy": ("probability_cross_entropy", "cross_entropy"),
    "binary_crossentropy": ("binary_cross_entropy", "bce_with_logits"),
    "mean_squared_error": ("mse_loss", "mse_loss"),
    "mean_absolute_error": ("l1_loss", "l1_loss"),
    "huber": ("huber_loss", "huber_loss"),
    "mse": ("mse_loss", "mse_loss"),
    "mae": ("l1_loss", "l1_loss"),
    "sparse_softmax_cross_entropy_with_logits": ("cross_entropy", "cross_entropy"),
    "softmax_cross_entropy_with_logits": ("cross_entropy", "cross_entropy"),
    "sigmoid_cross_entropy_with_logits": ("bce_with_logits", "bce_with_logits"),
}
#: Modules with loss functions, and what these call target and prediction. Only modules that are there already are watched.
_MODULES: Final = {
    "keras.losses": ("y_true", "y_pred"),
    "keras._tf_keras.keras.losses": ("y_true", "y_pred"),
    "tensorflow._api.v2.nn": ("labels", "logits"),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A call of a loss: ``kind`` is empty for losses of the user's own. ``again(prediction)`` computes it of another one.
    ``weight`` is what samples count, if they do not count alike."""

    kind: str
    target: Any
    prediction: Any
    reduction: str
    settings: Mapping[str, Any]
    again: Callable[[Any], Any]
    weight: Any = None


#: Called with a comparison and its result.
OnComparison = Callable[[Comparison, Any], None]


class Comparisons:
    """Reports every outermost call of a loss, after it was made; where the user's own loss calls known ones, of these."""

    def __init__(self, patches: Patches, listener: OnComparison) -> None:
        self._patches = patches
        self._listener = listener
        self._inside = False
        self._count = 0

    def install(self) -> None:
        """Report from now on."""
        self._patches.wrap(keras.losses.Loss, "__call__", self._object)
        for name, roles in _MODULES.items():
            module = sys.modules.get(name)
            for function in sorted(KINDS.keys() & vars(module).keys()) if module is not None else ():
                signature = inspect.signature(getattr(module, function))
                self._patches.wrap(module, function, partial(self._function, function, signature, roles))

    def _object(self, original: Callable[..., Any], loss: Any, y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        settings = attribute(loss, "_fn_kwargs", {})
        kind = _kind(name_of(attribute(loss, "fn")), settings)

        def again(prediction: Any) -> Any:
            return original(loss, y_true, prediction, *args, **kwargs)

        weight = args[0] if args else kwargs.get("sample_weight")
        return self._made(Comparison(kind, y_true, y_pred, str(loss.reduction), settings, again, weight))

    def _function(
        self,
        name: str,
        signature: inspect.Signature,
        roles: tuple[str, str],
        original: Callable[..., Any],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        target, prediction = (given.pop(role, None) for role in roles)

        def again(other: Any) -> Any:
            return original(**{roles[0]: target, roles[1]: other}, **given)

        return self._made(Comparison(_kind(name, given), target, prediction, "none", given, again))

    def _made(self, comparison: Comparison) -> Any:
        if self._inside:
            return comparison.again(comparison.prediction)
        self._inside, before = bool(comparison.kind), self._count
        try:
            result = comparison.again(comparison.prediction)
        finally:
            self._inside = False
        if comparison.kind or self._count == before:
            self._count += 1
            self._listener(comparison, result)
        return result


def _kind(function: str, settings: Mapping[str, Any]) -> str:
    of_probabilities, of_logits = KINDS.get(function, ("", ""))
    return of_logits if settings.get("from_logits") else of_probabilities
