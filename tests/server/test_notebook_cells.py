"""Open notebooks, edited at random: what an editor shows in each cell is what `dllint check` finds in the saved file."""

from __future__ import annotations

import asyncio
import json
from itertools import count
from random import Random
from typing import NamedTuple

import pytest
from lsprotocol import types as lsp

from dllint.config.discovery import Configuration
from dllint.engine.baseline import Baseline
from dllint.engine.session import Session
from dllint.server.actions import findings_in, quick_fixes
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.cells import CellAnalyst
from dllint.server.diagnostics import SEVERITIES, diagnostics
from dllint.server.files import Outcome, Remembered
from dllint.server.lookup import hover, inlay_hints
from dllint.server.messages import Buffer, Cells, Closed, FolderOptions
from dllint.server.pages import Pages
from dllint.server.state import State

IMPORTS = "import torch\nfrom torch import nn"
LAYER = "net = nn.Linear(16, 10)"
CALL = "out = net(torch.randn(8, 12))"
WORDS = 's = "漢😀"; '
#: Contents of cells; each edit of a notebook draws from them.
TEXTS = [
    IMPORTS,
    "import torch\nfrom torch import nn\n",
    LAYER,
    CALL,
    f"# é😀\n{WORDS}{CALL}\n",
    f"%matplotlib inline\n{CALL}",
    f"%%time\n{LAYER}\n{CALL}",
    f"%%bash\n{CALL}",
    "!pip install torch\n%time y = torch.ones(2, 3)\nz = y.view(7)",
    "x = torch.randn(2, 3) * 1000",
    f"{WORDS}z = torch.log(torch.softmax(x, dim=1))",
    "y = torch.sum(x, dim=1, keepdims=True)\n",
    f"    net = nn.Linear(4, 2)\n    {CALL}",
    "x = (",
    "print 'old'",
    "",
    f"{LAYER}  # dllint: ignore[DLT101]",
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(16, 10)\n\n"
    "    def forward(self, x):\n        return self.fc(x)\n",
    "Net()(torch.randn(8, 12))",
    "a very good day",
]
LANGUAGES = ["python"] * 6 + ["markdown", "r", "sql"]
ENCODINGS = list(lsp.PositionEncodingKind)


class Told(NamedTuple):
    """A diagnostic, or what it has to be."""

    cell: str
    code: str
    message: str
    severity: lsp.DiagnosticSeverity
    start: tuple[int, int]
    end: tuple[int, int]


class Editor:
    """An editor with one notebook, the server's state and the analysis, without processes."""

    def __init__(self, folder, encoding, random=None):
        self.path = folder / "train.ipynb"
        self.uri = self.path.as_uri()
        self.random, self.numbers = random or Random(0), count(1)
        self.complaints: list[str] = []
        self.analyst = Analyst(lambda: None, Pages(folder / "pages"), Attempts(self.complaints.append))
        self.worker = CellAnalyst(self.analyst, Attempts(self.complaints.append))
        self.analyst.configure([FolderOptions(folder)])
        self.state = State(self.complaints.append, lambda *_: None)
        self.state.encoding = encoding
        self.state.backend.tell = self._hear
        self.session = Session(Configuration())
        self.version = 1
        #: The notebook as the editor has it: by cell its address, its kind, its language and its text.
        self.cells: list[tuple[str, int, str, str]] = []

    def _hear(self, news):
        if isinstance(news, Cells):
            self.worker.cells(news)
        elif isinstance(news, Buffer):
            self.worker.buffer(news)
        elif isinstance(news, Closed):
            self.worker.close(news.path)

    # What the editor sends

    def new(self, text=None, language=None):
        language = language or self.random.choice(LANGUAGES)
        kind = 1 if language == "markdown" else 2
        uri = f"vscode-notebook-cell:{self.path}#W{next(self.numbers)}"
        return uri, kind, language, text if text is not None else self.random.choice(TEXTS)

    def open(self, *texts):
        self.cells = [self.new(text, "python") for text in texts]
        cells = [lsp.NotebookCell(lsp.NotebookCellKind(kind), uri) for uri, kind, _, _ in self.cells]
        document = lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, cells)
        items = [lsp.TextDocumentItem(uri, language, 1, text) for uri, _, language, text in self.cells]
        return self.state.open_notebook(lsp.DidOpenNotebookDocumentParams(document, items))

    def send(self, **change):
        self.version += 1
        identifier = lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(**change))
        return self.state.change_notebook(lsp.DidChangeNotebookDocumentParams(identifier, event))

    def splice(self, start, removed, added):
        """Replace cells; those that stay under another place keep their documents."""
        before = self.cells[start : start + removed]
        self.cells[start : start + removed] = added
        kept = {cell[0] for cell in before} & {cell[0] for cell in added}
        changed = {cell[0] for cell in before if cell not in added}
        opened = [cell for cell in added if cell[0] not in kept or cell[0] in changed]
        array = lsp.NotebookCellArrayChange(
            start, removed, [lsp.NotebookCell(lsp.NotebookCellKind(kind), uri) for uri, kind, _, _ in added]
        )
        items = [lsp.TextDocumentItem(uri, language, self.version, text) for uri, _, language, text in opened]
        closed = [lsp.TextDocumentIdentifier(cell[0]) for cell in before if cell[0] not in kept or cell[0] in changed]
        return self.send(structure=lsp.NotebookDocumentCellChangeStructure(array, items, closed))

    def write(self, number, text):
        """Type another text into a cell, as one edit of the middle."""
        uri, kind, language, old = self.cells[number]
        start = next((at for at, (a, b) in enumerate(zip(old, text, strict=False)) if a != b), min(len(old), len(text)))
        before = old[:start]
        line, column = before.count("\n"), self.units(before.rpartition("\n")[2])
        last, end = old.count("\n"), self.units(old.rpartition("\n")[2])
        range_ = lsp.Range(lsp.Position(line, column), lsp.Position(last, end))
        self.cells[number] = uri, kind, language, text
        document = lsp.VersionedTextDocumentIdentifier(self.version + 1, uri)
        changes = [lsp.TextDocumentContentChangePartial(range_, text[start:])]
        return self.send(text_content=[lsp.NotebookDocumentCellContentChanges(document, changes)])

    def edit(self):
        """A random edit."""
        number = self.random.randrange(len(self.cells))
        uri, _, _, text = self.cells[number]
        kind = self.random.randrange(7)
        if kind == 0:
            self.splice(number, 0, [self.new()])
        elif kind == 1 and len(self.cells) > 1:
            self.splice(number, 1, [])
        elif kind == 2:
            first, last = sorted((number, self.random.randrange(len(self.cells))))
            moved = self.cells[first : last + 1]
            self.splice(first, len(moved), [moved[-1], *moved[:-1]])
        elif kind == 3:
            other = self.random.choice(LANGUAGES)
            self.splice(number, 1, [(uri, 1 if other == "markdown" else 2, other, text)])
        elif kind == 4:
            summary = lsp.ExecutionSummary(execution_order=self.version, success=True)
            cell = lsp.NotebookCell(lsp.NotebookCellKind(self.cells[number][1]), uri, execution_summary=summary)
            assert self.send(data=[cell]) is None
        else:
            self.write(number, self.random.choice(TEXTS))

    # What the editor shows

    def units(self, text):
        name = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.state.encoding.value]
        return len(text.encode(name)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.state.encoding.value]

    def outcome(self):
        file = self.state.files.get(self.uri)
        checked, follow = self.worker.check(self.path)
        assert checked.version == file.version
        if follow is not None:
            file.known = Remembered(file.parts, follow())
        file.outcome = Outcome(file.version, 0, file.parts, checked.findings, checked.pages)
        return file, file.outcome

    def shown(self):
        file, outcome = self.outcome()
        for part in file.parts:
            for item in diagnostics(outcome, part, True, self.state.text_of):
                a, b = item.range.start, item.range.end
                message = item.message.partition("\n")[0]
                yield Told(part.uri, item.code, message, item.severity, (a.line, a.character), (b.line, b.character))

    # The saved file

    def saved(self):
        def cell(kind, language, text):
            metadata = {"vscode": {"languageId": language}} if language not in ("python", "markdown") else {}
            kind = "markdown" if kind == 1 else "code"
            return {"cell_type": kind, "metadata": metadata, "source": text.splitlines(keepends=True)}

        cells = [cell(kind, language, text) for _, kind, language, text in self.cells]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()

    def expected(self):
        for finding in self.session.check_bytes(self.path, self.saved()).findings:
            uri, _, _, text = self.cells[finding.location.cell - 1]
            lines = text.split("\n")
            first, last = (
                (at.line - 1, self.units(lines[at.line - 1][: at.column - 1]))
                for at in (finding.location.span.first, finding.location.span.last)
            )
            first = (first[0], first[1] - 1) if first == last and first[1] > 0 else first
            yield Told(uri, finding.code, finding.message, SEVERITIES[finding.severity], first, last)


def run(scene):
    async def inside():
        return scene()

    return asyncio.run(inside())


@pytest.mark.parametrize("seed", range(9))
def test_after_any_edits_the_editor_shows_what_a_check_of_the_file_finds(tmp_path, seed):
    def scene():
        editor = Editor(tmp_path, ENCODINGS[seed % 3], Random(seed))
        editor.open(IMPORTS, LAYER, CALL, editor.random.choice(TEXTS))
        seen = 0
        for _ in range(16):
            editor.edit()
            expected = sorted(editor.expected())
            assert sorted(editor.shown()) == expected, editor.cells
            seen += len(expected)
        assert seen
        assert editor.complaints == []

    run(scene)


def applied(editor, edit):
    """The texts of all cells by address after an edit, each of whose parts must name the cell's present version."""
    texts = {uri: text for uri, _, _, text in editor.cells}
    file = editor.state.files.get(editor.uri)
    for change in edit.document_changes:
        part = file.parts.at(change.text_document.uri)
        assert change.text_document.version == part.version
        text = part.text.content
        places = [(part.text.offset(e.range.start), part.text.offset(e.range.end), e.new_text) for e in change.edits]
        for start, end, new in sorted(places, reverse=True):
            text = text[:start] + new + text[end:]
        texts[part.uri] = text
    return texts


@pytest.mark.parametrize("seed", range(6))
def test_what_fix_all_changes_is_what_the_command_line_changes(tmp_path, seed):
    def scene():
        editor = Editor(tmp_path, ENCODINGS[seed % 3], Random(seed))
        editor.open(*editor.random.sample(TEXTS, 4), IMPORTS, "x = torch.randn(2, 3) * 1000", *TEXTS[10:12])
        changed = 0
        for _ in range(4):
            editor.edit()
            result = editor.session.check_bytes(editor.path, editor.saved(), fix=True)
            after = json.loads(result.data if result.data is not None else editor.saved())
            file = editor.state.files.get(editor.uri)
            fixed = editor.worker.fix_all(editor.path, file.version, None)
            expected = ["".join(cell["source"]) for cell in after["cells"]]
            texts = {number: text for number, (_, _, _, text) in enumerate(editor.cells, 1)} | dict(fixed.cells)
            assert list(texts.values()) == expected, editor.cells
            changed += result.data is not None
        assert changed

    run(scene)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_fix_all_of_a_cell_changes_that_cell_only(tmp_path, encoding):
    def scene():
        editor = Editor(tmp_path, encoding)
        log, total = f"{WORDS}z = torch.log(torch.softmax(x, dim=1))", "y = torch.sum(x, dim=1, keepdims=True)\n"
        texts = [IMPORTS, "x = torch.randn(2, 3) * 1000", log, total, log, "x = ("]
        file = editor.open(*texts)
        for number in range(1, len(texts) + 1):
            fixed = editor.worker.fix_all(editor.path, file.version, number)
            changed = {at for at, text in fixed.cells.items() if text != texts[at - 1]}
            assert changed == ({number} if texts[number - 1] == log else set())

    run(scene)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("magic", ["", "%matplotlib inline\n", "%%time\n", "!ls\n# 😀\n"])
def test_a_fix_may_change_another_cell_than_that_of_its_finding(tmp_path, encoding, magic):
    def scene():
        editor = Editor(tmp_path, encoding)
        editor.open(IMPORTS, "a note", f"{magic}{WORDS}{LAYER}", f"{magic}{WORDS}{CALL}")
        editor.splice(1, 1, [editor.new(language="markdown")])
        file, outcome = editor.outcome()
        called = file.parts.of(4)
        (item,) = diagnostics(outcome, called, True, editor.state.text_of)
        assert item.related_information[0].location.uri == file.parts.of(3).uri
        (number,) = findings_in(outcome, called, item.range)
        proved = editor.worker.prove(editor.path, file.version, [number])
        outcome.proved.update(proved.fixes)
        outcome.comments.update(proved.comments)
        fix, comment, _ = quick_fixes(file, outcome, number, [item], True)
        before = {uri: text for uri, _, _, text in editor.cells}
        layer, call = file.parts.of(3), called
        assert applied(editor, fix.edit) == {**before, layer.uri: layer.text.content.replace("16", "12")}
        assert applied(editor, comment.edit) == {**before, call.uri: f"{call.text.content}  # dllint: ignore[DLT101]"}
        for action in (fix, comment):
            again = Editor(tmp_path, encoding)
            again.open(*applied(editor, action.edit).values())
            again.splice(1, 1, [again.new(language="markdown")])
            assert list(again.shown()) == []

    run(scene)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_hovers_and_hints_are_in_the_cell_they_are_about(tmp_path, encoding):
    def scene():
        editor = Editor(tmp_path, encoding)
        editor.open(IMPORTS, f"%matplotlib inline\n{WORDS}first = torch.ones(2, 3)", "%%bash\nls", f"{WORDS}second = first.t()")
        file, _ = editor.outcome()
        shapes = {2: ("first", "[2, 3]"), 4: ("second", "[3, 2]")}

        def look():
            for number, (name, shape) in shapes.items():
                part = file.parts.of(number)
                at = part.text.position(part.text.content.index(name))
                found = hover(file.known.of(part.uri), part.text, at, True)
                assert shape in found.contents.value
                whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
                (hint,) = inlay_hints(file.known.of(part.uri), part.text, whole)
                assert (hint.position.line, hint.position.character) == (at.line, at.character + len(name))
                assert shape in hint.label

        look()
        editor.splice(0, 0, [editor.new("# above")])  # what was known is found again though the cells have other numbers
        shapes = {number + 1: about for number, about in shapes.items()}
        look()

    run(scene)


def test_a_cell_that_does_not_parse_leaves_the_others_their_findings(tmp_path):
    def scene():
        editor = Editor(tmp_path, ENCODINGS[0])
        editor.open(IMPORTS, LAYER, CALL, "x = 1")
        before = list(editor.shown())
        editor.write(3, "x = (1")
        found = list(editor.shown())
        assert [told for told in found if told.code != "syntax-error"] == before
        assert [told.cell for told in found if told.code == "syntax-error"] == [editor.cells[3][0]]

    run(scene)


def test_a_baseline_made_on_the_command_line_is_known_in_the_editor(tmp_path):
    def scene():
        (tmp_path / "dllint.toml").write_text('baseline = "known.json"\n')
        editor = Editor(tmp_path, ENCODINGS[0])
        editor.open(IMPORTS, f"%%time\n{LAYER}", f"%%time\n{CALL}")
        editor.path.write_bytes(editor.saved())
        session = Session(Configuration())
        baseline = Baseline(tmp_path / "known.json")
        baseline.update([session.check_file(editor.path)])
        baseline.path.write_text(baseline.text())
        assert [told.severity for told in editor.shown()] == [lsp.DiagnosticSeverity.Hint]
        editor.write(2, f"%%time\n{CALL}  # changed")
        assert [told.severity for told in editor.shown()] == [lsp.DiagnosticSeverity.Error]

    run(scene)


def test_what_was_executed_is_no_change(tmp_path):
    def scene():
        editor = Editor(tmp_path, ENCODINGS[0])
        file = editor.open(IMPORTS, CALL)
        cell = lsp.NotebookCell(lsp.NotebookCellKind.Code, editor.cells[1][0], execution_summary=lsp.ExecutionSummary(3, True))
        assert editor.send(data=[cell]) is None
        assert file.version == 1

    run(scene)


@pytest.mark.parametrize("setting", ['exclude = ["*.ipynb"]', "max-file-lines = 3", ""])
def test_of_a_notebook_that_is_not_checked_nothing_is_shown(tmp_path, setting):
    def scene():
        (tmp_path / "dllint.toml").write_text(f"{setting}\n")
        editor = Editor(tmp_path, ENCODINGS[0])
        editor.open(IMPORTS, LAYER, CALL, "x = (")
        assert sorted(told.code for told in editor.shown()) == ([] if setting else ["DLT101", "syntax-error"])

    run(scene)
