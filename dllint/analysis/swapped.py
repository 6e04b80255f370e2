"""Measures that are given the truth and the prediction in each other's place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from dllint.analysis.data_parts import DataParts
from dllint.analysis.facts import Facts
from dllint.analysis.modules import is_weighted
from dllint.analysis.name_words import words
from dllint.analysis.ranges.uses import is_weight
from dllint.domains.lattice import Unknown
from dllint.frameworks.tensorflow.graph_code import builds_graphs
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import FuncVal, ListVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.source.walk import walk

#: How the names of Keras's cross-entropies end.
_CROSS_ENTROPY: Final = "crossentropy"
_METRICS: Final = "sklearn.metrics."
#: The metrics of scikit-learn that give something else with both arguments exchanged.
_ASYMMETRIC: Final = frozenset({
    "average_precision_score", "classification_report", "confusion_matrix", "explained_variance_score", "fbeta_score",
    "log_loss", "mean_absolute_percentage_error", "multilabel_confusion_matrix", "precision_recall_curve",
    "precision_recall_fscore_support", "precision_score", "r2_score", "recall_score", "roc_auc_score", "roc_curve",
})  # fmt: skip
_PREDICTS: Final = frozenset({"predict", "predict_proba", "predict_classes", "predict_generator", "predict_on_batch"})
_PREDICTED_WORDS: Final = frozenset({"pred", "preds", "predicted", "prediction", "predictions", "hat", "yhat", "ypred"})
_TRUE_WORDS: Final = frozenset({"true", "truth", "label", "labels", "target", "targets", "actual", "test", "gt", "ytrue"})


def swapped_metrics(facts: Facts) -> Iterator[LibraryCall]:
    """The metrics of scikit-learn whose first argument is what a model predicts, and whose second is not."""
    flow: DataParts | None = None
    for call in facts.events(LibraryCall):
        if not call.name.startswith(_METRICS) or call.name.rpartition(".")[2] not in _ASYMMETRIC or call.positional < 2:
            continue
        flow = flow or DataParts(facts)
        first, second = (_is_predicted(value, flow) for value in call.given[:2])
        if (first is True and second is False) or (first is None and second is None and _say_so(call)):
            yield call


def swapped_losses(facts: Facts) -> Iterator[Op]:
    """The cross-entropies of a program whose target is what a model computes, and whose prediction is none of it. A divergence
    of two distributions may be meant either way."""
    for op in facts.ops:
        prediction, target = op.args.get("x"), op.args.get("target")
        if not _is_cross_entropy(op) or (op.framework == "tensorflow" and _has_open_order(op)):
            continue
        if not isinstance(prediction, TensorVal) or not isinstance(target, TensorVal) or op.doubtful:
            continue
        if _has_weights(target, facts) and not _may_have_weights(prediction, facts):
            yield op


def _is_cross_entropy(op: Op) -> bool:
    if does(op, Trait.KERAS_LOSS):
        return str(op.args.get("kind")).endswith(_CROSS_ENTROPY)
    return does(op, Trait.CLASS_LOSS) or does(op, Trait.BINARY_LOSS)


def _has_open_order(op: Op) -> bool:
    """Whether it depends on the release which argument of a loss is the truth: code for graphs calls functions of ``tf.nn`` in
    the order of either."""
    document = op.site.document
    return op.spelled.startswith("tensorflow.nn.") and (document is None or document.answer(builds_graphs))


def swapped_parameters(event: Compile) -> Iterator[FuncVal]:
    """Losses and metrics of the program itself whose parameters are named as if the prediction came first."""
    metrics = unwrap(event.metrics)
    several = metrics.items if isinstance(metrics, ListVal) else metrics if isinstance(metrics, tuple) else (metrics,)
    for value in (unwrap(event.loss), *several):
        node = value.node if isinstance(value, FuncVal) else None
        if isinstance(value, FuncVal) and isinstance(node, cst.FunctionDef) and len(node.params.params) >= 2:
            first, second = (parameter.name.value for parameter in node.params.params[:2])
            if words(first) & _PREDICTED_WORDS and words(second) & _TRUE_WORDS:
                yield value


def _is_predicted(value: Value, flow: DataParts) -> bool | None:
    """Whether a value comes from a model's prediction; ``None`` if something on the way is not known."""
    open_end = False
    for source in flow.sources(value):
        if isinstance(source, TensorVal) and source.producer is not None and is_weighted(source.producer):
            return True
        open_end = open_end or isinstance(source, Unknown)
    if any(call.name.rpartition(".")[2] in _PREDICTS for call in flow.makers(value)):
        return True
    return None if open_end else False


def _has_weights(value: TensorVal, facts: Facts) -> bool:
    """Whether a layer with weights has computed a tensor, in a pass that is to be differentiated."""
    return any(is_weighted(op) and id(op) not in facts.without_gradient for op in facts.ancestors(value))


def _may_have_weights(value: TensorVal, facts: Facts) -> bool:
    """Whether anything on the way to a tensor is a weight, has weights or is not known."""
    if value.foreign or (value.producer is None and is_weight(value)):
        return True
    return any(
        op.layer is not None
        or does(op, Trait.VARIABLE)
        or any(isinstance(given, Unknown) or (isinstance(given, TensorVal) and is_weight(given)) for given in op.args.values())
        for op in _computed_by(value)
    )


def _computed_by(value: TensorVal) -> Iterator[Op]:
    """The operations that the numbers of a tensor come from: what is filled like another tensor has none of its numbers."""
    todo, seen = [value.producer], set[int]()
    while todo:
        op = todo.pop()
        if op is None or id(op) in seen:
            continue
        seen.add(id(op))
        yield op
        if not does(op, Trait.ZEROS) and not does(op, Trait.ONES) and not does(op, Trait.FULL):
            todo += [given.producer for given in op.inputs]


def _say_so(call: LibraryCall) -> bool:
    """Whether the names of both arguments say that the prediction comes first."""
    node = call.site.node
    if not isinstance(node, cst.Call) or len(node.args) < 2 or any(arg.star or arg.keyword for arg in node.args[:2]):
        return False
    first, second = (words(_name(arg.value)) for arg in node.args[:2])
    if second & _PREDICTED_WORDS or _calls_predict(node.args[1].value):
        return False
    if _calls_predict(node.args[0].value):
        return True
    return bool(first & _PREDICTED_WORDS and not first & _TRUE_WORDS and second & (_TRUE_WORDS | {"y"}))


def _calls_predict(node: cst.CSTNode) -> bool:
    """Whether an expression calls a method that predicts."""
    calls = (part.func for part in walk(node) if isinstance(part, cst.Call))
    return any(isinstance(func, cst.Attribute) and func.attr.value in _PREDICTS for func in calls)


def _name(node: cst.BaseExpression) -> str:
    """The name that an argument is read by: of ``y_pred.cpu()`` and ``labels[mask]``, the first one."""
    while True:
        if isinstance(node, cst.Name):
            return node.value
        if isinstance(node, cst.Attribute):
            node = node.value if not isinstance(node.value, cst.Name) or node.value.value != "self" else node.attr
        elif isinstance(node, cst.Call):
            node = node.func
        elif isinstance(node, cst.Subscript):
            node = node.value
        else:
            return ""
