"""Gradients that are cleared before a step has used them."""

from __future__ import annotations

import linecache
import sys
from collections import Counter

from dllint.diagnose.places import SourcePlace, is_user_file, user_places
from dllint.diagnose.records import DiscardedGradients
from dllint.source.gradients_by_hand import uses_gradients


class Discards:
    """Counts, for each line that asks for gradients, the passes that a step used and those whose gradients were cleared."""

    def __init__(self) -> None:
        self._fresh: Counter[SourcePlace] = Counter()
        self._used: Counter[SourcePlace] = Counter()
        self._cleared: Counter[SourcePlace] = Counter()
        self._clearing: dict[SourcePlace, SourcePlace | None] = {}

    def at_backward(self, place: SourcePlace) -> None:
        """Gradients are about to be computed, outside of an optimizer's step."""
        self._fresh[place] += 1

    def at_step(self) -> None:
        """An optimizer has stepped."""
        self._used.update(self._fresh)
        self._fresh.clear()

    def at_zero(self, depth: int) -> None:
        """An optimizer clears its gradients, which is asked for by the frame so many above."""
        if not self._fresh:
            return
        if any(place not in self._clearing for place in self._fresh):
            here = next(iter(user_places(depth + 1, 1)), None)
            self._clearing |= {place: here for place in self._fresh if place not in self._clearing}
        self._cleared.update(self._fresh)
        self._fresh.clear()

    def records(self) -> tuple[DiscardedGradients, ...]:
        """The lines whose gradients were cleared at least once."""
        by_hand = any(0 < self._used[place] <= cleared for place, cleared in self._cleared.items()) and self._are_by_hand()
        return tuple(
            DiscardedGradients(place, self._clearing[place], cleared, self._used[place], by_hand)
            for place, cleared in self._cleared.items()
        )

    def _are_by_hand(self) -> bool:
        """Whether a file of the program keeps gradients or writes them."""
        loaded = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        places = (*self._cleared, *filter(None, self._clearing.values()))
        files = {name for name in loaded if isinstance(name, str) and is_user_file(name)} | {place.path for place in places}
        return any(uses_gradients("".join(linecache.getlines(name))) for name in files)
