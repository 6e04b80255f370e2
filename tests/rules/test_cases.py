"""The Markdown cases: each heading is a test, each Python block under it is checked against its marks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.harness import MARKED, expected, findings, fixed, places, snippets, unmarked

ROOT = Path(__file__).parent
_FIXED = re.compile(r"^```fixed\n(.*?)^```", re.M | re.S)


def cases() -> list[tuple[str, str, bool]]:
    found = []
    for path in sorted(ROOT.glob("*/*.md")):
        parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.M)
        about_releases = path.parent.name == "api"
        pairs = zip(parts[1::2], parts[2::2], strict=True)
        found += [(f"{path.stem}: {title}", body, about_releases) for title, body in pairs]
    return found


@pytest.mark.parametrize(("body", "today"), [pytest.param(*case, id=title) for title, *case in cases()])
def test_case(body: str, today: bool) -> None:
    texts = snippets(body)
    assert texts
    for text in texts:
        found = findings(text, today)
        assert places(found) == expected(text)
        for mark in MARKED:  # weaker reports count where one is marked
            assert expected(text, mark) in ([], places(found, mark))
    for text, after in zip(texts, _FIXED.findall(body), strict=False):
        assert fixed(unmarked(text), today) == after
