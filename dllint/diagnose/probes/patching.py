"""Replacing functions of a library for the time of a run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType
from typing import Any, Final, SupportsIndex, TypeVar

from dllint.diagnose.boundary import Failed

H = TypeVar("H")


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


class _BuiltIn:
    """The replacement of a function that is not written in Python. A program may keep it in a model, and copy or pickle that
    then or when the function has been put back: it does so as the function itself does."""

    def __init__(self, replacement: Callable[..., Any], original: BuiltinFunctionType | _BuiltIn) -> None:
        functools.update_wrapper(self, original)
        self._replacement = replacement
        self._original = original

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._replacement(*args, **kwargs)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        return self._original.__reduce_ex__(protocol)

    def __deepcopy__(self, known: dict[int, Any]) -> _BuiltIn:
        return self

    def __copy__(self) -> _BuiltIn:
        return self


#: Reads and puts an attribute as its owner holds it; ``None`` for what the owner inherits.
_Read = Callable[[], Any]
_Put = Callable[[Any], None]


class _Layer:
    """One replacement of an attribute: what ``owner.name`` holds while it is there (``held``), and what it held before
    (``below``). The program, or another watch, may have put something of its own on top of it that calls it."""

    def __init__(self, read: _Read, put: _Put, below: Any) -> None:
        self._read = read
        self._put = put
        self.below = below
        self.held: Any = None
        self.wrapper: Callable[..., Any] | None = None

    def place(self, held: Any, wrapper: Callable[..., Any]) -> None:
        """Put the replacement there."""
        self.held, self.wrapper = held, wrapper
        self._put(held)

    def remove(self) -> None:
        """Do nothing from now on, and give way to what was there before. Under something else, it stays as what only calls the
        original."""
        self.wrapper = None
        if self._read() is not self.held:
            _covered.append(self)
            return
        self._put(_uncovered(self.below))


#: Replacements that have ended under something that still calls them.
_covered: Final[list[_Layer]] = []


def _uncovered(below: H) -> H:
    """What is to be put back: not a replacement that has ended meanwhile."""
    ended = next((layer for layer in _covered if layer.held is below), None)
    if ended is None:
        return below
    _covered.remove(ended)
    underneath: H = ended.below
    return _uncovered(underneath)


class Patches:
    """Functions that were replaced, and how to put them back. Others may replace the same ones, and end in any order.

    With ``failed`` given, a wrapper that raises is told there, and the program gets what the original gives. Where
    ``is_exempt``, replacements are not there at all.
    """

    def __init__(self, failed: Failed | None = None, is_exempt: Callable[[], bool] | None = None) -> None:
        self._undo: list[Callable[[], None]] = []
        self._failed = failed
        self._is_exempt = is_exempt

    def wrap(
        self,
        owner: Any,
        name: str,
        wrapper: Callable[..., Any],
        aliases: Sequence[tuple[Any, str]] = (),
        depth: tuple[str, int] | None = None,
    ) -> None:
        """Have ``wrapper(original, *args, **kwargs)`` called instead of ``owner.name``; its looks stay. ``aliases``: other
        places (owners and names) of the same function. ``depth``: name and position of a parameter that says how many frames
        lie between the function and the one whose variables it reads; those of the replacement are added, if the wrapper
        calls the original itself."""
        original = getattr(owner, name)
        layers = [_layer(*place) for place in ((owner, name), *aliases)]
        replacement = self._replacement(original, layers[0], depth)
        if isinstance(original, BuiltinFunctionType | _BuiltIn):
            replacement = _BuiltIn(replacement, original)
        for layer in layers:
            self._place(layer, replacement, wrapper)

    def wrap_new(self, owner: type, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, cls, *args, **kwargs)`` called instead of a class's own ``__new__``."""
        layer = _layer(owner, "__new__")
        self._place(layer, staticmethod(self._replacement(owner.__new__, layer)), wrapper)

    def wrap_property(self, owner: type, name: str, wrapper: Callable[..., Any]) -> None:
        """Have ``wrapper(original, instance)`` called instead of the getter of a property."""
        own: property = vars(owner)[name]
        if own.fget is not None:
            layer = _layer(owner, name)
            self._place(layer, own.getter(self._replacement(own.fget, layer)), wrapper)

    def _place(self, layer: _Layer, held: Any, wrapper: Callable[..., Any]) -> None:
        layer.place(held, wrapper)
        self._undo.append(layer.remove)

    def _replacement(
        self, original: Callable[..., Any], layer: _Layer, depth: tuple[str, int] | None = None
    ) -> Callable[..., Any]:
        if depth is not None:
            return self._deeper(original, layer, *depth)
        failed, is_exempt = self._failed, self._is_exempt
        what = f"what {original.__qualname__} was called with could not be observed"

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            wrapper = layer.wrapper
            if wrapper is None or (is_exempt is not None and is_exempt()):
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

    def _deeper(self, original: Callable[..., Any], layer: _Layer, name: str, position: int) -> Callable[..., Any]:
        """A replacement of a function that reads its caller's variables. Its own errors are the program's."""

        @functools.wraps(original)
        def replacement(*args: Any, **kwargs: Any) -> Any:
            wrapper = layer.wrapper
            frames = 1 if wrapper is None else 2
            if len(args) > position:
                args = (*args[:position], args[position] + frames, *args[position + 1 :])
            else:
                kwargs[name] = kwargs.get(name, 0) + frames
            return original(*args, **kwargs) if wrapper is None else wrapper(original, *args, **kwargs)

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


def _layer(owner: Any, name: str) -> _Layer:
    """A replacement of ``owner.name`` that is not there yet."""

    def read() -> Any:
        return vars(owner).get(name) if isinstance(owner, type) else getattr(owner, name, None)

    def put(value: Any) -> None:
        if value is None:
            delattr(owner, name)
        else:
            setattr(owner, name, value)

    return _Layer(read, put, read())
