"""Which file an import names: told from listings of directories, each made once and watched for changes.

The answer to a :class:`Lookup` is a function of the listings of some directories (:class:`Watched`). Whoever keeps answers
keeps with them which directories these were and the digests of their listings: as long as the digests are the same, so are
the answers. Nothing here needs a parser.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from dllint.source.stamps import NO_STAMP, folder_stamp

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_INIT: Final = "__init__.py"
_SUFFIX: Final = ".py"


class SearchPath(NamedTuple):
    """Where modules are looked for: the directories of the project's own, and behind them those of ``installed`` packages."""

    own: tuple[str, ...]
    installed: tuple[str, ...] = ()

    @classmethod
    def of(cls, own: Iterable[Path | str], installed: Iterable[str] = ()) -> SearchPath:
        """The same with absolute paths."""
        return cls(tuple(os.path.abspath(root) for root in own), tuple(os.path.abspath(root) for root in installed))

    def is_installed(self, path: str) -> bool:
        """Whether an absolute path is one of an installed package."""
        return any(_lies_in(path, root) for root in self.installed)


class Lookup(NamedTuple):
    """A question: what does ``name`` stand for in ``importer``? ``level`` counts the leading dots of an import;
    :data:`SUBMODULE` stands for a name that is taken from a package."""

    importer: Path
    name: str
    level: int


#: The level of a :class:`Lookup` of ``package.name``.
SUBMODULE: Final = -1


class Watched(NamedTuple):
    """What an answer depends on: the listing of a directory, or whether one without ``__init__.py`` ``holds`` modules."""

    directory: str
    holds: bool = False


class Listing(NamedTuple):
    """The modules and directories that lie in a directory, by name; none if it cannot be listed. ``stamp`` is the same as long
    as the listing is, or empty if nothing but another listing shows whether it is."""

    files: frozenset[str]
    folders: frozenset[str]
    stamp: str

    @property
    def digest(self) -> str:
        """A hash of the names."""
        text = "\0".join((*sorted(self.files), "", *sorted(self.folders)))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def listing(directory: str) -> Listing:
    """What lies in a directory. A link counts as what it leads to."""
    stamp = folder_stamp(directory)
    files: list[str] = []
    folders: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(_SUFFIX):
                    if _is(entry, folder=False):
                        files.append(name)
                elif "." in name or not _is(entry, folder=True):
                    continue
                else:
                    folders.append(name)
                if entry.is_symlink():
                    stamp = NO_STAMP  # where it leads to may come and go
    except OSError:
        pass
    return Listing(frozenset(files), frozenset(folders), stamp)


def _is(entry: os.DirEntry[str], *, folder: bool) -> bool:
    try:
        return entry.is_dir() if folder else entry.is_file()
    except OSError:
        return False


class Asked:
    """The questions that were asked of one file or package, with their answers (paths), and what these depend on."""

    __slots__ = ("answers", "watched")

    def __init__(self) -> None:
        self.answers: dict[tuple[str, int], str | None] = {}
        self.watched: set[Watched] = set()


class Resolver:
    """Answers lookups below the directories of a search path.

    Paths are absolute, but symbolic links are never resolved, so that a tree of links is a workspace of its own. Installed
    packages are looked for in the directories that the search path names for them, and nowhere else, except below a root of
    the project that lies among them. Every question is kept in ``asked``, by importer.
    """

    def __init__(self, path: SearchPath) -> None:
        self.path = path
        self.asked: dict[str, Asked] = {}
        self.listings: dict[str, Listing] = {}
        self.holding: dict[str, bool] = {}
        self._found: dict[tuple[str, str], tuple[str | None, tuple[Watched, ...]]] = {}
        self._bases: dict[str, tuple[str, ...]] = {}

    def look_up(self, importer: str, name: str, level: int) -> str | None:
        """The path that a name stands for in a file or package, which is given by its absolute path."""
        asked = self.asked.get(importer)
        if asked is None:
            asked = self.asked[importer] = Asked()
        key = name, level
        if key not in asked.answers:
            if level == SUBMODULE:
                asked.answers[key] = self._submodule(importer, name, asked.watched)
            else:
                asked.answers[key] = self._resolve(os.path.dirname(importer), name, level, asked.watched)
        return asked.answers[key]

    def _resolve(self, directory: str, module: str, level: int, watched: set[Watched]) -> str | None:
        if level:
            for _ in range(level - 1):
                directory = os.path.dirname(directory)
            return self._lookup(directory, module, watched)
        namespace: str | None = None
        for base in self._bases_of(directory):
            path = self._lookup(base, module, watched)
            if path is not None:
                if path.endswith(_SUFFIX):
                    return path
                # As in Python, a directory is a package only if no file of that name exists anywhere on the path.
                namespace = namespace or path
        if namespace is None and module.partition(".")[0] not in sys.stdlib_module_names:
            return self._installed(module, watched)
        return namespace

    def _installed(self, module: str, watched: set[Watched]) -> str | None:
        """The file of a module of an installed package, or the directory of one without ``__init__.py``."""
        namespace: str | None = None
        for root in self.path.installed:
            path = self._lookup(root, module, watched)
            if path is not None and path.endswith(_SUFFIX):
                return path
            namespace = namespace or path
        return namespace

    def _submodule(self, package: str, name: str, watched: set[Watched]) -> str | None:
        if not package.endswith(_SUFFIX):
            return self._lookup(package, name, watched)
        directory, file = os.path.split(package)
        return self._lookup(directory, name, watched) if file == _INIT else None

    def _bases_of(self, directory: str) -> tuple[str, ...]:
        """Directories in which an absolute module name is looked for, nearest first. Which they are depends on listings of
        them alone. Files of installed packages are no scripts: what lies beside them hides nothing."""
        known = self._bases.get(directory)
        if known is None and self.path.is_installed(directory):
            known = self._bases[directory] = ()
        if known is None:
            bases = {directory: None}
            parent = directory
            while parent != os.path.dirname(parent) and (
                _INIT in self.listing(parent).files or self._is_inside(os.path.dirname(parent))
            ):
                parent = os.path.dirname(parent)
                bases[parent] = None
            for root in self.path.own:
                bases[root] = bases[os.path.join(root, "src")] = None
            known = self._bases[directory] = tuple(bases)
        return known

    def _is_inside(self, directory: str) -> bool:
        return any(_lies_in(directory, root) for root in self.path.own)

    def _is_installed(self, target: str) -> bool:
        roots = (*self.path.own, *self.path.installed)
        below = [target, *(target[len(root) :] for root in roots if _lies_in(target, root))]
        return not any(_INSTALLED.isdisjoint(each.split(os.sep)) for each in below)

    def _lookup(self, base: str, module: str, watched: set[Watched]) -> str | None:
        found = self._found.get((base, module))
        if found is None:
            used: list[Watched] = []
            path = self._find(base, module, used)
            found = self._found[base, module] = None if path is None or self._is_installed(path) else path, tuple(used)
        watched.update(found[1])
        return found[0]

    def _find(self, base: str, module: str, used: list[Watched]) -> str | None:
        """The file or the directory of a module; ``used`` collects what that depends on."""
        parts = [part for part in module.split(".") if part]
        place = base
        for part in parts[:-1]:
            if part not in self._listed(place, used).folders:
                return None
            place = os.path.join(place, part)
        here = self._listed(place, used)
        if parts and parts[-1] not in here.folders:
            return os.path.join(place, f"{parts[-1]}{_SUFFIX}") if f"{parts[-1]}{_SUFFIX}" in here.files else None
        target = os.path.join(place, parts[-1]) if parts else place
        if _INIT in self._listed(target, used).files:
            return os.path.join(target, _INIT)
        if parts and f"{parts[-1]}{_SUFFIX}" in here.files:
            return f"{target}{_SUFFIX}"
        used.append(Watched(target, holds=True))
        return target if self.holds(target) else None

    def _listed(self, directory: str, used: list[Watched]) -> Listing:
        used.append(Watched(directory))
        return self.listing(directory)

    def listing(self, directory: str) -> Listing:
        """What lies in a directory, looked at once."""
        found = self.listings.get(directory)
        if found is None:
            found = self.listings[directory] = listing(directory)
        return found

    def holds(self, directory: str) -> bool:
        """Whether a directory without ``__init__.py`` can be a package: modules stand in it or in a package below it."""
        if directory not in self.holding:
            self.holding[directory] = holds_modules(directory)
        return self.holding[directory]


def holds_modules(directory: str) -> bool:
    """Whether modules stand in a directory, or in a package right below it."""
    here = listing(directory)
    return bool(here.files) or any(os.path.isfile(os.path.join(directory, name, _INIT)) for name in here.folders)


def holds_text(holds: bool) -> str:
    """The state of a directory that was asked whether it holds modules."""
    return "holds" if holds else "holds none"


def _lies_in(path: str, root: str) -> bool:
    return path == root or path.startswith(root if root.endswith(os.sep) else f"{root}{os.sep}")
