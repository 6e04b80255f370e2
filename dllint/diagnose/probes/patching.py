"""Replacing functions of a library for the time of a run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class Patches:
    """Functions that were replaced, and how to put them back."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def wrap(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of ``owner.name``; its looks stay."""
        original = getattr(owner, name)
        own = vars(owner).get(name) if isinstance(owner, type) else original

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            return wrapper(original, *args, **kwargs)

        setattr(owner, name, replacement)
        self._undo.append(lambda: setattr(owner, name, own) if own is not None else delattr(owner, name))

    def wrap_new(self, owner: type, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, cls, *args, **kwargs)`` called instead of a class's own ``__new__``."""
        own = vars(owner)["__new__"]
        original = owner.__new__

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            return wrapper(original, *args, **kwargs)

        owner.__new__ = staticmethod(replacement)  # type: ignore[method-assign]
        self._undo.append(lambda: setattr(owner, "__new__", own))

    def later(self, undo: Callable[[], None]) -> None:
        """Have something else undone at the end."""
        self._undo.append(undo)

    @property
    def active(self) -> bool:
        """Whether anything is replaced."""
        return bool(self._undo)

    def undo(self) -> None:
        """Put everything back, in reverse order."""
        while self._undo:
            self._undo.pop()()
