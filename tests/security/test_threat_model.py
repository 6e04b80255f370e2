"""Each promise of docs/security.md is held by a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "security.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^- (.*?)(?=^- |^\n|\Z)", PAGE, re.MULTILINE | re.DOTALL)
_TEST = re.compile(r"<!-- (\w+\.py)::(\w+) -->\s*\Z")


def test_there_are_promises():
    assert len(PROMISES) == len(re.findall(r"^- ", PAGE, re.MULTILINE)) > 30


@pytest.mark.parametrize("promise", PROMISES, ids=range(len(PROMISES)))
def test_a_promise_has_a_test(promise):
    found = _TEST.search(promise)
    assert found is not None, promise
    assert f"\ndef {found[2]}(" in (HERE / found[1]).read_text(encoding="utf-8")


def test_the_way_to_report_is_named():
    assert "(../SECURITY.md)" in PAGE
    assert "(docs/security.md)" in (HERE.parents[1] / "SECURITY.md").read_text(encoding="utf-8")
