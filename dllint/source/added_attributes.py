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
    parts = enumerate(_project(document, workspace))
    return any(number == _FILES or part.answer(_may_set, name, to_tensors) for number, part in parts)


def _may_set(text: str, name: str, to_tensors: bool) -> bool:
    """Whether a text may give an attribute to objects: by an assignment, a definition, its name in a string, or one that is
    computed."""
    if _COMPUTED.search(text) or (to_tensors and _OWN_TENSORS.search(text)):
        return True
    sets = rf"\.{name}\s*(?::[^=\n]+)?=(?!=)|\bdef\s+{name}\b|['\"]{name}['\"]|^\s+{name}\s*[:=]"
    return name in text and re.search(sets, text, re.M) is not None


def _project(document: Document, workspace: Files | None) -> Iterator[Document]:
    """A document, and the files of the project that it imports, by others, too."""
    seen: set[Path] = {document.path}
    pending = [document]
    while pending:
        part = pending.pop()
        yield part
        for module, dots in part.answer(_imported) if workspace is not None else ():
            path = workspace.resolve(part, module, dots) if workspace is not None else None
            if path is None or path in seen or workspace is None or workspace.is_installed(path):
                continue
            seen.add(path)
            if (found := workspace.document(path)) is not None:
                pending.append(found)


def _imported(text: str) -> tuple[tuple[str, int], ...]:
    """What a text imports: names that may be modules, with the number of dots before them."""
    found: list[tuple[str, int]] = []
    for dots, home, taken, modules in _IMPORT.findall(text):
        names = re.findall(r"[\w.]+", re.sub(r"#[^\n]*|\bas\s+\w+", "", taken or modules))
        for name in ("", *names) if taken else names:
            module = ".".join(filter(None, (home, name))) if taken else name
            if module or dots:
                found.append((module, len(dots)))
    return tuple(found)
