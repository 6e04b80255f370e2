"""Room on the stack: hooks and wrappers put frames between those of the program, which may go as deep as without them."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import ClassVar, Final

#: A call of a layer takes four frames of Python's, and five with hooks.
_SHARE: Final = 2
#: At most so many frames are added: a program that allows for very many has made the stack that they need itself.
_MOST: Final = 2500


class Headroom:
    """Raises Python's limit on recursion by half, until :meth:`give_back`; what the program sets itself meanwhile stays. Of
    several at a time, the first one raises it, and the last one to end gives back."""

    _open: ClassVar[int] = 0
    _before: ClassVar[int] = 0
    _raised: ClassVar[int] = 0

    def __init__(self) -> None:
        if not Headroom._open:
            Headroom._before = sys.getrecursionlimit()
            Headroom._raised = Headroom._before + min(Headroom._before // _SHARE, _MOST)
            sys.setrecursionlimit(Headroom._raised)
        Headroom._open += 1

    def give_back(self) -> None:
        """Set the limit that there was, unless the stack is deeper than that."""
        Headroom._open -= 1
        if not Headroom._open and sys.getrecursionlimit() == Headroom._raised:
            with suppress(RecursionError):
                sys.setrecursionlimit(Headroom._before)
