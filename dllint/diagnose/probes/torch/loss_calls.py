"""Arguments of loss functions in sampled steps, and losses on data that the model is not trained on."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, ParamSpec

import torch
from torch import Tensor, nn

from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.tensor_numbers import stats_of
from dllint.diagnose.probes.torch import filled_labels, loss_terms
from dllint.diagnose.probes.torch.anatomy import is_training, modules
from dllint.diagnose.probes.torch.flow import ModelCall, is_ordinary
from dllint.diagnose.probes.torch.modules import Modules
from dllint.diagnose.probes.torch.seclusion import aside
from dllint.diagnose.probes.torch.statistics import Readout, stats_numbers
from dllint.diagnose.records import LossCall

P = ParamSpec("P")

#: Functions of ``torch.nn.functional`` and the framework-neutral names of what they compute.
_FUNCTIONS: Final = {
    "cross_entropy": "cross_entropy",
    "nll_loss": "nll_loss",
    "binary_cross_entropy": "binary_cross_entropy",
    "binary_cross_entropy_with_logits": "bce_with_logits",
    "mse_loss": "mse_loss",
    "l1_loss": "l1_loss",
    "smooth_l1_loss": "smooth_l1_loss",
    "huber_loss": "huber_loss",
}
_MOST_CALLS: Final = 4
_MOST_HELD: Final = 10_000
_MOST_CLASSES: Final = 1000
#: Losses whose weights are those of classes; of others they are those of elements.
_OF_CLASSES: Final = ("cross_entropy", "nll_loss")
_HEAD: Final = 6
_STATS: Final = 7


@dataclass(frozen=True, slots=True)
class Graded:
    """A call of a loss function in a training step, with its tensors; ``part`` is which of the model's outputs the prediction
    is, ``None`` if it was computed from them: ``again(prediction)`` computes it anew,
    ``describe(prediction)`` gives its record."""

    record: LossCall
    model_call: ModelCall | None
    shape: tuple[torch.Size, tuple[int, ...], int]
    part: int | None
    target: Tensor
    again: Callable[[Tensor], Tensor]
    describe: Callable[[Tensor], LossCall]


class LossCalls:
    """The calls of the step under way. ``graded`` is called with every one that has been read."""

    def __init__(
        self, monitor: Monitor, patches: Patches, modules: Modules, readout: Readout, graded: Callable[[Graded], None]
    ) -> None:
        self._monitor = monitor
        self._patches = patches
        self._modules = modules
        self._readout = readout
        self._graded = graded
        self._asked = 0
        self._records: list[LossCall] = []
        self._held: list[tuple[Tensor, Tensor, int]] = []
        #: Where the arguments of the last loss that can be trained on lie.
        self._trained_on: set[int] = set()

    def install(self) -> None:
        """Note calls from now on."""
        for name, kind in _FUNCTIONS.items():
            signature = inspect.signature(getattr(nn.functional, name))
            self._patches.wrap(nn.functional, name, partial(self._call, kind, signature))

    def take(self) -> tuple[LossCall, ...]:
        """The calls since the last time; all readouts must have been flushed."""
        records, self._records = tuple(self._records), []
        self._asked = 0
        return records

    def tell_evaluation(self, step: int) -> None:
        """Hand over how the model has done on other data since the last time."""
        held, self._held = self._held, []
        if not held:
            return
        count = sum(number for _, _, number in held)
        weights = [number / max(count, 1) for _, _, number in held]
        for name, at in (("val_loss", 0), ("val_accuracy", 1)):
            values = torch.stack([torch.stack(entry[:2]).double().cpu() for entry in held])[:, at].tolist()
            mean = sum(weight * value for weight, value in zip(weights, values, strict=True))
            if math.isfinite(mean):
                self._monitor.metric(name, step, mean)

    def _call(
        self, kind: str, signature: inspect.Signature, original: Callable[P, Any], *args: P.args, **kwargs: P.kwargs
    ) -> Any:
        try:
            result = original(*args, **kwargs)
        except (IndexError, RuntimeError):
            self._reject(kind, signature, args, kwargs)
            raise
        if not self._monitor.active:
            return result
        if torch.is_grad_enabled():
            if result.requires_grad:
                self._trained_on = _memory(args)
                if self._monitor.sampling and self._asked < _MOST_CALLS and is_ordinary(result):
                    self._note(kind, result, _bound(signature, args, kwargs), original)
        elif not is_ordinary(result):
            return result
        elif any(not is_training(model) for model in self._modules.roots):
            self._hold(kind, result, _bound(signature, args, kwargs))
        elif not _memory(args) & self._trained_on and not self._modules.has_evaluated:
            self._note_mode()
        return result

    def _note_mode(self) -> None:
        """A loss of other data than the last batch was computed, and all models are in training mode."""
        for model, name in self._modules.roots.items():
            if any(_depends_on_mode(module) for module in modules(model)):
                with self._monitor.measured():
                    self._monitor.evaluated_in_training(name, next(iter(user_places(3, 1)), None))
                return

    def _reject(self, kind: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """A loss function has raised: note whether its arguments are out of range."""
        bound = _bound(signature, args, kwargs)
        prediction, target = bound["input"], bound["target"]
        if self._monitor.active and is_ordinary(prediction) and is_ordinary(target) and not prediction.is_cuda:
            place = next(iter(user_places(3, 1)), None)
            with aside():
                call = loss_terms.rejected(kind, prediction, target, int(bound.get("ignore_index", -100)))
            if call is not None:
                self._monitor.rejected(replace(call, place=place))

    def _hold(self, kind: str, result: Tensor, bound: dict[str, Any]) -> None:
        prediction, target = bound["input"], bound["target"]
        if not (is_ordinary(prediction) and is_ordinary(target)) or len(self._held) >= _MOST_HELD or not target.numel():
            return
        with self._monitor.measured(), aside():
            value = _per_element(result, bound, target)
            given = loss_terms.terms(kind, prediction, target, bound)
            self._held.append((value, loss_terms.correct(given).to(value), target.shape[0] if target.dim() else 1))

    def _note(self, kind: str, result: Tensor, bound: dict[str, Any], original: Callable[..., Any]) -> None:
        prediction, target = bound["input"], bound["target"]
        if not (is_ordinary(prediction) and is_ordinary(target)) or not prediction.numel() or not target.numel():
            return
        self._asked += 1
        with self._monitor.measured(), aside():
            place = next(iter(user_places(2, 1)), None)
            given = loss_terms.terms(kind, prediction, target, bound)
            activation, model_call = self._modules.flow.maker(prediction), self._modules.flow.call
            call = _Call(kind, place, activation.kind if activation is not None else "", target.detach(), bound, original)
            one_label = _one_label_per_sample(target, model_call)
            part = model_call.part(prediction) if model_call is not None else None
            geometry = (prediction.shape, prediction.stride(), int(prediction.storage_offset()))

            def keep(numbers: list[float]) -> None:
                record = call.record(numbers, prediction.shape, given, one_label=one_label)
                self._records.append(record)
                self._graded(Graded(record, model_call, geometry, part, call.target, call.again, call.describe))

            filled = filled_labels.numbers(kind, prediction, target, bound, model_call)
            self._readout.ask(_numbers(given, _per_element(result, bound, target), prediction, target, bound, filled), keep)


@dataclass(frozen=True, slots=True)
class _Call:
    """A loss function with all that it was given but the predictions."""

    kind: str
    place: SourcePlace | None
    activation: str
    target: Tensor
    bound: Mapping[str, Any]
    original: Any

    def again(self, prediction: Tensor) -> Tensor:
        """The loss of other predictions."""
        settings = {name: value for name, value in self.bound.items() if name not in ("input", "target")}
        loss: Tensor = self.original(prediction, self.target, **settings)
        return loss

    def describe(self, prediction: Tensor) -> LossCall:
        """The record of a call with other predictions."""
        given = loss_terms.terms(self.kind, prediction, self.target, self.bound)
        value = _per_element(self.again(prediction), self.bound, self.target)
        filled = filled_labels.numbers(self.kind, prediction, self.target, self.bound, None)
        numbers = _numbers(given, value, prediction, self.target, self.bound, filled)
        return self.record(numbers.tolist(), prediction.shape, given, one_label=False)

    def record(self, numbers: list[float], shape: torch.Size, given: loss_terms.Terms, *, one_label: bool) -> LossCall:
        """The record of numbers from :func:`_numbers`."""
        value, constant, correct, changes, row_sum, spread = numbers[:_HEAD]
        filled = _HEAD + 2 * _STATS
        counted = numbers[filled + filled_labels.SIZE :]
        size = given.counted
        labels, predicted, hits = (_counts(counted[at * size : (at + 1) * size]) for at in range(3))
        return LossCall(
            self.kind,
            self.place,
            value,
            str(self.bound.get("reduction", "mean")),
            stats_of(numbers[_HEAD : _HEAD + _STATS]),
            stats_of(numbers[_HEAD + _STATS : filled]),
            tuple(shape),
            tuple(self.target.shape),
            activation=self.activation,
            classes=given.classes,
            correct=_known(correct),
            labels=labels,
            predicted=predicted,
            hits=hits,
            changes=int(changes) if one_label and math.isfinite(changes) else None,
            constant=_known(constant),
            row_sum=_known(row_sum),
            spread=_known(spread),
            class_weights=_class_weights(self.kind, self.bound, given.classes),
            filled=filled_labels.read(numbers[filled : filled + filled_labels.SIZE]),
        )


def _memory(args: tuple[Any, ...]) -> set[int]:
    return {argument.data_ptr() for argument in args if is_ordinary(argument)}


def _depends_on_mode(module: nn.Module) -> bool:
    """Whether a layer does something else in training than in evaluation."""
    if isinstance(module, nn.modules.dropout._DropoutNd):
        return module.p > 0
    return isinstance(module, nn.modules.batchnorm._BatchNorm) and module.track_running_stats


def _bound(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return {name: value for name, value in bound.arguments.items() if name not in ("size_average", "reduce")}


def _per_element(result: Tensor, bound: Mapping[str, Any], target: Tensor) -> Tensor:
    value = result.detach()
    value = value if value.dtype in (torch.float32, torch.float64) else value.float()
    return value / target.numel() if bound.get("reduction") == "sum" else value.mean()


def _one_label_per_sample(target: Tensor, call: ModelCall | None) -> bool:
    first = next((item for item in call.given if isinstance(item, Tensor)), None) if call is not None else None
    return first is not None and first.dim() > 0 and target.numel() == first.shape[0]


def _numbers(
    given: loss_terms.Terms, value: Tensor, prediction: Tensor, target: Tensor, bound: Mapping[str, Any], filled: Tensor
) -> Tensor:
    parts = [
        value,
        loss_terms.constant(given, bound),
        loss_terms.correct(given),
        loss_terms.changes(given),
        loss_terms.row_sum(given),
        loss_terms.spread(given),
    ]
    head = torch.stack([part.to(value) for part in parts])
    rest = (stats_numbers(prediction), stats_numbers(target), filled, loss_terms.counts(given))
    return torch.cat([head, *(part.to(head) for part in rest)])


def _counts(numbers: list[float]) -> dict[str, int]:
    return {str(index): int(number) for index, number in enumerate(numbers) if number}


def _class_weights(kind: str, bound: Mapping[str, Any], classes: int) -> dict[str, float]:
    """What each class counts by the arguments of a loss; of yes and no, the weight of yes against 1. Nothing of a loss that is
    not reduced: the program weighs its elements further (a focal loss gives rare classes less)."""
    weight, positive = bound.get("weight"), bound.get("pos_weight")
    if bound.get("reduction") == "none":
        return {}
    if isinstance(positive, Tensor) and is_ordinary(positive) and positive.numel() == 1:
        return {"0": 1.0, "1": float(positive)}
    if kind not in _OF_CLASSES or not isinstance(weight, Tensor) or not is_ordinary(weight):
        return {}
    is_known = weight.shape == (classes,) and classes <= _MOST_CLASSES
    return {str(label): value for label, value in enumerate(weight.tolist())} if is_known else {}


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None
