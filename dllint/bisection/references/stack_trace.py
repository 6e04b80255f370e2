"""The user's own line in the stack that an exporter keeps for each operator."""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path
from typing import Final

from dllint.bisection.graph import Place
from dllint.bisection.references.call_place import column_of

_FRAME: Final = re.compile(r'File "([^"]+)", line (\d+), in [^\n]*\n?([^\n]*)')
_LIBRARIES: Final = tuple({sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), sysconfig.get_path("stdlib")})
#: Names of the folders that packages are installed in, of this environment or of one that it is added to.
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


def user_place(trace: str, kind: str = "", module: str = "") -> Place | None:
    """The innermost frame that is in no installed package; the innermost of all if every frame is.

    The column is that of the call of an operator of this kind, or of its module, where the line has just one such call.
    """
    frames = [(Path(path), int(line), text) for path, line, text in _FRAME.findall(trace)]
    if not frames:
        return None
    own = [frame for frame in frames if not is_installed(frame[0])]
    path, line, text = (own or frames)[-1]
    return Place(path, line, column_of(path, line, kind, module) or _indent(path, line) + 1, text.strip())


def is_installed(path: Path) -> bool:
    """Whether a file belongs to an installed package or to Python itself."""
    return str(path).startswith(_LIBRARIES) or not _INSTALLED.isdisjoint(path.parts)


def line_of(path: Path, line: int) -> str:
    """A line of a source file, counted from 1; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        return ""


def _indent(path: Path, line: int) -> int:
    found = line_of(path, line)
    return len(found) - len(found.lstrip())
