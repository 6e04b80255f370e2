"""Pages of rules cite no repository that a draw of `benchmarks/wild` may take, or has taken."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.wild.corpus import HERE, table

_RULES = Path(__file__).parents[2] / "dllint" / "rules"
_NAME = re.compile(r"(?<![\w/.-])[\w-]+/[\w.-]+(?![\w/-])")


def test_no_page_cites_a_candidate() -> None:
    candidates = {row["repository"] for row in table(HERE / "candidates.tsv")}
    cited = {name for path in _RULES.rglob("*.py") for name in _NAME.findall(path.read_text(encoding="utf-8"))}
    assert sorted(cited & candidates) == []
