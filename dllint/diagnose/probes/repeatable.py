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
from dllint.diagnose.step_body import is_in_loop

#: Through so many frames of a training library the user's own step may still be the one that is repeated.
_THIN: Final = 1
_PASSED_OVER: Final = (str(Path(dllint.__file__).parent), str(Path(contextlib.__file__).parent / "contextlib"))


def repeatable_frames(frame: FrameType | None, framework: str) -> Iterator[FrameType]:
    """The frames whose step may be replayed, innermost first: a training library's own step (Keras, Trainer), or the user's own
    loop and the functions that it calls.

    Only what the program does again and again anyway is replayed. What surrounds the innermost of the user's loops, or lies in
    none, prepares the training: files would be emptied, folders removed, runs begun for a second time. Frames that only start a
    library's training are left out, and so is everything outside of the program: replaying these would train anew. Frames of
    ``framework``, the folder of the computing library, are skipped."""
    passed = 0
    called: list[FrameType] = []  # functions of the user's of which it is not known yet whether a loop calls them
    while frame is not None:
        code = frame.f_code
        if code.co_filename == launch.__file__:
            return
        if is_user_file(code.co_filename):
            is_loop = is_in_loop(frame)
            if passed > _THIN or (code.co_name == "<module>" and not is_loop):
                return
            if not code.co_name.startswith("<") or (is_loop and code.co_name == "<module>"):
                called.append(frame)
            if is_loop:
                yield from called
                return
        elif not code.co_filename.startswith((framework, *_PASSED_OVER)):
            passed += 1
            yield from (*called, frame)
            called = []
        frame = frame.f_back
