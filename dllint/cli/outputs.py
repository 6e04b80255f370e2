"""Files that the user wants written: never through a link that a checkout may have put in their place."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO, Final

from dllint.cli.failures import Failure

_SYSTEM: Final = Path("/dev")


def open_output(path: Path) -> IO[str]:
    """A file to write text to. A link to a pipe or a device is followed, and so are those of the system (``/dev/stdout``).

    Raises:
        Failure: it cannot be written, or is a link to a file.
    """
    try:
        if path.is_symlink() and _leads_to_file(path):
            raise Failure(f"cannot write {path}: it is a symbolic link")
        return path.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
    except OSError as error:
        raise Failure(f"cannot write {path}: {error.strerror or error}") from error


def _leads_to_file(path: Path) -> bool:
    """Whether a link leads to a file, or to where one would be made."""
    if path.is_relative_to(_SYSTEM):
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return True
