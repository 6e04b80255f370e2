"""What a configuration file may name: a checked-in one has no say about what lies outside of its project."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from dllint.config.options import Settings

_REPOSITORY: Final = (".git", ".hg", ".svn", ".jj")


def project_of(directory: Path) -> Path:
    """The repository that a directory lies in by its name; without one, the directory itself. A repository of the whole home
    directory, or above it, is nobody's project."""
    here, home = Path(os.path.abspath(directory)), _home()
    for candidate in (here, *here.parents):
        if home is not None and lies_in(home, candidate):
            break
        if any((candidate / name).exists() for name in _REPOSITORY):
            return candidate
    return here


def lies_in(path: Path, project: Path) -> bool:
    """Whether a path leads to a place in a project, with links followed."""
    real, inside = _real(path), _real(project)
    return real is not None and inside is not None and real.is_relative_to(inside)


def _may_be_written(path: Path, project: Path) -> bool:
    """Whether a path leads to a place in a project, and not into what its version control keeps there."""
    real, inside = _real(path), _real(project)
    if real is None or inside is None or not real.is_relative_to(inside):
        return False
    return set(_REPOSITORY).isdisjoint(part.lower() for part in real.relative_to(inside).parts)


def confined(settings: Settings, project: Path) -> Settings:
    """The settings of a configuration file without paths that lead out of a project; ``refused`` says which these were."""
    usual = Settings(root=settings.root)
    found, refused = settings, []
    if settings.src != usual.src:
        kept = tuple(entry for entry in settings.src if lies_in(settings.root / entry, project))
        refused += [f"`src` names `{entry}`" for entry in settings.src if entry not in kept]
        found = replace(found, src=kept)
    if settings.cache_dir != usual.cache_dir and not _may_be_written(settings.root / settings.cache_dir, project):
        refused.append(f"`cache-dir` names `{settings.cache_dir}`")
        found = replace(found, cache_dir=usual.cache_dir)
    if settings.baseline and not _may_be_written(settings.root / settings.baseline, project):
        refused.append(f"`baseline` names `{settings.baseline}`")
        found = replace(found, baseline=usual.baseline)
    where = f"{settings.origin}: " if settings.origin is not None else ""
    return replace(found, refused=tuple(f"{where}{what}, which lies outside of the project" for what in refused))


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
