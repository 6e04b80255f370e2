"""What has been loaded from other files over the texts of a document that is edited, and what that rests on.

A module is loaded once for all texts (``Policy.LOADED``), so it must not depend on the text. It does if its statements, or the
imports among its names, have looked at the document itself: imports that go in a circle. Such a module, and every module that
may hold values of it, is *entangled*: what it has become is true as long as all steps that have used it, in their order, do
the same again. If one of them does not, it is loaded anew, and these steps are executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dllint.lower.pending import Loads
from dllint.lower.recording import Recorded

if TYPE_CHECKING:
    from dllint.ir.values import Value
    from dllint.lower.state import Budget, Imports


class RecordedLoads(Loads):
    """The modules that have been loaded. ``own`` are the tables that belong to the text, ``path`` is its file."""

    def __init__(self, path: Path, own: Sequence[Recorded]) -> None:
        self._path, self._own = path, own
        #: The modules that the present step has used, and whether it has loaded anything.
        self.touched: set[Path] = set()
        self.has_loaded = False
        #: How often a limit of the whole analysis has cut something short.
        self.limits = 0
        #: Star imports that the modules have followed.
        self.stars = 0
        self._loading: list[Path] = []
        #: By module: those whose values it may hold, the fuel it took, its own star imports.
        self._uses: dict[Path, set[Path]] = {}
        self._fuel: dict[Path, int] = {}
        self._stars: dict[Path, int] = {}
        #: Modules that have looked at the text; those that have changed objects of others.
        self._rests_on_text: set[Path] = set()
        self._spilled: set[Path] = set()

    def begin(self) -> None:
        """Start a step."""
        self.touched, self.has_loaded = set(), False

    @contextmanager
    def into(self, path: Path, state: dict[str, Value]) -> Iterator[None]:
        """As of any loads. What another interpreter than that of the text finds rests on the text, too."""
        before = [table.pause() for table in self._own]
        self._loading.append(path)
        try:
            yield
        finally:
            self._loading.pop()
            looked = [table.resume(noted) for table, noted in zip(self._own, before, strict=True)]
            if any(looked) or not any(table is state for table in self._own):
                self._rests_on_text.add(path)

    def use(self, path: Path) -> None:
        """A module is made use of."""
        if path != self._path:
            self.touched.add(path)
            for holder in self._loading:
                self._uses.setdefault(holder, set()).add(path)

    def loaded(self, path: Path, fuel: int, *, is_sound: bool) -> None:
        """Statements of a module have been executed; ``is_sound``: without an error of ours."""
        self.has_loaded = True
        self._fuel[path] = self._fuel.get(path, 0) + fuel
        if not is_sound:
            self._rests_on_text.add(path)

    def star(self) -> None:
        """A star import is followed."""
        if self._loading:
            self.stars += 1
            self._stars[self._loading[-1]] = self._stars.get(self._loading[-1], 0) + 1

    def limit(self) -> None:
        """A limit of the whole analysis cuts something short."""
        self.limits += 1

    def spill(self) -> None:
        """The module that is being loaded has changed objects that are not its own."""
        if self._loading:
            self._spilled.add(self._loading[-1])

    def entangled(self) -> frozenset[Path]:
        """The modules that rest on the text, directly or through the values of others."""
        found = set(self._rests_on_text)
        while more := {path for path, used in self._uses.items() if path not in found and not used.isdisjoint(found)}:
            found |= more
        return frozenset(found)

    def can_forget(self, paths: frozenset[Path]) -> bool:
        """Whether modules have left nothing in others."""
        return self._spilled.isdisjoint(paths)

    def forget(self, paths: frozenset[Path], imports: Imports, budget: Budget) -> None:
        """Load modules anew when they are used next, and give back what loading them has taken."""
        for path in paths:
            module = imports.modules.pop(path, None)
            imports.library.modules.pop(path, None)
            if module is not None:
                imports.library.pending.pop(id(module.attrs), None)
            budget.import_fuel += self._fuel.pop(path, 0)
            self.stars -= self._stars.pop(path, 0)
            self._uses.pop(path, None)
        self._rests_on_text -= paths
