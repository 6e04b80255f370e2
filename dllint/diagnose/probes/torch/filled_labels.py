"""Labels of a loss at places where what the model was given is filled up to a common length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from dllint.diagnose.probes.torch.flow import ModelCall, is_ordinary
from dllint.diagnose.records import FilledLabels

#: Numbers by which a :class:`FilledLabels` is told.
SIZE: Final = 5
_OF_CLASSES: Final = ("cross_entropy", "nll_loss")
_MOST_SCORES: Final = 1 << 22
_FEWEST_PLACES: Final = 4


def numbers(kind: str, prediction: Tensor, target: Tensor, settings: Mapping[str, Any], call: ModelCall | None) -> Tensor:
    """The fields of a :class:`FilledLabels` as a vector on the tensors' device, of which nothing is read; NaN if nothing was
    filled up, if the loss leaves those labels out, or if the program may weigh them itself."""
    unknown = prediction.new_full((SIZE,), math.nan, dtype=torch.float32)
    counts_all = settings.get("reduction") != "none" and settings.get("weight") is None
    if call is None or kind not in _OF_CLASSES or not counts_all or target.is_floating_point():
        return unknown
    if prediction.dim() < 2 or prediction.numel() > _MOST_SCORES:
        return unknown
    labels = target.detach().reshape(-1).long()
    right = prediction.detach().argmax(1).reshape(-1) == labels
    kept = labels != int(settings.get("ignore_index", -100))
    for tokens, order in _sequences(call.given, labels.numel()):
        found = _filled(tokens, *(_arranged(values, tokens, order) for values in (labels, right, kept)))
        unknown = torch.where(unknown.isnan(), found.to(unknown), unknown)
    return unknown


def read(values: Sequence[float]) -> FilledLabels | None:
    """The record of what :func:`numbers` gave."""
    return FilledLabels(*map(int, values)) if all(map(math.isfinite, values)) else None


def _sequences(given: Sequence[Any], labels: int) -> Iterator[tuple[Tensor, bool]]:
    """The arguments of whole numbers that have a place for each label, as one row a sequence, the last ones first (a decoder's
    after an encoder's); ``True`` if the labels lie that way, too. A label may be that of the next place."""
    for value in reversed(given):
        if not is_ordinary(value) or value.dim() != 2 or value.is_floating_point() or value.dtype == torch.bool:
            continue
        for tokens, is_by_row in ((value.detach(), True), (value.detach().T, False)):
            places, rest = divmod(labels, max(tokens.shape[0], 1))
            if not rest and places >= _FEWEST_PLACES and tokens.shape[1] - places in (0, 1):
                yield tokens[:, tokens.shape[1] - places :], is_by_row


def _arranged(values: Tensor, tokens: Tensor, is_by_row: bool) -> Tensor:
    return values.view(tokens.shape) if is_by_row else values.view(tokens.shape[::-1]).T


def _filled(tokens: Tensor, labels: Tensor, right: Tensor, kept: Tensor) -> Tensor:
    """Rows are filled up if most end in one and the same number, which stands nowhere else, in varying length, but none is that
    number only; and all labels there are the same one, which counts."""
    same = tokens == tokens[:, -1].mode().values
    ends = same.long().flip(1).cumprod(1).flip(1).bool()
    lengths = ends.sum(1)
    low = torch.where(ends, labels, labels.new_full((), torch.iinfo(labels.dtype).max)).amin()
    high = torch.where(ends, labels, labels.new_full((), -1)).amax()
    varies = (lengths.amin() < lengths.amax()) & (lengths.amax() < ends.shape[1]) & (2 * (lengths > 0).sum() >= len(ends))
    is_filled = (same == ends).all() & varies & (low == high) & (kept | ~ends).all()
    others = kept & ~ends
    told = (low, ends.sum(), others.sum(), (right & others).sum(), ((labels == low) & others).sum())
    values = torch.stack([value.float() for value in told])
    return torch.where(is_filled, values, values.new_full((), math.nan))
