"""The fixture programs: every expected finding is found on its line, nothing else is, and the repaired twins are clean."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Severity

FIXTURES = Path(__file__).parents[2] / "fixtures"
FAULTY = sorted(path for path in (FIXTURES / "faulty").iterdir() if path.suffix in (".py", ".ipynb"))
CLEAN = sorted(path for path in (FIXTURES / "clean").iterdir() if path.suffix in (".py", ".ipynb"))


def found(path: Path) -> set[tuple[int | None, int, str]]:
    """Cell, line and code of every error and warning."""
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.notices == []
    shown = [f for f in result.findings if f.severity in (Severity.ERROR, Severity.WARNING)]
    return {(f.location.cell, f.location.span.first.line, f.code) for f in shown}


def texts(path: Path) -> list[tuple[int | None, str]]:
    """The text of a program, or the numbered cells of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [(None, text)]
    return [(number, "".join(cell["source"])) for number, cell in enumerate(json.loads(text)["cells"], 1)]


def expected(path: Path) -> set[tuple[int | None, int, str]]:
    """Cell, line and code of every ``# expect: CODE`` comment."""
    return {
        (cell, number, code.strip())
        for cell, text in texts(path)
        for number, line in enumerate(text.splitlines(), 1)
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
        (_, head), *_ = texts(path)
        assert "\nAfter " in head or "Stack Overflow" in head


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
    if path.suffix == ".py":
        compile(copy.read_text(encoding="utf-8"), copy.name, "exec")
