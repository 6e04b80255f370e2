"""Quick fixes, fix-all and comments that silence a finding, as code actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Final

from lsprotocol import types as lsp

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Finding
from dllint.server.failing import each
from dllint.server.files import OpenFile, Outcome
from dllint.server.text import Text
from dllint.source.lines import common_ends, split_lines

FIX_ALL: Final = "source.fixAll.dllint"
_MARK: Final = {Applicability.SAFE: "", Applicability.UNSAFE: " (unsafe)"}


def wanted(kind: str, only: Sequence[str | lsp.CodeActionKind] | None) -> bool:
    """Whether actions of a kind were asked for; a kind includes those below it (``source`` and ``source.fixAll.dllint``)."""
    if only is None:
        return True
    names = [item.value if isinstance(item, lsp.CodeActionKind) else item for item in only]
    return any(not name or kind == name or kind.startswith(f"{name}.") for name in names)


def findings_in(outcome: Outcome, range_: lsp.Range) -> list[int]:
    """The numbers of the findings that a range touches."""
    first, last = outcome.text.offset(range_.start), outcome.text.offset(range_.end)
    spans = ((number, finding.location.span) for number, finding in enumerate(outcome.findings))
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
            edit=workspace_edit(file, text_edits(fix.edits, outcome.text), versioned),
        )

    actions = list(each(_applicable(outcome.proved.get(number, ()), file), action, "a fix cannot be offered"))
    comment = outcome.comments.get(number)
    if comment is not None:
        edit = workspace_edit(file, text_edits([comment], outcome.text), versioned)
        actions.append(
            lsp.CodeAction(title=_ignore_title(finding), kind=lsp.CodeActionKind.QuickFix, diagnostics=own, edit=edit)
        )
    return actions


def fix_all(file: OpenFile) -> lsp.CodeAction:
    """The action that applies every fix that may be applied unasked; what it changes is found out when it is chosen."""
    data = {"uri": file.uri, "version": file.version}
    return lsp.CodeAction(title="Fix all auto-fixable dllint findings", kind=FIX_ALL, data=data)


def workspace_edit(file: OpenFile, edits: list[lsp.TextEdit], versioned: bool) -> lsp.WorkspaceEdit:
    """Edits of a file; ``versioned`` if the editor can refuse them when the file has changed meanwhile."""
    if not versioned:
        return lsp.WorkspaceEdit(changes={file.uri: edits})
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri=file.uri, version=file.version)
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, [*edits])])


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


def _ignore_title(finding: Finding) -> str:
    return f"Ignore {finding.code} ({finding.name}) here"


def _number_of(diagnostic: lsp.Diagnostic) -> int | None:
    data: Any = diagnostic.data
    number = data.get("finding") if isinstance(data, dict) else getattr(data, "finding", None)
    return number if isinstance(number, int) else None
