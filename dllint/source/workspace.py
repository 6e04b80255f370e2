"""The files of a project: which file an import names, and parsed documents kept within a memory limit."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from dllint.source.constructions import Construction, Constructions, Passed
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError
from dllint.source.lazy import LazyDocument

#: Characters of source whose trees are kept; a tree takes about 25 bytes for each.
KEPT_CHARACTERS = 4_000_000
_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Lookup(NamedTuple):
    """A question to the workspace: what does ``name`` stand for in ``importer``? ``level`` counts the leading dots of an
    import; :data:`SUBMODULE` stands for a name that is taken from a package."""

    importer: Path
    name: str
    level: int


#: The level of a :class:`Lookup` of ``package.name``.
SUBMODULE: Final = -1


class Files(Protocol):
    """What a trace asks of the files around a document. :class:`Workspace` answers; so may a part of one."""

    def resolve(self, document: Document, module: str, level: int = 0) -> Path | None:
        """See :meth:`Workspace.resolve`."""

    def submodule(self, package: Path, name: str) -> Path | None:
        """See :meth:`Workspace.submodule`."""

    def document(self, path: Path) -> Document | None:
        """See :meth:`Workspace.document`."""

    def construction(self, path: Path, name: str) -> Construction | None:
        """See :meth:`Workspace.construction`."""

    def constructions_pass(self, path: Path, name: str) -> Iterable[Passed]:
        """See :meth:`Workspace.constructions_pass`."""


class Workspace:
    """Modules below some root directories.

    Paths are made absolute but symbolic links are never resolved, so that a tree of links is a workspace of its own.
    Installed packages are never looked into, except below a root that lies in one. ``read`` gives a document for a path
    (an editor hands out its open buffers here); the default reads the file.
    """

    def __init__(self, roots: Sequence[Path], read: Callable[[Path], Document] = LazyDocument.open) -> None:
        self.roots = tuple(_absolute(root) for root in roots)
        self._read = read
        self._documents: OrderedDict[Path, Document | None] = OrderedDict()
        self._kept = 0
        self._constructions = Constructions()
        self._modules: dict[tuple[Path, str], Path | None] = {}
        #: Names in a directory: most imports are of libraries, and one look shows that they are not here.
        self._names: dict[Path, frozenset[str]] = {}
        #: The lookups made so far and their answers, by importer.
        self._lookups: dict[Path, dict[Lookup, Path | None]] = {}

    def resolve(self, document: Document, module: str, level: int = 0) -> Path | None:
        """The file of ``import module`` in a document, or ``None`` if it is not of this workspace.

        ``level`` counts the leading dots of a relative import; ``module`` may then be empty. A package is its
        ``__init__.py``; one without is its directory. Looked up in this order: the document's own directory (as when it
        is run as a script), the directories around it up to the root, the roots and their ``src``.
        """
        return self.look_up(Lookup(document.path, module, level))

    def submodule(self, package: Path, name: str) -> Path | None:
        """The file of ``name`` in a package given by what :meth:`resolve` returned for it."""
        return self.look_up(Lookup(package, name, SUBMODULE))

    def look_up(self, lookup: Lookup) -> Path | None:
        """The answer of :meth:`resolve` or :meth:`submodule`, kept. A file is the same importer, however its path is given."""
        lookup = lookup._replace(importer=_absolute(lookup.importer))
        answers = self._lookups.setdefault(lookup.importer, {})
        if lookup not in answers:
            importer, name, level = lookup
            if level == SUBMODULE:
                answers[lookup] = self._submodule(importer, name)
            else:
                answers[lookup] = self._resolve(importer.parent, name, level)
        return answers[lookup]

    def lookups_from(self, path: Path) -> list[tuple[Lookup, Path | None]]:
        """All lookups made so far in a file and in the files it leads to, with their answers."""
        found: list[tuple[Lookup, Path | None]] = []
        todo = [_absolute(path)]
        seen = set(todo)
        while todo:
            for lookup, answer in self._lookups.get(todo.pop(), {}).items():
                found.append((lookup, answer))
                if answer is not None and answer not in seen:
                    seen.add(answer)
                    todo.append(answer)
        return found

    def _resolve(self, directory: Path, module: str, level: int) -> Path | None:
        if level:
            for _ in range(level - 1):
                directory = directory.parent
            return self._lookup(directory, module)
        found = [path for base in self._bases(directory) if (path := self._lookup(base, module))]
        # As in Python, a directory is a package only if no file of that name exists anywhere on the path.
        return next((path for path in found if path.suffix), found[0] if found else None)

    def _submodule(self, package: Path, name: str) -> Path | None:
        directory = package if package.suffix == "" else package.parent
        return self._lookup(directory, name) if package.suffix == "" or package.name == "__init__.py" else None

    def document(self, path: Path) -> Document | None:
        """The parsed file, kept for the next time; ``None`` if it cannot be read or is no text. A directory (a package
        without ``__init__.py``) has no document."""
        path = _absolute(path)
        if path in self._documents:
            self._documents.move_to_end(path)
            return self._documents[path]
        try:
            document: Document | None = self._read(path)
        except (OSError, UndecodableError):
            document = None
        self._keep(path, document)
        return document

    def own(self, path: Path, text: str, encoding: str) -> Document:
        """The document of a file that is being checked, parsed on demand: what importers of the file have parsed is not
        parsed again, nor will they parse what the check does."""
        place = _absolute(path)
        kept = self._documents.get(place)
        if not isinstance(kept, LazyDocument) or kept.text != text or kept.path != path:
            self._drop(place)
            kept = LazyDocument.from_text(path, text, encoding)
            self._keep(place, kept)
        return kept.twin() if isinstance(kept, LazyDocument) else kept

    def construction(self, path: Path, name: str) -> Construction | None:
        """How another file near ``path`` constructs the class ``name`` that ``path`` defines (see :class:`Constructions`)."""
        return self._constructions.of(_absolute(path), name)

    def constructions_pass(self, path: Path, name: str) -> Iterator[Passed]:
        """What the constructions of that class in other files near ``path`` pass."""
        return self._constructions.passed(_absolute(path), name)

    def put(self, document: Document) -> None:
        """Use this document for its path from now on."""
        self.forget(document.path)
        self._keep(_absolute(document.path), document)

    def forget(self, path: Path) -> None:
        """Read the file anew the next time, and look for modules anew (files may have come or gone)."""
        self._drop(_absolute(path))
        self._modules.clear()
        self._names.clear()
        self._constructions = Constructions()
        self._lookups.clear()

    def _drop(self, path: Path) -> None:
        gone = self._documents.pop(path, None)
        self._kept -= len(gone.text) if gone is not None else 0

    def _keep(self, path: Path, document: Document | None) -> None:
        self._documents[path] = document
        self._kept += len(document.text) if document is not None else 0
        while self._kept > KEPT_CHARACTERS and len(self._documents) > 1:
            _, oldest = self._documents.popitem(last=False)
            self._kept -= len(oldest.text) if oldest is not None else 0

    def _bases(self, directory: Path) -> Iterator[Path]:
        """Directories in which an absolute module name is looked for, nearest first."""
        seen = {directory}
        yield directory
        parent = directory
        while parent != parent.parent and (_is_package(parent) or self._inside(parent.parent)):
            parent = parent.parent
            if parent not in seen:
                seen.add(parent)
                yield parent
        for root in self.roots:
            for base in (root, root / "src"):
                if base not in seen:
                    seen.add(base)
                    yield base

    def _inside(self, directory: Path) -> bool:
        return any(directory == root or root in directory.parents for root in self.roots)

    def _installed(self, target: Path) -> bool:
        parts = [target.parts, *(target.relative_to(root).parts for root in self.roots if target.is_relative_to(root))]
        return not any(_INSTALLED.isdisjoint(below) for below in parts)

    def _lookup(self, base: Path, module: str) -> Path | None:
        key = (base, module)
        if key not in self._modules:
            self._modules[key] = self._find(base, module) if self._starts_in(base, module) else None
        return self._modules[key]

    def _starts_in(self, base: Path, module: str) -> bool:
        """Whether a directory holds anything by the first name of a module."""
        if base not in self._names:
            self._names[base] = _names_in(base)
        root = module.partition(".")[0]
        return not module or root in self._names[base] or f"{root}.py" in self._names[base]

    def _find(self, base: Path, module: str) -> Path | None:
        target = base.joinpath(*module.split(".")) if module else base
        if self._installed(target):
            return None
        if os.path.isfile(package := target / "__init__.py"):
            return package
        if module and os.path.isfile(file := target.with_name(f"{target.name}.py")):
            return file
        return target if os.path.isdir(target) and _holds_python(target) else None


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _names_in(directory: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(directory))
    except OSError:
        return frozenset()


def _is_package(directory: Path) -> bool:
    return os.path.isfile(directory / "__init__.py")


def _holds_python(directory: Path) -> bool:
    """Whether a directory without ``__init__.py`` can be a package: modules stand in it or in a package below it."""
    try:
        with os.scandir(directory) as entries:
            return any(e.name.endswith(".py") or (e.is_dir() and _is_package(Path(e.path))) for e in entries)
    except OSError:
        return False
