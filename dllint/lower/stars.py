"""Names that a module gets by imports that are not executed for them: ``from … import *``, and those for type checkers.

A package with a star import for each of its modules (often with an ``__all__`` that decorators extend while Python imports it)
would otherwise have all of them executed for one name. A package that hands its names out on demand says what they are in a
block for type checkers, which Python passes over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.lower.pending import ImportVal, Loads
from dllint.source.lazy import bindings, statements_of
from dllint.source.walk import dotted

if TYPE_CHECKING:
    from dllint.source.document import Document
    from dllint.source.workspace import Files

#: So many star imports in a row are followed, and so many documents looked at for one name.
_DEEPEST: Final = 4
_MOST: Final = 60


class Search:
    """The search for one name; ``left``: the number of documents that may still be looked at."""

    def __init__(self, files: Files, name: str, loads: Loads) -> None:
        self._files = files
        self._name = name
        self._loads = loads
        self._left = _MOST

    def holder(self, document: Document, numbers: Iterable[int], depth: int = 0) -> ImportVal | None:
        """Where the name comes from: the module that binds it, of those that some chunks of a document import from."""
        stars: list[cst.ImportFrom] = []
        for node in _imports(statement for number in numbers for statement in statements_of(document, number)):
            if isinstance(node.names, cst.ImportStar):
                stars.append(node)
                continue
            for alias in node.names:
                known = alias.asname.name if alias.asname is not None else alias.name
                if isinstance(known, cst.Name) and known.value == self._name:
                    return self._value(document, node, dotted(alias.name) or self._name)
        ordered = sorted(enumerate(stars), key=lambda entry: (self._resemblance(entry[1]), entry[0]), reverse=True)
        for _, node in ordered:
            found = self._among(document, node, depth)
            if found is not None:
                return found
        return None

    def _value(self, document: Document, node: cst.ImportFrom, name: str) -> ImportVal | None:
        module = _module(node)
        path = self._files.resolve(document, module, len(node.relative))
        return None if path is None else ImportVal(path, module, name)

    def _among(self, document: Document, node: cst.ImportFrom, depth: int) -> ImportVal | None:
        """The same of what one star import gives."""
        value = self._value(document, node, self._name)
        if value is None or self._left <= 0:
            return None
        self._left -= 1
        other = self._files.document(value.path)
        self._loads.search(value.path, other)
        if other is None or depth > _DEEPEST:
            return None
        bound = bindings(other)
        if any(self._name in names and "*" not in names for names in bound):
            return value
        return self.holder(other, [number for number, names in enumerate(bound) if "*" in names], depth + 1)

    def _resemblance(self, node: cst.ImportFrom) -> int:
        """How much a module's name tells that the name is of it: ``.bert`` of ``BertModel``."""
        stem = _module(node).rpartition(".")[2].replace("_", "")
        return len(stem) if self._name.lower().replace("_", "").startswith(stem) else 0


def _module(node: cst.ImportFrom) -> str:
    return (dotted(node.module) or "") if node.module is not None else ""


def _imports(statements: Iterable[cst.CSTNode]) -> Iterator[cst.ImportFrom]:
    """The imports from modules in some statements, those in the arms of branches included."""
    for statement in statements:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from (node for node in statement.body if isinstance(node, cst.ImportFrom))
        elif isinstance(statement, (cst.If, cst.Else)):
            yield from _imports(statement.body.body)
            if isinstance(statement, cst.If) and statement.orelse is not None:
                yield from _imports([statement.orelse])
