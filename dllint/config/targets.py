"""The releases of a library that the code of a file is written for, and the source of that information.

Sources, in order of precedence: the command line and the setting ``target``; what the notebook installs; requirements, lock
files and project files, the nearest directory first; a virtual environment of the project; releases that a notebook's outputs
show; the README. The required Python version narrows what is left open.

``source/pins/`` has a reader for each kind of file, which gives ``Pin``s; it reads regular files of bounded size and executes
nothing. This module turns pins into a set of releases (``Target``). With ``declared``, a user who installs by the file may get
the newest release of the set; otherwise the code was run with one release of it. A requirement is not narrowed by a release
that the code was run with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dllint.config.errors import ConfigError, nearest
from dllint.config.release_files import ReleaseFiles
from dllint.frameworks.releases import admitted, keras_with, known, libraries, library_of, running_on
from dllint.source.notebook_names import SUFFIX
from dllint.source.pins import conda, environment, locks, notebooks, project, readme, requirements
from dllint.source.pins.pin import Pin, pin_of_requirement

if TYPE_CHECKING:
    from packaging.version import Version

_MOST_NAMED: Final = 3
_PYTHON: Final = "python"


@dataclass(frozen=True, slots=True)
class Target:
    """The releases of a library that code is for, oldest first. ``declared``: who installs by it may get the newest of them;
    otherwise the code was run with one of them, nobody knows which. ``text`` and ``origin`` say what decided;
    prose is not ``firm``. ``implied``: nothing names the library, only the Python that it has to run on."""

    library: str
    releases: tuple[Version, ...]
    text: str
    origin: str
    declared: bool = True
    firm: bool = True
    implied: bool = False

    def __str__(self) -> str:
        return f"{self.text} ({self.origin})"


def read_targets(entries: Iterable[str], where: str) -> tuple[str, ...]:
    """The entries of the setting ``target``, checked.

    Raises:
        ConfigError: an entry is no requirement, or names a library whose releases are not known.
    """
    found = tuple(entries)
    for entry in found:
        pin = pin_of_requirement(entry, Path(), 0)
        if pin is None:
            raise ConfigError(f"{where}: `{entry}` in `target` is no requirement, such as `torch==2.13`")
        library = library_of(pin.name)
        if library is None:
            raise ConfigError(
                f"{where}: the releases of `{pin.name}` in `target` are not known{nearest(pin.name, libraries())}"
            )
        if not admitted(library, pin.specifier):
            raise ConfigError(f"{where}: `{entry}` in `target` admits no release")
    return found


Read = Callable[[Path], Iterable[Pin]]


@dataclass(slots=True)
class Projects:
    """What the directories of projects say, each read when it is first asked for. ``failures`` are of those that could not
    be read, and which nobody has told of yet."""

    failures: list[tuple[Path, Exception]] = field(default_factory=list)
    _known: dict[tuple[Read, Path], dict[str, list[Pin]]] = field(default_factory=dict)
    files: ReleaseFiles = field(default_factory=ReleaseFiles)

    def pins(self, read: Read, directory: Path) -> dict[str, list[Pin]]:
        """The releases that one kind of file in a directory names, by library."""
        if (read, directory) not in self._known:
            by_library: dict[str, list[Pin]] = {}
            try:
                for pin in read(directory):
                    if (library := library_of(pin.name)) is not None:
                        by_library.setdefault(library, []).append(pin)
            except Exception as error:  # what it says is not worth a finding
                self.failures.append((directory, error))
            self._known[read, directory] = by_library
        return self._known[read, directory]


def _project_files(directory: Path) -> Iterator[Pin]:
    yield from requirements.in_directory(directory)
    yield from project.in_directory(directory)
    yield from locks.pipfile(directory)
    yield from conda.in_directory(directory)


#: What is looked for in a directory before the next one above it is asked.
_PINS: Final[tuple[Read, ...]] = (locks.in_directory, _project_files)


@dataclass(slots=True)
class Targets:
    """The targets of one file. ``stated`` are the entries of the setting ``target``; ``stated_by`` says where they stand."""

    path: Path
    stated: tuple[str, ...] = ()
    stated_by: str = "the setting `target`"
    projects: Projects = field(default_factory=Projects)
    _found: dict[str, Target | None] = field(default_factory=dict)
    _notebook: list[Pin] | None = None

    def of(self, library: str) -> Target | None:
        """The releases of a library that the code is for; ``None`` if nothing says."""
        if library not in self._found:
            self._found[library] = self._stated(library) or self._narrowed(library)
        return self._found[library]

    def all(self) -> Iterator[Target]:
        """What is known of any library."""
        for library in libraries():
            if (found := self.of(library)) is not None:
                yield found

    def _stated(self, library: str) -> Target | None:
        for entry in self.stated:
            pin = pin_of_requirement(entry, self.path, 0)
            if pin is not None and library_of(pin.name) == library:
                return Target(library, admitted(library, pin.specifier), entry, self.stated_by)
        if library == "keras" and (tensorflow := self._stated("tensorflow")) is not None:
            return _keras(tensorflow)
        return None

    def _narrowed(self, library: str) -> Target | None:
        """What the project says of the library, as far as it runs on the Python that is demanded. A Python alone leaves out
        releases, but asks for none of the others."""
        found = self._pinned(library)
        if found is None and library == "keras":
            tensorflow = self.of("tensorflow")
            found = _keras(tensorflow) if tensorflow is not None else None
        python = self.of(_PYTHON) if library != _PYTHON else None
        if python is None:
            return found
        if found is not None and found.declared and not python.declared:
            return found  # where somebody has run it once does not change what others may install
        fitting = set(running_on(library, python.releases))
        if found is not None:
            left = tuple(release for release in found.releases if release in fitting)
            return replace(found, releases=left) if left else found
        left = tuple(release for release in known(library) if release in fitting)
        if not left or len(left) == len(known(library)):
            return None
        return Target(library, left, python.text, python.origin, python.declared, implied=True)

    def _pinned(self, library: str) -> Target | None:
        directories = self.projects.files.directories(self.path)
        return (
            self._of_pins(library, [pin for pin in self._own() if pin.declared])
            or self._nearest(library, directories, _PINS)
            or self._nearest(library, directories, (environment.in_directory,))
            or self._of_pins(library, self._own())
            or self._in_prose(library, directories)
        )

    def _in_prose(self, library: str, directories: Iterable[Path]) -> Target | None:
        found = self._nearest(library, directories, (readme.in_directory,))
        return replace(found, firm=False) if found is not None else None

    def _nearest(self, library: str, directories: Iterable[Path], reads: tuple[Read, ...]) -> Target | None:
        for directory in directories:
            for read in reads:
                if (pins := self.projects.pins(read, directory).get(library)) is not None:
                    return self._target(library, pins)
        return None

    def _own(self) -> list[Pin]:
        """The releases that the file itself names, if it is a notebook."""
        if self._notebook is None:
            self._notebook = notebooks.of_notebook(self.path) if self.path.suffix == SUFFIX else []
        return self._notebook

    def _of_pins(self, library: str, pins: Iterable[Pin]) -> Target | None:
        mine = [pin for pin in pins if library_of(pin.name) == library]
        return self._target(library, mine) if mine else None

    def _target(self, library: str, pins: list[Pin]) -> Target | None:
        """All that any of some pins admits."""
        releases = {release for pin in pins for release in admitted(library, pin.specifier)}
        if not releases:
            return None
        ordered = sorted(pins, key=lambda pin: admitted(library, pin.specifier)[-1:])
        texts = dict.fromkeys(f"{pin.name}{pin.specifier}" for pin in ordered[-_MOST_NAMED:])
        declared = all(pin.declared for pin in pins)
        return Target(library, tuple(sorted(releases)), " or ".join(texts), self._place(ordered[-1]), declared)

    def _place(self, pin: Pin) -> str:
        root = self.projects.files.directories(self.path)[-1]
        shown = pin.path.relative_to(root) if pin.path.is_relative_to(root) else pin.path
        return f"{shown.as_posix()}:{pin.line}" if pin.line else shown.as_posix()


def _keras(tensorflow: Target) -> Target | None:
    releases = keras_with(tensorflow.releases)
    if not releases:
        return None
    return replace(tensorflow, library="keras", releases=releases)
