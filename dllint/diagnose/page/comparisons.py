"""Tables of baselines beside the model, and of experiments with a copy of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from dllint.diagnose.records import BaselineRecord, ExperimentRecord, RunRecord
from dllint.page.document import table
from dllint.page.markup import Markup, element
from dllint.page.numbers import percent, shown

_MODELS: Final = {
    "constant": "Always the same",
    "linear": "Linear regression",
    "logistic": "Logistic regression",
    "pca": "Principal components",
}


def baselines(run: RunRecord) -> Markup:
    """A table of simple models on the same data."""
    rows = [_compared(record) for record in run.baselines]
    return table(("Simple model", "Measure", "It reaches", "The model reaches", "", "", "Samples"), rows, "figures")


def _compared(record: BaselineRecord) -> tuple[str, ...]:
    more_is_better = record.measure == "accuracy"
    gain = record.model - record.baseline if more_is_better else record.baseline - record.model
    verdict, tone = ("no better than chance tells apart", "plain") if abs(gain) <= record.margin else ("better", "good")
    if gain < -record.margin:
        verdict, tone = "worse", "error"
    number: Callable[[float], str] = percent if more_is_better else shown
    badge = element("span", verdict, class_=f"badge {tone}")
    kind = _MODELS.get(record.kind, record.kind)
    model = element("b", number(record.model))
    return kind, record.measure, number(record.baseline), model, _bar(record), badge, shown(record.samples)


def _bar(record: BaselineRecord) -> Markup:
    """The model as a bar, the simple model as a line across it."""
    whole = 1.0 if record.measure == "accuracy" else max(record.model, record.baseline)
    if not 0 < whole < math.inf:
        return Markup("")
    model, baseline = (f"{100 * min(max(value / whole, 0.0), 1.0):.1f}%" for value in (record.model, record.baseline))
    return element("div", element("div", style=f"width:{model}"), element("i", style=f"left:{baseline}"), class_="bar versus")


def experiments(run: RunRecord) -> Markup:
    """A table of experiments, in words."""
    rows = [(_NAMES.get(e.name, e.name), e.model, _formatted(e)) for e in run.experiments]
    return table(("Experiment", "Model", "Outcome"), rows)


def _formatted(experiment: ExperimentRecord) -> str:
    if experiment.name == "gradient-cut":
        line = experiment.place.line if experiment.place is not None else "?"
        return f"`{experiment.operation}` in line {line} cuts the graph"
    known = _OUTCOMES.get(experiment.name)
    try:
        return known(experiment.values) if known is not None else _plainly(experiment.values)
    except KeyError:
        return _plainly(experiment.values)


def _plainly(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {shown(value)}" for name, value in values.items())


def _one_batch(values: Mapping[str, float]) -> str:
    return (
        f"trained on one batch for {shown(values['steps'])} steps, the loss goes from {shown(values['initial'])} to "
        f"{shown(values['final'])} (the best constant: {shown(values['constant'])})"
    )


def _cross_talk(values: Mapping[str, float]) -> str:
    if not values["own"] and not values["others"]:
        return "predictions do not depend on the inputs at all"
    depends = "depends on" if values["others"] else "does not depend on"
    return f"a prediction {depends} the other samples of its batch"


def _modes(values: Mapping[str, float]) -> str:
    again = f", {shown(values['recalibrated'])} with re-estimated statistics" if "recalibrated" in values else ""
    return f"loss {shown(values['train'])} in training mode, {shown(values['eval'])} in evaluation mode{again}"


def _noise(values: Mapping[str, float]) -> str:
    return f"cosine {shown(values['cosine'])} between them, their difference is {shown(values['ratio'])} times their mean"


_NAMES: Final = {
    "one-batch-fit": "Can one batch be learnt?",
    "cross-talk": "Are samples independent?",
    "modes": "Training and evaluation mode",
    "gradient-cut": "Where do gradients end?",
    "gradient-noise": "Gradients of two halves of the data",
}
_OUTCOMES: Final[Mapping[str, Callable[[Mapping[str, float]], str]]] = {
    "one-batch-fit": _one_batch,
    "cross-talk": _cross_talk,
    "modes": _modes,
    "gradient-noise": _noise,
}
