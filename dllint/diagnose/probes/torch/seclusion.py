"""Keeping what the probe computes apart from what the program has placed around its own operations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import _disable_current_modes


def is_traced() -> bool:
    """Whether operations are recorded just now, to be compiled or exported: those of a probe would become a part of it."""
    return torch.compiler.is_compiling() or torch._C._is_tracing()


@contextmanager
def aside() -> Iterator[None]:
    """Operations inside are recorded for no gradient, and none of the program's modes sees them: a counter of operations counts
    the program's own."""
    with torch.no_grad(), torch._C.DisableTorchFunction():
        if torch._C._len_torch_dispatch_stack():
            with _disable_current_modes():
                yield
        else:
            yield


def is_freed(tensor: Tensor) -> bool:
    """Whether an ordinary tensor's memory is gone, or is less than the tensor's extent, as sharding libraries leave it between
    uses: reading it ends the process."""
    if type(tensor) not in (Tensor, nn.Parameter) or tensor.layout is not torch.strided or not tensor.numel():
        return False
    if tensor.is_meta or torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        return False
    size, first = tensor.untyped_storage().nbytes(), tensor.storage_offset()
    if size >= (first + tensor.numel()) * tensor.element_size() and tensor.is_contiguous():
        return False
    last = first + sum((length - 1) * stride for length, stride in zip(tensor.shape, tensor.stride(), strict=True))
    return size < (last + 1) * tensor.element_size()
