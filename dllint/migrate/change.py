"""What a step of a migration wants: a change of the text, or a remark on what it cannot do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse
from dllint.edit import Edit
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner
from dllint.ir.program import Site
from dllint.source.document import Document
from dllint.source.walk import walk


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together. ``kind`` says what they do, in few words; changes are counted by it."""

    kind: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What is left to be done by hand at a place: the fact, and what to do."""

    site: Site
    message: str
    advice: str


#: Reads a document, and says what to change and what is left.
Step = Callable[[Document], Iterator[Change | Remark]]


def name_at(use: SymbolUse, qualified: str) -> tuple[str, tuple[Edit, ...]]:
    """How to write a library object at the place of a use, and the edits that make its name known there."""
    return name_for(use.site.document, qualified, inner(use.site, use.site.node)[0], use.local)


def call_of(use: SymbolUse) -> cst.Call | None:
    """The call of which a use is the callee."""
    statement, node = use.site.statement, use.site.node
    return next((part for part in walk(statement) if isinstance(part, cst.Call) and part.func is node), None)
