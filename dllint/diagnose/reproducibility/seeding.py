"""Seeds that a program sets, with the place and value, and generators that it uses unseeded."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, Final

from dllint.arrival import Arrivals
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.places import user_places
from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.reproducibility.circumstances import Generator, Seeding

_MOST: Final = 200
#: Module that has to be imported → where in it the functions are that seed its generator: all places of each function.
_SEEDERS: Final = {
    "numpy": (("random.seed",),),
    "torch": (("random.manual_seed", "manual_seed"), ("random.seed", "seed")),
    "tensorflow": (("random.set_seed",),),
}


def _torch_state() -> bytes:
    state: bytes = sys.modules["torch"].get_rng_state().numpy().tobytes()
    return state


def _numpy_state() -> tuple[Any, ...]:
    name, keys, *rest = sys.modules["numpy"].random.get_state()
    return (name, keys.tobytes(), *rest)


#: What a generator will give next, in a form that can be compared.
_STATES: Final[dict[str, Callable[[], Any]]] = {"python": random.getstate, "numpy": _numpy_state, "torch": _torch_state}


class Seedings:
    """Notes seedings between :meth:`install` and :meth:`remove`. What was drawn unseeded is only known ``from_start``."""

    def __init__(self, monitor: Monitor, *, from_start: bool) -> None:
        self._monitor = monitor
        self._from_start = from_start
        self._patches = Patches(monitor.failed)
        self._arrivals = Arrivals(tuple(_SEEDERS), self._arrived)
        self._initial: dict[str, Any] = {}
        self._first: dict[str, str] = {}
        self._unseeded: set[str] = set()
        self.found: list[Seeding] = []

    def install(self) -> None:
        """Begin."""
        self._watch("python", [(random, "seed")])
        self._arrivals.install()

    def remove(self) -> None:
        """End: the functions are what they were."""
        self._arrivals.remove()
        self._patches.undo()

    def generators(self) -> tuple[Generator, ...]:
        """The generators of the program."""
        for name in self._initial:
            self._check(name)
        return tuple(Generator(name, self._first.get(name, ""), name in self._unseeded) for name in self._initial)

    def _arrived(self, name: str) -> None:
        for paths in _SEEDERS[name]:
            self._watch(name, [_found(name, path) for path in paths])
        if name == "torch":
            self._first[name] = str(sys.modules[name].initial_seed())

    def _watch(self, generator: str, places: list[tuple[Any, str]]) -> None:
        """Watch a function that stands in these places: modules and names."""
        (owner, function), *others = places
        self._initial.setdefault(generator, _STATES[generator]() if generator in _STATES else None)

        def seeded(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
            if self._monitor.active and generator != "python":
                self._check(generator)
            result = original(*args, **kwargs)
            if self._monitor.active:
                given = result if function == "seed" and generator == "torch" else next(iter((*args, *kwargs.values())), None)
                self._note(generator, given)
            return result

        self._patches.wrap(owner, function, seeded, others)

    def _check(self, generator: str) -> None:
        """Find out whether numbers were drawn, unless the generator has been seeded before."""
        state = _STATES.get(generator)
        if self._from_start and state is not None and all(seeding.generator != generator for seeding in self.found):
            self._unseeded |= {generator} if state() != self._initial[generator] else set()

    def _note(self, generator: str, value: Any) -> None:
        text = "" if value is None else str(value)[:100]
        seeding = Seeding(generator, text, next(iter(user_places(3, 1)), None), self._monitor.steps)
        if len(self.found) < _MOST and seeding not in self.found:
            self.found.append(seeding)


def _found(module: str, path: str) -> tuple[Any, str]:
    """The object that holds a function, and the function's name there."""
    *parts, function = path.split(".")
    owner: Any = sys.modules[module]
    for part in parts:
        owner = getattr(owner, part)
    return owner, function
