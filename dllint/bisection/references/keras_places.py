"""The user's own lines that Keras layers were called at: models keep none, so they are noted down while a model is built."""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, Final

from dllint.arrival import Arrivals
from dllint.bisection.graph import Place
from dllint.bisection.references.stack_trace import is_installed, line_of

#: Parts of Keras that make layers and calls by themselves: the line behind them is that of a whole model.
_BY_ITSELF: Final = ("/keras/src/models/", "/keras/src/saving/")

#: By the identity of a call or a layer: Keras may be asked for neither equality nor hash of them.
_places: Final[dict[int, tuple[weakref.ref[Any], Place]]] = {}


def watch() -> None:
    """Note down from now on where layers are made and called, as soon as the program has imported Keras."""
    if not any(isinstance(finder, _KerasArrival) for finder in sys.meta_path):
        _KerasArrival(("keras",), lambda name: _watched()).install()


def place_of(call: Any) -> Place | None:
    """Where a layer is called; where the model calls it (``Sequential``), the place at which the layer is made."""
    return _known(call) or _known(call.operation)


class _KerasArrival(Arrivals):
    """Waits for Keras, once."""


def _watched() -> None:
    try:
        from keras.src.ops.node import Node
        from keras.src.ops.operation import Operation
    except ImportError:  # another release keeps them elsewhere: then there are no lines
        return
    if Node.__init__.__name__ == "noting":
        return
    Node.__init__ = _noting(Node.__init__, lambda result, made: made)
    Operation.__new__ = staticmethod(_noting(Operation.__new__, lambda result, made: result))


def _noting(function: Callable[..., Any], noted: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """The same function, which notes down the place for what it makes: its result, or the object that it is given."""

    def noting(made: Any, *args: Any, **kwargs: Any) -> Any:
        result = function(made, *args, **kwargs)
        place = _user_place(sys._getframe(1))
        if place is not None:
            _note(noted(result, made), place)
        return result

    return noting


def _note(made: Any, place: Place) -> None:
    key = id(made)
    _places[key] = weakref.ref(made, lambda gone: _places.pop(key, None)), place


def _known(made: Any) -> Place | None:
    reference, place = _places.get(id(made), (None, None))
    return place if reference is not None and reference() is made else None


def _user_place(frame: FrameType | None) -> Place | None:
    """The innermost frame of the user; none if Keras made the call by itself: the line is that of a whole model then."""
    while frame is not None and is_installed(Path(frame.f_code.co_filename)):
        if any(part in frame.f_code.co_filename.replace(os.sep, "/") for part in _BY_ITSELF):
            return None
        frame = frame.f_back
    if frame is None:
        return None
    path = Path(frame.f_code.co_filename)
    line, column = _position(frame)
    text = line_of(path, line)
    return Place(path, line, len(text.encode()[:column].decode(errors="replace")) + 1, text.strip())


def _position(frame: FrameType) -> tuple[int, int]:
    """Line and offset of the expression that a frame is at."""
    places = frame.f_code.co_positions()
    line, _, offset, _ = next(islice(places, frame.f_lasti // 2, None), (None, None, None, None))
    return (line, offset) if line is not None and offset is not None else (frame.f_lineno, 0)
