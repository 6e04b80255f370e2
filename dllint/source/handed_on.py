"""What a search for names that star imports hand on sees of a module: its names, the statements with star imports and the names
that it lists."""

from __future__ import annotations

import ast
from hashlib import blake2b
from pathlib import Path
from typing import Final

from dllint.source.document import Document
from dllint.source.encoding import UndecodableError
from dllint.source.lazy import LazyDocument, bindings

#: The digest of what cannot be read.
_NOTHING: Final = ""
_LISTED: Final = "__all__"


def digest(document: Document) -> str:
    """A hash of that, the same as long as every search finds the same."""
    found = blake2b(digest_size=16)
    names: dict[str, None] = {}
    for chunk, bound in zip(document.chunks, bindings(document), strict=True):
        names.update(dict.fromkeys(bound))
        if "*" in bound or _LISTED in bound:
            found.update(f"{chunk.text}\0".encode("utf-8", "surrogatepass"))
    found.update("\0".join(names).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def digest_at(path: str) -> str:
    """The same of a file as it is now."""
    try:
        return digest(LazyDocument.open(Path(path)))
    except (OSError, UndecodableError):
        return _NOTHING


def written_out(document: Document) -> tuple[str, ...] | None:
    """The names that a module lists, ``None`` if they are computed, or listed in several statements."""
    texts = [chunk.text for chunk, bound in zip(document.chunks, bindings(document), strict=True) if _LISTED in bound]
    return () if not texts else _listed(texts[0]) if len(texts) == 1 else None


def _listed(text: str) -> tuple[str, ...] | None:
    """The texts in a statement that assigns a list of them to ``__all__``."""
    try:
        statements = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(statements) != 1 or not isinstance(statements[0], ast.Assign) or len(statements[0].targets) != 1:
        return None
    target, value = statements[0].targets[0], statements[0].value
    if not isinstance(target, ast.Name) or not isinstance(value, (ast.List, ast.Tuple)):
        return None
    found = [item.value for item in value.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
    return tuple(found) if len(found) == len(value.elts) else None
