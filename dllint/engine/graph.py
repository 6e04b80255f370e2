"""The direct facts of a store about files, looked up as far as they are asked for and brought up to date.

A node is current if the content of its file and the listings that its answers depend on are as they were (its *seal*). If only
listings have changed, its questions are asked again. If its content has, what was asked in it counts no more.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dllint.engine.dependencies import Facts
from dllint.engine.hashes import hashed
from dllint.engine.present import CONTENT, LISTING, Present, Stamped
from dllint.engine.store import Store, is_text
from dllint.source.resolution import Resolver, SearchPath, Watched


class _Questions(NamedTuple):
    """What was asked in a file (name and level) with the path that is the answer, and what the answers depend on."""

    answers: dict[tuple[str, int], str | None]
    watched: set[Watched]


@dataclass(slots=True)
class _Kept:
    """What is stored of a node: which state it was sealed in, its hash, what its answers depend on."""

    seal: str
    own: str
    listings: list[int]
    holding: list[int]


@dataclass(slots=True)
class Graph:
    """The nodes of one ``context``: those of one version of dllint along the same search path. A node is a hash of what is
    directly true of the file with a number, ``None`` if that is not known."""

    store: Store
    present: Present
    context: str
    path: SearchPath
    nodes: dict[int, str | None] = field(default_factory=dict)
    _resolver: Resolver = field(init=False)
    #: What was asked in this run, and the answers that are to be written.
    _asked: dict[str, _Questions] = field(default_factory=dict)
    _changed: dict[str, _Questions] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._resolver = Resolver(self.path)

    def state_of(self, numbers: Iterable[int]) -> str | None:
        """A hash of what is true of some files, in this order; ``None`` if that of one of them is not known."""
        found = [self.nodes.get(number) for number in numbers]
        return None if None in found else hashed(each for each in found if each is not None)

    def numbers(self, paths: Iterable[str]) -> list[int] | None:
        """The numbers of some files; ``None`` if one has none."""
        found = [self.store.known_number(path) for path in paths]
        known = sorted(number for number in found if number is not None)
        return known if len(known) == len(found) else None

    def load(self, numbers: Collection[int]) -> None:
        """Look at the nodes of some files; what is not stored is no node."""
        found = self._read({number for number in numbers if number not in self.nodes})
        paths = self.store.paths(found)
        for number, kept in found.items():
            self.nodes[number] = self._present_node(paths[number], kept, paths)

    def _read(self, numbers: set[int]) -> dict[int, _Kept]:
        statement = (
            "SELECT nodes.number, facts, stamp, state FROM nodes "
            "LEFT JOIN stamps ON stamps.number = nodes.number AND kind = ? WHERE context = ? AND nodes.number IN"
        )
        rows = list(self.store.rows_of(statement, (CONTENT, self.context), numbers))
        kept = {number: _Kept(*json.loads(facts)) for number, facts, _, _ in rows}
        paths = self.store.paths({*numbers, *(other for one in kept.values() for other in (*one.listings, *one.holding))})
        for number, _, stamp, state in rows:
            if stamp is not None:
                self.present.kept[CONTENT, paths[number]] = Stamped(stamp, state)
        listed = {other for one in kept.values() for other in one.listings}
        unknown = {number for number in listed if (LISTING, paths[number]) not in self.present.kept}
        for number, stamp, state in self.store.rows_of(
            "SELECT number, stamp, state FROM stamps WHERE kind = ? AND number IN", (LISTING,), unknown
        ):
            self.present.kept[LISTING, paths[number]] = Stamped(stamp, state)
        return kept

    def _present_node(self, path: str, kept: _Kept, paths: Mapping[int, str]) -> str:
        """The node of a file as it is now; ``paths`` has those of all numbers in what is kept."""
        if self._seal(self.present.content(path), self._watched(kept, paths)) == kept.seal:
            return kept.own
        stored = self._stored(path)
        if stored is None:
            return hashed([path, self.present.content(path)])
        self._changed[path] = stored
        return self._node(path, stored)

    def _stored(self, path: str) -> _Questions | None:
        """The stored questions of a file with their present answers; ``None`` if its content is another than it was."""
        if path in self._changed:
            return self._changed[path]
        given = (self.context, self.store.known_number(path))
        rows = self.store.rows("SELECT facts, questions FROM nodes WHERE context = ? AND number = ?", given)
        if not rows:
            return None
        kept, (content, questions) = _Kept(*json.loads(rows[0][0])), json.loads(rows[0][1])
        if content != self.present.content(path):
            return None
        answers = (answer for _, _, answer in questions if answer is not None)
        paths = self.store.paths((*kept.listings, *kept.holding, *answers))
        watched = self._watched(kept, paths)
        if self._seal(content, watched) == kept.seal:
            found = {(name, level): None if answer is None else paths[answer] for name, level, answer in questions}
            return _Questions(found, set(watched))
        again = {(name, level): self._resolver.look_up(path, name, level) for name, level, _ in questions}
        asked = self._resolver.asked.get(path)
        return _Questions(again, set() if asked is None else asked.watched)

    @staticmethod
    def _watched(kept: _Kept, paths: Mapping[int, str]) -> list[Watched]:
        listings = [Watched(paths[number]) for number in kept.listings]
        return [*listings, *(Watched(paths[number], holds=True) for number in kept.holding)] if kept.holding else listings

    def _seal(self, content: str, watched: Iterable[Watched]) -> str:
        return hashed([content, *map(self.present.watched, watched)])

    def _node(self, path: str, questions: _Questions) -> str:
        answers = sorted((name, level, answer or "") for (name, level), answer in questions.answers.items())
        return hashed([json.dumps([path, self.present.content(path), answers])])

    def learn(self, facts: Facts) -> None:
        """Take over what an analysis of this run has asked."""
        self.present.learn(facts.listings, facts.holding)
        for path, asked in facts.asked.items():
            known = self._asked.setdefault(path, _Questions({}, set()))
            known.answers.update(asked.answers)
            known.watched.update(asked.watched)

    def renew(self, paths: Collection[str]) -> None:
        """Bring the nodes of files that were read in this run up to date."""
        numbers = {self.store.number(path): path for path in paths if is_text(path)}
        self.load(numbers)
        self.nodes.update({number: self._renewed(path) for number, path in numbers.items()})

    def _renewed(self, path: str) -> str | None:
        asked = self._asked.get(path, _Questions({}, set()))
        stored = self._stored(path)
        if stored is None or not asked.answers.items() <= stored.answers.items():
            before = _Questions({}, set()) if stored is None else stored
            both = _Questions({**before.answers, **asked.answers}, before.watched | asked.watched)
            self._changed[path] = both
        else:
            both = stored
        moving = any(watched.directory in self.present.moving for watched in both.watched)
        if moving or not self.present.is_settled(path):
            self._changed.pop(path, None)
            return None
        return self._node(path, both)

    def write(self) -> bool:
        """Store what has changed; whether anything has."""
        self.store.write("INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?)", list(map(self._row, self._changed)))
        return bool(self._changed)

    def _row(self, path: str) -> tuple[str, int, str, str]:
        number, (answers, watched) = self.store.number, self._changed[path]
        content, ordered = self.present.content(path), sorted(watched)
        listings = [each for each in ordered if not each.holds]
        holding = [each for each in ordered if each.holds]
        seal = self._seal(content, [*listings, *holding])
        directories = [[number(each.directory) for each in group] for group in (listings, holding)]
        facts = [seal, self._node(path, self._changed[path]), *directories]
        questions = [[name, level, None if answer is None else number(answer)] for (name, level), answer in answers.items()]
        return self.context, number(path), json.dumps(facts), json.dumps([content, questions])
