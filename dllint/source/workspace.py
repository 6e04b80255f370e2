"""The files of a project: which file an import names, and parsed documents kept within a memory limit."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from dllint.source.constructions import Construction, Constructions, Passed
from dllint.source.data import finding, formats, plain
from dllint.source.data.described import Descriptions
from dllint.source.data.held import Held
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError
from dllint.source.example_calls import Example
from dllint.source.lazy import LazyDocument
from dllint.source.observed import looked_for
from dllint.source.regular import read_head, read_regular, require_regular
from dllint.source.resolution import SUBMODULE, Resolver, SearchPath

#: Characters of source whose trees are kept; a tree takes about 25 bytes for each.
KEPT_CHARACTERS = 4_000_000
#: The most bytes of a file of an installed package.
_LARGEST_INSTALLED: Final = 2_000_000


#: In place of a form: how a file begins, whatever it is; so many bytes of it.
HEAD: Final = "head"
_HEAD: Final = 2**16


class Looked(NamedTuple):
    """What was looked for among the data files: the paths ``tried``, the file found, and what it holds: its text and data, how
    it begins, or the arrays in it."""

    tried: tuple[Path, ...] = ()
    path: Path | None = None
    text: str = ""
    data: plain.Plain = None
    head: bytes = b""
    held: Held = None


class Files(Protocol):
    """What a trace asks of the files around a document. :class:`Workspace` answers; so may a part of one."""

    #: What the interpreter keeps of the modules that were imported. It is kept here because it refers to these files: in a
    #: table beside them, even a weak one, neither would ever be freed.
    library: object

    def resolve(self, document: Document, module: str, level: int = 0) -> Path | None:
        """See :meth:`Workspace.resolve`."""

    def submodule(self, package: Path, name: str) -> Path | None:
        """See :meth:`Workspace.submodule`."""

    def is_installed(self, path: Path) -> bool:
        """See :meth:`Workspace.is_installed`."""

    def document(self, path: Path) -> Document | None:
        """See :meth:`Workspace.document`."""

    def construction(self, path: Path, name: str) -> Construction | None:
        """See :meth:`Workspace.construction`."""

    def constructions_pass(self, path: Path, name: str) -> Iterable[Passed]:
        """See :meth:`Workspace.constructions_pass`."""

    def likely_construction(
        self, path: Path, name: str, parameters: Collection[str], needed: Collection[str]
    ) -> Construction | None:
        """See :meth:`Workspace.likely_construction`."""

    def example(self, path: Path, name: str) -> Example | None:
        """See :meth:`Workspace.example`."""

    def data(self, importer: Path, name: str, form: str) -> Looked:
        """See :meth:`Workspace.data`."""


class Workspace:
    """Modules below some root directories.

    Paths are made absolute but symbolic links are never resolved, so that a tree of links is a workspace of its own.
    Installed packages are looked into in the directories ``installed`` only, except below a root that lies in one. ``read``
    gives a document for a path (an editor hands out its open buffers here); the default reads the file. ``array_files``: the
    heads of files with arrays, tables, pictures and models are read.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        read: Callable[[Path], Document] = LazyDocument.open,
        installed: Sequence[str] = (),
        *,
        array_files: bool = True,
    ) -> None:
        self.resolver = Resolver(SearchPath.of(roots, installed))
        self._read = read
        self._array_files = array_files
        self._documents: OrderedDict[Path, Document | None] = OrderedDict()
        self._kept = 0
        self._constructions = Constructions()
        self._descriptions = Descriptions()
        self._data: dict[tuple[Path, str, str], Looked] = {}
        #: The answers of the resolver as paths.
        self._paths: dict[str, Path] = {}
        self._installed: dict[Path, bool] = {}
        self.library: object = None

    def resolve(self, document: Document, module: str, level: int = 0) -> Path | None:
        """The file of ``import module`` in a document, or ``None`` if it is not of this workspace.

        ``level`` counts the leading dots of a relative import; ``module`` may then be empty. A package is its
        ``__init__.py``; one without is its directory. Looked up in this order: the document's own directory (as when it
        is run as a script), the directories around it up to the root, the roots and their ``src``, installed packages.
        """
        return self._look_up(document.path, module, level)

    def submodule(self, package: Path, name: str) -> Path | None:
        """The file of ``name`` in a package given by what :meth:`resolve` returned for it."""
        return self._look_up(package, name, SUBMODULE)

    def is_installed(self, path: Path) -> bool:
        """Whether a file or directory belongs to an installed package, not to the project."""
        known = self._installed.get(path)
        if known is None:
            known = self._installed[path] = self.resolver.path.is_installed(os.path.abspath(path))
        return known

    def _look_up(self, importer: Path, name: str, level: int) -> Path | None:
        found = self.resolver.look_up(os.path.abspath(importer), name, level)
        return None if found is None else self._path(found)

    def _path(self, text: str) -> Path:
        if text not in self._paths:
            self._paths[text] = Path(text)
        return self._paths[text]

    def document(self, path: Path) -> Document | None:
        """The parsed file, kept for the next time; ``None`` if it cannot be read or is no text. A directory (a package
        without ``__init__.py``) has no document."""
        path = _absolute(path)
        if path in self._documents:
            self._documents.move_to_end(path)
            return self._documents[path]
        try:
            document = None if self.is_installed(path) and _is_large(path) else self._read(path)
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

    def constructions_pass(self, path: Path, name: str) -> tuple[Passed, ...]:
        """What the constructions of that class in other files near ``path`` pass."""
        return self._constructions.passed(_absolute(path), name)

    def likely_construction(
        self, path: Path, name: str, parameters: Collection[str], needed: Collection[str]
    ) -> Construction | None:
        """What is likely passed where the class ``name`` of a file is constructed, in code or texts about it
        (:meth:`Constructions.likely`), or what configurations describe; ``needed`` of its ``parameters`` have no default."""
        place = _absolute(path)
        if self.is_installed(place):
            return None
        root = Path(finding.root_of(str(place), self.resolver.path.own))
        found = self._constructions.likely(place, name, root)
        if found is not None:
            return found
        described = self._descriptions.of(place, name, parameters, needed, root)
        return Construction(place, (), described) if described else None

    def example(self, path: Path, name: str) -> Example | None:
        """What is passed to an object of the class ``name`` of a file, in code or texts about it."""
        place = _absolute(path)
        if self.is_installed(place):
            return None
        return self._constructions.example(place, name, Path(finding.root_of(str(place), self.resolver.path.own)))

    def data(self, importer: Path, name: str, form: str) -> Looked:
        """The data file beside the code that a path ``name`` stands for in the file ``importer``, read as ``form``: a key of
        ``formats.READERS`` or ``contents.READERS``, empty for its text alone, or :data:`HEAD`. No ``path`` if there is none, or
        it cannot be read, or installed packages ask."""
        key = importer.parent, name, form
        if key not in self._data:
            self._data[key] = self._read_data(_absolute(importer), name, form)
        for path in self._data[key].tried:
            looked_for(path)
        return self._data[key]

    def has_looked_for(self, path: Path) -> bool:
        """Whether a data file at this path would be, or is, one that a program reads."""
        return any(path in found.tried for found in self._data.values())

    def _read_data(self, importer: Path, name: str, form: str) -> Looked:
        roots = self.resolver.path.own
        is_held = form in plain.HELD
        if self.is_installed(importer) or ((is_held or form == HEAD) and not self._array_files):
            return Looked()
        tried = finding.candidates(str(importer), name, roots)
        paths = tuple(map(Path, tried))
        if is_held:
            return self._read_held(paths, finding.root_of(str(importer), roots), form)
        read = partial(read_head, most=_HEAD) if form == HEAD else partial(read_regular, limit=plain.LARGEST)
        found = finding.content(tried, finding.root_of(str(importer), roots), read)
        if found is None:
            return Looked(paths)
        if form == HEAD:
            return Looked(paths, found[0], head=found[1])
        try:
            text = found[1].decode("utf-8-sig")
            return Looked(paths, found[0], text, formats.READERS[form](text) if form else None)
        except (UnicodeDecodeError, plain.UnreadableError):
            return Looked(paths)

    @staticmethod
    def _read_held(paths: tuple[Path, ...], root: str, form: str) -> Looked:
        from dllint.source.data import contents  # readers that most projects do not need

        found = finding.content(list(map(str, paths)), root, partial(contents.read, form=form))
        return Looked(paths) if found is None else Looked(paths, found[0], held=found[1])

    def put(self, document: Document) -> None:
        """Use this document for its path from now on."""
        self.forget(document.path)
        self._keep(_absolute(document.path), document)

    def forget(self, path: Path) -> None:
        """Read the file anew the next time, and look for modules anew (files may have come or gone)."""
        self._drop(_absolute(path))
        self.resolver = Resolver(self.resolver.path)
        self._constructions = Constructions()
        self._descriptions = Descriptions()
        self._data.clear()

    def _drop(self, path: Path) -> None:
        gone = self._documents.pop(path, None)
        self._kept -= len(gone.text) if gone is not None else 0

    def _keep(self, path: Path, document: Document | None) -> None:
        self._documents[path] = document
        self._kept += len(document.text) if document is not None else 0
        while self._kept > KEPT_CHARACTERS and len(self._documents) > 1:
            _, oldest = self._documents.popitem(last=False)
            self._kept -= len(oldest.text) if oldest is not None else 0


def _is_large(path: Path) -> bool:
    """Whether a file is more than is read of an installed package. Raises OSError if it is no regular file."""
    return require_regular(path) > _LARGEST_INSTALLED


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))
