"""Which settings hold for a file: the nearest configuration file above it, then the command line over it.

As in ruff: the nearest of ``.dllint.toml``, ``dllint.toml`` and ``pyproject.toml`` with a ``[tool.dllint]`` table wins per
file, without merging; a configuration file given by ``--config`` replaces the search; single assignments given by
``--config`` and command-line options win over every file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dllint.config.confinement import confined, lies_in, project_of
from dllint.config.environments import Environments
from dllint.config.options import Settings
from dllint.config.read import read_inline, read_table, to_settings, to_values

if TYPE_CHECKING:
    from dllint.config.ranges import NamedRange
    from dllint.config.selection import Catalogue, Selection
    from dllint.source.installed import Environment

FILE_NAMES: Final = (".dllint.toml", "dllint.toml", "pyproject.toml")


@dataclass(slots=True)
class Configuration:
    """Finds and keeps the settings of directories: each configuration file is read, and its selectors resolved, once.

    ``overrides`` are values by attribute of :class:`Settings` that win over every file; ``ranges`` come after those of every
    file; ``file`` is the configuration file to use for all; ``isolated`` ignores all configuration files. ``root`` is the root
    of files that no configuration file holds for; by default the working directory. Imports in such files are looked up in
    the directories ``named``, too, which lie elsewhere: those that the command line asks about. ``environments`` finds the
    installed packages that go with files; without it, none are looked at.
    """

    overrides: Mapping[str, Any] = field(default_factory=dict)
    file: Path | None = None
    isolated: bool = False
    root: Path | None = None
    ranges: tuple[NamedRange, ...] = ()
    environments: Environments | None = None
    named: tuple[Path, ...] = ()
    _by_directory: dict[Path, Settings] = field(default_factory=dict)
    _stated_in: dict[Path, Settings | None] = field(default_factory=dict)
    #: The settings of each source of them, ``None`` for the defaults, with an environment: the files that one configuration
    #: holds for share them.
    _by_origin: dict[tuple[Path | None, Environment | None], Settings] = field(default_factory=dict)
    _selections: dict[Path | None, Selection] = field(default_factory=dict)
    _fixable: dict[Path | None, frozenset[str]] = field(default_factory=dict)

    def for_file(self, path: Path) -> Settings:
        """The settings of a file.

        Raises:
            ConfigError: the configuration that holds for it cannot be used.
        """
        return self.for_directory(path.parent)

    def for_directory(self, directory: Path) -> Settings:
        """The settings of the files directly in a directory (see :meth:`for_file`)."""
        directory = directory.absolute()
        if directory not in self._by_directory:
            self._by_directory[directory] = self._settings_for(directory)
        return self._by_directory[directory]

    def selection(self, settings: Settings, catalogue: Catalogue) -> Selection:
        """The rules that settings of this configuration select, before per-file ignores.

        Raises:
            ConfigError: a selector names no rule.
        """
        if settings.origin not in self._selections:
            self._selections[settings.origin] = catalogue.select(settings)
        return self._selections[settings.origin]

    def fixable(self, settings: Settings, catalogue: Catalogue) -> frozenset[str]:
        """The codes of the rules whose fixes may be applied under settings of this configuration.

        Raises:
            ConfigError: a selector names no rule.
        """
        if settings.origin not in self._fixable:
            refused = catalogue.codes_of(settings.unfixable, "`unfixable`")
            self._fixable[settings.origin] = catalogue.codes_of(settings.fixable, "`fixable`") - refused
        return self._fixable[settings.origin]

    def refused(self) -> list[str]:
        """What of the configuration files that were used does not hold."""
        refused = (text for settings in self._by_directory.values() for text in settings.refused)
        return list(dict.fromkeys((*refused, *(self.environments.missing() if self.environments is not None else ()))))

    def stated_by(self, settings: Settings) -> str:
        """Where the setting ``target`` stands."""
        if "target" in self.overrides:
            return "the command line"
        return settings.origin.name if settings.origin is not None else "the settings"

    def _settings_for(self, directory: Path) -> Settings:
        stated = self._nearest(directory) if self.file is None and not self.isolated else None
        origin = self.file if stated is None else stated.origin
        found = self._of_origin(origin, stated)
        environment = None if self.environments is None else self.environments.of(directory, found)
        if environment is None:
            return found
        if (origin, environment) not in self._by_origin:
            self._by_origin[origin, environment] = replace(found, environment=environment)
        return self._by_origin[origin, environment]

    def _of_origin(self, origin: Path | None, stated: Settings | None) -> Settings:
        """The settings of a source, without an environment."""
        if (origin, None) not in self._by_origin:
            found = replace(self._alone() if stated is None else stated, **self.overrides)
            self._by_origin[origin, None] = replace(found, ranges=found.ranges + self.ranges) if self.ranges else found
        return self._by_origin[origin, None]

    def _alone(self) -> Settings:
        """The settings where no file was found by its place: those of ``file``, or the defaults."""
        if self.file is None:
            settings = Settings() if self.root is None else Settings(root=self.root)
            elsewhere = [named for named in self.named if not lies_in(named, settings.root)]
            return replace(settings, src=(*settings.src, *map(str, elsewhere))) if elsewhere else settings
        table = read_table(self.file) or {}
        root = self.root or Path.cwd()
        found = to_settings(table, str(self.file), root, self.file)
        project = project_of(root)
        return confined(found, project, self.overrides) if lies_in(self.file, project) else found

    def _nearest(self, directory: Path) -> Settings | None:
        """The settings of the nearest configuration file in a directory or above it; each directory is looked at once."""
        without: list[Path] = []
        found: Settings | None = None
        for candidate in (directory, *directory.parents):
            if candidate in self._stated_in:
                found = self._stated_in[candidate]
                break
            here = _settings_in(candidate)
            without.append(candidate)
            if here is not None:
                found = confined(here, project_of(candidate), self.overrides)
                break
        self._stated_in.update(dict.fromkeys(without, found))
        return found


def _settings_in(directory: Path) -> Settings | None:
    for name in FILE_NAMES:
        path = directory / name
        if os.path.isfile(path):
            table = read_table(path)
            if table is not None:
                return to_settings(table, str(path), directory, path)
    return None


def configure(
    arguments: Sequence[str], overrides: Mapping[str, Any], isolated: bool, range_files: Sequence[str] = ()
) -> Configuration:
    """The configuration described by the command line: ``arguments`` are the values of ``--config`` (a file or a TOML
    assignment each), ``overrides`` the values of the other options, ``range_files`` those of ``--ranges``.

    Raises:
        ConfigError: an argument is neither, or assigns an unknown setting; a file of ranges cannot be used.
    """
    values: dict[str, Any] = {}
    file: Path | None = None
    for argument in arguments:
        path = Path(argument)
        if os.path.isfile(path) or ("=" not in argument):
            file = path
        else:
            values.update(to_values(read_inline(argument), f"--config `{argument}`"))
    values.update(overrides)
    named = Environments(str(values.pop("python", "")))
    return Configuration(overrides=values, file=file, isolated=isolated, ranges=_stated(range_files), environments=named)


def _stated(files: Sequence[str]) -> tuple[NamedRange, ...]:
    if not files:
        return ()
    from dllint.config.ranges import read_range_file  # most runs are given none

    return tuple(entry for file in files for entry in read_range_file(Path(file)))
