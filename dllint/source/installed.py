"""Python environments: where the packages lie that a project's imports name. Read from the file system; nothing is started.

An environment is what ``pyvenv.cfg`` or a ``site-packages`` directory shows to be one. Lines of ``.pth`` files that name a
directory (as editable installs do) add it; lines that would be executed (``import …``) are passed over, so that editable
installs by a finder are not seen. Everything may have been written by somebody whom nobody trusts: links in circles, pipes and
files of any size cost nothing, and what is read of each kind is bounded.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from dllint.source.regular import read_regular

#: The file that makes a directory a virtual environment.
_SETTINGS: Final = "pyvenv.cfg"
#: The most bytes of it and of a ``.pth`` file, the most such files, and the most directories that they add.
_MOST_BYTES: Final = 64 * 1024
_MOST_FILES: Final = 200
_MOST_ADDED: Final = 100
_MOST_NAMES: Final = 20_000
#: What the directory of installed packages is called.
_KINDS: Final = ("site-packages", "dist-packages")
_VERSION: Final = re.compile(r"python3\.(\d{1,3})t?")
_KEY: Final = re.compile(r"^\s*([\w-]+)\s*=\s*(.*?)\s*$", re.MULTILINE)
#: What begins a line of a ``.pth`` file that Python executes.
_EXECUTED: Final = ("import ", "import\t")


class Environment(NamedTuple):
    """Where packages are installed: the directory of the environment, who has named it, and the directories in which imports
    are looked up, in order. ``linked`` are those of them that other files name: what lies there may be worked on."""

    prefix: str
    named_by: str
    roots: tuple[str, ...]
    linked: tuple[str, ...] = ()


def environment_of(place: Path, named_by: str, project: Path | None = None) -> Environment | None:
    """The environment at a place, which is its directory or its interpreter; ``None`` if there is none.

    With a ``project``, nobody has vouched for it: directories that files in it name are looked into only if they lie in the
    project or in the environment, and no other environment that it rests on is.
    """
    for prefix, version in _prefixes(place):
        settings = _settings(prefix)
        sites = list(_sites(prefix, version))
        if not sites:
            continue
        if settings.get("include-system-site-packages", "").lower() == "true" and project is None:
            sites += _beneath(settings.get("home", ""))
        sites = list({os.path.realpath(path): path for path in reversed(sites)}.values())[::-1]
        linked = tuple(path for path in _linked(sites, prefix, project) if path not in sites)
        return Environment(prefix, named_by, (*sites, *linked), linked)
    return None


def has_environment(directory: str) -> bool:
    """Whether a directory is a virtual environment."""
    return os.path.isfile(os.path.join(directory, _SETTINGS))


def is_own(environment: Environment) -> bool:
    """Whether dllint itself runs in an environment."""
    return os.path.realpath(environment.prefix) == os.path.realpath(sys.prefix)


def _prefixes(place: Path) -> Iterator[tuple[str, str]]:
    """The directories that may be the environment at a place, with the name of its library directory if one is known."""
    path = os.path.abspath(place)
    if os.path.isdir(path):
        yield path, ""
        return
    if not os.path.isfile(path):
        return
    for executable in dict.fromkeys((path, os.path.realpath(path))):
        folder = os.path.dirname(executable)
        found = _VERSION.match(os.path.basename(os.path.realpath(executable)))
        yield os.path.dirname(folder), found[0] if found is not None else ""
        yield folder, ""  # Windows, outside of virtual environments


def _settings(prefix: str) -> dict[str, str]:
    """What ``pyvenv.cfg`` says."""
    return {key.lower(): value for key, value in _KEY.findall(_text(os.path.join(prefix, _SETTINGS)))}


def _sites(prefix: str, version: str) -> Iterator[str]:
    """The ``site-packages`` of an environment; of those of several versions, the one that is named, or the newest."""
    for library in ("lib", "lib64"):
        folder = os.path.join(prefix, library)
        minors = {name: int(found[1]) for name in _names(folder) if (found := _VERSION.fullmatch(name)) is not None}
        for name in sorted(minors, key=lambda name: (name == version, minors[name]), reverse=True):
            places = [path for kind in _KINDS if os.path.isdir(path := os.path.join(folder, name, kind))]
            yield from places
            if places:
                break
        if os.path.isdir(shared := os.path.join(folder, "python3", "dist-packages")) and not has_environment(prefix):
            yield shared  # of Debian's own Python
    if os.path.isdir(windows := os.path.join(prefix, "Lib", "site-packages")):
        yield windows


def _beneath(home: str) -> Iterator[str]:
    """The ``site-packages`` of the Python that a virtual environment was made with; ``home`` is where its interpreter lies."""
    if home and os.path.isabs(home):
        prefix = os.path.dirname(home) if os.path.basename(home) == "bin" else home
        yield from _sites(prefix, "")


def _linked(sites: list[str], prefix: str, project: Path | None) -> Iterator[str]:
    """The directories that the ``.pth`` files in some directories name."""
    inside = () if project is None else (os.path.realpath(project), os.path.realpath(prefix))
    left = _MOST_ADDED
    for site in sites:
        for name in sorted(name for name in _names(site) if name.endswith(".pth"))[:_MOST_FILES]:
            for line in _text(os.path.join(site, name)).splitlines():
                if left and (path := _named(site, line)) is not None and (not inside or _lies_in(path, inside)):
                    left -= 1
                    yield path


def _named(site: str, line: str) -> str | None:
    """The directory that a line of a ``.pth`` file names."""
    line = line.strip()
    if not line or line.startswith(("#", *_EXECUTED)) or "\0" in line:
        return None
    path = os.path.normpath(os.path.join(site, line))
    return path if os.path.isdir(path) else None


def _lies_in(path: str, places: tuple[str, ...]) -> bool:
    real = os.path.realpath(path)
    return any(real == place or real.startswith(place.rstrip(os.sep) + os.sep) for place in places)


def _names(directory: str) -> list[str]:
    """The names in a directory, so many at most; none if it cannot be listed."""
    names: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                if len(names) == _MOST_NAMES:
                    break
                names.append(entry.name)
    except (OSError, ValueError):
        pass
    return names


def _text(path: str) -> str:
    try:
        return read_regular(path, _MOST_BYTES).decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return ""
