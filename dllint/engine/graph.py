"""The direct facts of a store about files, looked up as far as they are asked for and brought up to date.

A node is current if the content of its file and the listings that its answers depend on are as they were (its *seal*). If only
listings have changed, its questions are asked again. If its content has, what was asked in it counts no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dllint.engine.closures import Closures, Node, hashed
from dllint.engine.dependencies import Facts
from dllint.engine.present import CONTENT, LISTING, Present, Stamped
from dllint.engine.store import Store, is_text
from dllint.source.resolution import Resolver, SearchPath, Watched


class _Questions(NamedTuple):
    """What was asked in a file (name and level) with the path that is the answer, and what the answers depend on."""

    answers: dict[tuple[str, int], str | None]
    watched: set[Watched]


@dataclass(slots=True)
class _Kept:
    """What is stored of a node: which state it was sealed in, its hash, what its answers depend on and lead to."""

    seal: str
    own: str
    listings: list[int]
    holding: list[int]
    leads_to: list[int]


@dataclass(slots=True)
class Graph:
    """The nodes of one ``context``: those of one version of dllint along the same search path."""

    store: Store
    present: Present
    context: str
    path: SearchPath
    nodes: dict[str, Node] = field(default_factory=dict)
    closures: Closures = field(init=False)
    _resolver: Resolver = field(init=False)
    #: What was asked in this run, and the answers that are to be written.
    _asked: dict[str, _Questions] = field(default_factory=dict)
    _changed: dict[str, _Questions] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.closures = Closures(self.nodes)
        self._resolver = Resolver(self.path)

    def load(self, wanted: Iterable[str]) -> None:
        """Look at the nodes of some paths, and at all that they lead to; what is not stored is no node."""
        todo = {number for path in wanted if path not in self.nodes and (number := self.store.known_number(path)) is not None}
        seen = set(todo)
        while todo:
            found = self._read(todo)
            paths = self.store.paths({*todo, *(other for kept in found.values() for other in kept.leads_to)})
            led: set[str] = set()
            for number, kept in found.items():
                node = self.nodes[paths[number]] = self._present_node(paths[number], kept, paths)
                led.update(node.leads_to)
            todo = {number for path in led if (number := self.store.known_number(path)) is not None} - seen
            seen |= todo

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

    def _present_node(self, path: str, kept: _Kept, paths: Mapping[int, str]) -> Node:
        """The node of a file as it is now; ``paths`` has those of all numbers in what is kept."""
        if self._seal(self.present.content(path), self._watched(kept, paths)) == kept.seal:
            return Node(kept.own, tuple(paths[number] for number in kept.leads_to))
        stored = self._stored(path)
        if stored is None:
            return Node(hashed([path, self.present.content(path)]))
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
        paths = self.store.paths((*kept.listings, *kept.holding, *kept.leads_to))
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

    def _node(self, path: str, questions: _Questions) -> Node:
        answers = sorted((name, level, answer or "") for (name, level), answer in questions.answers.items())
        own = hashed([json.dumps([path, self.present.content(path), answers])])
        leads_to = dict.fromkeys(answer for answer in questions.answers.values() if answer is not None)
        return Node(own, tuple(leads_to))

    def learn(self, facts: Facts) -> None:
        """Take over what an analysis of this run has asked."""
        self.present.learn(facts.listings, facts.holding)
        for path, asked in facts.asked.items():
            known = self._asked.setdefault(path, _Questions({}, set()))
            known.answers.update(asked.answers)
            known.watched.update(asked.watched)

    def renew(self, paths: Iterable[str]) -> None:
        """Bring the nodes of files that were analysed in this run, and of all that they lead to, up to date."""
        todo = list(dict.fromkeys(paths))
        self.load([*todo, *self._asked])
        seen = set(todo)
        while todo:
            path = todo.pop()
            node = self._renewed(path)
            self.nodes[path] = node
            new = [other for other in node.leads_to if other not in seen]
            seen.update(new)
            todo += new
        self.closures = Closures(self.nodes)

    def _renewed(self, path: str) -> Node:
        asked = self._asked.get(path, _Questions({}, set()))
        stored = self._stored(path)
        if stored is None or not asked.answers.items() <= stored.answers.items():
            before = _Questions({}, set()) if stored is None else stored
            both = _Questions({**before.answers, **asked.answers}, before.watched | asked.watched)
            self._changed[path] = both
            node = self._node(path, both)
        else:
            both, node = stored, self._node(path, stored)
        moving = any(watched.directory in self.present.moving for watched in both.watched)
        if moving or not self.present.is_settled(path) or not is_text(path):
            self._changed.pop(path, None)
            return Node(None, node.leads_to)
        return node

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
        node = self._node(path, self._changed[path])
        directories = [[number(each.directory) for each in group] for group in (listings, holding)]
        facts = [seal, node.own, *directories, list(map(number, node.leads_to))]
        questions = [[name, level, None if answer is None else number(answer)] for (name, level), answer in answers.items()]
        return self.context, number(path), json.dumps(facts), json.dumps([content, questions])
