"""Room on the stack: hooks and wrappers put frames between those of the program, which may go as deep as without them."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Final

#: A call of a layer takes four frames of Python's, and five with hooks.
_SHARE: Final = 2
#: At most so many frames are added: a program that allows for very many has made the stack that they need itself.
_MOST: Final = 2500


class Headroom:
    """Raises Python's limit on recursion by half, until :meth:`give_back`; what the program sets itself meanwhile stays."""

    def __init__(self) -> None:
        self._before = sys.getrecursionlimit()
        self._raised = self._before + min(self._before // _SHARE, _MOST)
        sys.setrecursionlimit(self._raised)

    def give_back(self) -> None:
        """Set the limit that there was, unless the stack is deeper than that."""
        if sys.getrecursionlimit() == self._raised:
            with suppress(RecursionError):
                sys.setrecursionlimit(self._before)
