"""What notebooks and their languages are called; imported by those who have nothing to do with parsing."""

from __future__ import annotations

from typing import Final

SUFFIX: Final = ".ipynb"
#: What the language of a Python cell is called, in small letters; nothing where no language is said.
PYTHON_LANGUAGES: Final = frozenset({"", "python", "python2", "python3", "ipython", "ipython2", "ipython3"})
