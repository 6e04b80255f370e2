"""Statistics computed on the tensors' device and read together.

Every ``*_numbers`` function gives a vector on the tensor's device; :class:`Readout` brings the vectors of a step to the host in
one copy per device and hands each to whoever asked for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import Tensor

from dllint.diagnose.probes.tensor_numbers import MOST_ELEMENTS, stats_of
from dllint.diagnose.probes.torch.seclusion import is_freed
from dllint.diagnose.records import TensorStats


class Readout:
    """Vectors on devices that are to become lists of numbers."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Tensor, Callable[[list[float]], None]]] = []

    def ask(self, numbers: Tensor, tell: Callable[[list[float]], None]) -> None:
        """Have ``tell`` called with the numbers of a vector at the next :meth:`flush`."""
        self._waiting.append((numbers, tell))

    def flush(self) -> None:
        """Read everything."""
        waiting, self._waiting = self._waiting, []
        for device in {numbers.device for numbers, _ in waiting}:
            here = [(numbers, tell) for numbers, tell in waiting if numbers.device == device]
            values = torch.cat([numbers.double() if device.type != "mps" else numbers for numbers, _ in here]).tolist()
            at = 0
            for numbers, tell in here:
                tell(values[at : at + len(numbers)])
                at += len(numbers)


def plain(tensor: Tensor) -> Tensor:
    """The local, dense, detached part of a tensor, in a floating-point type that can be summed.

    Raises:
        ValueError: it has no memory just now.
    """
    with torch._C.DisableTorchFunctionSubclass():
        tensor = local(tensor).detach()
    if is_freed(tensor):
        raise ValueError("the memory of a tensor is freed")
    if tensor.is_sparse:
        tensor = tensor.coalesce().values()
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.float()


def local(tensor: Tensor) -> Tensor:
    """The local part of a distributed tensor; any other tensor itself."""
    is_distributed = any("to_local" in vars(kind) for kind in type(tensor).__mro__)
    return cast("Any", tensor).to_local() if is_distributed else tensor


def device_memory() -> int:
    """The most that tensors have needed of the accelerator at a time, in bytes."""
    return torch.cuda.max_memory_allocated() if torch.cuda.is_initialized() else 0  # type: ignore[no-untyped-call]


def sharded_axes(tensor: Tensor) -> int:
    """Along how many axes of the processes' mesh this process holds a part of the tensor only."""
    return sum(placement.is_shard() for placement in getattr(tensor, "placements", ()))


def stats_numbers(tensor: Tensor) -> Tensor:
    """The seven numbers that ``stats_of`` takes: of large tensors, from a regular part of the elements."""
    flat = plain(tensor).reshape(-1)
    if flat.numel() > MOST_ELEMENTS:
        flat = flat[:: flat.numel() // MOST_ELEMENTS + 1]
    if not flat.numel():
        return flat.new_zeros(7)
    finite = torch.isfinite(flat)
    clean = torch.where(finite, flat, torch.zeros_like(flat))
    low = torch.where(finite, flat, torch.full_like(flat, math.inf)).amin()
    high = torch.where(finite, flat, torch.full_like(flat, -math.inf)).amax()
    count = finite.sum().to(flat.dtype)
    mean = clean.sum() / count
    spread = torch.where(finite, flat - mean, torch.zeros_like(flat)).square().sum() / count
    return torch.stack([torch.full_like(mean, flat.numel()), count, mean, spread, low, high, (flat == 0).sum().to(flat.dtype)])


def read_stats(tensor: Tensor) -> TensorStats:
    """The statistics of one tensor, at once."""
    return stats_of(stats_numbers(tensor).tolist())


def norm_numbers(tensors: Sequence[Tensor], order: float = 2.0) -> Tensor:
    """The norm of each tensor, as one vector; all tensors on one device."""
    norms = torch._foreach_norm([plain(tensor) for tensor in tensors], order)
    return torch.stack([norm.double() if norm.device.type != "mps" else norm for norm in norms])


def difference_numbers(after: Sequence[Tensor], before: Sequence[Tensor]) -> Tensor:
    """The norm of each change, as one vector; 0 only where nothing has changed."""
    differences = torch._foreach_sub([plain(tensor) for tensor in after], [plain(tensor) for tensor in before])
    norms = norm_numbers(differences)
    changed = norm_numbers(differences, math.inf)
    # The squares of tiny changes underflow; such a change is still a change.
    return torch.where((norms == 0) & (changed != 0), changed, norms)
