"""Answers that are kept with the syntax node they are about, and end with its tree."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import libcst as cst

N = TypeVar("N", bound=cst.CSTNode)
T = TypeVar("T")


def of_node(function: Callable[[N], T]) -> Callable[[N], T]:
    """Have a function of a node compute its answer once for each node. A node is not changed, so the answer stays true; a cache
    beside the trees would keep those of former texts alive."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def known(node: N) -> T:
        answers: dict[str, T] = node.__dict__
        try:
            return answers[key]
        except KeyError:
            answer = answers[key] = function(node)
            return answer

    return known
