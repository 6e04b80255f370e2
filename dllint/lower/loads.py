"""What has been loaded from other files over the texts of a document that is edited, and what that rests on.

A module is loaded once for all texts (``Policy.LOADED``), so it must not depend on the text. It does if its statements, or the
imports among its names, have looked at the document itself: imports that go in a circle. Such a module *rests* on what it has
seen, and so does every module that may hold values of it. It stays as long as the steps that use it find the document's names
as it has seen them; else it is loaded anew. Of some modules (*tied* ones) that cannot be told: they stay as long as all steps
that have used them are repeated.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dllint.ir.values import ClassVal, FuncVal, SetVal, Value
from dllint.lower.journal import Entry
from dllint.lower.pending import Loads
from dllint.lower.recording import Recorded, same

if TYPE_CHECKING:
    from dllint.lower.state import Budget, Imports

#: By number of the table and key: what has been read.
Seen = dict[tuple[int, Hashable], Value]


class RecordedLoads(Loads):
    """The modules that have been loaded. ``path`` is the file of the text, ``own`` are the tables that belong to the text."""

    def __init__(self, path: Path, own: Sequence[Recorded]) -> None:
        self._path, self.own = path, own
        #: The modules that the present step has used, and whether it has loaded anything.
        self.touched: set[Path] = set()
        self.has_loaded = False
        #: How often a limit of the whole analysis has cut something short.
        self.limits = 0
        #: Star imports that the modules have followed.
        self.stars = 0
        self._loading: list[Path] = []
        #: By module: those whose values it may hold, the fuel it took, its own star imports, what it has seen of the text.
        self._uses: dict[Path, set[Path]] = {}
        self._fuel: dict[Path, int] = {}
        self._stars: dict[Path, int] = {}
        self._seen: dict[Path, Seen] = {}
        self._tied: set[Path] = set()
        #: By module: the objects of others that it has changed while it was loaded; ``None`` is one that cannot be set back.
        self._changed: dict[Path, list[SetVal | None]] = {}

    def begin(self) -> None:
        """Start a step."""
        self.touched, self.has_loaded = set(), False

    @contextmanager
    def into(self, path: Path, state: Mapping[str, Value]) -> Iterator[None]:
        """As of any loads. What another interpreter than that of the text finds cannot be told."""
        before = [table.pause() for table in self.own]
        self._loading.append(path)
        try:
            yield
        finally:
            self._loading.pop()
            is_told = any(table is state for table in self.own)
            for number, (table, noted) in enumerate(zip(self.own, before, strict=True)):
                since = table.resume(noted)
                is_told = is_told and not since.written and since.whole is None
                self._see(path, {(number, key): value for key, value in since.reads.items()})
            if not is_told:
                self._tied.add(path)

    def _see(self, path: Path, seen: Seen) -> None:
        known = self._seen.setdefault(path, {}) if seen else {}
        if any(key in known and not same(known[key], value) for key, value in seen.items()):
            self._tied.add(path)
        known.update(seen)

    def use(self, path: Path) -> None:
        """A module is made use of."""
        if path != self._path:
            self.touched.add(path)
            for holder in self._loading:
                self._uses.setdefault(holder, set()).add(path)

    def loaded(self, path: Path, fuel: int, *, is_sound: bool) -> None:
        """Statements of a module have been executed; ``is_sound``: to their end, and without an error of ours."""
        self.has_loaded = True
        self._fuel[path] = self._fuel.get(path, 0) + fuel
        if not is_sound:
            self._tied.add(path)

    def star(self) -> None:
        """A star import is followed."""
        if self._loading:
            self.stars += 1
            self._stars[self._loading[-1]] = self._stars.get(self._loading[-1], 0) + 1

    def limit(self) -> None:
        """A limit of the whole analysis cuts something short."""
        self.limits += 1

    def change(self, changes: Iterable[Entry]) -> None:
        """The module that is being loaded has changed objects that were there before."""
        if self._loading:
            owners = (owner if isinstance(owner, SetVal) else None for _, owner, _ in changes)
            self._changed.setdefault(self._loading[-1], []).extend(owners)

    # --- what rests on the text ------------------------------------------------------------------------------------------

    def resting(self) -> frozenset[Path]:
        """The modules that rest on the text, directly or through the values of others."""
        return self._holders({*self._seen, *self._tied})

    def tied(self) -> frozenset[Path]:
        """Those of them of which it cannot be told what they rest on."""
        return self._holders(self._tied)

    def _holders(self, paths: set[Path]) -> frozenset[Path]:
        found = set(paths)
        while more := {path for path, used in self._uses.items() if path not in found and not used.isdisjoint(found)}:
            found |= more
        return frozenset(found)

    def seen_by(self, paths: Iterable[Path]) -> Iterator[tuple[Recorded, Hashable, Value]]:
        """What some modules, and those whose values they hold, have seen of the text."""
        todo, done = list(paths), set[Path]()
        while todo:
            path = todo.pop()
            if path not in done:
                done.add(path)
                todo.extend(self._uses.get(path, ()))
                yield from ((self.own[number], key, value) for (number, key), value in self._seen.get(path, {}).items())

    # --- loading anew ----------------------------------------------------------------------------------------------------

    def can_forget(self, paths: frozenset[Path]) -> bool:
        """Whether what modules have left in others can be taken out again."""
        return all(None not in self._changed.get(path, ()) for path in paths)

    def forget(self, paths: frozenset[Path], imports: Imports, budget: Budget) -> None:
        """Load modules anew when they are used next, and give back what loading them has taken."""
        for path in paths:
            module = imports.modules.pop(path, None)
            imports.library.modules.pop(path, None)
            if module is not None:
                imports.library.pending.pop(id(module.attrs), None)
            for changed in self._changed.pop(path, ()):
                _take_out(changed, paths)
            budget.import_fuel += self._fuel.pop(path, 0)
            self.stars -= self._stars.pop(path, 0)
            self._uses.pop(path, None)
            self._seen.pop(path, None)
        self._tied -= paths


def _take_out(changed: SetVal | None, paths: frozenset[Path]) -> None:
    """Remove the definitions of some modules from a set; the order of the rest tells nothing."""
    if changed is not None:
        changed.items[:] = [item for item in changed.items if not _is_of(item, paths)]


def _is_of(item: Any, paths: frozenset[Path]) -> bool:
    return isinstance(item, (ClassVal, FuncVal)) and item.document is not None and item.document.path in paths
