"""Which Python environment goes with the files of a directory: who may name it, and in which order they are asked.

The command line and the settings come first, then the editor's interpreter, ``VIRTUAL_ENV`` and ``CONDA_PREFIX``, then
``.venv`` beside the files or above them in their repository. The environment that dllint itself runs in counts only where it is
named: what happens to be installed beside dllint must not change what is found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dllint.config.confinement import is_own_file, project_of
from dllint.config.errors import ConfigError
from dllint.config.options import NO_ENVIRONMENT, Settings
from dllint.source.installed import Environment, environment_of, has_environment, is_own

#: The variables that name the environment which is active in a terminal.
_VARIABLES: Final = ("VIRTUAL_ENV", "CONDA_PREFIX")
#: The directory of a project's own environment.
_BESIDE: Final = ".venv"


@dataclass(slots=True)
class Environments:
    """Finds environments, each once. ``named`` is what the command line or the editor names (``python``), which is relative to
    the working directory; ``interpreter`` the one that an editor runs programs with; ``variables`` are those of the process."""

    named: str = ""
    interpreter: str = ""
    variables: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    _active: Environment | None = None
    _asked: bool = False
    _beside: dict[Path, Environment | None] = field(default_factory=dict)
    _stated: dict[tuple[Path, Path | None], Environment | None] = field(default_factory=dict)

    def of(self, directory: Path, settings: Settings) -> Environment | None:
        """The environment of the files right in an absolute directory, under the settings that hold for them.

        Raises:
            ConfigError: the user names one that is none.
        """
        if NO_ENVIRONMENT in (self.named, settings.python):
            return None
        if self.named:
            return self._known(Path(self.named), "--python", None, must=True)
        if settings.python:
            project = None if is_own_file(settings) else project_of(settings.root)
            return self._known(settings.root / settings.python, "`python`", project)
        if not self._asked:
            self._asked, self._active = True, self._named_elsewhere()
        return self._active or self._found(directory, settings)

    def missing(self) -> list[str]:
        """What configuration files name as an environment that is none."""
        places = [place for (place, _), found in self._stated.items() if found is None]
        return [f"`python` names `{place}`, which is no Python environment" for place in places]

    def _known(self, place: Path, named_by: str, project: Path | None, *, must: bool = False) -> Environment | None:
        key = place, project
        if key not in self._stated:
            self._stated[key] = environment_of(place.expanduser(), named_by, project)
        if must and self._stated[key] is None:
            raise ConfigError(f"{named_by} names no Python environment: {place}")
        return self._stated[key]

    def _named_elsewhere(self) -> Environment | None:
        """The environment of the editor's interpreter, or the one that is active in the terminal."""
        places = [(self.interpreter, "the editor"), *((self.variables.get(name, ""), name) for name in _VARIABLES)]
        for place, named_by in places:
            found = environment_of(Path(place), named_by) if place else None
            if found is not None and not is_own(found):
                return found
        return None

    def _found(self, directory: Path, settings: Settings) -> Environment | None:
        """The environment beside the files or above them."""
        tops = {project_of(directory), settings.root.absolute()}
        places: list[Path] = []
        found: Environment | None = None
        for place in (directory, *directory.parents):
            if not any(place == top or top in place.parents for top in tops):
                break
            if place in self._beside:
                found = self._beside[place]
                break
            places.append(place)
            if has_environment(str(place / _BESIDE)):
                found = environment_of(place / _BESIDE, _BESIDE, project_of(place))
                found = None if found is None or is_own(found) else found
                break
        self._beside.update(dict.fromkeys(places, found))
        return found
