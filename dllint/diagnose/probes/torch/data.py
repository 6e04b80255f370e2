"""Batches: what loaders give, and what of it is recorded."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Concatenate, Final, ParamSpec
from weakref import ref

import torch
from torch import Tensor
from torch.utils.data.dataloader import DataLoader, _BaseDataLoaderIter
from torch.utils.data.sampler import WeightedRandomSampler

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace, user_places
from dllint.diagnose.probes.containers import attribute, has_code_of_the_user, parts
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.revealing import revealing_columns
from dllint.diagnose.probes.torch.columns import Columns
from dllint.diagnose.probes.torch.held_out import HeldOut
from dllint.diagnose.probes.torch.sizes import Sizes, length
from dllint.diagnose.probes.torch.statistics import read_stats
from dllint.diagnose.records import BatchRecord, BatchTensor, SamplerRecord

P = ParamSpec("P")

_MOST_TENSORS: Final = 8
_MOST_BYTES: Final = 1 << 16
_MOST_CLASSES: Final = 1000
#: Lines by which the name of a loader is found.
_MOST_PLACES: Final = 3


class Batches:
    """The batch under way. ``last`` is what a loader gave last, ``None`` if the program uses none."""

    def __init__(self, monitor: Monitor, patches: Patches) -> None:
        self._monitor = monitor
        self._patches = patches
        self.last: Any = None
        self._available: int | None = None
        self._given = 0
        self._place: SourcePlace | None = None
        self._built: IdentityMap[Any, SourcePlace | None] = IdentityMap()
        #: Of each iterator its loader.
        self._started: IdentityMap[Any, Callable[[], DataLoader[Any] | None]] = IdentityMap()
        self._loader: Callable[[], DataLoader[Any] | None] = lambda: None
        self._held_out = HeldOut(monitor)
        self._samplers: IdentityMap[Any, SourcePlace | None] = IdentityMap()
        self._sizes = Sizes(patches)
        self._columns: dict[str, Columns] = {}

    def install(self) -> None:
        """Note what loaders give from now on."""
        self._sizes.install()
        self._patches.wrap(DataLoader, "__init__", self._build)
        self._patches.wrap(WeightedRandomSampler, "__init__", self._build_sampler)
        self._patches.wrap(_BaseDataLoaderIter, "__init__", self._begin)
        self._patches.wrap(_BaseDataLoaderIter, "__next__", self._next)

    def _build(
        self, original: Callable[Concatenate[Any, P], Any], loader: DataLoader[Any], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        if self._monitor.active:
            self._monitor.constructing(sys._getframe(2))
            places = user_places(2, _MOST_PLACES)
            self._built[loader] = next(iter(places), None)
            self._held_out.built(loader, places)
        original(loader, *args, **kwargs)
        if self._monitor.active:
            self._compare_weights(attribute(loader, "sampler"), attribute(loader, "dataset"))

    def _build_sampler(
        self, original: Callable[Concatenate[Any, P], Any], sampler: Any, *args: P.args, **kwargs: P.kwargs
    ) -> None:
        if self._monitor.active:
            self._samplers[sampler] = next(iter(user_places(2, 1)), None)
        original(sampler, *args, **kwargs)

    def _compare_weights(self, sampler: Any, data: Any) -> None:
        """Samples beyond the last weight are never drawn."""
        weights = attribute(sampler, "weights") if isinstance(sampler, WeightedRandomSampler) else None
        samples = length(data) if weights is not None and not has_code_of_the_user(type(data)) else None
        if isinstance(weights, Tensor) and samples is not None and weights.numel() < samples:
            self._monitor.sampler(SamplerRecord(self._samplers.get(sampler), weights.numel(), samples))

    def _begin(
        self,
        original: Callable[Concatenate[Any, Any, P], Any],
        iterator: Any,
        loader: DataLoader[Any],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> None:
        original(iterator, loader, *args, **kwargs)
        if self._monitor.active:
            self._started[iterator] = ref(loader)

    def _next(self, original: Callable[..., Any], iterator: Any) -> Any:
        batch = original(iterator)
        if self._monitor.active:
            started = self._started.get(iterator, lambda: None)
            loader = started()
            place = self._built.get(loader) if loader is not None else None
            size = self._sizes.of(iterator)
            if loader is not None:
                self._held_out.give(loader, size)
            if torch.is_grad_enabled():
                self.last, self._loader, self._place, self._available = batch, started, place, size
                self._given += 1
        return batch

    def finish(self) -> None:
        """Record what was held out."""
        self._held_out.finish()

    def record(self, inputs: tuple[Any, ...]) -> BatchRecord | None:
        """The batch under way; of a program without loaders, what its model was called with."""
        source = self.last if self.last is not None else inputs
        tensors = list(zip(range(_MOST_TENSORS), _tensors(source, ""), strict=False))
        if not tensors:
            return None
        from_loader = self.last is not None
        loader = self._loader()
        if from_loader and loader is not None:
            self._held_out.train(loader)
        described = tuple(self._describe(name, tensor, _role(index, from_loader)) for index, (name, tensor) in tensors)
        fingerprint = 0
        for _, (_, tensor) in tensors:
            fingerprint = zlib.crc32(leading_bytes(tensor), fingerprint)
        return BatchRecord(
            f"{fingerprint:08x}",
            described,
            self._available if from_loader else None,
            self._given if from_loader else None,
            self._place if from_loader else None,
            _revealing([tensor for _, (_, tensor) in tensors[:2]]) if from_loader else (),
        )

    def _describe(self, name: str, tensor: Tensor, role: str) -> BatchTensor:
        has_columns = role == "input" and tensor.dim() == 2 and tensor.is_floating_point() and tensor.numel() > 0
        columns = self._columns.setdefault(name, Columns()) if has_columns else None
        return BatchTensor(
            name,
            role,
            tuple(tensor.shape),
            str(tensor.dtype).removeprefix("torch."),
            read_stats(tensor) if tensor.numel() else None,
            classes_of(tensor),
            columns.add(tensor) if columns is not None else None,
        )


def _role(index: int, from_loader: bool) -> str:
    if not from_loader:
        return "input"
    return ("input", "target")[index] if index < 2 else "unknown"


def _revealing(pair: Sequence[Tensor]) -> tuple[int, ...]:
    """The columns of the inputs that are the targets."""
    if len(pair) != 2 or not all(type(tensor) is Tensor and tensor.dim() < 3 and tensor.dtype.itemsize > 2 for tensor in pair):
        return ()
    inputs, targets = (tensor.detach().cpu() for tensor in pair)
    return () if inputs.is_complex() or targets.is_complex() else revealing_columns(inputs.numpy(), targets.numpy())


def _tensors(value: Any, name: str) -> Iterator[tuple[str, Tensor]]:
    """The tensors of a batch with their names: positions and keys, joined by dots."""
    if isinstance(value, Tensor):
        yield name or "0", value
        return
    for key, item in parts(value):
        yield from _tensors(item, f"{name}.{key}" if name else key)


def classes_of(tensor: Tensor) -> dict[str, int]:
    """How often each value occurs in integers of few values."""
    if tensor.is_floating_point() or tensor.is_complex() or tensor.dim() > 1 or not tensor.numel():
        return {}
    values, counts = torch.unique(tensor.detach().cpu(), return_counts=True)
    if len(values) > _MOST_CLASSES:
        return {}
    return {str(int(value)): int(count) for value, count in zip(values, counts, strict=True)}


def leading_bytes(tensor: Tensor) -> bytes:
    """Shape and the leading bytes of the contents."""
    flat = tensor.detach().reshape(-1)
    part = flat[: _MOST_BYTES // max(flat.element_size(), 1)].cpu().contiguous()
    contents = part.view(torch.uint8).numpy().tobytes() if part.numel() and not part.is_complex() else b""
    return str(tuple(tensor.shape)).encode() + contents
