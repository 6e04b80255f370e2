"""Work of the probe after the run: experiments on a copy of the model, and the comparison with baselines."""

from __future__ import annotations

from time import thread_time
from typing import Any, Final

import torch
from torch import Tensor, nn

from dllint.diagnose.learning import Course, sole_course
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.torch import loss_terms
from dllint.diagnose.probes.torch.cuts import cutting_operation
from dllint.diagnose.probes.torch.experiments import experiments
from dllint.diagnose.probes.torch.mixing import mixing_operation
from dllint.diagnose.probes.torch.modules import Modules
from dllint.diagnose.probes.torch.recent import Example, Recent
from dllint.diagnose.probes.torch.trial import TrialModel, is_fit_for_trials, undisturbed
from dllint.diagnose.records import ExperimentRecord, LossCall

#: Seconds of computing (other processes do not count) that experiments may take: a share of the run's, between bounds.
_SHARE: Final = 0.1
_LEAST_SECONDS: Final = 4.0
_MOST_SECONDS: Final = 10.0
#: Of a thorough run, at least: tests may be run on a busy machine.
_THOROUGH_SECONDS: Final = 40.0
_STEPS: Final = 20
#: Batches that are looked at again in the end.
_CLOSING: Final = 16


def look_back(monitor: Monitor, modules: Modules, recent: Recent) -> None:
    """Make the experiments that the run allows; what fails is left out."""
    course = sole_course(monitor.record("finished"))
    model, examples = recent.model, recent.examples()
    if course is None or model is None or not examples or monitor.has_faults or monitor.is_distributed:
        return
    if course.steps[-1].step < _STEPS or not is_fit_for_trials(model):
        return
    with undisturbed():
        trial = None
        with monitor.attempt_afterwards("no experiments were made: the model cannot be copied"):
            trial = TrialModel(model, examples)
        if trial is None:
            return
        if not _close(monitor, trial):
            return
        _try_all(monitor, trial, modules.names.get(model, type(model).__name__))
        with monitor.attempt_afterwards("the model could not be compared with simple ones"):
            _compare(monitor, trial, modules, course)


def _try_all(monitor: Monitor, trial: TrialModel, name: str) -> None:
    least = _THOROUGH_SECONDS if monitor.thorough else _LEAST_SECONDS
    seconds = max(min(_SHARE * monitor.schedule.seconds, _MOST_SECONDS), least)
    course = sole_course(monitor.record("finished"))
    for title, experiment in experiments(is_stuck=course is not None and course.is_stuck, thorough=monitor.thorough):
        with monitor.attempt_afterwards(f"the experiment {title} could not be made"):
            values = experiment(trial, thread_time() + seconds / 2)
            if values:
                monitor.experiment(ExperimentRecord(title, name, values, *_mixing(monitor, title, values, trial)))
    if course is not None and any(sample.gradient is None for sample in course.steps[-1].parameters.values()):
        with monitor.attempt_afterwards("where the graph is cut could not be found out"):
            cut = cutting_operation(trial, trial.examples[-1])
            if cut is not None:
                monitor.experiment(ExperimentRecord("gradient-cut", name, {}, *cut))


def _mixing(monitor: Monitor, title: str, values: dict[str, float], trial: TrialModel) -> tuple[SourcePlace, str] | tuple[()]:
    """Where samples are mixed, if they are."""
    if title == "cross-talk" and values["others"]:
        with monitor.attempt_afterwards("where samples are mixed could not be found out"):
            return mixing_operation(trial, trial.examples[-1]) or ()
    return ()


def _close(monitor: Monitor, trial: TrialModel) -> bool:
    """Tell how the model does now; whether it could be called again."""
    # The user's own model may raise anything when it is called out of its loop.
    with monitor.attempt_afterwards("the model could not be called again at the end"):
        for call in _closing(trial):
            monitor.closing(call)
        return True
    return False


def _closing(trial: TrialModel) -> list[LossCall]:
    """The calls of the loss in training mode, as the model is now, on some of the batches of the whole run."""
    trial.restore()
    chosen = trial.examples[:: -(-len(trial.examples) // _CLOSING)]
    with torch.no_grad():
        return [example.graded.describe(trial.output(example)) for example in chosen]


def _compare(monitor: Monitor, trial: TrialModel, modules: Modules, course: Course) -> None:
    """Hand the rows that were seen to the simple models."""
    try:
        from dllint.diagnose.baselines.comparison import MOST_FEATURES, MOST_ROWS, Material, compare
    except ImportError:
        return
    examples = [example for example in trial.examples if _has_rows(example, MOST_FEATURES)]
    if not _are_alike(examples) or (course.kind != "mse_loss" and not course.calls[-1].classes):
        return
    rows = _gathered([example.arguments[0] for example in examples], MOST_ROWS)
    targets = _gathered([example.graded.target for example in examples], MOST_ROWS)
    classes = course.calls[-1].classes
    if classes:
        targets = targets[:, 0].astype("int64")
    components = modules.narrowest(len(examples[-1].arguments[0])) if not classes and _restores(rows, targets) else 0
    material = Material(rows, targets, classes, _reached(trial, examples, course), components, course.calls[-1].place)
    for record in compare(material):
        monitor.baseline(record)


def _has_rows(example: Example, most: int) -> bool:
    """Whether a batch is rows of numbers with one label or a row of targets each."""
    if len(example.arguments) != 1 or example.keywords:
        return False
    given, target = example.arguments[0], example.graded.target
    if not isinstance(given, Tensor) or not given.is_floating_point() or given.dim() < 2:
        return False
    classes = example.graded.record.classes
    fits = target.numel() == len(given) if classes else target.dim() > 0 and target.numel() <= len(given) * most
    return len(target) == len(given) and fits and given[0].numel() <= most


def _are_alike(examples: list[Example]) -> bool:
    """Whether the rows of all batches are of one width: those of sequences need not be."""
    widths = {(example.arguments[0].shape[1:].numel(), example.graded.target.shape[1:].numel()) for example in examples}
    return len(widths) == 1


def _gathered(tensors: list[Any], most: int) -> Any:
    rows = torch.cat([tensor.detach().reshape(len(tensor), -1).double().cpu() for tensor in tensors])
    return rows[:most].numpy()


def _restores(rows: Any, targets: Any) -> bool:
    """Whether the targets are the inputs: an autoencoder."""
    return bool(rows.shape == targets.shape and (abs(rows - targets) < 1e-6).all())


def _reached(trial: TrialModel, examples: list[Example], course: Course) -> float:
    """The model's accuracy or mean squared error in evaluation mode, as it is now."""
    trial.restore()
    trial.module.eval()
    found = []
    with torch.no_grad():
        for example in examples:
            output, target = trial.output(example), example.graded.target
            if course.calls[-1].classes:
                found.append(loss_terms.correct(loss_terms.terms(course.kind, output, target, {})))
            else:
                found.append(nn.functional.mse_loss(output, target))
    return float(torch.stack(found).double().mean())
