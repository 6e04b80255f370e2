"""Repairs that a run has found, as quick fixes of the texts as they are now."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from lsprotocol import types as lsp

from dllint.edit import Edit, apply_edits
from dllint.server.actions import text_edits
from dllint.server.failing import each
from dllint.server.files import OpenFile
from dllint.server.marks import Shown, bare_lines, moved, real
from dllint.server.runs.findings import RunEdit, RunFix
from dllint.server.text import Text
from dllint.span import Position

#: The text of a file as it is now, and the file if the editor has opened it.
Texts = Callable[[Path], tuple[Text, OpenFile | None]]


def run_fixes(shown: Sequence[Shown], range_: lsp.Range, texts: Texts, versioned: bool) -> Iterator[lsp.CodeAction]:
    """The quick fixes of the findings that a range touches. The first confirmed one of each finding is preferred; a fix whose
    lines read otherwise by now, or that leaves a file that cannot be parsed, is not offered."""
    pairs = ((finding, fix) for finding in shown if _touches(finding.diagnostic.range, range_) for fix in finding.finding.fixes)
    made = each(pairs, lambda pair: _action(*pair, texts, versioned), "a repair that a run has found cannot be offered")
    return (action for action in made if action is not None)


def _action(finding: Shown, fix: RunFix, texts: Texts, versioned: bool) -> lsp.CodeAction | None:
    edit = _workspace_edit(fix, finding, texts, versioned)
    if edit is None:
        return None
    best = next((fix for fix in finding.finding.fixes if fix.is_confirmed), None)
    kind = lsp.CodeActionKind.QuickFix
    return lsp.CodeAction(fix.title, kind, [finding.diagnostic], is_preferred=fix is best or None, edit=edit)


def _touches(place: lsp.Range, range_: lsp.Range) -> bool:
    return _key(place.start) <= _key(range_.end) and _key(range_.start) <= _key(place.end)


def _key(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


def _workspace_edit(fix: RunFix, shown: Shown, texts: Texts, versioned: bool) -> lsp.WorkspaceEdit | None:
    by_path: dict[Path, list[RunEdit]] = {}
    for edit in fix.edits:
        by_path.setdefault(edit.path, []).append(edit)
    changed: dict[Path, list[lsp.TextEdit]] = {}
    for path, edits in by_path.items():
        text, _ = texts(path)
        now = _edits_now(edits, shown.seen.get(real(path), ()), text)
        if now is None or not _parses(text.content, now):
            return None
        changed[path] = text_edits(now, text)
    return _document_changes(changed, texts) if versioned else _changes(changed, texts)


def _edits_now(edits: Sequence[RunEdit], seen: Sequence[str], text: Text) -> list[Edit] | None:
    """The edits where their lines are now; ``None`` if one of these lines has changed."""
    lines = bare_lines(text.content)
    places = {**moved(seen, lines), len(seen): len(lines)}
    now = []
    for edit in edits:
        rows = [places.get(row - 1) for row in range(edit.first.line, edit.last.line + 1)]
        first = rows[0]
        if first is None or rows != list(range(first, first + len(rows))):
            return None
        start = text.lines.offset(Position(first + 1, edit.first.column))
        end = text.lines.offset(Position(first + len(rows), edit.last.column))
        now.append(Edit(edit.path, start, end, edit.content))
    return now


def _parses(text: str, edits: Sequence[Edit]) -> bool:
    try:
        ast.parse(text)
        ast.parse(apply_edits(text, edits))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _document_changes(changed: Mapping[Path, list[lsp.TextEdit]], texts: Texts) -> lsp.WorkspaceEdit:
    changes = []
    for path, edits in changed.items():
        _, file = texts(path)
        version = file.version if file is not None else None
        document = lsp.OptionalVersionedTextDocumentIdentifier(uri=_uri(path, file), version=version)
        changes.append(lsp.TextDocumentEdit(document, [*edits]))
    return lsp.WorkspaceEdit(document_changes=changes)


def _changes(changed: Mapping[Path, list[lsp.TextEdit]], texts: Texts) -> lsp.WorkspaceEdit:
    return lsp.WorkspaceEdit(changes={_uri(path, texts(path)[1]): edits for path, edits in changed.items()})


def _uri(path: Path, file: OpenFile | None) -> str:
    return file.uri if file is not None else path.as_uri()
