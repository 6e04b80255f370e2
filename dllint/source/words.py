"""The words of a text."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"\w+")


def words(text: str) -> frozenset[str]:
    """All words of a text: names, keywords, numbers, and those of comments and strings."""
    return frozenset(_WORD.findall(text))
