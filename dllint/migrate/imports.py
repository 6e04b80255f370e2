"""Imports of which some names have moved: each name is imported from where it is today, under the name it has in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

import libcst as cst

from dllint.analysis.removed import removed
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Edit
from dllint.fixes.calls import replace_expression
from dllint.fixes.places import inner, line_break, replacing
from dllint.migrate.change import Change, Remark, name_at
from dllint.source.document import Document
from dllint.source.walk import dotted

KIND: Final = "imports moved"
#: Functions that have the name of a module.
_FUNCTIONS: Final = frozenset({"keras.layers.merge", "tensorflow.keras.layers.merge"})


def moved_to(name: str) -> tuple[str, str] | None:
    """The module and the name that an imported name has today; ``None`` if it has not moved."""
    gone = removed(name)
    if gone is None or not gone.replacement or gone.stub or name in _FUNCTIONS:
        return None
    new = gone.replacement
    if name.startswith("tensorflow.") and not new.startswith("tensorflow."):
        new = f"tensorflow.{new}"
    home, _, today = new.rpartition(".")
    return (home, today) if home else None


def migrate_imports(
    document: Document,
    roots: Collection[str],
    without: Collection[str] = (),
    moved: Callable[[str], tuple[str, str] | None] = moved_to,
) -> Iterator[Change | Remark]:
    """The imports below some packages. Removed names that the file does not use are no longer imported; ``without``: names that
    have been used until now; ``moved``: the module and the name that an imported name has today."""
    seen: set[int] = set()
    for use in symbol_uses(document):
        statement = use.site.statement
        if not use.imported or use.name.partition(".")[0] not in roots or id(statement) in seen:
            continue
        seen.add(id(statement))
        if edits := _rewritten(use, without, moved):
            yield Change(KIND, edits)


def migrate_uses(uses: Sequence[SymbolUse]) -> Iterator[Change]:
    """Uses of names that have moved: ``keras.layers.core.Dense``; not through an import that moves itself."""
    moving = {use.local for use in uses if use.imported and moved_to(use.name) is not None}
    for use in uses:
        home = None if use.imported or use.local in moving else moved_to(use.name)
        if home is None or use.name.rpartition(".")[0].rpartition(".")[2][:1].isupper():
            continue
        qualified = ".".join(home).removeprefix("tensorflow.") if home[0].startswith("tensorflow.keras") else ".".join(home)
        written, added = name_at(use, qualified)
        yield Change("names moved", (*replace_expression(use.site, use.site.node, written), *added))


def _rewritten(use: SymbolUse, without: Collection[str], moved: Callable[[str], tuple[str, str] | None]) -> tuple[Edit, ...]:
    statement = use.site.statement
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    node = parts[0] if len(parts) == 1 else None
    if not isinstance(node, cst.ImportFrom) or isinstance(node.names, cst.ImportStar) or node.module is None:
        return ()
    module = dotted(node.module)
    aliases = [(alias.evaluated_name, alias.evaluated_alias) for alias in node.names]
    homes = {name: moved(f"{module}.{name}") for name, _ in aliases}
    dropped = {
        name for name, local in aliases if f"{module}.{name}" in without or _is_idle(use, f"{module}.{name}", local or name)
    }
    if not dropped and not any(homes.values()):
        return ()
    lines: dict[str, list[str]] = {}
    for name, local in aliases:
        if name in dropped:
            continue
        home, today = homes[name] or (module or "", name)
        bound = local or name
        lines.setdefault(home, []).append(today if today == bound else f"{today} as {bound}")
    start, end = inner(use.site, node)
    indentation = use.site.document.text[:start].rpartition("\n")[2]
    if indentation.strip():
        return ()
    separator = line_break(use.site.document) + indentation
    written = separator.join(f"from {home} import {', '.join(names)}" for home, names in lines.items())
    if not written and not indentation and use.site.document.text.startswith(("\n", "\r\n"), end):
        return (replacing(use.site, start, end + len(line_break(use.site.document)), ""),)
    return (replacing(use.site, start, end, written or "pass"),)


def _is_idle(use: SymbolUse, name: str, local: str) -> bool:
    """Whether an import is all that a file has of a removed name without successor; packages import for others."""
    document = use.site.document
    if document.path.name == "__init__.py" or removed(name) is None or moved_to(name) is not None:
        return False
    return len(re.findall(rf"(?<![\w.]){re.escape(local)}(?!\w)", document.text)) == 1
