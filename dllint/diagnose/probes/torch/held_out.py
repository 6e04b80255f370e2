"""Loaders that are named as those of held-out data, compared with the data that is trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import ref

import numpy as np
from torch import Tensor
from torch.utils.data import DataLoader, Subset, TensorDataset

from dllint.diagnose.bound_names import bound_words
from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import SourcePlace
from dllint.diagnose.probes.containers import attribute, state_of
from dllint.diagnose.probes.same_rows import Array, shared_rows
from dllint.diagnose.records import HeldOutRecord

#: Words in the name of a loader of held-out data, and one that says that it is not.
_HELD_OUT: Final = frozenset({"val", "valid", "validation", "test", "testing", "dev", "holdout", "heldout"})
_TRAINED: Final = frozenset({"train", "training", "trained"})
#: Bytes of samples that are compared by their contents.
_MOST_BYTES: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class _Data:
    """The data of a loader: a data set, and which of its samples (all: ``None``). ``state`` are the plain settings of the data
    set, which may choose its samples by them."""

    base: Any
    indices: Array | None
    state: dict[str, Any]


class HeldOut:
    """Compares the data of loaders that are named so with that of the loader of the latest steps, when they give batches. Folds
    have loaders of their own: what one of them shares with its training counts."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        #: Loaders that are named so, with the line that names them.
        self._named: IdentityMap[Any, SourcePlace] = IdentityMap()
        self._compared: IdentityMap[Any, bool] = IdentityMap()
        self._training: Callable[[], DataLoader[Any] | None] = lambda: None
        self._state: dict[str, Any] = {}
        self._trained: set[SourcePlace | None] = set()
        self._records: dict[SourcePlace, HeldOutRecord] = {}

    def built(self, loader: DataLoader[Any], places: Sequence[SourcePlace]) -> None:
        """A loader is built by the user's lines, innermost first."""
        words = [(place, bound_words(place)) for place in places]
        named = next((place for place, known in words if known & _HELD_OUT), None)
        if named is not None and not any(known & _TRAINED for _, known in words):
            self._named[loader] = named

    def train(self, loader: DataLoader[Any]) -> None:
        """A step is made with a batch of a loader."""
        if self._training() is not loader:
            self._training = ref(loader)
            self._trained.add(self._named.get(loader))
        self._state = _settings(_data(loader).base)

    def give(self, loader: DataLoader[Any], size: int | None) -> None:
        """A loader of so many samples gives a batch."""
        place, training = self._named.get(loader), self._training()
        if place is None or training is None or training is loader or loader in self._compared:
            return
        self._compared[loader] = True
        with self._monitor.measured():
            samples, shared = self._counts(_data(training), _data(loader), size or 0)
        known = self._records.get(place)
        if samples and (known is None or shared * known.samples < known.shared * samples):
            self._records[place] = HeldOutRecord(place, samples, shared)

    def finish(self) -> None:
        """Record what has been compared."""
        for place, record in self._records.items():
            if place not in self._trained:
                self._monitor.held_out(record)

    def _counts(self, trained: _Data, held: _Data, size: int) -> tuple[int, int]:
        """How many samples were looked for among those that are trained on, and found."""
        if trained.base is held.base and self._state == held.state:
            if held.indices is None:
                return (size, size) if trained.indices is None else (0, 0)
            found = np.isin(held.indices, trained.indices) if trained.indices is not None else held.indices >= 0
            return len(found), int(found.sum())
        if type(trained.base) is TensorDataset and type(held.base) is TensorDataset:
            return shared_rows(_rows(trained), _rows(held))
        return 0, 0


def _data(loader: DataLoader[Any]) -> _Data:
    base, indices = attribute(loader, "dataset"), None
    while type(base) is Subset:
        outer = _indices(attribute(base, "indices"))
        if outer is None:
            break
        base, indices = attribute(base, "dataset"), outer if indices is None else outer[indices]
    return _Data(base, indices, _settings(base))


def _indices(given: object) -> Array | None:
    if type(given) in (list, range, tuple, np.ndarray) or isinstance(given, Tensor):
        array = np.asarray(given)
        return array if array.ndim == 1 and array.dtype.kind in "iu" else None
    return None


def _rows(data: _Data) -> list[Array]:
    tensors = [part for part in attribute(data.base, "tensors") if isinstance(part, Tensor)]
    if sum(part.numel() * part.element_size() for part in tensors) > _MOST_BYTES or any(part.is_cuda for part in tensors):
        return []
    arrays = [part.detach().numpy() for part in tensors if part.dtype.itemsize != 2]
    chosen = arrays if len(arrays) == len(tensors) else []
    return chosen if data.indices is None else [array[data.indices] for array in chosen]


def _settings(base: Any) -> dict[str, Any]:
    return {name: value for name, value in state_of(base).items() if type(value) in (bool, int, float, str)}
