"""The output layer of a Keras model does not fit its loss or its targets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from dllint.diagnose.causes.case import Case
from dllint.diagnose.causes.keras.losses import LossSite, loss_sites
from dllint.diagnose.causes.keras.source import Activated, argument, heads
from dllint.diagnose.causes.loss_pairing import LossPairing
from dllint.diagnose.learning import courses
from dllint.diagnose.records import LossCall, RunRecord
from dllint.edit import Edit

#: Loss function → what its predictions come out of, if they are probabilities.
_HEADS: Final = {
    "sparse_categorical_crossentropy": "softmax",
    "categorical_crossentropy": "softmax",
    "binary_crossentropy": "sigmoid",
}
_REGRESSIONS: Final = ("mean_squared_error", "mean_absolute_error", "huber")
_BOUNDED: Final = {"sigmoid": (0.0, 1.0), "softmax": (0.0, 1.0), "tanh": (-1.0, 1.0), "relu": (0.0, float("inf"))}

Repair = tuple[str, tuple[Edit, ...], float]


class KerasLossPairing(LossPairing):
    """The activation of the last layer does not suit the loss, the number of units not the classes, or the loss not the
    labels."""

    def repairs(self, case: Case) -> Iterator[Repair]:
        """Another activation, other units, or another loss."""
        call = next((course.calls[-1] for course in courses(case.run)), None)
        if call is None:
            return
        for head, loss in product(heads(case), loss_sites(case)):
            classes = _classes(case.run, call)
            if loss.function in _REGRESSIONS:
                yield from _of_regression(head, loss, call)
            elif loss.function in _HEADS and _fits(loss, call, classes):
                yield from _of_classifier(head, loss)
            elif loss.function in _HEADS:
                yield from _of_classes(head, loss, call, classes)


def _fits(loss: LossSite, call: LossCall, classes: int) -> bool:
    """Whether the number of outputs, the loss and the labels belong together."""
    units = call.prediction_shape[-1] if call.prediction_shape else 1
    if loss.function == "binary_crossentropy":
        return classes <= 2 and not (units > 1 and _is_one_hot(call))
    return units > 1 and (loss.function != "sparse_categorical_crossentropy" or classes <= units)


def _of_classifier(head: Activated, loss: LossSite) -> Iterator[Repair]:
    """The activation, or that the loss takes logits."""
    suiting = _HEADS[loss.function]
    if loss.from_logits and head.activation:
        yield f"Take the {head.activation} before the loss away", (head.changed("linear"),), 1.0
        if head.activation == suiting:
            yield "Have the loss take probabilities", loss.changed(loss.function), 0.98
    elif not loss.from_logits and head.activation != suiting:
        yield f"Give the last layer a {suiting}", (head.changed(suiting),), 0.98
        if not head.activation:
            yield "Have the loss take logits", loss.changed(loss.function, from_logits=True), 1.0


def _of_classes(head: Activated, loss: LossSite, call: LossCall, classes: int) -> Iterator[Repair]:
    """A head with one unit per class, or one for two classes, with the loss that goes with it."""
    units = argument(head.spot.call, 0, "units")
    wanted = "categorical_crossentropy" if _is_one_hot(call) else "sparse_categorical_crossentropy"
    if _is_one_hot(call) or (classes > 2 and call.prediction_shape[-1:] == (classes,)):
        edits = () if head.activation == "softmax" else (head.changed("softmax"),)
        yield f"Use {wanted}, for classes that exclude each other", (*loss.changed(wanted), *edits), 1.0
    elif units is None or head.layer.kind != "Dense" or classes < 2:
        return
    elif classes == 2:
        edits = () if head.activation == "sigmoid" else (head.changed("sigmoid"),)
        yield "Use binary_crossentropy with a sigmoid for two classes", (*loss.changed("binary_crossentropy"), *edits), 1.0
    else:
        edits = () if head.activation == "softmax" else (head.changed("softmax"),)
        more = head.spot.code.replace(units, str(classes))
        yield f"Use a softmax over {classes} units and {wanted}", (more, *loss.changed(wanted), *edits), 1.0


def _of_regression(head: Activated, loss: LossSite, call: LossCall) -> Iterator[Repair]:
    """A head that reaches the targets, or the loss of a classifier."""
    low, high = _BOUNDED.get(head.activation, (-float("inf"), float("inf")))
    if not low <= call.target.minimum <= call.target.maximum <= high:
        yield f"Take the {head.activation} from the last layer", (head.changed("linear"),), 1.0
    elif head.activation == "softmax" and _is_one_hot(call):
        yield "Use categorical_crossentropy for classes", loss.changed("categorical_crossentropy"), 0.9
    elif head.activation == "sigmoid" and call.target.zero_share and call.target.maximum == 1 and _is_binary(call):
        yield "Use binary_crossentropy for two classes", loss.changed("binary_crossentropy"), 0.8


def _classes(run: RunRecord, call: LossCall) -> int:
    """How many classes the labels have, as far as was seen; 0 if they are none."""
    names = [
        name
        for step in run.steps
        for tensor in (step.batch.tensors if step.batch is not None else ())
        if tensor.role == "target"
        for name in tensor.classes
    ]
    return max(map(int, (*names, *call.labels)), default=-1) + 1


def _is_one_hot(call: LossCall) -> bool:
    """Whether the targets are rows of as many numbers as there are outputs, of which one is 1."""
    shape = call.target_shape
    share = 1 / shape[-1] if shape else 1.0
    same = len(shape) > 1 and shape[-1] > 1 and shape == call.prediction_shape
    return same and abs(call.target.mean - share) < 1e-6 and abs(call.target.zero_share - (1 - share)) < 1e-6


def _is_binary(call: LossCall) -> bool:
    """Whether the targets are 0 and 1 only: then their spread follows from their mean."""
    target = call.target
    return target.minimum == 0 and abs(target.std**2 - target.mean * (1 - target.mean)) < 1e-5
