"""Replacing functions of a library for the time of a run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dllint.diagnose.boundary import Failed


class _Original:
    """A function that was replaced, for one call of its replacement: knows how its own call has gone until :meth:`forget`."""

    __slots__ = ("_function", "_is_followed", "_mark", "has_returned", "result", "was_called")

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._is_followed = True
        # What the function's errors are marked with: an error that is kept keeps all that the frames it came through hold.
        self._mark = object()
        self.was_called = self.has_returned = False
        self.result: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self._is_followed:
            return self._function(*args, **kwargs)
        self.was_called = True
        try:
            self.result = self._function(*args, **kwargs)
        except BaseException as error:
            _marks_of(error).append(self._mark)
            raise
        self.has_returned = True
        return self.result

    def own(self, error: BaseException) -> BaseException | None:
        """The function's own error, if that is what led to an error."""
        cause: BaseException | None = error
        while cause is not None and not any(mark is self._mark for mark in _marks_of(cause)):
            cause = cause.__context__
        return cause

    def forget(self) -> None:
        """Drop the references to the call's result: the call is over, and whoever keeps the function must not keep its
        result."""
        self._is_followed, self.result = False, None


def _marks_of(error: BaseException) -> list[object]:
    """The marks of the calls that an error has come out of; kept with the error, whatever its class makes of attributes."""
    marks: list[object] = BaseException.__getattribute__(error, "__dict__").setdefault("_dllint_calls", [])
    return marks


class Patches:
    """Functions that were replaced, and how to put them back.

    With ``failed`` given, a wrapper that raises is told there, and the program gets what the original gives. Where
    ``is_exempt``, replacements are not there at all.
    """

    def __init__(self, failed: Failed | None = None, is_exempt: Callable[[], bool] | None = None) -> None:
        self._undo: list[Callable[[], None]] = []
        self._failed = failed
        self._is_exempt = is_exempt

    def wrap(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of ``owner.name``; its looks stay."""
        original = getattr(owner, name)
        own = vars(owner).get(name) if isinstance(owner, type) else original
        setattr(owner, name, self._replacement(original, wrapper))
        self._undo.append(lambda: setattr(owner, name, own) if own is not None else delattr(owner, name))

    def wrap_new(self, owner: type, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, cls, *args, **kwargs)`` called instead of a class's own ``__new__``."""
        own = vars(owner)["__new__"]
        owner.__new__ = staticmethod(self._replacement(owner.__new__, wrapper))  # type: ignore[method-assign]
        self._undo.append(lambda: setattr(owner, "__new__", own))

    def wrap_property(self, owner: type, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, instance)`` called instead of the getter of a property."""
        own: property = vars(owner)[name]
        if own.fget is not None:
            setattr(owner, name, own.getter(self._replacement(own.fget, wrapper)))
            self._undo.append(lambda: setattr(owner, name, own))

    def _replacement(self, original: Callable[..., Any], wrapper: Callable[..., Any]) -> Callable[..., Any]:
        failed, is_exempt = self._failed, self._is_exempt
        what = f"what {original.__qualname__} was called with could not be observed"

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            if is_exempt is not None and is_exempt():
                return original(*args, **kwargs)
            if failed is None:
                return wrapper(original, *args, **kwargs)
            call = _Original(original)
            try:
                return wrapper(call, *args, **kwargs)
            except Exception as error:
                own = call.own(error)
                if own is error or (call.was_called and not call.has_returned and own is None):
                    raise
                failed(what, error)
                if own is None and call.has_returned:
                    return call.result
            finally:
                call.forget()
            if own is not None:
                raise own
            return original(*args, **kwargs)

        return replacement

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
