"""The fixture programs: every expected finding is found on its line, nothing else is, and the repaired twins are clean."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

FIXTURES = Path(__file__).parents[2] / "fixtures"
FAULTY = sorted((FIXTURES / "faulty").glob("*.py"))
CLEAN = sorted((FIXTURES / "clean").glob("*.py"))


def found(path: Path) -> set[tuple[int, str]]:
    """Line and code of every error and warning."""
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.notices == []
    shown = [f for f in result.findings if f.severity in (Severity.ERROR, Severity.WARNING)]
    return {(f.location.span.first.line, f.code) for f in shown}


def expected(path: Path) -> set[tuple[int, str]]:
    """Line and code of every ``# expect: CODE`` comment."""
    return {
        (number, code.strip())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for codes in re.findall(r"# expect: ([A-Z0-9, ]+)", line)
        for code in codes.split(",")
    }


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_faulty(path):
    assert expected(path)
    assert found(path) == expected(path)


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_clean(path):
    assert found(path) == set()


def test_every_program_has_its_twin_and_names_its_source():
    assert [path.name for path in FAULTY] == [path.name for path in CLEAN]
    for path in FAULTY + CLEAN:
        assert "\nAfter " in path.read_text(encoding="utf-8") or "Stack Overflow" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
def test_fixing_repairs_and_settles(path, tmp_path):
    copy = tmp_path / path.name
    copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    session = Session(Configuration(overrides={"unsafe_fixes": True}, isolated=True))
    offered = {f.code for f in session.check_file(copy).findings if f.fixes}
    fixed = session.check_file(copy, fix=True, write=True)
    assert set(fixed.fixed) >= offered
    assert {f.code for f in fixed.findings} == {f.code for f in session.check_file(copy).findings}
    assert not offered & {f.code for f in fixed.findings}
    compile(copy.read_text(encoding="utf-8"), copy.name, "exec")
