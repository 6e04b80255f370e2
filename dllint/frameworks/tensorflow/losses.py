"""Losses: ``tf.nn``'s on raw scores, ``tf.losses``, and those of the old ``slim``, which takes the prediction first."""

from __future__ import annotations

from typing import Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.keras.protocols.plain import plain
from dllint.frameworks.machine import Handler, Machine, handler
from dllint.frameworks.tensorflow.composites import emit
from dllint.frameworks.tensorflow.graph_code import builds_graphs
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, Value

#: Functions of ``tf.nn`` that take raw scores → operation.
ON_LOGITS: Final = {
    "sigmoid_cross_entropy_with_logits": "bce_with_logits",
    "softmax_cross_entropy_with_logits": "categorical_crossentropy",
    "sparse_softmax_cross_entropy_with_logits": "sparse_categorical_crossentropy",
    "weighted_cross_entropy_with_logits": "bce_with_logits",
}
_NAMES: Final = "_sentinel=None, labels=None, logits=None, axis=-1, name=None, dim=None, targets=None, pos_weight=None"


def _logit_loss(name: str, kind: str) -> Handler:
    spelled = f"tensorflow.nn.{name}"

    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        logits, labels, axis = _sides(arguments, scores_first=_is_of_graphs(machine))
        if len(arguments.args) > 1 and _ranks_differ(logits, labels):  # which one is which depends on the release
            return machine.unknown("release", name)
        args: dict[str, Value] = {"x": logits, "target": labels}
        if kind == "bce_with_logits":
            args["reduction"] = "none"
        else:
            args |= {"from_logits": True, "dim": axis}
        return machine.emit(kind, args, framework="tensorflow", spelled=spelled)

    return call


def _ranks_differ(logits: Value, labels: Value) -> bool:
    return isinstance(logits, TensorVal) and isinstance(labels, TensorVal) and logits.type.rank != labels.type.rank


def _is_of_graphs(machine: Machine) -> bool:
    document = machine.site.document
    return document is not None and document.answer(builds_graphs)


def _sides(arguments: Arguments, *, scores_first: bool) -> tuple[Value, Value, Value]:
    """Scores, labels and axis. Two positional arguments are (labels, logits) since TensorFlow 2.0; they were (logits, labels)
    before 1.0, and refused between."""
    positional = [plain(value) for value in arguments.args if value is not None]
    asked = given(_NAMES, Arguments((), arguments.kwargs))
    labels = asked["labels"] if asked["labels"] is not None else asked["targets"]
    logits = asked["logits"]
    if logits is None and positional and (scores_first or labels is not None or len(positional) == 1):
        logits = positional.pop(0)
    if labels is None and positional:
        labels = positional.pop(0)
    if logits is None and positional:
        logits = positional.pop(0)
    return plain(logits), plain(labels), -1 if asked["dim"] is None and asked["axis"] is None else asked["dim"] or asked["axis"]


for _name, _kind in ON_LOGITS.items():
    handler(f"tensorflow.nn.{_name}")(_logit_loss(_name, _kind))

#: ``tf.losses`` function → (operation, its constant arguments).
LOSSES: Final[dict[str, tuple[str, dict[str, Value]]]] = {
    "softmax_cross_entropy": ("categorical_crossentropy", {"from_logits": True}),
    "sparse_softmax_cross_entropy": ("sparse_categorical_crossentropy", {"from_logits": True}),
    "sigmoid_cross_entropy": ("bce_with_logits", {"reduction": "none"}),
    "log_loss": ("binary_crossentropy", {"from_logits": False}),
    "mean_squared_error": ("mse_loss", {"reduction": "none"}),
    "absolute_difference": ("l1_loss", {"reduction": "none"}),
    "huber_loss": ("huber_loss", {"reduction": "none"}),
    "hinge_loss": ("huber_loss", {"reduction": "none"}),
}
_LABELS: Final = ("labels", "onehot_labels", "multi_class_labels")
_SCORES: Final = ("logits", "predictions")


def _loss(name: str, kind: str, const: dict[str, Value], prediction_first: bool, spelled: str) -> Handler:
    order = (_SCORES, _LABELS) if prediction_first else (_LABELS, _SCORES)

    def call(machine: Machine, _: Value, arguments: Arguments) -> Value:
        first, second = (_one_of(arguments, names, position) for position, names in enumerate(order))
        x, target = (first, second) if prediction_first else (second, first)
        if kind != "sparse_categorical_crossentropy":  # labels get the predictions' type
            target = emit(machine, "cast", f"losses.{name}", x=target, dtype="float32")
        each = machine.emit(kind, {"x": x, "target": target, **const}, framework="tensorflow", spelled=spelled)
        reduction = plain(arguments.kwargs.get("reduction"))
        return each if reduction == "none" else emit(machine, "mean", f"losses.{name}", x=each)

    return call


def _one_of(arguments: Arguments, names: tuple[str, ...], position: int) -> Value:
    if position < len(arguments.args):
        return plain(arguments.args[position])
    return plain(next((arguments.kwargs[name] for name in names if name in arguments.kwargs), None))


for _name, (_kind, _const) in LOSSES.items():
    handler(f"tensorflow.losses.{_name}")(_loss(_name, _kind, _const, False, f"tensorflow.losses.{_name}"))
    for _home in ("contrib.losses", "contrib.layers.losses"):
        _old = _loss(_name, _kind, _const, _name != "log_loss", f"tensorflow.{_home}.{_name}")
        handler(f"tensorflow.{_home}.{_name}")(_old)


@handler("tensorflow.losses.get_total_loss", "tensorflow.losses.get_regularization_loss",
         "tensorflow.losses.compute_weighted_loss",
         "tensorflow.contrib.layers.losses.get_total_loss", "tensorflow.contrib.losses.get_total_loss",
         "tensorflow.contrib.layers.apply_regularization", "tensorflow.losses.cosine_distance")  # fmt: skip
def scalar(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number."""
    return machine.tensor(TensorType((), Unknown("no-argument", "loss")), framework="tensorflow", name="loss")


@handler("tensorflow.nn.nce_loss", "tensorflow.nn.sampled_softmax_loss")
def sampled(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A loss over sampled classes: one value per sample. ``weights`` (classes, width), ``inputs`` (samples, width)."""
    asked = given("weights=None, biases=None, labels=None, inputs=None, *rest, **options", arguments)
    first, second = plain(asked["labels"]), plain(asked["inputs"])
    inputs = _floating(first, second)
    weights = plain(asked["weights"])
    args = {"x": inputs, "y": weights, "transpose_b": True}
    scores = machine.emit("matmul", args, framework="tensorflow", spelled="tensorflow.nn.nce_loss")
    return emit(machine, "sum", "nn.nce_loss", x=scores, dim=-1)


def _floating(labels: Value, inputs: Value) -> Value:
    """The inputs; before TensorFlow 1.0 they stood where the labels stand today."""
    if isinstance(inputs, TensorVal) and isinstance(inputs.dtype, DType) and inputs.dtype.kind == "float":
        return inputs
    if not isinstance(labels, TensorVal) or isinstance(labels.dtype, Unknown):
        return Unknown("no-argument", "inputs")
    return labels if labels.dtype.kind == "float" else inputs


@handler("tensorflow.nn.ctc_loss")
def ctc_loss(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """One value per sample; the layout of the batch differs between the releases and is not followed."""
    return machine.unknown("no-argument", "tensorflow.nn.ctc_loss")
