"""Experiments on a copy of the model at the end of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from time import thread_time
from typing import Final

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch import anatomy
from dllint.diagnose.probes.torch.recent import Example
from dllint.diagnose.probes.torch.trial import TrialModel

#: Gives the numbers of an experiment; nothing if it cannot be made.
Experiment = Callable[[TrialModel, float], dict[str, float]]

_FIT_STEPS: Final = 150
_FIT_RATES: Final = (1e-3, 1e-2)
_MODE_BATCHES: Final = 8
_RECALIBRATING: Final = 30
_BATCH: Final = 4
#: Batches of more sizes are no batches: of graphs, or of clouds of points, as many rows as each has.
_MOST_SIZES: Final = 3


def one_batch_fit(trial: TrialModel, deadline: float) -> dict[str, float]:
    """Train on the last batch alone with Adam, at two learning rates; the better one counts."""
    example = trial.examples[-1]
    constant = example.graded.record.constant
    if not constant:
        return {}
    runs = [_fit(trial, example, rate, deadline) for rate in _FIT_RATES]
    final, initial, steps = min(runs)
    return {"initial": initial, "final": final, "constant": constant, "steps": float(steps)}


def _fit(trial: TrialModel, example: Example, rate: float, deadline: float) -> tuple[float, float, int]:
    trial.restore()
    for module in anatomy.modules(trial.module):
        # What training has done to the weights is not the model's fault.
        if callable(reset := getattr(module, "reset_parameters", None)):
            reset()
        if isinstance(module, nn.modules.dropout._DropoutNd):
            module.p = 0.0
    parameters = [parameter for parameter in anatomy.parameters(trial.module) if parameter.requires_grad]
    optimizer = torch.optim.Adam(parameters, lr=rate)
    course: list[float] = []
    for _ in range(_FIT_STEPS):
        loss = trial.loss(example)
        course.append(float(loss.detach()))
        if not math.isfinite(course[-1]) or thread_time() > deadline:
            break
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    finite = [value for value in course if math.isfinite(value)]
    return min(finite, default=math.inf), course[0], len(course)


def modes(trial: TrialModel, deadline: float) -> dict[str, float]:
    """The loss of the same batches in training mode, in evaluation mode, and in the latter with re-estimated statistics."""
    examples = trial.examples[-_MODE_BATCHES:]
    trial.restore()
    if not any(anatomy.is_training(module) for module in anatomy.modules(trial.module)):
        return {}
    with torch.no_grad():
        values = {"train": _mean_loss(trial, examples)}
        trial.restore()
        trial.module.eval()
        values["eval"] = _mean_loss(trial, examples)
        if _restart_statistics(trial):
            for example in trial.examples[-_RECALIBRATING:]:
                trial.output(example)
            trial.module.eval()
            values["recalibrated"] = _mean_loss(trial, examples)
    constants = [example.graded.record.constant for example in examples if example.graded.record.constant is not None]
    return {**values, **({"constant": fmean(constants)} if constants else {})}


def _mean_loss(trial: TrialModel, examples: Sequence[Example]) -> float:
    return fmean(float(trial.loss(example).detach()) for example in examples)


def _restart_statistics(trial: TrialModel) -> bool:
    """Have batch normalisation average its statistics anew; whether there is any."""
    trial.restore()
    found = False
    for module in anatomy.modules(trial.module):
        if isinstance(module, nn.modules.batchnorm._BatchNorm) and module.track_running_stats and anatomy.is_training(module):
            module.reset_running_stats()
            # None is the cumulative average.
            module.momentum = None
            found = True
    return found


def cross_talk(trial: TrialModel, deadline: float) -> dict[str, float]:
    """The gradient of the outputs of every other sample with respect to those samples and to the rest, in evaluation mode.

    Half of the batch is asked: a single sample may be one whose gradient is 0.
    """
    example = trial.examples[-1]
    sizes = {kept.arguments[0].shape[0] for kept in trial.examples if isinstance(kept.arguments[0], Tensor)}
    if len(sizes) > _MOST_SIZES or not _has_independent_samples(trial.module, example):
        return {}
    trial.restore()
    trial.module.eval()
    with torch.backends.cudnn.flags(enabled=False):
        given, others, output = _followed(trial, example)
        if given is None or output.shape[0] != example.arguments[0].shape[0] or given.shape[0] != output.shape[0]:
            return {}
        asked = output[::2].flatten(1) if output.dim() > 1 else output[::2, None]
        weights = torch.linspace(0.5, 1.5, asked.shape[1], device=output.device, dtype=output.dtype)
        gradients = torch.autograd.grad((asked * weights).sum(), (given, *others), allow_unused=True)
    first, *beside = [_effects(gradient) for gradient in gradients]
    if not math.isfinite(first[0]) or (first == (0.0, 0.0) and gradients[0] is None) or _is_set(first, beside):
        return {}
    return {"own": first[0], "others": first[1]}


def _effects(gradient: Tensor | None) -> tuple[float, float]:
    """What the samples that were asked about, and the others, have to do with the outputs."""
    if gradient is None:
        return 0.0, 0.0
    by_sample = gradient.abs().reshape(gradient.shape[0], -1).sum(dim=1).double()
    return float(by_sample[::2].sum()), float(by_sample[1::2].sum())


def _is_set(first: tuple[float, float], beside: Sequence[tuple[float, float]]) -> bool:
    """Whether an input is a set that is meant for all rows of another one (examples of classes for queries): its own row is
    nothing special to a sample, while that of the other input alone counts."""
    return first[1] > first[0] / 2 and any(others == 0 < own for own, others in beside)


def _has_independent_samples(model: nn.Module, example: Example) -> bool:
    """Whether samples are expected to be independent: inputs with one row and a target with one label or row per sample, and no
    other axis of that size, by which samples could be meant to meet."""
    given, target = next(iter(example.arguments), None), example.graded.target
    if not isinstance(given, Tensor) or given.dim() < 2 or given.shape[0] < _BATCH or example.keywords:
        return False
    size = given.shape[0]
    if not all(isinstance(item, Tensor) and _is_by_sample(item, size) for item in (*example.arguments, target)):
        return False
    if any(_is_grouping(item) for item in example.arguments[1:]):
        return False
    if target.numel() not in (size, size * target.shape[-1]):
        return False
    if not given.is_floating_point() and target.dim() > 1:
        return False
    is_pairing = not target.is_floating_point() and torch.equal(target.reshape(-1), torch.arange(size, device=target.device))
    by_batch = any(isinstance(m, nn.modules.batchnorm._BatchNorm) and not m.track_running_stats for m in anatomy.modules(model))
    return not is_pairing and not by_batch


def _is_by_sample(tensor: Tensor, size: int) -> bool:
    """Whether the first axis, and no other one, is that of the batch."""
    return tensor.shape[:1] == (size,) and size not in tensor.shape[1:]


def _is_grouping(tensor: Tensor) -> bool:
    """Whether an input numbers the rows, or the group (a cloud of points, a graph) that each belongs to."""
    numbers = tensor.reshape(len(tensor), -1)
    return not tensor.is_floating_point() and numbers.shape[1] == 1 and bool((numbers[1:] >= numbers[:-1]).all())


def _followed(trial: TrialModel, example: Example) -> tuple[Tensor | None, list[Tensor], Tensor]:
    """The first input (or its embedding) as a tensor that gradients are taken of, the others of which they can be taken, and
    the output."""
    given, *others = (item.detach().clone().requires_grad_(item.is_floating_point()) for item in example.arguments)
    beside = [item for item in others if item.requires_grad]
    if given.requires_grad:
        return given, beside, trial.output(example, given, *others)
    embedded: list[Tensor] = []

    def follow(module: nn.Module, inputs: object, output: Tensor) -> Tensor:
        embedded.append(output.detach().requires_grad_())
        return embedded[-1]

    embedding = next((module for module in anatomy.modules(trial.module) if isinstance(module, nn.Embedding)), None)
    handle = embedding.register_forward_hook(follow) if embedding is not None else None
    try:
        output = trial.output(example, given, *others)
    finally:
        if handle is not None:
            handle.remove()
    return (embedded[0] if len(embedded) == 1 else None), beside, output


def gradient_noise(trial: TrialModel, deadline: float) -> dict[str, float]:
    """The gradients of two halves of the batches: the cosine between them, and their difference against their mean."""
    if len(trial.examples) < _BATCH:
        return {}
    first, second = (_gradient(trial, trial.examples[at::2]) for at in range(2))
    mean = (first + second).norm() / 2
    return {
        "cosine": float(nn.functional.cosine_similarity(first, second, dim=0)),
        "ratio": float((first - second).norm() / mean.clamp_min(1e-30)),
    }


def _gradient(trial: TrialModel, examples: Sequence[Example]) -> Tensor:
    trial.restore()
    for example in examples:
        (trial.loss(example) / len(examples)).backward()  # type: ignore[no-untyped-call]
    gradients = [p.grad.reshape(-1).double() for p in anatomy.parameters(trial.module) if p.grad is not None]
    return torch.cat(gradients)


def experiments(*, is_stuck: bool, thorough: bool) -> Iterator[tuple[str, Experiment]]:
    """What is tried: more of a model that does no better than a constant, or if the run is to be ``thorough``."""
    yield "cross-talk", cross_talk
    yield "modes", modes
    if is_stuck or thorough:
        yield "one-batch-fit", one_batch_fit
    if is_stuck:
        yield "gradient-noise", gradient_noise
