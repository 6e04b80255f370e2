"""Which files are worth parsing: those that import a framework, or anything that may hand one on."""

from __future__ import annotations

import sys
from typing import Final

from dllint.source.prefilter import Relevance, relevance

_STANDARD: Final = frozenset(sys.stdlib_module_names)


def is_relevant(text: str) -> bool:
    """Whether a file can hold deep-learning code."""
    return relevance(text, _STANDARD) is not Relevance.NO
