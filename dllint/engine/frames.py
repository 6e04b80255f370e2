"""Room for the frames of deep calls.

CPython keeps the frames of Python functions in chunks of 16 KiB. A chunk is asked of the system when a call does not fit
into the last one, and given back when that call returns. An analysis is a deep recursion with many short calls at its tip:
where these cross the end of a chunk, each of them costs two system calls and a page fault, together a tenth of the time.
Under a frame that takes half of a large chunk, all deeper frames lie in the other half.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Machine words that the frame claims, a little more than half of a chunk of 8 MiB. It writes to none of them, so they take
#: address space and no memory.
_WORDS: Final = 2**19 + 2**10


def with_room_for_frames(function: Callable[P, T]) -> Callable[P, T]:
    """The same function, below which calls are cheap however deep they are (some ten thousand)."""

    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return function(*args, **kwargs)

    call.__code__ = call.__code__.replace(co_stacksize=_WORDS)
    return wraps(function)(call)
