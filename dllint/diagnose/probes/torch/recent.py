"""The latest batches of the model and its loss function, for experiments at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from torch import Tensor, nn

from dllint.diagnose.probes.torch.anatomy import is_training, modules
from dllint.diagnose.probes.torch.loss_calls import Graded
from dllint.diagnose.probes.torch.modules import float_tensors

_MOST_BATCHES: Final = 64
_MOST_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Example:
    """A batch: the loss function's call, the model's arguments, and which of its modules were in training mode."""

    graded: Graded
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    versions: tuple[int, ...]
    modes: tuple[bool, ...]
    size: int

    @property
    def is_intact(self) -> bool:
        """Whether the program has not written into the batch since."""
        return self.versions == _versions(self.given, self.graded.target)

    @property
    def given(self) -> tuple[Any, ...]:
        """All of the model's arguments."""
        return (*self.arguments, *self.keywords.values())


class Recent:
    """Keeps references, not copies, within a bound of memory, to batches of one model."""

    def __init__(self) -> None:
        self._examples: deque[Example] = deque(maxlen=_MOST_BATCHES)
        #: The model of the batches: a program may let go of it before the run has ended.
        self.model: nn.Module | None = None

    def keep(self, graded: Graded) -> None:
        """Keep a batch whose predictions are what the model gave. What another module made, which learns itself, is none: it
        would be told anew in the end by weights that it was not made for."""
        call = graded.model_call
        model = _unwrapped(call.model()) if call is not None else None
        if call is None or model is None or graded.part is None:
            return
        if any(tensor.grad_fn is not None for tensor in float_tensors(call.arguments)):
            self.forget()
            return
        if model is not self.model:
            self._examples.clear()
            self.model = model
        size = sum(tensor.numel() * tensor.element_size() for tensor in _tensors(call.given, graded.target))
        modes = tuple(is_training(module) for module in modules(model))
        example = Example(graded, call.arguments, call.keywords, _versions(call.given, graded.target), modes, size)
        self._examples.append(example)
        while sum(kept.size for kept in self._examples) > _MOST_BYTES and self._examples:
            self._examples.popleft()

    def examples(self) -> list[Example]:
        """The intact batches of the latest loss function, each tensor once, the latest last."""
        found: dict[tuple[int, ...], Example] = {}
        for example in self._examples:
            same_kind = example.graded.record.kind == self._examples[-1].graded.record.kind
            if same_kind and example.is_intact:
                found[tuple(tensor.data_ptr() for tensor in _tensors(example.given, example.graded.target))] = example
        return list(found.values())

    def forget(self) -> None:
        """Let go of the model and the batches."""
        self._examples.clear()
        self.model = None


def _unwrapped(model: nn.Module | None) -> nn.Module | None:
    """The model inside a wrapper that spreads it over devices or processes."""
    wrappers = (nn.DataParallel, nn.parallel.DistributedDataParallel)
    return model.module if isinstance(model, wrappers) else model


def _tensors(arguments: tuple[Any, ...], target: Tensor) -> Iterator[Tensor]:
    for argument in arguments:
        if isinstance(argument, Tensor):
            yield argument
    yield target


def _versions(arguments: tuple[Any, ...], target: Tensor) -> tuple[int, ...]:
    return tuple(tensor._version for tensor in _tensors(arguments, target) if not tensor.is_inference())
