"""Imported modules of a workspace as they are kept: what is executed, and the statements that wait for their names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from dllint.ir.values import AbstractVal, ModuleVal, Value
from dllint.lower.journal import Entry
from dllint.lower.scopes import Scope
from dllint.lower.shared import Shared
from dllint.source import definitions
from dllint.source.document import Document
from dllint.source.observed import looked_for
from dllint.source.workspace import Files


@dataclass(frozen=True, slots=True, eq=False)
class ImportVal(AbstractVal):
    """A name imported from a module of the workspace and not used yet; ``name`` is empty for the module itself."""

    path: Path
    module: str
    name: str


@dataclass(slots=True, eq=False)
class Pending:
    """The chunks of a module that have not been executed, by number under the names they bind, and the names that each of them
    binds. ``together``: those whose order counts, each with all that are executed with it."""

    module: ModuleVal
    scope: Scope
    path: Path
    chunks: dict[str, list[int]] = field(default_factory=dict)
    bound: dict[int, list[str]] = field(default_factory=dict)
    stars: list[int] = field(default_factory=list)
    done: set[int] = field(default_factory=set)
    together: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def bind(self, number: int, names: Iterable[str]) -> None:
        """Chunk ``number`` binds these names."""
        for name in names:
            self.chunks.setdefault(name, []).append(number)
            self.bound.setdefault(number, []).append(name)

    def waiting(self, name: str) -> list[int]:
        """The chunks to execute before a name holds what it holds when the module has been imported, in order. What else they
        bind is bound to its end, too: nobody would ask for the rest of a name that holds something already."""
        if name not in self.chunks:
            return []
        found: set[int] = set()
        names, asked = [name], {name}
        while names:
            for number in self.chunks.get(names.pop(), ()):
                new = {number, *self.together.get(number, ())} - self.done - found if number not in self.done else set()
                found |= new
                more = {other for chunk in new for other in self.bound.get(chunk, ()) if len(self.chunks[other]) > 1} - asked
                asked |= more
                names += more
        return sorted(found)


class Loads:
    """What is told about the loading of modules. Nobody keeps it where no result is kept."""

    def into(self, _path: Path, _state: Mapping[str, Value]) -> AbstractContextManager[None]:
        """What is found inside is kept in the namespace of a module; ``state`` is the program's (``Trail.state``)."""
        return nullcontext()

    def use(self, path: Path) -> None:
        """A module is made use of."""

    def search(self, path: Path, document: Document | None) -> None:
        """The document of a file is looked through for names."""

    def listing(self, _path: Path, _document: Document | None) -> AbstractContextManager[None]:
        """Inside, the names are asked for that a module lists in ``__all__``."""
        return nullcontext()

    def listed(self, path: Path, document: Document | None, names: object) -> None:
        """Behind that: the names, as far as they are known."""

    def loaded(self, path: Path, fuel: int, *, is_sound: bool) -> None:
        """Statements of a module have been executed; ``is_sound``: without an error of ours."""

    def star(self) -> None:
        """A star import is followed."""

    def limit(self) -> None:
        """A limit of the whole analysis cuts something short."""

    def change(self, changes: Iterable[Entry]) -> None:
        """The module that is being loaded has changed objects that were there before."""


class Library:
    """The imported modules of a workspace: evaluated once for all documents, as long as their files stay as they are."""

    def __init__(self) -> None:
        self.loads = Loads()
        self.modules: OrderedDict[Path, ModuleVal] = OrderedDict()
        self.shared = Shared()
        self._dropped = 0
        #: Statements not needed yet, by ``id`` of the module's namespace.
        self.pending: dict[int, Pending] = {}
        #: What was found among the definitions of installed packages, by directory and key.
        self.registered: dict[tuple[Path, str], list[tuple[Path, str]]] = {}
        #: The data files that were looked for.
        self.looked_for: set[Path] = set()

    def get(self, path: Path, document: Document | None) -> ModuleVal | None:
        """The module of a file, unless the file has changed."""
        known = self.modules.get(path)
        if known is None or known.document is not document:
            return None
        self.modules.move_to_end(path)
        return known

    def tell_searched(self) -> None:
        """Note for whoever analyses a document which definitions were searched, for it or for an earlier one."""
        for (folder, key), found in self.registered.items():
            definitions.tell(folder, key, found)
        for path in self.looked_for:
            looked_for(path)

    def put(self, path: Path, module: ModuleVal, pending: Pending) -> None:
        """Keep a module; the least recently used one is dropped."""
        self.modules[path] = module
        self.pending[id(module.attrs)] = pending
        self.shared.note(module.attrs)
        while len(self.modules) > _KEPT_MODULES:
            _, oldest = self.modules.popitem(last=False)
            self.pending.pop(id(oldest.attrs), None)
            self._dropped += 1
        if self._dropped >= _DROPPED_MODULES:
            self._dropped = 0
            self.shared.keep_only(module.attrs for module in self.modules.values())


_KEPT_MODULES = 400
#: So many modules are dropped before their objects are.
_DROPPED_MODULES = 200


def library_of(workspace: Files | None) -> Library:
    """The imported modules of a workspace, kept as long as it is."""
    if workspace is None:
        return Library()
    if not isinstance(workspace.library, Library):
        workspace.library = Library()
    return workspace.library
