"""Which frames hold a step that may be run again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import dllint
from dllint.diagnose import launch
from dllint.diagnose.places import is_user_file

#: Through so many frames of a training library the user's own step may still be the one that is repeated.
_THIN: Final = 1
_PASSED_OVER: Final = (str(Path(dllint.__file__).parent), str(Path(contextlib.__file__).parent / "contextlib"))


def repeatable_frames(frame: FrameType | None, framework: str) -> Iterator[FrameType]:
    """The frames whose step may be run again: a training library's own step (Keras, Trainer), or the user's if he makes it
    himself. What merely starts a library's training is not repeated, and neither is what launched the program: that would train
    anew. ``framework`` is the folder of what computes; its frames are passed over."""
    passed = 0
    while frame is not None:
        name = frame.f_code.co_filename
        if name == launch.__file__:
            return
        if is_user_file(name):
            if passed > _THIN:
                return
            yield frame
        elif not name.startswith((framework, *_PASSED_OVER)):
            passed += 1
            yield frame
        frame = frame.f_back
