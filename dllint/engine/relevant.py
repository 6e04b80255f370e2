"""Selection of the files to analyse: those that import a framework, or anything that may hand one on, and that are run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from dllint.source.generated import is_template
from dllint.source.prefilter import Relevance, relevance

_STANDARD: Final = frozenset(sys.stdlib_module_names)


def is_relevant(path: Path, text: str) -> bool:
    """Whether a file can hold deep-learning code, and is no mere source of another file."""
    return relevance(text, _STANDARD) is not Relevance.NO and not is_template(path)
