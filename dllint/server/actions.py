"""Quick fixes, fix-all and comments that silence a finding, as code actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Final

from lsprotocol import types as lsp

from dllint.edit import Applicability, Edit, Fix
from dllint.server.failing import each
from dllint.server.files import OpenFile, Outcome
from dllint.server.parts import Part, Parts
from dllint.server.text import Text
from dllint.source.lines import common_ends, split_lines

FIX_ALL: Final = "source.fixAll.dllint"
#: What editors ask for a whole notebook begins with ``notebook.``.
FIX_NOTEBOOK: Final = "notebook.source.fixAll.dllint"
#: The command that shows what a finding rests on; its arguments are the address of the file, its version, and the finding's
#: number.
SHOW_WHY: Final = "dllint.showWhy"
_FIX_ALL_TITLE: Final = "Fix all auto-fixable dllint findings"
_MARK: Final = {Applicability.SAFE: "", Applicability.UNSAFE: " (unsafe)"}


def wanted(kind: str, only: Sequence[str | lsp.CodeActionKind] | None) -> bool:
    """Whether actions of a kind were asked for; a kind includes those below it (``source`` and ``source.fixAll.dllint``)."""
    if only is None:
        return True
    names = [item.value if isinstance(item, lsp.CodeActionKind) else item for item in only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)


def findings_in(outcome: Outcome, part: Part, range_: lsp.Range) -> list[int]:
    """The numbers of the findings that a range of a text touches."""
    first, last = part.text.offset(range_.start), part.text.offset(range_.end)
    places = ((number, finding.location) for number, finding in enumerate(outcome.findings))
    spans = ((number, location.span) for number, location in places if location.cell == part.cell)
    return [number for number, span in spans if span.start <= last and first <= span.end]


def quick_fixes(
    file: OpenFile, outcome: Outcome, number: int, diagnostics: Iterable[lsp.Diagnostic], versioned: bool
) -> list[lsp.CodeAction]:
    """The actions for one finding whose fixes have been proved: its fixes, the safe ones preferred, and its comment."""
    finding = outcome.findings[number]
    own = [d for d in diagnostics if d.code == finding.code and _number_of(d) in (None, number)] or None

    def action(fix: Fix) -> lsp.CodeAction:
        return lsp.CodeAction(
            title=f"{fix.message}{_MARK[fix.applicability]}",
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=own,
            is_preferred=True if fix.applicability is Applicability.SAFE else None,
            edit=workspace_edit(_by_part(fix.edits, outcome.parts), versioned),
        )

    actions = list(each(_applicable(outcome.proved.get(number, ()), file), action, "a fix cannot be offered"))
    for comments, where in ((outcome.comments, "here"), (outcome.file_comments, "in this file")):
        comment = comments.get(number)
        if comment is not None:
            edit = workspace_edit(_by_part([comment], outcome.parts), versioned)
            title = f"Ignore {finding.code} ({finding.name}) {where}"
            actions.append(lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=own, edit=edit))
    if finding.code.isupper():  # that of a rule: problems of files have names (`syntax-error`)
        title = f"Show why {finding.code} was found"
        command = lsp.Command(title, SHOW_WHY, arguments=[file.uri, outcome.version, number])
        actions.append(lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=own, command=command))
    return actions


def fix_all(part: Part, version: int) -> lsp.CodeAction:
    """The action that applies every fix that may be applied unasked to a file, or to a cell; what it changes is found out when
    it is chosen, in this ``version`` of the file."""
    where = "" if part.cell is None else " in this cell"
    data = {"uri": part.uri, "version": version, "whole": part.cell is None}
    return lsp.CodeAction(title=f"{_FIX_ALL_TITLE}{where}", kind=FIX_ALL, data=data)


def fix_notebook(part: Part, version: int) -> lsp.CodeAction:
    """The action that applies every such fix to the notebook that a cell is in."""
    data = {"uri": part.uri, "version": version, "whole": True}
    return lsp.CodeAction(title=f"{_FIX_ALL_TITLE} in this notebook", kind=FIX_NOTEBOOK, data=data)


def workspace_edit(changes: Iterable[tuple[Part, list[lsp.TextEdit]]], versioned: bool) -> lsp.WorkspaceEdit:
    """Edits of some texts; ``versioned`` if the editor can refuse them when one of the texts has changed meanwhile."""
    if not versioned:
        return lsp.WorkspaceEdit(changes={part.uri: edits for part, edits in changes})
    identified = ((lsp.OptionalVersionedTextDocumentIdentifier(part.uri, part.version), edits) for part, edits in changes)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, [*edits]) for document, edits in identified])


def _by_part(edits: Iterable[Edit], parts: Parts) -> Iterator[tuple[Part, list[lsp.TextEdit]]]:
    """Edits of a file's texts by the text that they are in.

    Raises:
        KeyError: an edit is in none of them.
    """
    by_cell: dict[int | None, list[Edit]] = {}
    for edit in edits:
        by_cell.setdefault(edit.cell, []).append(edit)
    for cell, own in by_cell.items():
        part = parts.of(cell)
        if part is None:
            raise KeyError(cell)
        yield part, text_edits(own, part.text)


def text_edits(edits: Iterable[Edit], text: Text) -> list[lsp.TextEdit]:
    """Edits of one text in the editor's units."""
    return [lsp.TextEdit(text.range(edit.start, edit.end), edit.content) for edit in sorted(edits)]


def difference(old: Text, new: str) -> list[lsp.TextEdit]:
    """The edits, line by line, that make ``new`` of a text."""
    before, after = split_lines(old.content), split_lines(new)
    head, tail = common_ends(before, after)
    offsets = list(accumulate(map(len, before), initial=0))
    matcher = SequenceMatcher(None, before[head : len(before) - tail], after[head : len(after) - tail], autojunk=False)
    return [
        lsp.TextEdit(old.range(offsets[head + a], offsets[head + b]), "".join(after[head + c : head + d]))
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def _applicable(fixes: Iterable[Fix], file: OpenFile) -> list[Fix]:
    own = [fix for fix in fixes if all(edit.path == file.path for edit in fix.edits)]
    return [fix for fix in own if fix.applicability in _MARK]


def _number_of(diagnostic: lsp.Diagnostic) -> int | None:
    data: Any = diagnostic.data
    number = data.get("finding") if isinstance(data, dict) else getattr(data, "finding", None)
    return number if isinstance(number, int) else None
