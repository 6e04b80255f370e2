"""``${a.b}`` in OmegaConf's data: a value that stands elsewhere in it."""

from __future__ import annotations

import re
from typing import Final

from dllint.source.data.plain import MOST_VALUES, Opaque, Plain, UnreadableError

_WHOLE: Final = re.compile(r"\$\{\s*(\.*)([\w./-]+(?:\[\w+\])*(?:\.[\w-]+)*)\s*\}")
#: A value refers to one that refers to one, so many times.
_DEEPEST: Final = 16
#: What OmegaConf has for a value that has to be given.
MISSING: Final = "???"


def resolved(root: Plain) -> Plain:
    """The data with its interpolations replaced; what depends on more than the data is opaque, as is what is missing.
    Raises UnreadableError if it becomes too large."""
    return _Resolver(root).value(root, (), 0)


class _Resolver:
    def __init__(self, root: Plain) -> None:
        self.root = root
        self.left = MOST_VALUES

    def value(self, part: Plain, place: tuple[Plain, ...], depth: int) -> Plain:
        """The value of a part; ``place`` has the keys that lead to it."""
        self.left -= 1
        if self.left < 0:
            raise UnreadableError("too many values")
        if isinstance(part, dict):
            return {key: self.value(inner, (*place, key), depth) for key, inner in part.items()}
        if isinstance(part, list):
            return [self.value(inner, (*place, number), depth) for number, inner in enumerate(part)]
        if part == MISSING:
            return Opaque("missing")
        if not isinstance(part, str) or "${" not in part:
            return part
        return self.reference(part, place, depth)

    def reference(self, text: str, place: tuple[Plain, ...], depth: int) -> Plain:
        """What ``${...}`` stands for."""
        match = _WHOLE.fullmatch(text.strip())
        if match is None or depth >= _DEEPEST:
            return Opaque("interpolation")
        dots, path = match.groups()
        keys: list[Plain] = [*place[: len(place) - len(dots)]] if dots else []
        keys += [key for key in re.split(r"[.\[\]]+", path) if key]
        found = self.root
        for key in keys:
            if isinstance(found, dict) and key in found:
                found = found[key]
            elif isinstance(found, list) and str(key).isdigit() and int(str(key)) < len(found):
                found = found[int(str(key))]
            else:
                return Opaque("interpolation")
        return self.value(found, tuple(keys), depth + 1)
