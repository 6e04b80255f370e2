"""The words of names as programmers write them: ``x_train``, ``XTrain``, ``yPred``."""

from __future__ import annotations

import re
from typing import Final

_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(name: str) -> frozenset[str]:
    """The words of a name in lower case, without digits."""
    return frozenset(word.lower() for word in _WORD.findall(name))
