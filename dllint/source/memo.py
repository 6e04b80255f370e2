"""Answers about syntax nodes that are kept as long as somebody asks for them.

Nodes have no place for an answer, and cannot be referred to weakly. So an answer holds its node, and with it a part of a tree.
It is dropped when it has not been asked for during some analyses: a former text does not live on in a cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any, Final, Generic, TypeVar

N = TypeVar("N")
T = TypeVar("T")

#: After so many analyses the answers are dropped that none of them has asked for.
_ANALYSES: Final = 16


class _Answers(Generic[N, T]):
    """Answers by ``id`` of the node, which they keep alive: those asked for lately, and those from before."""

    __slots__ = ("before", "lately")

    def __init__(self) -> None:
        self.lately: dict[int, tuple[N, T]] = {}
        self.before: dict[int, tuple[N, T]] = {}

    def age(self) -> None:
        """Drop what has not been asked for since the last time."""
        self.before, self.lately = self.lately, {}


_kept: Final[list[_Answers[Any, Any]]] = []
_analyses = count(1)


def of_node(function: Callable[[N], T]) -> Callable[[N], T]:
    """Have a function of a node compute its answer once, as long as it is asked for now and then. A node is not changed, so
    the answer stays true."""
    answers: _Answers[N, T] = _Answers()
    _kept.append(answers)

    @wraps(function)
    def known(node: N) -> T:
        found = answers.lately.get(id(node))
        if found is None:
            found = answers.before.get(id(node)) or (node, function(node))
            answers.lately[id(node)] = found
        return found[1]

    return known


def analysed() -> None:
    """Note that an analysis has ended."""
    if next(_analyses) % _ANALYSES == 0:
        for answers in _kept:
            answers.age()
