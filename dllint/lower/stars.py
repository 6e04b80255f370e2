"""Names that a module gets by ``from … import *`` of modules that bind them: found without executing these.

A package with a star import for each of its modules (often with an ``__all__`` that decorators extend while Python imports it)
would otherwise have all of them executed for one name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.lower.pending import ImportVal
from dllint.source.lazy import bindings, statements_of
from dllint.source.walk import dotted

if TYPE_CHECKING:
    from dllint.source.document import Document
    from dllint.source.workspace import Files

#: So many star imports in a row are followed.
_DEEPEST: Final = 3


def holder(files: Files, document: Document, numbers: Iterable[int], name: str, depth: int = 0) -> ImportVal | None:
    """The module that binds a name, of those that the chunks of a document star-import; of several, the last one."""
    for path, module in reversed(list(_imported(files, document, numbers))):
        other = files.document(path)
        bound = bindings(other) if other is not None else []
        if any(name in names for names in bound):
            return ImportVal(path, module, name)
        further = [number for number, names in enumerate(bound) if "*" in names]
        if other is not None and further and depth < _DEEPEST:
            found = holder(files, other, further, name, depth + 1)
            if found is not None:
                return found
    return None


def _imported(files: Files, document: Document, numbers: Iterable[int]) -> Iterator[tuple[Path, str]]:
    """The files of the modules that some chunks star-import, with their names."""
    for number in numbers:
        for statement in statements_of(document, number):
            for node in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
                if isinstance(node, cst.ImportFrom) and isinstance(node.names, cst.ImportStar):
                    module = dotted(node.module) if node.module is not None else None
                    path = files.resolve(document, module or "", len(node.relative))
                    if path is not None:
                        yield path, module or ""
