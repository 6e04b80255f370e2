"""The reference in reduced precision: its parameters and values as 16-bit numbers, or under autocast."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Final

import numpy as np
import torch

from dllint.bisection.candidates.graph_candidate import GraphCandidate
from dllint.bisection.candidates.setting import Setting
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Arrays
from dllint.bisection.references.torch_export import exported
from dllint.bisection.references.torch_graph import TorchGraph

_KINDS: Final = {"float16": torch.float16, "bfloat16": torch.bfloat16}
_AUTOCAST: Final = "autocast-"


def opened(name: str, setting: Setting) -> GraphCandidate:
    """``float16``, ``bfloat16`` and the two behind ``autocast-``. Raises :class:`BisectionError` unless the reference is a
    ``torch.nn.Module`` that runs in it."""
    if not isinstance(setting.model, torch.nn.Module):
        raise BisectionError(f"`{name}` is made from a torch.nn.Module", "name the deployed model itself")
    kind = _KINDS[name.removeprefix(_AUTOCAST)]
    example = [torch.from_numpy(np.array(array)).to(setting.device) for array in setting.inputs]
    model = copy.deepcopy(setting.model).eval().to(setting.device)
    if name.startswith(_AUTOCAST):
        return GraphCandidate(AutocastGraph(exported(model, example), setting.device, kind))
    small = [tensor.to(kind) if tensor.is_floating_point() else tensor for tensor in example]
    return GraphCandidate(TorchGraph(exported(model.to(kind), small), setting.device))


class AutocastGraph(TorchGraph):
    """The graph of full precision, in which autocast chooses operators to run with 16-bit numbers."""

    def __init__(self, module: torch.fx.GraphModule, device: str, kind: torch.dtype) -> None:
        super().__init__(module, device)
        self._kind = kind

    def run(self, inputs: Arrays, injected: Arrays, wanted: Sequence[str]) -> dict[str, np.ndarray]:
        """The wanted values."""
        with torch.autocast(self._device.type, self._kind):
            return super().run(inputs, injected, wanted)
