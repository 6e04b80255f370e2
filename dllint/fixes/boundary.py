"""What builds a fix and raises costs the fix, and not the finding that it is for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import local
from typing import ParamSpec, TypeVar

from dllint.edit import Edit, Fix

_Parameters = ParamSpec("_Parameters")
_Part = TypeVar("_Part", Edit, Fix)


class _State(local):
    """What a thread builds: how many builders are at work, and what those have raised that nobody has asked about yet."""

    def __init__(self) -> None:
        self.depth = 0
        self.failures: list[Exception] = []


_STATE = _State()


def builder(build: Callable[_Parameters, tuple[_Part, ...]]) -> Callable[_Parameters, tuple[_Part, ...]]:
    """A decorator for builders of edits: one that raises gives no edits. A builder that calls it fails together with it,
    because half an edit is none."""

    @wraps(build)
    def guarded(*arguments: _Parameters.args, **keywords: _Parameters.kwargs) -> tuple[_Part, ...]:
        _STATE.depth += 1
        try:
            return build(*arguments, **keywords)
        except Exception as error:
            if _STATE.depth > 1:
                raise
            _STATE.failures.append(error)
            return ()
        finally:
            _STATE.depth -= 1

    return guarded


def offering(offer: Callable[_Parameters, list[Fix]]) -> Callable[_Parameters, list[Fix]]:
    """A decorator for functions that offer fixes: one that raises offers none. Each of its builders may fail by itself."""

    @wraps(offer)
    def guarded(*arguments: _Parameters.args, **keywords: _Parameters.kwargs) -> list[Fix]:
        try:
            return offer(*arguments, **keywords)
        except Exception as error:
            _STATE.failures.append(error)
            return []

    return guarded


def taken_failures() -> list[Exception]:
    """The failures since this was last called."""
    if not _STATE.failures:
        return _STATE.failures
    taken, _STATE.failures = _STATE.failures, []
    return taken
