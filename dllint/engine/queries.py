"""The memo behind every analysis: queries whose dependencies are recorded while they run.

A query is a key and a function. While the function runs, every input it reads (texts of files, which files exist) and every
query it asks is recorded with its fingerprint. Asked again, the stored answer is returned if all recorded dependencies still
have their fingerprints; otherwise it is computed anew. A recomputed query with the same fingerprint does not invalidate what
depends on it. An answer whose inputs, also those of the queries that it rests on, have not been set to other values is not
looked through.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

Key = Hashable
Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Stored:
    value: Any
    fingerprint: Hashable
    dependencies: dict[Key, Hashable]
    verified_at: int
    #: The inputs that it rests on, by way of other queries or not.
    inputs: frozenset[Key]


@dataclass(slots=True)
class _Reading:
    """What a query that is running has read: with the fingerprints, and what that rests on."""

    dependencies: dict[Key, Hashable] = field(default_factory=dict)
    inputs: set[Key] = field(default_factory=set)


class Memo:
    """Inputs and the answers derived from them."""

    def __init__(self) -> None:
        self._inputs: dict[Key, tuple[Any, Hashable]] = {}
        self._stored: dict[Key, _Stored] = {}
        self._functions: dict[Key, tuple[Callable[[], Any], Callable[[Any], Hashable] | None]] = {}
        self._reading: list[_Reading] = []
        self._revision = 0
        #: By input: when it was given its present value.
        self._changed: dict[Key, int] = {}
        self._versions = 0

    def set_input(self, key: Key, value: Any, fingerprint: Hashable) -> None:
        """Give an input its value; answers that read it are out of date if the fingerprint differs."""
        known = self._inputs.get(key)
        if known is None or known[1] != fingerprint:
            self._change(key)
        self._inputs[key] = (value, fingerprint)

    def has_input(self, key: Key) -> bool:
        """Whether an input is set."""
        return key in self._inputs

    def drop_input(self, key: Key) -> None:
        """Forget an input; answers that read it are out of date."""
        if self._inputs.pop(key, None) is not None:
            self._change(key)

    def _change(self, key: Key) -> None:
        self._revision += 1
        self._changed[key] = self._revision

    def input(self, key: Key) -> Any:
        """The value of an input, recorded as a dependency of the running query; ``None`` if it is not set."""
        value, fingerprint = self._inputs.get(key, (None, None))
        if self._reading:
            self._reading[-1].dependencies[key] = fingerprint
            self._reading[-1].inputs.add(key)
        return value

    def query(self, key: Key, compute: Callable[[], Answer], fingerprint: Callable[[Answer], Hashable] | None = None) -> Answer:
        """The answer of a query, computed if there is none or if something it read has changed.

        ``fingerprint`` says when two answers are alike for those who ask; without it every new answer differs.
        """
        self._functions[key] = (compute, fingerprint)
        stored = self._stored.get(key)
        if stored is None or not self._valid(stored):
            stored = self._compute(key)
        if self._reading:
            self._reading[-1].dependencies[key] = stored.fingerprint
            self._reading[-1].inputs |= stored.inputs
        answer: Answer = stored.value
        return answer

    def forget(self, key: Key) -> None:
        """Drop a stored answer, to free its memory."""
        self._stored.pop(key, None)
        self._functions.pop(key, None)

    def is_fresh(self, key: Key) -> bool:
        """Whether asking a query now would compute nothing."""
        stored = self._stored.get(key)
        return stored is not None and self._valid(stored)

    def _valid(self, stored: _Stored) -> bool:
        if stored.verified_at == self._revision:
            return True
        changed, then = self._changed, stored.verified_at
        if not all(changed.get(key, 0) <= then for key in stored.inputs):
            if not all(self._current(key) == seen for key, seen in stored.dependencies.items()):
                return False
            stored.inputs = self._inputs_of(stored.dependencies)
        stored.verified_at = self._revision
        return True

    def _inputs_of(self, dependencies: Iterable[Key]) -> frozenset[Key]:
        """The inputs that answers rest on now: one that was computed again may have read others."""
        rests = (self._stored[key].inputs if key in self._functions else (key,) for key in dependencies)
        return frozenset(chain.from_iterable(rests))

    def _current(self, key: Key) -> Hashable:
        """The fingerprint a dependency has now; a query that is out of date is computed to find out."""
        if key not in self._functions:
            return self._inputs.get(key, (None, None))[1]
        stored = self._stored.get(key)
        if stored is None or not self._valid(stored):
            stored = self._compute(key)
        return stored.fingerprint

    def _compute(self, key: Key) -> _Stored:
        compute, fingerprint = self._functions[key]
        reading = _Reading()
        self._reading.append(reading)
        try:
            value = compute()
        finally:
            self._reading.pop()
        self._versions += 1
        mark = ("version", self._versions) if fingerprint is None else fingerprint(value)
        stored = _Stored(value, mark, reading.dependencies, self._revision, frozenset(reading.inputs))
        self._stored[key] = stored
        return stored
