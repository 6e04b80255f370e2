"""Comments that silence a finding where it stands."""

from __future__ import annotations

import re
from typing import Final

from dllint.edit import Edit
from dllint.source.document import Document
from dllint.source.pragmas import comment_on_line, comments_with_places
from dllint.span import Span

_CODES: Final = re.compile(r"#\s*dllint:\s*ignore\[(?P<codes>[^\]#]*)\]", re.IGNORECASE)

_FILE_CODES: Final = re.compile(r"#\s*dllint:\s*ignore-file\[(?P<codes>[^\]#]*)\]", re.IGNORECASE)
#: PEP 263: what declares the encoding of a source; the first line may name its interpreter.
_DECLARATION: Final = re.compile(r"\ufeff?#!|[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
#: Lines among which a comment for the file is looked for.
_MOST_LINES: Final = 50


def ignore_comment(document: Document, span: Span, code: str) -> Edit | None:
    """The edit that puts ``# dllint: ignore[code]`` on the first line of a span, or on its last one where the first ends
    inside a string or is continued; ``None`` if neither can bear a comment."""
    edits = (_on_line(document, line, code) for line in dict.fromkeys((span.first.line, span.last.line)))
    return next((edit for edit in edits if edit is not None), None)


def ignore_file_comment(document: Document, code: str) -> Edit:
    """The edit that silences a rule in a whole file: the code is added to the first such comment with codes, or a comment gets
    the first line that may not hold something else (an interpreter, the encoding)."""
    for line, alone, start, comment in comments_with_places(document):
        known = _FILE_CODES.search(comment) if alone else None
        if known is not None:
            at = start + known.end("codes")
            return Edit(document.path, at, at, f", {code}" if known["codes"].strip() else code)
        if line > _MOST_LINES:
            break
    at = _after_declarations(document.text)
    end = "\r\n" if "\r\n" in document.text[: document.text.find("\n") + 1] else "\n"
    return Edit(document.path, at, at, f"# dllint: ignore-file[{code}]{end}")


def _after_declarations(text: str) -> int:
    """Where the first line begins that is neither an interpreter's nor declares the encoding (the first two lines may)."""
    at = 0
    for _ in range(2):
        end = text.find("\n", at)
        if end < 0 or not _DECLARATION.match(text, at, end):
            break
        at = end + 1
    return at


def _on_line(document: Document, line: int, code: str) -> Edit | None:
    starts = document.lines.starts
    begin = starts[line - 1]
    end = begin + len(document.text[begin : starts[line] if line < len(starts) else None].rstrip("\r\n"))
    comment = comment_on_line(document, line)
    if comment is not None:
        known = _CODES.search(document.text, comment, end)
        if known is not None:
            at = known.end("codes")
            return Edit(document.path, at, at, f", {code}" if known["codes"].strip() else code)
    bare = end - len(document.text[begin:end]) + len(document.text[begin:end].rstrip())
    edit = Edit(document.path, bare, end, f"  # dllint: ignore[{code}]")
    return edit if _is_comment(document, edit, line) else None


def _is_comment(document: Document, edit: Edit, line: int) -> bool:
    """Whether the text added by an edit is read as a comment of that line."""
    edited = document.text[: edit.start] + edit.content + document.text[edit.end :]
    before = document.text[: edit.start].rsplit("\n", 1)[-1]
    return not before.endswith("\\") and comment_on_line(Document(document.path, edited, []), line) is not None
