"""Source places from running code: which of the user's lines, and which columns, a frame is at."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from dllint.diagnose.source_tree import column_at

_PACKAGE: Final = str(Path(__file__).parents[1]) + "/"
_LIBRARIES: Final = tuple(
    f"{Path(sysconfig.get_path(name)).resolve()}/" for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_SITE: Final = ("/site-packages/", "/dist-packages/")


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A range of a file: 1-based lines and code-point columns, the end excluded; ``function`` is the one it lies in."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str = ""


def user_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of the user's code, from ``frame`` outwards."""
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def first_lines(codes: Iterable[CodeType]) -> dict[str, tuple[int, ...]]:
    """The first lines of functions, by file."""
    known = sorted({(_absolute(code.co_filename), code.co_firstlineno) for code in codes})
    return {path: tuple(line for _, line in own) for path, own in groupby(known, itemgetter(0))}


def user_places(depth: int, most: int) -> tuple[SourcePlace, ...]:
    """The user's places that led to the call ``depth`` frames above this function, innermost first, at most ``most``."""
    return tuple(place_of(frame) for frame in islice(user_frames(sys._getframe(depth + 1)), most))


def place_of(frame: FrameType) -> SourcePlace:
    """Where a frame is: the expression it is evaluating."""
    return _place(frame.f_code, frame.f_lasti)


def raised_through(error: BaseException) -> SourcePlace | None:
    """The innermost of the user's expressions that an exception has gone through."""
    found, entry = None, error.__traceback__
    while entry is not None:
        if is_user_file(entry.tb_frame.f_code.co_filename):
            found = entry
        entry = entry.tb_next
    return _place(found.tb_frame.f_code, found.tb_lasti) if found is not None else None


def place_in_trace(codes: Sequence[CodeType], instructions: Sequence[int]) -> SourcePlace | None:
    """The first of the user's expressions in a trace that was taken as code and instructions, innermost first."""
    for code, instruction in zip(codes, instructions, strict=True):
        if is_user_file(code.co_filename):
            return _place(code, instruction)
    return None


@lru_cache(maxsize=4096)
def is_user_file(name: str) -> bool:
    """Whether code of a file is the user's: not of the standard library, an installed package or dllint."""
    if name.startswith("<"):
        return name.startswith(("<ipython", "<stdin"))
    # Most names are those of libraries, and absolute as they are.
    return not (_is_installed(name) or _is_installed(str(Path(name).absolute())))


def _is_installed(path: str) -> bool:
    return path.startswith((_PACKAGE, *_LIBRARIES)) or any(site in path.replace("\\", "/") for site in _SITE)


@lru_cache(maxsize=4096)
def _place(code: CodeType, instruction: int) -> SourcePlace:
    positions = next(islice(code.co_positions(), instruction // 2, None), (None, None, None, None))
    line = positions[0] or code.co_firstlineno
    end_line = positions[1] or line
    path = code.co_filename
    column = column_at(path, line, positions[2] or 0)
    end_column = column_at(path, end_line, positions[3]) if positions[3] is not None else column
    return SourcePlace(_absolute(path), line, column, end_line, end_column, code.co_qualname)


def _absolute(path: str) -> str:
    return path if path.startswith("<") else str(Path(path).absolute())
