"""The user's files that were run, and the commit they belong to."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dllint.diagnose.places import is_user_file
from dllint.diagnose.reproducibility.circumstances import Revision, SourceFile

_MOST_FILES: Final = 500
_MOST_BYTES: Final = 4 << 20
_PATIENCE: Final = 2.0


def source_files(script: Path) -> tuple[SourceFile, ...]:
    """The script and what it has imported from neither the standard library nor installed packages, as they are now."""
    return tuple(_digested(path) for path in list(_paths(script))[:_MOST_FILES])


def _paths(script: Path) -> Iterator[Path]:
    """Each file once, the script first."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    names = [str(script), *sorted(name for name in files if isinstance(name, str) and is_user_file(name))]
    absolute = dict.fromkeys(Path(name).absolute() for name in names)
    return (path for path in absolute if path.is_file() and path.stat().st_size <= _MOST_BYTES)


def _digested(path: Path) -> SourceFile:
    return SourceFile(str(path), hashlib.sha256(path.read_bytes()).hexdigest())


def revision(folder: Path) -> Revision | None:
    """What git says about a folder; ``None`` if it is not under its control, or git does not answer."""
    top, commit = _git(folder, "rev-parse", "--show-toplevel"), _git(folder, "rev-parse", "HEAD")
    if not top or not commit:
        return None
    changes = _git(folder, "--no-optional-locks", "status", "--porcelain", "--untracked-files=no")
    return Revision(top, commit, bool(changes))


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=_PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
