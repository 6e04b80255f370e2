"""Statistics of predictions and targets of loss functions, computed on their device.

Every function gives a vector, or a scalar, on the tensors' device; nothing is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor

from dllint.diagnose.records import RejectedCall

#: Of larger tensors so many samples are looked at.
_MOST_ROWS: Final = 1 << 14
_MOST_CLASSES: Final = 1000
_BINARY: Final = ("binary_cross_entropy", "bce_with_logits")


@dataclass(frozen=True, slots=True)
class Terms:
    """Predictions with one row per sample; labels (class numbers) and ``classes`` of a classification, else 0 classes."""

    kind: str
    rows: Tensor
    target: Tensor
    labels: Tensor | None
    guesses: Tensor | None
    classes: int

    @property
    def counted(self) -> int:
        """How many classes are counted."""
        return self.classes if self.labels is not None and 0 < self.classes <= _MOST_CLASSES else 0


def terms(kind: str, prediction: Tensor, target: Tensor, settings: Mapping[str, Any]) -> Terms:
    """Bring the arguments of a loss function into the form of rows."""
    prediction, target = prediction.detach(), target.detach()
    if kind in ("cross_entropy", "nll_loss"):
        return _categorical(kind, prediction, target, settings.get("ignore_index", -100))
    rows = _float(prediction.reshape(prediction.shape[0], -1) if prediction.dim() else prediction.reshape(1, 1))[:_MOST_ROWS]
    same = target.shape == prediction.shape
    wanted = _float(target.reshape(target.shape[0], -1) if target.dim() else target.reshape(1, 1))[:_MOST_ROWS]
    if kind in _BINARY and same and rows.shape[1] == 1:
        guesses = (rows > (0.5 if kind == "binary_cross_entropy" else 0.0)).long().reshape(-1)
        return Terms(kind, rows, wanted, (wanted > 0.5).long().reshape(-1), guesses, 2)
    return Terms(kind, rows, wanted, None, None, 0)


def _categorical(kind: str, prediction: Tensor, target: Tensor, ignored: int) -> Terms:
    classes = prediction.shape[1] if prediction.dim() > 1 else prediction.shape[0]
    rows = (prediction.movedim(1, -1) if prediction.dim() > 2 else prediction).reshape(-1, classes)
    if target.is_floating_point():
        target = (target.movedim(1, -1) if target.dim() > 2 else target).reshape(-1, classes)
        labels = target.argmax(dim=1)
    else:
        labels = target = target.reshape(-1)
        kept = labels != ignored
        rows, labels, target = rows[kept], labels[kept], target[kept]
    rows, labels, target = _float(rows[:_MOST_ROWS]), labels[:_MOST_ROWS], target[:_MOST_ROWS]
    return Terms(kind, rows, target, labels, rows.argmax(dim=1) if rows.numel() else labels, classes)


def rejected(kind: str, prediction: Tensor, target: Tensor, ignored: int) -> RejectedCall | None:
    """The argument that a loss function could not take: labels of classes that the predictions have not, or numbers outside
    of [0, 1] where probabilities belong; ``None`` if it was something else."""
    if kind in ("cross_entropy", "nll_loss") and not target.is_floating_point() and prediction.dim():
        classes = prediction.shape[1] if prediction.dim() > 1 else prediction.shape[0]
        kept = target[target != ignored]
        if kept.numel() and not 0 <= int(kept.min()) <= int(kept.max()) < classes:
            return RejectedCall(kind, None, "target", float(kept.min()), float(kept.max()), classes)
    if kind == "binary_cross_entropy":
        for argument, values in (("prediction", prediction), ("target", target)):
            low, high = (float(extreme) for extreme in values.detach().aminmax()) if values.numel() else (0.0, 0.0)
            if low < 0 or high > 1:
                return RejectedCall(kind, None, argument, low, high, 0)
    return None


def _float(tensor: Tensor) -> Tensor:
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.float()


def correct(given: Terms) -> Tensor:
    """The share of right predictions; NaN where there are no labels."""
    if given.labels is None or given.guesses is None or not given.labels.numel():
        return _unknown(given.rows)
    return (given.labels == given.guesses).to(given.rows.dtype).mean()


def counts(given: Terms) -> Tensor:
    """Labels, predictions and right predictions of every class, one after the other; empty if they are not counted."""
    if not given.counted or given.labels is None or given.guesses is None:
        return given.rows.new_zeros(0)
    hits = torch.where(given.labels == given.guesses, given.labels, torch.full_like(given.labels, given.counted))
    parts = [
        torch.bincount(values.clamp(0, given.counted), minlength=given.counted + 1)[: given.counted]
        for values in (given.labels, given.guesses, hits)
    ]
    return torch.cat(parts).to(given.rows.dtype)


def changes(given: Terms) -> Tensor:
    """How many samples have another label than the one before."""
    if given.labels is None:
        return _unknown(given.rows)
    return (given.labels[1:] != given.labels[:-1]).sum().to(given.rows.dtype)


def row_sum(given: Terms) -> Tensor:
    """The largest distance of a row's sum from 1."""
    if given.rows.shape[-1] < 2 or not given.rows.numel():
        return _unknown(given.rows)
    return (given.rows.sum(dim=1) - 1).abs().amax()


def spread(given: Terms) -> Tensor:
    """The mean over outputs of the standard deviation over samples."""
    if given.rows.shape[0] < 2:
        return _unknown(given.rows)
    return given.rows.std(dim=0).mean()


def constant(given: Terms, settings: Mapping[str, Any]) -> Tensor:
    """The loss per element of the best prediction that is the same for all samples; NaN where it is not known."""
    target = given.target
    if not target.numel() or settings.get("pos_weight") is not None:
        return _unknown(given.rows)
    if given.kind in ("cross_entropy", "nll_loss"):
        return _prior_entropy(given, settings)
    if given.kind in _BINARY and settings.get("weight") is None:
        return _binary_entropy(target.mean(dim=0)).mean()
    if given.kind == "mse_loss":
        return (target - target.mean(dim=0)).square().mean()
    if given.kind == "l1_loss":
        return (target - target.median(dim=0).values).abs().mean()
    return _unknown(given.rows)


def _prior_entropy(given: Terms, settings: Mapping[str, Any]) -> Tensor:
    if given.labels is None or given.classes > _MOST_CLASSES:
        return _unknown(given.rows)
    if given.target.is_floating_point():
        prior = given.target.to(given.rows.dtype).mean(dim=0)
    else:
        prior = torch.bincount(given.labels.clamp(0, given.classes - 1), minlength=given.classes).to(given.rows.dtype)
        weight = settings.get("weight")
        prior = prior * weight.to(prior) if isinstance(weight, Tensor) else prior
    prior = prior / prior.sum()
    smoothing = float(settings.get("label_smoothing") or 0.0)
    prior = prior * (1 - smoothing) + smoothing / given.classes
    entropy: Tensor = -torch.special.xlogy(prior, prior).sum()
    return entropy


def _binary_entropy(share: Tensor) -> Tensor:
    share = share.clamp(0, 1)
    entropy: Tensor = -(torch.special.xlogy(share, share) + torch.special.xlogy(1 - share, 1 - share))
    return entropy


def _unknown(like: Tensor) -> Tensor:
    return like.new_full((), math.nan)
