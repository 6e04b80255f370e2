"""The direct facts of a store about files, looked up as far as they are asked for and brought up to date.

A node is current if the content of its file and the listings that its answers depend on are as they were (its *seal*). If only
listings have changed, its questions are asked again. If its content has, what was asked in it counts no more.

Of a file that was only looked through for names there is another node, which is the same as long as what such a search sees of
the file is (``source/handed_on.py``). Its number is that of the file with a minus.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from dllint.engine.dependencies import Facts
from dllint.engine.hashes import hashed
from dllint.engine.present import CONTENT, LISTING, Present, Stamped
from dllint.engine.store import Store, is_text
from dllint.source.resolution import Resolver, SearchPath, Watched


class _Questions(NamedTuple):
    """What was asked in a file (name and level) with the path that is the answer, and what the answers depend on. ``seen``: the
    digest of what a search sees of a file that was only looked through."""

    answers: dict[tuple[str, int], str | None]
    watched: set[Watched]
    seen: str = ""


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
    _changed: dict[int, _Questions] = field(default_factory=dict)
    #: What searches have seen of files in this run, and what they would see now.
    _seen: dict[str, str] = field(default_factory=dict)
    _shown: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._resolver = Resolver(self.path)

    def state_of(self, numbers: Iterable[int]) -> str | None:
        """A hash of what is true of some files, in this order; ``None`` if that of one of them is not known."""
        found = [self.nodes.get(number) for number in numbers]
        return None if None in found else hashed(each for each in found if each is not None)

    def numbers(self, read: Iterable[str], searched: Iterable[str]) -> list[int] | None:
        """The numbers of the nodes of files that were read, and of others that were only looked through; ``None`` if one has
        none."""
        known = self.store.known_number
        found = [*map(known, read), *(None if (number := known(path)) is None else -number for path in searched)]
        numbers = sorted(number for number in found if number is not None)
        return numbers if len(numbers) == len(found) else None

    def load(self, numbers: Collection[int]) -> None:
        """Look at the nodes of some files; what is not stored is no node."""
        found = self._read({number for number in numbers if number not in self.nodes})
        for number, kept in found.items():
            self.nodes[number] = self._present_node(number, kept)

    def _read(self, numbers: set[int]) -> dict[int, _Kept]:
        statement = (
            "SELECT nodes.number, facts, stamp, state FROM nodes "
            "LEFT JOIN stamps ON stamps.number = abs(nodes.number) AND kind = ? WHERE context = ? AND nodes.number IN"
        )
        rows = list(self.store.rows_of(statement, (CONTENT, self.context), numbers))
        kept = {number: _Kept(*json.loads(facts)) for number, facts, _, _ in rows}
        watched = {other for one in kept.values() for other in (*one.listings, *one.holding)}
        paths = self.store.paths({*map(abs, numbers), *watched})
        for number, _, stamp, state in rows:
            if stamp is not None:
                self.present.kept[CONTENT, paths[abs(number)]] = Stamped(stamp, state)
        listed = {other for one in kept.values() for other in one.listings}
        unknown = {number for number in listed if (LISTING, paths[number]) not in self.present.kept}
        for number, stamp, state in self.store.rows_of(
            "SELECT number, stamp, state FROM stamps WHERE kind = ? AND number IN", (LISTING,), unknown
        ):
            self.present.kept[LISTING, paths[number]] = Stamped(stamp, state)
        return kept

    def _present_node(self, number: int, kept: _Kept) -> str:
        """A node as it is now."""
        content = self.present.content(self._path(number))
        if self._seal(content, self._watched(kept)) == kept.seal:
            return kept.own
        stored = self._stored(number)
        if stored is None:
            return hashed([str(number), content])
        self._changed[number] = stored
        return self._node(number, stored)

    def _path(self, number: int) -> str:
        return self.store.paths((abs(number),))[abs(number)]

    def _stored(self, number: int) -> _Questions | None:
        """The stored questions of a node with their present answers; ``None`` if its content is another than it was."""
        if number in self._changed:
            return self._changed[number]
        rows = self.store.rows("SELECT facts, questions FROM nodes WHERE context = ? AND number = ?", (self.context, number))
        if not rows:
            return None
        kept, (content, questions, seen) = _Kept(*json.loads(rows[0][0])), json.loads(rows[0][1])
        path, present = self._path(number), self.present.content(self._path(number))
        if content != present and (number > 0 or seen != self._shown_by(path)):
            return None
        paths = self.store.paths([answer for _, _, answer in questions if answer is not None])
        watched = self._watched(kept)
        if self._seal(present, watched) == kept.seal:
            found = {(name, level): None if answer is None else paths[answer] for name, level, answer in questions}
            return _Questions(found, set(watched), seen)
        again = {(name, level): self._resolver.look_up(path, name, level) for name, level, _ in questions}
        asked = self._resolver.asked.get(path)
        return _Questions(again, set() if asked is None else asked.watched, seen)

    def _shown_by(self, path: str) -> str:
        """What a search would see of a file."""
        if path not in self._shown:
            from dllint.source.handed_on import digest_at  # hardly any run asks; it needs the parser

            self._shown[path] = digest_at(path)
        return self._shown[path]

    def _watched(self, kept: _Kept) -> list[Watched]:
        paths = self.store.paths((*kept.listings, *kept.holding))
        listings = [Watched(paths[number]) for number in kept.listings]
        return [*listings, *(Watched(paths[number], holds=True) for number in kept.holding)] if kept.holding else listings

    def _seal(self, content: str, watched: Iterable[Watched]) -> str:
        return hashed([content, *map(self.present.watched, watched)])

    def _node(self, number: int, questions: _Questions) -> str:
        answers = sorted((name, level, answer or "") for (name, level), answer in questions.answers.items())
        content = self.present.content(self._path(number)) if number > 0 else questions.seen
        return hashed([json.dumps([number, content, answers])])

    def learn(self, facts: Facts) -> None:
        """Take over what an analysis of this run has asked, and seen of files."""
        self._seen.update(facts.seen)
        self.present.learn(facts.listings, facts.holding)
        for path, asked in facts.asked.items():
            known = self._asked.setdefault(path, _Questions({}, set()))
            known.answers.update(asked.answers)
            known.watched.update(asked.watched)

    def renew(self, read: Collection[str], searched: Collection[str]) -> None:
        """Bring the nodes of files that were read in this run, or looked through, up to date."""
        numbers = [self.store.number(path) for path in read if is_text(path)]
        numbers += [-self.store.number(path) for path in searched if is_text(path)]
        self.load(numbers)
        self.nodes.update({number: self._renewed(number) for number in numbers})

    def _renewed(self, number: int) -> str | None:
        path = self._path(number)
        asked = self._asked.get(path, _Questions({}, set()))
        stored = self._stored(number)
        if stored is None or not asked.answers.items() <= stored.answers.items():
            seen = "" if number > 0 else self._seen.get(path, "")
            before = _Questions({}, set(), seen) if stored is None else stored
            both = _Questions({**before.answers, **asked.answers}, before.watched | asked.watched, before.seen)
            self._changed[number] = both
        else:
            both = stored
        moving = any(watched.directory in self.present.moving for watched in both.watched)
        if moving or not self.present.is_settled(path):
            self._changed.pop(number, None)
            return None
        return self._node(number, both)

    def write(self) -> bool:
        """Store what has changed; whether anything has."""
        self.store.write("INSERT OR REPLACE INTO nodes VALUES (?, ?, ?, ?)", list(map(self._row, self._changed)))
        return bool(self._changed)

    def _row(self, number: int) -> tuple[str, int, str, str]:
        of, (answers, watched, seen) = self.store.number, self._changed[number]
        content, ordered = self.present.content(self._path(number)), sorted(watched)
        listings = [each for each in ordered if not each.holds]
        holding = [each for each in ordered if each.holds]
        seal = self._seal(content, [*listings, *holding])
        directories = [[of(each.directory) for each in group] for group in (listings, holding)]
        facts = [seal, self._node(number, self._changed[number]), *directories]
        questions = [[name, level, None if answer is None else of(answer)] for (name, level), answer in answers.items()]
        return self.context, number, json.dumps(facts), json.dumps([content, questions, seen])
