"""Work of the probe after the run: experiments with the model, and the comparison with baselines."""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time
from typing import Any, Final

import numpy as np
from keras import ops

from dllint.diagnose.baselines.comparison import MOST_FEATURES, MOST_ROWS, Material, compare
from dllint.diagnose.learning import Course, sole_course
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.probes.guest import Host
from dllint.diagnose.probes.keras.experiments import experiments
from dllint.diagnose.probes.keras.layers import Layers
from dllint.diagnose.probes.keras.recent import Example, Recent
from dllint.diagnose.probes.keras.statistics import host_array
from dllint.diagnose.probes.keras.trial import TrialModel, is_fit_for_trials, undisturbed
from dllint.diagnose.records import ExperimentRecord

#: Seconds of computing (other processes do not count) that experiments may take: a share of the run's, between bounds.
_SHARE: Final = 0.1
_LEAST_SECONDS: Final = 4.0
_MOST_SECONDS: Final = 10.0
#: Of a thorough run, at least: tests may be run on a busy machine.
_THOROUGH_SECONDS: Final = 40.0
_STEPS: Final = 20
#: Batches that are looked at again in the end.
_CLOSING: Final = 16


def look_back(monitor: Monitor, host: Host, layers: Layers, recent: Recent) -> None:
    """Make the experiments that the run allows; what fails is left out."""
    course = sole_course(monitor.record("finished"))
    model, examples = recent.model, recent.examples()
    if course is None or model is None or not examples or monitor.has_faults or monitor.is_distributed:
        return
    if course.steps[-1].step < _STEPS or not is_fit_for_trials(model):
        return
    trial = TrialModel(model, examples, host)
    with undisturbed(trial, host):
        if not _close(monitor, trial):
            return
        _try_all(monitor, trial, layers.roots.get(model, type(model).__name__))
        trial.restore()
        with monitor.attempt_afterwards("the model could not be compared with simple ones"):
            _compare(monitor, trial, course)


def _close(monitor: Monitor, trial: TrialModel) -> bool:
    """Tell how the model does now in training mode, on some of the batches of the whole run; whether it could be called."""
    # The user's own model may raise anything when it is called out of its loop.
    with monitor.attempt_afterwards("the model could not be called again at the end"):
        for example in trial.examples[:: -(-len(trial.examples) // _CLOSING)]:
            monitor.closing(example.graded.describe(trial.output(example, training=True)))
        return True
    return False


def _try_all(monitor: Monitor, trial: TrialModel, name: str) -> None:
    least = _THOROUGH_SECONDS if monitor.thorough else _LEAST_SECONDS
    seconds = max(min(_SHARE * monitor.schedule.seconds, _MOST_SECONDS), least)
    course = sole_course(monitor.record("finished"))
    for title, experiment in experiments(is_stuck=course is not None and course.is_stuck, thorough=monitor.thorough):
        with monitor.attempt_afterwards(f"the experiment {title} could not be made"):
            values = experiment(trial, thread_time() + seconds / 2)
            if values:
                monitor.experiment(ExperimentRecord(title, name, values))


def _compare(monitor: Monitor, trial: TrialModel, course: Course) -> None:
    """Hand the rows that were seen to the simple models."""
    examples = [example for example in trial.examples if _has_rows(example)]
    classes = course.calls[-1].classes
    if not _are_alike(examples) or (course.kind != "mse_loss" and not classes):
        return
    rows = _gathered([example.rows for example in examples])
    targets = _labels(examples) if classes else _gathered([example.graded.target for example in examples])
    is_restoring = rows.shape == targets.shape and bool((np.abs(rows - targets) < 1e-6).all())
    components = _narrowest(course, len(examples[-1].rows)) if is_restoring else 0
    reached = _reached(trial, examples)
    for record in compare(Material(rows, targets, classes, reached, components, course.calls[-1].place)):
        monitor.baseline(record)


def _has_rows(example: Example) -> bool:
    """Whether a batch is rows of numbers with one label or a row of targets each."""
    if not ops.is_tensor(example.inputs) and not isinstance(example.inputs, np.ndarray):
        return False
    rows, record, target = example.rows, example.graded.record, example.graded.target
    if rows.dtype.kind not in "fV" or rows.ndim < 2 or rows[0].size > MOST_FEATURES or target.shape[:1] != rows.shape[:1]:
        return False
    per_sample = target[0].size
    return per_sample in (1, record.classes) if record.classes else per_sample <= MOST_FEATURES


def _are_alike(examples: Sequence[Example]) -> bool:
    """Whether the rows of all batches are of one width: those of sequences need not be."""
    return len({(example.rows[0].size, example.graded.target[0].size) for example in examples}) == 1


def _labels(examples: Sequence[Example]) -> Any:
    """One label per row; one-hot rows are read as what they stand for."""
    parts = [example.graded.target.reshape(len(example.graded.target), -1) for example in examples]
    single = [part.argmax(axis=1) if part.shape[1] > 1 else part[:, 0] for part in parts]
    return np.concatenate(single)[:MOST_ROWS].astype(np.int64)


def _gathered(arrays: Sequence[Any]) -> Any:
    return np.concatenate([array.reshape(len(array), -1).astype(np.float64) for array in arrays])[:MOST_ROWS]


def _narrowest(course: Course, batch: int) -> int:
    """The least number of outputs per sample that a layer gave in the last sampled step."""
    sizes = [sample.output.count // batch for sample in course.steps[-1].layers.values() if sample.output.count >= batch]
    return min(sizes, default=0)


def _reached(trial: TrialModel, examples: Sequence[Example]) -> float:
    """The model's accuracy or mean squared error in evaluation mode, as it is now."""
    found = []
    for example in examples:
        output = trial.output(example, training=False)
        record = example.graded.describe(output)
        if record.correct is not None:
            found.append(record.correct)
        else:
            found.append(_squared_error(host_array(output), example.graded.target))
    return float(np.mean(found))


def _squared_error(output: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> float:
    """The mean of the squares over the elements; where both are not of one size, as Keras's loss broadcasts them."""
    if output.size == target.size:
        return float(np.mean((output.reshape(-1) - target.reshape(-1)) ** 2))
    return float(np.mean((output - target) ** 2))
