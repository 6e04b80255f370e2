"""Patterns of files as in ``.gitignore``, matched in time that grows with path times pattern, whatever they are.

A path is followed part by part through the parts of a pattern, all possibilities at once (``**`` stands for any number of
parts); within one part, :mod:`fnmatch` does not go back further than the last ``*``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import lru_cache
from typing import Final

_ANY: Final = "**"
#: A longer pattern matches no path that a system could have.
_LONGEST: Final = 4_096
_TOKEN: Final = re.compile(r"\\(.)|\[[!^]?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|.", re.DOTALL)
_SPECIAL: Final = frozenset("*?[")
_CLASSES: Final = {
    "[:alnum:]": "a-zA-Z0-9", "[:alpha:]": "a-zA-Z", "[:digit:]": "0-9", "[:lower:]": "a-z", "[:upper:]": "A-Z",
    "[:space:]": " \t\n\r\f\v", "[:xdigit:]": "0-9a-fA-F",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern: the regular expressions or names of its parts, ``None`` for ``**``. ``includes`` is what it says of a path
    that it matches; ``only_directories``: it says nothing of files."""

    parts: tuple[re.Pattern[str] | str | None, ...]
    includes: bool = True
    only_directories: bool = False

    def matches(self, path: Sequence[str], is_directory: bool) -> bool:
        """Whether the pattern names a path."""
        if self.only_directories and not is_directory:
            return False
        if len(self.parts) == 2 and self.parts[0] is None and self.parts[1] is not None:
            return _is_named(path[-1], self.parts[1])
        if None not in self.parts:
            return len(path) == len(self.parts) and all(map(_is_named, path, self.parts))
        states = self._reached({0})
        for part in path:
            states = self._reached(self._after(states, part))
        return len(self.parts) in states

    def _after(self, states: set[int], part: str) -> set[int]:
        reached: set[int] = set()
        for state in states:
            if state == len(self.parts):
                continue
            expected = self.parts[state]
            if expected is None:
                reached |= {state, state + 1} if state + 1 == len(self.parts) else {state}
            elif _is_named(part, expected):
                reached.add(state + 1)
        return reached

    def _reached(self, states: set[int]) -> set[int]:
        """The states with those that come after a ``**`` that stands for nothing; at the end it stands for something."""
        last = len(self.parts) - 1
        for state in sorted(states):
            while state < last and self.parts[state] is None:
                state += 1
                states.add(state)
        return states


def _is_named(part: str, expected: re.Pattern[str] | str | None) -> bool:
    if expected is None:
        return True
    return part == expected if isinstance(expected, str) else expected.match(part) is not None


@dataclass(frozen=True, slots=True)
class Globs:
    """Patterns in order; of those that match, the last decides. What lies in a directory that they name is named, too."""

    patterns: tuple[Pattern, ...]
    #: The patterns that are one name anywhere, by that name: most are, and nothing has to be matched for them.
    _names: dict[str, tuple[int, ...]]
    _others: tuple[int, ...]
    #: Whether directories that were asked for are named.
    _named: dict[tuple[str, ...], bool] = field(default_factory=dict)

    def verdict(self, path: tuple[str, ...], is_directory: bool = False) -> bool | None:
        """What the patterns say of a path, given by its parts; ``None`` if they say nothing."""
        for end in range(1, len(path)):
            directory = path[:end]
            if directory not in self._named:
                self._named[directory] = self._own(directory, True) is True
            if self._named[directory]:
                return True
        return self._own(path, is_directory)

    def names(self, path: tuple[str, ...], is_directory: bool = False) -> bool:
        """Whether the patterns name a path."""
        return bool(self.verdict(path, is_directory))

    def _own(self, path: tuple[str, ...], is_directory: bool) -> bool | None:
        """The verdict of the patterns on a path itself."""
        named = self._names.get(path[-1])
        for number in sorted((*named, *self._others), reverse=True) if named else reversed(self._others):
            if self.patterns[number].matches(path, is_directory):
                return self.patterns[number].includes
        return None


@lru_cache(maxsize=512)
def globs(lines: tuple[str, ...]) -> Globs:
    """The patterns of some lines; lines that mean nothing are passed by."""
    patterns = tuple(filter(None, map(_pattern, lines)))
    names: dict[str, tuple[int, ...]] = {}
    others: list[int] = []
    for number, pattern in enumerate(patterns):
        match pattern.parts:
            case (None, str(name)):
                names[name] = (*names.get(name, ()), number)
            case _:
                others.append(number)
    return Globs(patterns, names, tuple(others))


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a path with forward slashes."""
    return tuple(part for part in text.split("/") if part and part != ".")


def _pattern(line: str) -> Pattern | None:
    """The pattern of a line; ``None`` if it has none that could match anything."""
    text = _stripped(line)
    if not text or text.startswith("#") or len(text) > _LONGEST:
        return None
    includes = not text.startswith("!")
    text = text if includes else text[1:]
    only_directories = text.endswith("/")
    body = text.rstrip("/") if only_directories else text
    written = body.removeprefix("/").split("/") if body.strip("/") else []
    if not written or not all(written):
        return None
    if "/" not in body:
        written = [_ANY, *written]
    collapsed = [part for number, part in enumerate(written) if part != _ANY or written[number - 1 : number] != [_ANY]]
    try:
        parts = tuple(map(_part, collapsed))
    except ValueError:
        return None
    return Pattern(parts, includes, only_directories) if parts else None


def _stripped(line: str) -> str:
    """A line without the blanks at its end; one that a backslash stands before is kept."""
    text = line.rstrip("\r\n").rstrip(" ")
    behind = len(text) - len(text.rstrip("\\"))
    return f"{text} " if behind % 2 and line[len(text) : len(text) + 1] == " " else text


def _part(text: str) -> re.Pattern[str] | str | None:
    """One part of a pattern. Raises ValueError if it can match nothing."""
    if text == _ANY:
        return None
    tokens = [match[0] for match in _TOKEN.finditer(text)]
    if any(token in ("\\", "[") for token in tokens):
        raise ValueError(text)  # a backslash at the end, a bracket that is not closed
    if _SPECIAL.isdisjoint(token[0] for token in tokens):
        return "".join(token[-1] for token in tokens)
    return re.compile(translate("".join(map(_as_fnmatch, tokens))))


def _as_fnmatch(token: str) -> str:
    """A piece of a pattern as fnmatch writes it: it knows no backslash, no ``[^…]`` and no ``[:digit:]``."""
    if token.startswith("\\"):
        return f"[{token[1]}]" if token[1] in _SPECIAL else token[1]
    if not token.startswith("["):
        return token
    negated = token[1] in "!^"
    inner = token[2:-1] if negated else token[1:-1]
    for name, members in _CLASSES.items():
        inner = inner.replace(name, members)
    closes = "]" if inner.startswith("]") or "\\]" in inner else ""
    inner = re.sub(r"\\(.)", r"\1", inner.removeprefix("]").replace("\\]", ""), flags=re.DOTALL)
    return f"[{'!' * negated}{closes}{inner}]"
