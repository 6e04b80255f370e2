"""What a configuration file may say: a checked-in one has no say about what lies outside of its project, nor about how much of
the machine its check may take."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Final

from dllint.config.options import NO_ENVIRONMENT, Settings

_REPOSITORY: Final = (".git", ".hg", ".svn", ".jj")
#: What one file, or a run, may take: who is checked does not raise it.
_LIMITS: Final = ("max_file_size", "max_seconds", "max_memory")


def project_of(directory: Path) -> Path:
    """The repository that a directory lies in by its name; without one, the directory itself. A repository of the whole home
    directory, or above it, is nobody's project."""
    here, above = Path(os.path.abspath(directory)), _home_and_above()
    for candidate in (here, *here.parents):
        if _identity(candidate) in above:
            break
        if any(os.path.exists(candidate / name) for name in _REPOSITORY):
            return candidate
    return here


def _home_and_above() -> set[tuple[int, int]]:
    """The home directory and those that it lies in, by their identities: links lead to the same."""
    home = _home()
    real = None if home is None else _real(home)
    places = () if real is None else (real, *real.parents)
    return {found for place in places if (found := _identity(place)) is not None}


def _identity(place: Path) -> tuple[int, int] | None:
    """What tells a directory apart from others by whatever path it is reached; None if there is none."""
    try:
        found = os.stat(place)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def lies_in(path: Path, project: Path) -> bool:
    """Whether a path leads to a place in a project, with links followed."""
    real, inside = _real(path), _real(project)
    return real is not None and inside is not None and real.is_relative_to(inside)


def _is_beside(settings: Settings, project: Path) -> bool:
    """Whether the environment that settings name lies in a project; an interpreter may be a link to one elsewhere."""
    place = settings.root / settings.python
    return lies_in(place.parent if place.is_file() else place, project)


def _may_be_written(path: Path, project: Path) -> bool:
    """Whether a path leads to a place in a project, and not into what its version control keeps there."""
    real, inside = _real(path), _real(project)
    if real is None or inside is None or not real.is_relative_to(inside):
        return False
    return set(_REPOSITORY).isdisjoint(part.lower() for part in real.relative_to(inside).parts)


def confined(settings: Settings, project: Path, given: Collection[str] = ()) -> Settings:
    """The settings of a configuration file without paths that lead out of a project, and without limits above the usual ones
    unless the file is the user's own; ``refused`` says which these were, without those that are ``given`` anyway."""
    usual = Settings(root=settings.root)
    found, outside = settings, []
    if settings.src != usual.src:
        kept = tuple(entry for entry in settings.src if lies_in(settings.root / entry, project))
        outside += [f"`src` names `{entry}`" for entry in settings.src if entry not in kept]
        found = replace(found, src=kept)
    if settings.cache_dir != usual.cache_dir and not _may_be_written(settings.root / settings.cache_dir, project):
        outside.append(f"`cache-dir` names `{settings.cache_dir}`")
        found = replace(found, cache_dir=usual.cache_dir)
    if settings.baseline and not _may_be_written(settings.root / settings.baseline, project):
        outside.append(f"`baseline` names `{settings.baseline}`")
        found = replace(found, baseline=usual.baseline)
    if settings.python not in ("", NO_ENVIRONMENT) and not is_own_file(settings) and not _is_beside(settings, project):
        outside.append(f"`python` names `{settings.python}`")
        found = replace(found, python="")
    raised = [] if is_own_file(settings) else [name for name in _LIMITS if getattr(settings, name) > getattr(usual, name)]
    found = replace(found, **{name: getattr(usual, name) for name in raised})
    refused = [f"{what}, which lies outside of the project" for what in outside]
    refused += [_above(name, settings, usual) for name in raised if name not in given]
    where = f"{settings.origin}: " if settings.origin is not None else ""
    return replace(found, refused=tuple(f"{where}{what}" for what in refused))


def _above(name: str, settings: Settings, usual: Settings) -> str:
    key, value, most = name.replace("_", "-"), getattr(settings, name), getattr(usual, name)
    return f"`{key}` = {value} is more than {most}, which you can allow by `--{key}` or in your own settings, and no checkout"


def is_own_file(settings: Settings) -> bool:
    """Whether a configuration file lies in the user's home directory itself, and so belongs to no checkout."""
    return settings.origin is not None and settings.origin.absolute().parent == _home()


def _real(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle, a name that no system has
        return None


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None
