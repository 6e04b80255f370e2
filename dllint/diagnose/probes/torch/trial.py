"""A copy of a model for experiments; the program's model and its random numbers are unaffected."""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import torch
from torch import Tensor, nn

from dllint.diagnose.probes.torch.anatomy import buffers, modules, parameters, set_training
from dllint.diagnose.probes.torch.modules import float_tensors
from dllint.diagnose.probes.torch.recent import Example
from dllint.diagnose.probes.torch.replay import random_state, set_random_state

_MOST_BYTES: Final = 2 << 30


class TrialModel:
    """A copy of a model with the batches that it was given.

    Raises:
        RuntimeError, TypeError: the model cannot be copied.
    """

    def __init__(self, model: nn.Module, examples: Sequence[Example]) -> None:
        self.module = copy.deepcopy(model)
        self.examples = examples
        self._state = copy.deepcopy(self.module.state_dict())

    def restore(self) -> None:
        """Weights, statistics and modes as they were in the last training step."""
        self.module.load_state_dict(self._state)
        self.module.zero_grad(set_to_none=True)
        for module, mode in zip(modules(self.module), self.examples[-1].modes, strict=True):
            set_training(module, mode)

    def output(self, example: Example, *replaced: Any) -> Tensor:
        """What the loss function was given, computed anew; ``replaced`` are other arguments."""
        given = replaced or example.arguments
        output = list(float_tensors(self.module(*given, **example.keywords)))[example.graded.part or 0]
        size, stride, _ = example.graded.shape
        return output.as_strided(size, stride, output.storage_offset())

    def loss(self, example: Example) -> Tensor:
        """The mean loss of a batch."""
        loss = example.graded.again(self.output(example))
        return loss.mean() if example.graded.record.reduction != "sum" else loss / example.graded.target.numel()


def is_fit_for_trials(model: nn.Module) -> bool:
    """Whether a copy of a model can be had and run without side effects: it is not too large, nothing of the user's or of a
    library's is hooked to it, and it does not exchange anything with other processes."""
    size = sum(tensor.numel() * tensor.element_size() for tensor in (*parameters(model), *buffers(model)))
    devices = {tensor.device for tensor in parameters(model) if tensor.is_cuda}
    free = min((torch.cuda.mem_get_info(device)[0] for device in devices), default=_MOST_BYTES)
    hooked = any(module._forward_hooks or isinstance(module, nn.SyncBatchNorm) for module in modules(model))
    return 4 * size < min(free, _MOST_BYTES) and not hooked and not isinstance(model, nn.parallel.DistributedDataParallel)


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is done inside changes no random numbers and prints nothing."""
    torch_state, python_state = random_state(), random.getstate()
    numpy = sys.modules.get("numpy")
    numpy_state = numpy.random.get_state() if numpy is not None else None
    try:
        with contextlib.redirect_stdout(io.StringIO()), torch.enable_grad():
            yield
    finally:
        set_random_state(torch_state)
        random.setstate(python_state)
        if numpy is not None:
            numpy.random.set_state(numpy_state)
