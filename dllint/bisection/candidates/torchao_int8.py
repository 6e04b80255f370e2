"""The reference with 8-bit weights by torchao."""

from __future__ import annotations

import copy

import torch
from torchao.quantization import Int8WeightOnlyConfig, quantize_

from dllint.bisection.candidates import torch_program
from dllint.bisection.candidates.graph_candidate import GraphCandidate
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError


def opened(name: str, setting: Setting) -> GraphCandidate:
    """Quantise a copy. Raises :class:`BisectionError` unless the reference is a ``torch.nn.Module``."""
    if not isinstance(setting.model, torch.nn.Module):
        raise BisectionError(f"`{name}` is made from a torch.nn.Module", "name the deployed model itself")
    model = copy.deepcopy(setting.model).eval()
    quantize_(model, Int8WeightOnlyConfig())
    return torch_program.opened(model, setting)
