"""Shifting of the program's seeds, for trials with other random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from dllint.arrival import Arrivals

#: Framework → the functions of it that set a seed, as attribute paths.
_SEEDERS: Final = {
    "torch": ("manual_seed", "cuda.manual_seed", "cuda.manual_seed_all"),
    "numpy": ("random.seed",),
    "tensorflow": ("random.set_seed",),
    "keras": ("utils.set_random_seed",),
}
_LARGEST: Final = 1 << 32


def shift_seeds(shift: int) -> None:
    """Add ``shift`` to every seed that the program sets, and seed what it does not seed with ``shift``. With 0 the program's
    own seeds stay as they are."""
    random.seed(shift)
    if shift:
        _wrap(random, "seed", shift)
    Arrivals(tuple(_SEEDERS), lambda name: _seed(name, shift)).install()


def _seed(framework: str, shift: int) -> None:
    import sys

    for path in _SEEDERS[framework]:
        owner: Any = sys.modules[framework]
        *parts, name = path.split(".")
        for part in parts:
            owner = getattr(owner, part, None)
        if owner is None or not hasattr(owner, name):
            continue
        if path in ("manual_seed", "random.seed"):
            getattr(owner, name)(shift)
        if shift:
            _wrap(owner, name, shift)


def _wrap(owner: Any, name: str, shift: int) -> None:
    original: Callable[..., Any] = getattr(owner, name)

    def shifted(seed: Any = None, *args: Any, **kwargs: Any) -> Any:
        return original((seed + shift) % _LARGEST if isinstance(seed, int) else seed, *args, **kwargs)

    setattr(owner, name, shifted)
