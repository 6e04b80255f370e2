"""Which files are worth parsing: those that import a framework, directly or through modules of the project."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from dllint.source.prefilter import Relevance, relevance
from dllint.source.workspace import Workspace

_STANDARD: Final = frozenset(sys.stdlib_module_names)


def is_relevant(path: Path, text: str, workspace: Workspace) -> bool:
    """Whether a file can hold deep-learning code. A package that is not of the project and not known as a framework hands
    on nothing that the analysis could know."""
    return relevance(text, _STANDARD) is not Relevance.NO
