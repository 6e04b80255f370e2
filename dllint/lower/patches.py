"""What the files of a project may add to objects of a library, by their texts: attributes that are set on its classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dllint.source.document import Document
    from dllint.source.workspace import Files

#: So many files are looked at; of a project with more, nothing is sure.
_FILES: Final = 60
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n;]*)|import[ \t]+([^\n;]*))", re.M
)
#: An attribute is set whose name is computed, of another object than ``self``.
_COMPUTED: Final = re.compile(r"\bsetattr\(\s*(?!self\b)[\w.]*\b[A-Z]\w*\s*,\s*(?!['\"])")
#: Tensors of classes of the program.
_OWN_TENSORS: Final = re.compile(r"\bas_subclass\b|_make_(?:wrapper_)?subclass\b|__torch_(?:function|dispatch)__|__class__\s*=")


def may_add(document: Document, workspace: Files | None, name: str, *, to_tensors: bool) -> bool:
    """Whether a document, or a file of the project that it imports, may give objects of a library's class an attribute."""
    sets = re.compile(rf"\.{name}\s*(?::[^=\n]+)?=(?!=)|\bdef\s+{name}\b|['\"]{name}['\"]")
    for number, part in enumerate(_project(document, workspace)):
        text = part.text
        if number == _FILES or _COMPUTED.search(text) or (to_tensors and _OWN_TENSORS.search(text)):
            return True
        if part is not document and sets.search(text):
            return True
    return False


def _project(document: Document, workspace: Files | None) -> Iterator[Document]:
    """A document, and the files of the project that it imports, by others, too."""
    seen: set[Path] = {document.path}
    pending = [document]
    while pending:
        part = pending.pop()
        yield part
        for path in _imported(part, workspace) if workspace is not None else ():
            if path in seen or workspace is None or workspace.is_installed(path):
                continue
            seen.add(path)
            if (found := workspace.document(path)) is not None:
                pending.append(found)


def _imported(document: Document, workspace: Files) -> Iterator[Path]:
    for dots, home, taken, modules in _IMPORT.findall(document.text):
        names = re.findall(r"[\w.]+", re.sub(r"#[^\n]*|\bas\s+\w+", "", taken or modules))
        for name in ("", *names) if taken else names:
            module = ".".join(filter(None, (home, name))) if taken else name
            if (module or dots) and (path := workspace.resolve(document, module, len(dots))) is not None:
                yield path
