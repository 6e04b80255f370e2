"""The memo behind every analysis: queries whose dependencies are recorded while they run.

A query is a key and a function. While the function runs, every input it reads (texts of files, which files exist) and every
query it asks is recorded with its fingerprint. Asked again, the stored answer is returned if all recorded dependencies still
have their fingerprints; otherwise it is computed anew. A recomputed query with the same fingerprint does not invalidate what
depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

Key = Hashable
Answer = TypeVar("Answer")


@dataclass(slots=True)
class _Stored:
    value: Any
    fingerprint: Hashable
    dependencies: dict[Key, Hashable]
    verified_at: int


class Memo:
    """Inputs and the answers derived from them."""

    def __init__(self) -> None:
        self._inputs: dict[Key, tuple[Any, Hashable]] = {}
        self._stored: dict[Key, _Stored] = {}
        self._functions: dict[Key, tuple[Callable[[], Any], Callable[[Any], Hashable] | None]] = {}
        self._reading: list[dict[Key, Hashable]] = []
        self._revision = 0
        self._versions = 0

    def set_input(self, key: Key, value: Any, fingerprint: Hashable) -> None:
        """Give an input its value; answers that read it are out of date if the fingerprint differs."""
        known = self._inputs.get(key)
        if known is None or known[1] != fingerprint:
            self._revision += 1
        self._inputs[key] = (value, fingerprint)

    def has_input(self, key: Key) -> bool:
        """Whether an input is set."""
        return key in self._inputs

    def drop_input(self, key: Key) -> None:
        """Forget an input; answers that read it are out of date."""
        if self._inputs.pop(key, None) is not None:
            self._revision += 1

    def input(self, key: Key) -> Any:
        """The value of an input, recorded as a dependency of the running query; ``None`` if it is not set."""
        value, fingerprint = self._inputs.get(key, (None, None))
        self._record(key, fingerprint)
        return value

    def query(self, key: Key, compute: Callable[[], Answer], fingerprint: Callable[[Answer], Hashable] | None = None) -> Answer:
        """The answer of a query, computed if there is none or if something it read has changed.

        ``fingerprint`` says when two answers are alike for those who ask; without it every new answer differs.
        """
        self._functions[key] = (compute, fingerprint)
        stored = self._stored.get(key)
        if stored is None or not self._valid(stored):
            stored = self._compute(key)
        self._record(key, stored.fingerprint)
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

    def _record(self, key: Key, fingerprint: Hashable) -> None:
        if self._reading:
            self._reading[-1][key] = fingerprint

    def _valid(self, stored: _Stored) -> bool:
        if stored.verified_at == self._revision:
            return True
        if all(self._current(key) == seen for key, seen in stored.dependencies.items()):
            stored.verified_at = self._revision
            return True
        return False

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
        dependencies: dict[Key, Hashable] = {}
        self._reading.append(dependencies)
        try:
            value = compute()
        finally:
            self._reading.pop()
        self._versions += 1
        mark = ("version", self._versions) if fingerprint is None else fingerprint(value)
        stored = _Stored(value, mark, dependencies, self._revision)
        self._stored[key] = stored
        return stored
