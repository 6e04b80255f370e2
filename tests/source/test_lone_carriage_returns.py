"""Files whose lines end in a lone carriage return: all is found, and fixed, as with line feeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "benchmarks" / "recall" / "authored").glob("*/buggy.py"))[::4]


def told(data: bytes) -> list[tuple[str, int, str, int]]:
    """Code, line, message and number of fixes of all findings, and what was followed."""
    result = Session(Configuration(isolated=True, overrides={})).check_bytes(Path("/snippet/example.py"), data)
    return sorted((f.code, f.location.span.first.line, f.message, len(f.fixes)) for f in result.findings)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_same_is_told(path):
    data = path.read_bytes().replace(b"\r\n", b"\n")
    assert told(data.replace(b"\n", b"\r")) == told(data)


def test_a_fix_over_two_statements_is_offered():
    data = (ROOT / "benchmarks/recall/authored/numeric_capsule_softmax/buggy.py").read_bytes()
    found = told(data.replace(b"\n", b"\r"))
    assert found == told(data)
    assert any(code == "DLN105" and fixes for code, _, _, fixes in found)
