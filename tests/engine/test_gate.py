"""The fix gate: only edits that are proved to repair their finding and to harm nothing pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import Applicability, Edit, Fix
from dllint.engine.gate import Gate
from dllint.engine.session import Session
from dllint.source.document import Document

SOURCE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        x = self.fc(x)
        return self.head(x)


y = Net()(torch.zeros(2, 3))
"""


@pytest.fixture
def gate(tmp_path) -> Gate:
    analyser = Session(Configuration(isolated=True)).analyser(tmp_path / "a.py")
    return Gate(analyser.analyse(Document.from_text(tmp_path / "a.py", SOURCE)), analyser.analyse)


def fix(path: Path, *replacements: tuple[str, str], applicability: Applicability = Applicability.UNSAFE) -> Fix:
    edits = [Edit(path, SOURCE.index(old), SOURCE.index(old) + len(old), new) for old, new in replacements]
    return Fix("try this", tuple(edits), applicability)


@pytest.mark.parametrize(
    ("replacements", "passes", "why"),
    [
        ([("5, 4", "3, 4")], True, "the right size"),
        ([("2, 3", "2, 5")], True, "the right input"),
        ([("5, 4", "6, 4")], False, "still another size"),
        ([("5, 4", "size, 4")], False, "not known any more, hence not proved"),
        ([("nn.Linear(5, 4)", "make(5)")], False, "the operation is gone"),
        ([("self.fc(x)", "unknown(x)")], False, "rewritten, but less is known afterwards"),
        ([("5, 4", "3, 7")], False, "the next layer fails instead"),
        ([("5, 4", "3, 4"), ("4, 2", "9, 2")], False, "repairs one and breaks another"),
        ([("5, 4", "3, (4")], False, "does not parse"),
        ([("y = Net()", "y = str")], False, "the place is never reached with this input"),
    ],
)
def test_only_what_is_proved_passes(gate, replacements, passes, why):
    (raw,) = gate.before.raws
    assert raw.finding.code == "DLT101"
    assert gate.passes([(raw, fix(gate.before.document.path, *replacements))]) is passes, why


def test_an_edit_of_another_file_is_not_offered(gate):
    (raw,) = gate.before.raws
    assert not gate.passes([(raw, fix(Path("other.py"), ("5, 4", "3, 4")))])


def test_an_edit_whose_result_cannot_be_analysed_does_not_pass(gate):
    def fail(document):
        raise RuntimeError("a bug of ours")

    (raw,) = gate.before.raws
    right = fix(gate.before.document.path, ("5, 4", "3, 4"))
    assert not Gate(gate.before, fail).passes([(raw, right)])


def test_fixes_that_fail_are_dropped_and_sketches_kept(gate):
    (raw,) = gate.before.raws
    path = gate.before.document.path
    good, bad = fix(path, ("5, 4", "3, 4")), fix(path, ("5, 4", "6, 4"))
    sketch = fix(path, ("5, 4", "?"), applicability=Applicability.DISPLAY)
    (kept,) = gate.approve([replace(raw, finding=replace(raw.finding, fixes=(bad, sketch, good)))])
    assert kept.finding.fixes == (sketch, good)


def test_many_fixes_are_tried_together_and_a_bad_one_is_found(tmp_path):
    source = "import torch\n\nx = torch.zeros(2, 3).t()\n" + "".join(f"y{n} = x.view({6})\n" for n in range(12))
    path = tmp_path / "a.py"
    analyser = Session(Configuration(isolated=True)).analyser(path)
    gate = Gate(analyser.analyse(Document.from_text(path, source)), analyser.analyse)
    raws = [replace(raw, finding=replace(raw.finding, fixes=(_spelling(raw, source),))) for raw in gate.before.raws]
    assert len(raws) == 12
    approved = [bool(raw.finding.fixes) for raw in gate.approve(raws)]
    assert approved == [True] * 7 + [False] + [True] * 4


@pytest.mark.parametrize("findings", [1, 3, 12])
@pytest.mark.parametrize("room", [-1, 0])
def test_no_fix_is_tried_where_that_is_too_much_work(findings, room, tmp_path, monkeypatch):
    source = "import torch\n\nx = torch.zeros(2, 3).t()\n" + "".join(f"y{n} = x.view({6})\n" for n in range(findings))
    analyser, texts = Session(Configuration(isolated=True)).analyser(tmp_path / "a.py"), []
    before = analyser.analyse(Document.from_text(tmp_path / "a.py", source))
    gate = Gate(before, lambda document: texts.append(document.text) or analyser.analyse(document))
    raws = [replace(raw, finding=replace(raw.finding, fixes=(_spelling(raw, source),))) for raw in before.raws]
    monkeypatch.setattr("dllint.engine.gate._LARGEST", gate._work + room)
    approved = gate.approve(raws)
    assert [raw.finding.message for raw in approved] == [raw.finding.message for raw in raws]
    assert any(raw.finding.fixes for raw in approved) is bool(texts) is (room == 0)
    assert [notice.kind for notice in gate.failures] == ["incomplete"] * (room < 0)


def _spelling(raw, source: str) -> Fix:
    """Another name for `view`: a wrong one on the eighth line."""
    line = raw.finding.location.span.first.line - 4
    start = source.index("view", source.index(f"y{line} "))
    new = "no_such_method" if line == 7 else "reshape"
    return Fix("try this", (Edit(raw.finding.location.path, start, start + 4, new),), Applicability.SAFE)
