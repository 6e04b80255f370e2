"""Predictions in evaluation mode, computed during training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch.anatomy import is_training, modules, set_training
from dllint.diagnose.probes.torch.modules import float_tensors
from dllint.diagnose.probes.torch.trial import undisturbed


@dataclass(frozen=True, slots=True)
class Called:
    """A call of the outermost module."""

    module: nn.Module
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    output: Any


def in_evaluation(called: Called, prediction: Tensor) -> Tensor:
    """The prediction that the call gives in evaluation mode; ``prediction`` itself if it is not what the module gave, or if
    the module does the same in both modes. Modes, statistics and random numbers are as before.

    Raises:
        Exception: whatever the user's model raises.
    """
    training = [module for module in modules(called.module) if is_training(module)]
    at = next((at for at, part in enumerate(float_tensors(called.output)) if part.data_ptr() == prediction.data_ptr()), None)
    if at is None or not any(_depends_on_mode(module) for module in training):
        return prediction
    try:
        for module in training:
            set_training(module, False)
        with undisturbed(), torch.no_grad():
            output = list(float_tensors(called.module(*called.args, **called.kwargs)))[at]
    finally:
        for module in training:
            set_training(module, True)
    return output.as_strided(prediction.size(), prediction.stride(), output.storage_offset())


def _depends_on_mode(module: nn.Module) -> bool:
    return isinstance(module, nn.modules.dropout._DropoutNd | nn.modules.batchnorm._BatchNorm | nn.RNNBase | nn.Transformer)
