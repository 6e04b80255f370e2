"""The files that may say which releases code is for: where they lie, and their state. What they say is read elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint.source.stamps import stamp_of

_REPOSITORY: Final = (".git", ".hg", ".svn", ".jj")
_PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "setup.cfg")
_SUFFIXES: Final = (".txt", ".in", ".pip", ".lock", ".toml", ".cfg", ".yml", ".yaml")
_NAMES: Final = ("setup.py", "pipfile", "readme", "requirements", "venv", ".venv", "env", ".env", ".tox")
#: What in a folder of such a name is read: the files of a folder of requirements, the list of packages of an environment.
_REQUIREMENTS: Final = "requirements"
_DEEPEST: Final = 40


@dataclass(slots=True)
class ReleaseFiles:
    """The directories that may say something about a file, and the state of what lies there, each looked at once."""

    _roots: dict[Path, Path] = field(default_factory=dict)
    _states: dict[Path, str] = field(default_factory=dict)
    _fingerprints: dict[str, str] = field(default_factory=dict)

    def directories(self, path: Path) -> list[Path]:
        """The directory of a file and those above it, up to the root of its project."""
        directory = path.absolute().parent
        # The root is the directory or above it. To compare each path with it would take long where an editor names a deep one.
        below = len(directory.parts) - len(self.root(directory).parts)
        return [directory, *directory.parents[:below]]

    def root(self, directory: Path) -> Path:
        """The root of the project that a directory belongs to."""
        if directory not in self._roots:
            self._roots[directory] = _root(directory)
        return self._roots[directory]

    def fingerprint(self, path: Path) -> str:
        """The state of all files that could decide about a file: names, sizes and times, not what is in them. It is the same
        for all files of a directory."""
        directory = os.path.dirname(os.path.abspath(path))
        if directory not in self._fingerprints:
            self._fingerprints[directory] = "".join(map(self._state, self.directories(path)))
        return self._fingerprints[directory]

    def _state(self, directory: Path) -> str:
        if directory not in self._states:
            self._states[directory] = repr(list(_states(str(directory))))
        return self._states[directory]


def may_decide(name: str) -> bool:
    """Whether a file or folder of this name may say which releases code is for."""
    lower = name.lower()
    return lower.endswith(_SUFFIXES) or lower.startswith(_NAMES)


def _states(directory: str) -> Iterator[tuple[str, str]]:
    for name in _names(directory):
        if may_decide(name):
            path = os.path.join(directory, name)
            yield name, _state_of(path)
            if os.path.isdir(path):
                yield from ((each, _state_of(each)) for each in _inside(path))


def _inside(folder: str) -> Iterator[str]:
    """What is read in a folder: requirements, or the packages that are installed in an environment."""
    if os.path.basename(folder) == _REQUIREMENTS:
        yield from (os.path.join(folder, name) for name in _names(folder))
    for base in (folder, os.path.join(folder, "py")):
        library = os.path.join(base, "lib")
        yield os.path.join(base, "pyvenv.cfg")
        yield os.path.join(base, "Lib", "site-packages")
        yield from (os.path.join(library, name, "site-packages") for name in _names(library) if name.startswith("python"))


def _state_of(path: str) -> str:
    """The state of a file or directory, and of where it leads to if it is a link."""
    try:
        status = os.lstat(path)
        return f"{stamp_of(status)} {stamp_of(os.stat(path))}" if os.path.islink(path) else stamp_of(status)
    except OSError:
        return ""


def _names(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory))
    except OSError:
        return []


def _root(directory: Path) -> Path:
    """The project that a directory belongs to: the repository, else what lies below the working directory, else the nearest
    directory with a project file; else itself."""
    above = [directory, *directory.parents][:_DEEPEST]
    for candidate in above:
        if any(os.path.exists(candidate / name) for name in _REPOSITORY):
            return candidate
    here = Path.cwd()
    if directory.is_relative_to(here):
        return here
    return next((each for each in above if any(os.path.isfile(each / name) for name in _PROJECT_FILES)), directory)
