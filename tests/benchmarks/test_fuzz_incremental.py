"""The comparison of edits with a fresh start sees what a remembering session has wrong, and passes where it is right."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.editor.model_edits import model_file
from benchmarks.fuzz import incremental, report
from benchmarks.fuzz.code_edits import WEIGHTS, code_edit
from benchmarks.fuzz.options import Options
from dllint.lower.incremental import IncrementalLowering


@pytest.fixture(autouse=True)
def _cases_elsewhere(monkeypatch, tmp_path):
    monkeypatch.setattr(report, "BUILD", tmp_path)


def test_nothing_is_found_where_steps_are_replayed_rightly():
    found = incremental.run(Options(count=8))
    assert found.counts["edits"] == 8
    assert found.counts["compared"] > 0
    assert not found.troubles


def test_a_step_replayed_wrongly_is_found(monkeypatch):
    monkeypatch.setattr(IncrementalLowering, "_still_holds", lambda self, step, *, is_former: True)
    assert incremental.run(Options(count=40)).troubles


@pytest.mark.parametrize("make", WEIGHTS)
def test_each_kind_of_edit_changes_code(make):
    text, random = model_file(60), Random(0)
    assert any(make(text, random) != text for _ in range(10))


@pytest.mark.parametrize("text", ["", "\n", "x"])
def test_short_texts_can_be_edited(text):
    random = Random(0)
    for _ in range(100):
        assert isinstance(code_edit(text, random), str)
