"""The program's files at the end of the page, so that layers and findings lead to their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dllint.diagnose.conclusion import Diagnosis
from dllint.diagnose.page.view import View
from dllint.page.markup import Markup, element, joined

_MOST_FILES: Final = 3
_MOST_LINES: Final = 1500
#: Longer files are folded.
_SHORT: Final = 150


def listed(diagnosis: Diagnosis, view: View) -> list[Path]:
    """The files that have findings, then those that most layers are built in; not those that are too long."""
    with_findings = [finding.location.path for finding in diagnosis.findings if finding.location.in_file]
    built = Counter(Path(layer.place.path) for layer in diagnosis.run.layers if layer.place is not None)
    paths = dict.fromkeys([*with_findings, *(path for path, _ in built.most_common())])
    return [path for path in paths if 0 < len(view.lines(path)) <= _MOST_LINES][:_MOST_FILES]


def address(files: Sequence[Path], path: Path, line: int) -> str | None:
    """The address of a line on the page; ``None`` if its file is not there."""
    return f"#file-{files.index(path) + 1}-{line}" if path in files else None


def sources(diagnosis: Diagnosis, view: View, files: Sequence[Path]) -> Markup:
    """The files, with the lines of findings marked."""
    return joined(_file(number, path, diagnosis, view) for number, path in enumerate(files, 1))


def _file(number: int, path: Path, diagnosis: Diagnosis, view: View) -> Markup:
    messages: dict[int, str] = {}
    for finding in diagnosis.findings:
        if finding.location.path == path:
            first = finding.location.span.first.line
            messages[first] = "\n".join(filter(None, [messages.get(first, ""), f"{finding.code}: {finding.message}"]))
    lines = view.lines(path)
    rows = (_line(f"file-{number}-{row}", row, text, messages.get(row)) for row, text in enumerate(lines, 1))
    folded = None if len(lines) > _SHORT else ""
    return element(
        "details",
        element("summary", element("code", view.shown(path))),
        element("pre", *rows, class_="source whole"),
        open=folded,
    )


def _line(anchor: str, number: int, text: str, messages: str | None) -> Markup:
    class_ = "line here" if messages is not None else "line"
    return element("span", element("i", str(number)), text or " ", class_=class_, id=anchor, title=messages)
