"""The quality measure for PyTorch, taken from the arguments of loss functions."""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

import torch
from torch import Tensor, nn

from dllint.diagnose.places import user_frames
from dllint.diagnose.probes.measures import Pairs, measure_of
from dllint.diagnose.probes.torch.evaluation import Called, in_evaluation
from dllint.diagnose.probes.torch.modules import float_tensors
from dllint.diagnose.probes.yardstick import Measure

_LOSSES: Final = (
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "multi_margin_loss",
    "soft_margin_loss",
)
_MOST_ROWS: Final = 2048
_FEWEST_BATCHES: Final = 8


class TorchYardstick:
    """Takes prediction and target from the loss function that is called; of programs that compute their loss themselves, the
    model's last output and the tensor beside it that fits as its target. In the last quarter of the run predictions are those
    of evaluation mode, which are what a model is for: dropout and the statistics of batches are no part of them."""

    def __init__(self, steps: int) -> None:
        self._pairs: deque[tuple[Tensor, Tensor]] = deque(maxlen=max(_FEWEST_BATCHES, steps // 4))
        self._current: tuple[Tensor, Tensor] | None = None
        self._called: Called | None = None
        self._passes = 0
        self._late = steps - steps // 4
        self._can_evaluate = True
        for name in _LOSSES:
            self._watch(name)
        backward = torch.autograd.backward

        def watched(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            self._note_pair()
            return backward(tensors, *args, **kwargs)

        torch.autograd.backward = watched
        nn.modules.module.register_module_forward_hook(self._after, with_kwargs=True)

    def _watch(self, name: str) -> None:
        original = getattr(nn.functional, name)

        # The probe asks for the signature.
        @functools.wraps(original)
        def watched(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled() and isinstance(input, Tensor) and isinstance(target, Tensor) and self._current is None:
                self._current = (input.detach(), target.detach())
            return original(input, target, *args, **kwargs)

        setattr(nn.functional, name, watched)

    def _after(self, module: nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        """The outermost module is the last one to be called back."""
        if torch.is_grad_enabled() and not isinstance(module, nn.modules.loss._Loss):
            self._called = Called(module, args, kwargs, output)

    def _note_pair(self) -> None:
        caller = next(user_frames(sys._getframe(2)), None)
        current, self._current = self._current, None
        # Experiments at the end are no training of the program's.
        pair = None if caller is None else current or self._found(caller)
        self._passes += 1
        if pair is not None:
            self._pairs.append(_thinned(self._evaluated(pair[0]), pair[1]))

    def _evaluated(self, prediction: Tensor) -> Tensor:
        """A late prediction as the model makes it in evaluation mode."""
        if self._called is None or self._passes <= self._late or not self._can_evaluate:
            return prediction
        try:
            return in_evaluation(self._called, prediction)
        except Exception:
            # The user's own model may raise anything when it is called out of its loop: its training is measured then.
            self._can_evaluate = False
            return prediction

    def _found(self, caller: FrameType) -> tuple[Tensor, Tensor] | None:
        """The model's output with the tensor of the calling function that has the shape of its target."""
        output = next(float_tensors(self._called.output), None) if self._called is not None else None
        if self._called is None or output is None:
            return None
        given = {id(value) for value in self._called.args}
        constants = [value for value in caller.f_locals.values() if isinstance(value, Tensor) and not value.requires_grad]
        fitting = [value for value in constants if id(value) not in given and _fits(output, value)]
        return (output.detach(), fitting[0].detach()) if fitting else None

    def measure(self) -> Measure | None:
        """The measure over the last quarter of the steps."""
        pairs = [Pairs(*converted) for pair in self._pairs for converted in _numbers(*pair)]
        return measure_of(pairs)


class TorchMeans:
    """The services of torch for the yardstick of Keras."""

    def is_training(self) -> bool:
        """Whether gradients are being recorded."""
        return torch.is_grad_enabled()

    def hand_over(self, take: Callable[[Any, Any], None], target: Any, prediction: Any) -> None:
        """Have ``take`` called with both."""
        take(target, prediction)


def _fits(output: Tensor, target: Tensor) -> bool:
    if target.is_floating_point():
        return target.shape == output.shape and target is not output
    are_labels = target.dtype == torch.int64 and output.dim() > 1 and target.shape == output.shape[:1]
    # Other numbers of samples, say of the rows that were picked, are no labels.
    return are_labels and bool((target >= 0).all()) and bool((target < output.shape[1]).all())


def _thinned(prediction: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    return prediction[:_MOST_ROWS].clone(), target[:_MOST_ROWS].clone()


def _numbers(prediction: Tensor, target: Tensor) -> Iterator[tuple[list[float], list[float], bool]]:
    """Predictions, targets, and whether they are classes; nothing for what cannot be compared."""
    if not target.is_floating_point() and prediction.dim() == target.dim() + 1 and prediction.shape[1] > 1:
        chosen = prediction.argmax(1)
        wrong = torch.isnan(prediction).any(1)
        yield torch.where(wrong, -1, chosen).flatten().tolist(), target.flatten().tolist(), True
    elif prediction.shape == target.shape and prediction.dim() == 2 and _is_distribution(target):
        wrong = torch.isnan(prediction).any(1)
        yield torch.where(wrong, -1, prediction.argmax(1)).tolist(), target.argmax(1).tolist(), True
    elif prediction.numel() == target.numel():
        yield prediction.float().flatten().tolist(), target.float().flatten().tolist(), False


def _is_distribution(target: Tensor) -> bool:
    """Whether the rows of a target are one-hot, or probabilities of several classes."""
    is_bounded = bool((target >= 0).all()) and target.shape[1] > 1
    return is_bounded and bool(((target.float().sum(1) - 1).abs() < 1e-3).all())
