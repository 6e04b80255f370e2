"""Sizes of data sets, as torch's samplers know them; the user's ``__len__`` is not called."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from operator import length_hint
from typing import Any, cast

from torch.utils.data.sampler import RandomSampler, Sampler, SequentialSampler

from dllint.diagnose.identity import IdentityMap
from dllint.diagnose.probes.containers import attribute, has_code_of_the_user
from dllint.diagnose.probes.patching import Patches


class Sizes:
    """The sizes of samplers, noted while they were watched."""

    def __init__(self, patches: Patches) -> None:
        self._patches = patches
        self._sizes: IdentityMap[Sampler[Any], int] = IdentityMap()

    def install(self) -> None:
        """Listen from now on."""
        self._patches.wrap(SequentialSampler, "__iter__", self._in_order)
        self._patches.wrap_property(RandomSampler, "num_samples", self._at_random)

    def of(self, loading: Any) -> int | None:
        """The number of samples of the data set that an iterator of a loader goes through; ``None`` if it is not known."""
        data = attribute(loading, "_dataset")
        if data is not None and not has_code_of_the_user(type(data)):
            return length(data)
        sampler = attribute(attribute(loading, "_index_sampler"), "sampler")
        return self._sizes.get(sampler) if sampler is not None else None

    def _in_order(self, original: Callable[..., Any], sampler: SequentialSampler) -> Iterator[int]:
        indices: Iterator[int] = original(sampler)
        if not has_code_of_the_user(type(indices)):
            self._sizes[sampler] = length_hint(indices)
        return indices

    def _at_random(self, original: Callable[..., Any], sampler: RandomSampler) -> int:
        count: int = original(sampler)
        if attribute(sampler, "_num_samples") is None and type(count) is int:
            self._sizes[sampler] = count
        return count


def length(data: object) -> int | None:
    """The length of what is of a library."""
    try:
        return len(cast("Sized", data))
    except TypeError:
        # Some data sets look as if they had a length, and have none.
        return None
