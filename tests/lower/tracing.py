"""Running snippets through the interpreter."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from dllint.ir.printer import Printer
from dllint.ir.program import Op, Program
from dllint.ir.verifier import problems
from dllint.lower.document import Lowered, lower_document
from dllint.lower.options import Options
from dllint.source.document import Document
from dllint.source.workspace import Workspace


def lower(source: str, workspace: Workspace | None = None, options: Options | None = None) -> Lowered:
    """The programs of a snippet; every one of them is valid and no entry failed."""
    document = Document.from_text(Path("/project/script.py"), textwrap.dedent(source))
    assert document.problem is None
    lowered = lower_document(document, workspace, options)
    assert lowered.failures == []
    for program in lowered.programs:
        assert problems(program) == []
    return lowered


def values(source: str) -> dict[str, Any]:
    """The global variables after a snippet has run."""
    return lower(source).module.attrs


def ir(source: str, entry: str = "<module>") -> str:
    """The text form of one program of a snippet."""
    return Printer(places=False).program(program(source, entry)).rstrip()


def program(source: str, entry: str = "<module>") -> Program:
    """One program of a snippet."""
    return next(p for p in lower(source).programs if p.entry == entry)


def ops(source: str, kind: str) -> list[Op]:
    """All operations of a kind in a snippet."""
    return [op for p in lower(source).programs for op in p.ops if op.kind == kind]
