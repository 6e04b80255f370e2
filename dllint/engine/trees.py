"""Searched directories of earlier runs: which of their files are others now, and which answers still hold.

By their stamps most directories are seen to be as they were. For the others there is the content of each file as it was, so
that a file that was only touched changes nothing, and the questions, of which only those are asked again that a changed file
may decide.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dllint.engine.hashes import hashed
from dllint.engine.present import CONTENT, Present, Stamped
from dllint.engine.store import Store, is_text
from dllint.engine.stored import answered_from_data, answered_to_data, state_from_data, state_to_data
from dllint.source.observed import Answered, Searched, State

if TYPE_CHECKING:
    from dllint.source.questions import Questions


@dataclass
class Trees:
    """The searched directories of a store, for one run."""

    store: Store
    present: Present
    _changed: dict[tuple[Searched, str], frozenset[str] | None] = field(default_factory=dict)
    _holds: dict[tuple[Answered, frozenset[str]], bool] = field(default_factory=dict)
    _kept: set[State] = field(default_factory=set)
    _seen: set[State] = field(default_factory=set)
    _has_stamps: bool = False

    @cached_property
    def _questions(self) -> Questions:
        from dllint.source.questions import Questions  # hardly any run asks again

        return Questions()

    def data(self, trees: Sequence[State], answers: Sequence[Answered], asked: Sequence[State]) -> list[Any] | None:
        """What a result depends on, as nested lists; what is needed to tell later what has changed is stored. ``None`` if that
        is not known any more."""
        for state in (*trees, *asked):
            if not self._keep(state):
                return None
        return [list(map(state_to_data, trees)), list(map(answered_to_data, answers)), list(map(state_to_data, asked))]

    def hold(self, data: list[Any]) -> bool:
        """Whether what a result depends on is as it was. Raises ValueError or TypeError on anything but :meth:`data`."""
        trees, answers, asked = data
        if any(self._changed_in(state) != frozenset() for state in map(state_from_data, trees)):
            return False
        changed = {state.place: self._changed_in(state) for state in map(state_from_data, asked)}
        if not any(files is None or files for files in changed.values()):
            return True
        return all(self._holds_still(answered, changed) for answered in map(answered_from_data, answers))

    def mark(self, now: float) -> None:
        """Note that what was asked for in this run is in use."""
        self.store.write("UPDATE trees SET used = ? WHERE state = ?", [(now, _name(state)) for state in self._seen])

    def forget(self, limit: float) -> None:
        """Drop what has not been in use since a time."""
        self.store.write("DELETE FROM trees WHERE used < ?", [(limit,)])

    def _holds_still(self, answered: Answered, changed: dict[Searched, frozenset[str] | None]) -> bool:
        files: set[str] = set()
        for place in answered.places:
            there = changed[place]
            if there is None:
                return False
            files |= there
        if not files:
            return True
        key = answered, frozenset(files)
        if key not in self._holds:
            self._holds[key] = self._questions.still_hold(*key)
        return self._holds[key]

    def _changed_in(self, kept: State) -> frozenset[str] | None:
        """The files of a directory that are others than they were, new or gone; ``None`` if that is not known."""
        self._seen.add(kept)
        if self.present.is_still(kept):
            return frozenset()
        key = kept.place, kept.digest
        if key not in self._changed:
            self._changed[key] = self._compared(kept)
        return self._changed[key]

    def _compared(self, kept: State) -> frozenset[str] | None:
        rows = self.store.rows("SELECT files FROM trees WHERE state = ?", (_name(kept),))
        if not rows:
            return None
        before: dict[str, str] = json.loads(zlib.decompress(rows[0][0]))
        self._load_stamps()
        now = self.present.contents(kept.place)
        return frozenset(path for path in {*before, *now} if before.get(path) != now.get(path))

    def _load_stamps(self) -> None:
        if not self._has_stamps:
            self._has_stamps = True
            statement = "SELECT path, stamp, state FROM stamps JOIN paths ON paths.number = stamps.number WHERE kind = ?"
            for path, stamp, state in self.store.rows(statement, (CONTENT,)):
                self.present.kept.setdefault((CONTENT, path), Stamped(stamp, state))

    def _keep(self, state: State) -> bool:
        if state in self._kept:
            return True
        contents = self.present.contents_of(state)
        if contents is None:
            return False
        self._kept.add(state)
        packed = zlib.compress(json.dumps(contents).encode(), 1)
        self.store.write("INSERT OR REPLACE INTO trees VALUES (?, ?, ?)", [(_name(state), time.time(), packed)])
        for path in contents:
            if is_text(path):
                self.store.number(path)
        return True


def _name(state: State) -> str:
    return hashed([json.dumps([str(state.place.directory), state.place.below, state.digest])])
