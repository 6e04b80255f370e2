"""Selection of the frames whose step may be replayed."""

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
    """The frames whose step may be replayed: a training library's own step (Keras, Trainer), or the user's own loop. Frames
    that only start a library's training are left out, and so is everything outside of the program: replaying these would train
    anew. Frames of ``framework``, the folder of the computing library, are skipped."""
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
