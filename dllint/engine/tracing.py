"""Documents to traced programs, through the memo: what did not change since the last time is not traced again.

The programs of a document depend on its own text and on the definitions in other files that were used while tracing it. A
definition is the top-level chunks that bind its name; a change elsewhere in its file invalidates nothing unless it moves them.

- The programs of a document depend on its text, on which files exist, and on every definition in another file that tracing it
  used. They have no fingerprint: each answer is new.
- A definition (a name in a file) depends on the text of that file. Its fingerprint is the digests and places of the top-level
  chunks that bind the name.

So an edit of one chunk of a module retraces the documents that use what the chunk binds, and no others. A session
that asks each question once, as the command line does, leaves the memo out (``Session(remember=False)``) and shares
evaluated imports instead.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from dllint.config.discovery import FILE_NAMES
from dllint.config.options import Settings
from dllint.config.ranges import ranges_in, stated_for
from dllint.engine.analysis import Traced
from dllint.engine.queries import Memo
from dllint.engine.results import Notice
from dllint.lower.document import Lowered, lower_document
from dllint.lower.incremental import IncrementalLowering
from dllint.lower.options import Checkpoint, Options
from dllint.lower.pending import library_of
from dllint.lower.reads import Reads
from dllint.lower.steps import Work
from dllint.source.constructions import Passed
from dllint.source.data.plain import HEADED, SUFFIXES
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError
from dllint.source.lazy import LazyDocument, bindings, together
from dllint.source.workspace import Workspace

#: The input that stands for which files exist; how imports resolve depends on it.
_FILES: Final = "files"
#: Gives the document of a file. Raises OSError, or :class:`dllint.source.encoding.UndecodableError`.
Read = Callable[[Path], Document]


class Tracer:
    """Traces the documents of one workspace and remembers the results until what they depend on changes.

    Without ``remember`` every question is answered anew, which is cheaper where each is asked once, as on the command line.
    ``read`` gives the documents of imported files; ``architectures`` is an option of the interpreter.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        remember: bool = True,
        checkpoint: Checkpoint | None = None,
        read: Read = LazyDocument.open,
        architectures: bool = False,
    ) -> None:
        self._remember = remember
        self._open = read
        installed = settings.search_path.installed
        self.workspace = Workspace(settings.source_roots, self._read, installed, array_files=settings.array_files)
        self._memo = Memo()
        self._settings = settings
        self._options = Options(total_fuel=settings.max_steps, checkpoint=checkpoint, architectures=architectures)
        self._lowerings: dict[Path, _Kept] = {}

    @cached_property
    def reads(self) -> Reads:
        """Which files the analyses read, from the first time that this is asked for."""
        reads = library_of(self.workspace).loads = Reads()
        return reads

    def open(self, path: Path, text: str, encoding: str) -> Document:
        """The document of a file under check."""
        return Document.from_text(path, text, encoding) if self._remember else self.workspace.own(path, text, encoding)

    def trace(self, document: Document) -> Traced:
        """The programs of a document."""
        if not self._remember:
            return self.trace_apart(document)
        self._put(document)
        return self._memo.query(("programs", document.path), lambda: self._remembered(document))

    def trace_apart(self, document: Document) -> Traced:
        """The programs of a text that is only tried; what is remembered of its path stays."""
        return _traced(document, self._lower(document))

    def is_fresh(self, path: Path) -> bool:
        """Whether the programs of a document are known and up to date."""
        return self._memo.is_fresh(("programs", path))

    def work(self, path: Path) -> Work | None:
        """What the last text of an edited document has cost; ``None`` if there is none."""
        kept = self._lowerings.get(path)
        return kept.lowering.work if kept is not None else None

    def update(self, document: Document) -> None:
        """Use a document from now on wherever its file is imported."""
        self.workspace.put(document)
        self._put(document)

    def revise(self, path: Path) -> None:
        """An open file has another text, or is no longer open: read it anew if anything known depends on it."""
        if self._memo.has_input(("text", path)):
            try:
                self.update(self._open(path))
            except (OSError, UndecodableError):
                self.refresh(path)

    def refresh(self, path: Path) -> None:
        """A file was changed, created or deleted outside: read it anew when it is needed, and resolve imports anew. Of data
        files, those count that a program reads."""
        if path.suffix in (*SUFFIXES, *HEADED) and path.name not in FILE_NAMES and not self.workspace.has_looked_for(path):
            return
        self.workspace.forget(path)
        self._memo.drop_input(("text", path))
        now = object()
        self._memo.set_input(_FILES, now, now)

    def forget(self, path: Path) -> None:
        """Free the programs of a document."""
        self._lowerings.pop(path, None)
        self._memo.forget(("programs", path))
        self._memo.forget(("outside", path))

    def _read(self, path: Path) -> Document:
        document = self._open(path)
        self._put(document)
        return document

    def _put(self, document: Document) -> None:
        if self._remember:
            self._memo.set_input(("text", document.path), document, document.text)

    def _lower(self, document: Document) -> Lowered:
        # What imported modules evaluate to is shared by all who pass the same workspace. An answer that is remembered must
        # name all its dependencies, also those that an earlier one has already evaluated.
        workspace = _OwnView(self.workspace) if self._remember else self.workspace
        return lower_document(document, workspace, self._options_for(document.path))

    def _options_for(self, path: Path) -> Options:
        """The options for a document: the ranges that the configuration states in it."""
        if not self._settings.ranges:
            return self._options
        found = ranges_in(self._settings.ranges, path, self._settings.root)
        return replace(self._options, stated=partial(stated_for, found)) if found else self._options

    def _remembered(self, document: Document) -> Traced:
        """Trace a document inside a query, and record what the answer depends on."""
        self._memo.input(("text", document.path))
        kept = self._lowerings.get(document.path)
        if kept is None or self._outside(document.path, kept.dependencies) != kept.outside:
            kept = self._begun(document)
        try:
            lowered = kept.lowering.lower(document)
            while lowered is None:
                kept = self._begun(document)
                lowered = kept.lowering.lower(document)
        except BaseException:  # an older answer that is stored names places that are shown no more
            self._memo.forget(("programs", document.path))
            raise
        finally:  # also if the work is stopped: what has been done until then counts
            dependencies = [(path, name) for path, name in kept.lowering.dependencies if path != document.path]
            if dependencies != kept.dependencies:
                kept.dependencies = dependencies
                self._memo.forget(("outside", document.path))
            kept.outside = self._outside(document.path, kept.dependencies)
        return _traced(kept.lowering.live, lowered)

    def _begun(self, document: Document) -> _Kept:
        """A fresh start of an edited document."""
        lowering = IncrementalLowering(document, _OwnView(self.workspace), self._options_for(document.path))
        kept = self._lowerings[document.path] = _Kept(lowering)
        return kept

    def _outside(self, document: Path, dependencies: list[tuple[Path, str]]) -> list[Hashable]:
        """The state of what a document uses of other files, recorded for the running query."""
        return self._memo.query(
            ("outside", document),
            lambda: [self._memo.input(_FILES), *(self._definition(path, name) for path, name in dependencies)],
            fingerprint=tuple,
        )

    def _definition(self, path: Path, name: str) -> Hashable:
        """The chunks of a file that bind a name; the running query depends on them."""
        return self._memo.query(
            ("definition", path, name),
            lambda: _chunks_binding(self._memo.input(("text", path)), name),
            fingerprint=lambda chunks: chunks,
        )


@dataclass(slots=True)
class _Kept:
    """A document that is edited, what it uses of other files, and the state that this was in."""

    lowering: IncrementalLowering
    dependencies: list[tuple[Path, str]] = field(default_factory=list)
    outside: list[Hashable] = field(default_factory=list)


class _OwnView:
    """A workspace seen by one trace alone."""

    def __init__(self, workspace: Workspace) -> None:
        self.resolve = workspace.resolve
        self.submodule = workspace.submodule
        self.document = workspace.document
        self.is_installed = workspace.is_installed
        self.library: object = None
        self.data = workspace.data  # a change of a data file is one of the files that exist

    def construction(self, path: Path, name: str) -> None:
        """None: an answer that is remembered must not depend on files that may come to use a class later."""

    def likely_construction(self, path: Path, name: str, parameters: Collection[str], needed: Collection[str]) -> None:
        """None, for the same reason."""

    def example(self, path: Path, name: str) -> None:
        """None, for the same reason."""

    def constructions_pass(self, path: Path, name: str) -> tuple[Passed, ...]:
        """None, for the same reason."""
        return ()


def _traced(document: Document, lowered: Lowered) -> Traced:
    notices = [Notice("internal-error", document.path, str(failure)) for failure in lowered.failures]
    return Traced(document, lowered.programs, lowered.settings, notices, lowered.state, tuple(lowered.cut))


def _chunks_binding(document: Document | None, name: str) -> Hashable:
    """Contents and places of the top-level chunks of a document that bind a name (or may, by a star import), and of those that
    are executed with them."""
    if document is None:
        return None
    numbers = {number for number, names in enumerate(bindings(document)) if name in names or "*" in names}
    groups = {id(group): group for number, group in together(document).items() if number in numbers}
    chunks = [document.chunks[number] for number in sorted(numbers.union(*groups.values()))]
    return tuple((chunk.text, chunk.first_line) for chunk in chunks)
