"""In an editor, what fails costs only itself: other findings, fixes and hovers are there, and it is told once."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp

import dllint.engine.gate
import dllint.engine.session
import dllint.server.actions
import dllint.server.analyst
import dllint.server.diagnostics
import dllint.server.places
from dllint.finding import Finding
from dllint.server.actions import quick_fixes
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.dimming import Baselines
from dllint.server.files import OpenFile, Outcome
from dllint.server.messages import Buffer, FolderOptions
from dllint.server.pages import Pages
from dllint.server.parts import Part, Parts
from dllint.server.text import Text
from tests.security.test_failing_fixes import FIXED, OTHER, TWO
from tests.security.test_failure_boundaries import ERRORS, failing, on_finding

TEXT = TWO + OTHER


class Editor:
    """One open file, and what was logged."""

    def __init__(self, folder: Path, pages: Path) -> None:
        self.told: list[str] = []
        self.path = folder / "broken.py"
        self.analyst = Analyst(lambda: None, Pages(pages), Attempts(self.told.append))
        self.analyst.configure([FolderOptions(folder)])
        self.analyst.buffer(Buffer(self.path, 1, TEXT))

    def findings(self) -> tuple[Finding, ...]:
        return self.analyst.check(self.path)[0].findings

    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings()]


@pytest.fixture
def editor(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / ".git").mkdir()
    return Editor(folder, tmp_path / "pages")


CODES = ["DLT107", "DLT107", "DLT101"]


@pytest.mark.parametrize("error", ERRORS)
def test_one_fix_that_raises_leaves_the_others(editor, monkeypatch, error):
    assert editor.codes() == CODES
    failing(dllint.engine.gate.Trial, "repairs", lambda _, raw: raw.finding.location.span.first.line == 3)(monkeypatch, error)
    for _ in range(2):
        proved = editor.analyst.prove(editor.path, 1, range(3))
        assert [len(proved.fixes[number]) > 0 for number in range(3)] == [False, True, True]
        assert sorted(proved.comments) == [0, 1, 2]
    (told,) = editor.told
    assert "the fix of DLT107 in line 3 could not be tried" in told


@pytest.mark.parametrize("error", ERRORS)
def test_one_comment_that_raises_leaves_the_others(editor, monkeypatch, error):
    editor.findings()
    failing(dllint.server.analyst, "ignore_comment", lambda _, span, *__: span.first.line == 3)(monkeypatch, error)
    proved = editor.analyst.prove(editor.path, 1, range(3))
    assert all(proved.fixes[number] for number in range(3))
    assert sorted(proved.comments) == [1, 2]
    assert len(editor.told) == 1


@pytest.mark.parametrize("error", ERRORS)
def test_a_gate_that_raises_costs_the_fixes_of_its_finding(editor, monkeypatch, error):
    editor.findings()
    usual = dllint.engine.session.Session.fixes_for

    def broken(self, analysis, finding):
        if finding.code == "DLT101":
            raise error("on purpose")
        return usual(self, analysis, finding)

    monkeypatch.setattr(dllint.engine.session.Session, "fixes_for", broken)
    proved = editor.analyst.prove(editor.path, 1, range(3))
    assert [len(proved.fixes[number]) > 0 for number in range(3)] == [True, True, False]
    assert len(editor.told) == 1


@pytest.mark.parametrize("error", ERRORS)
def test_one_fix_that_raises_leaves_the_others_of_fix_all(editor, monkeypatch, error):
    editor.findings()
    failing(dllint.engine.gate.Trial, "repairs", lambda _, raw: raw.finding.location.span.first.line == 4)(monkeypatch, error)
    fixed = editor.analyst.fix_all(editor.path, 1)
    assert fixed is not None
    assert FIXED in fixed.text
    assert "y = torch.ones(4, 5).t().view(20)" in fixed.text
    assert len(editor.told) == 1


#: What is done with findings that are known already; all of them stay.
BESIDE = {
    "a page": failing(Pages, "address", lambda _, code: code == "DLT107"),
    "the baseline": failing(Baselines, "dim"),
}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("unit", BESIDE)
def test_what_is_done_beside_costs_no_finding(editor, monkeypatch, unit, error):
    BESIDE[unit](monkeypatch, error)
    for _ in range(2):
        assert editor.codes() == CODES
    assert len(editor.told) == 1


@pytest.mark.parametrize("error", ERRORS)
def test_a_finding_that_cannot_be_placed_costs_no_other(editor, monkeypatch, error):
    failing(Finding, "seen_from", on_finding("DLT101"))(monkeypatch, error)
    assert editor.codes() == ["DLT107", "DLT107"]
    assert len(editor.told) == 1


#: What makes hovers and inlay hints, and which lines may have none.
HOVERS = {
    "an operation": failing(dllint.server.places._Table, "add", lambda _, item: _line(item) == 3),
    "a text": failing(dllint.server.places, "_text", lambda _, source: source.startswith("x")),
    "names": failing(dllint.server.places._Table, "conclude"),
    "comments": failing(dllint.server.places, "_codes"),
}


def _line(item) -> int:
    return item.site.document.location(item.site.statement).span.first.line if item.site.statement is not None else 0


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("unit", HOVERS)
def test_a_place_that_cannot_be_told_of_costs_no_other(editor, monkeypatch, unit, error):
    HOVERS[unit](monkeypatch, error)
    checked, follow = editor.analyst.check(editor.path)
    assert [finding.code for finding in checked.findings] == CODES
    assert follow is not None
    lines = {TEXT.count("\n", 0, place.start) + 1 for place in follow().places}
    assert lines >= {4, 5}
    assert len(editor.told) == 1


@pytest.fixture
def outcome(editor):
    findings = editor.findings()
    part = Part(editor.path.as_uri(), 1, Text(TEXT, lsp.PositionEncodingKind.Utf16))
    outcome = Outcome(1, 1, Parts((part,)), findings, {})
    proved = editor.analyst.prove(editor.path, 1, range(3))
    outcome.proved.update(proved.fixes)
    outcome.comments.update(proved.comments)
    return outcome


@pytest.mark.parametrize("error", ERRORS)
def test_a_finding_that_cannot_be_shown_costs_no_other(outcome, monkeypatch, caplog, error):
    failing(dllint.server.diagnostics, "diagnostic", on_finding("DLT101"))(monkeypatch, error)
    (part,) = outcome.parts
    shown = dllint.server.diagnostics.diagnostics(outcome, part, True, lambda path: part.text)
    assert [(item.code, item.data["finding"]) for item in shown] == [("DLT107", 0), ("DLT107", 1)]
    assert len(caplog.records) == 1


@pytest.mark.parametrize("error", ERRORS)
def test_a_code_action_that_cannot_be_made_costs_no_other(editor, outcome, monkeypatch, caplog, error):
    file = OpenFile(editor.path.as_uri(), editor.path, 1, outcome.parts, 0.0)
    before = [quick_fixes(file, outcome, number, [], True) for number in range(3)]
    titles = [[action.title for action in actions] for actions in before]
    assert all(len(own) >= 3 for own in titles)
    failing(dllint.server.actions, "text_edits", lambda edits, _: "dllint: ignore" not in edits[0].content)(monkeypatch, error)
    after = [[action.title for action in quick_fixes(file, outcome, number, [], True)] for number in range(3)]
    assert after == [own[-2:] for own in titles]  # the comment and the page are left
    assert len(caplog.records) == sum(len(own) - 2 for own in titles)
