"""A fix that raises costs only itself: its finding is there, other fixes are applied, nothing is written that is not whole."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

import dllint
import dllint.engine.fixing
import dllint.engine.gate
import dllint.engine.session
from dllint.cli.main import run
from dllint.edit import Edit, Fix
from dllint.engine.registry import rule
from dllint.fixes.boundary import builder, offering, taken_failures
from tests.security.test_failure_boundaries import ERRORS, failing

FIXED = "x = torch.zeros(2, 3).t().reshape(6)"
TWO = """import torch

x = torch.zeros(2, 3).t().view(6)
y = torch.ones(4, 5).t().view(20)
"""
#: A fixable finding of another rule, beside one whose fix fails.
OTHER = "torch.nn.Linear(3, 4)(torch.zeros(2, 5))\n"
Check = Callable[..., tuple[int, str, list[str]]]


@pytest.fixture
def check(tmp_path, monkeypatch, capfd) -> Check:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(TWO)
    (tmp_path / "broken.py").write_text(TWO + OTHER)

    def checked(*options: str) -> tuple[int, str, list[str]]:
        capfd.readouterr()
        status = run(["check", "-n", "-q", "--output-format", "concise", *options, "."])
        out, err = capfd.readouterr()
        return status, out, err.splitlines()

    return checked


def told(err: list[str]) -> list[str]:
    return [line for line in err if line.startswith(("internal-error: ", "not-written: "))]


def test_both_files_are_fixed_otherwise(check, tmp_path):
    assert "DLT107" in check()[1]
    _, out, err = check("--fix")
    assert "DLT107" not in out
    assert not told(err)
    assert FIXED in (tmp_path / "a.py").read_text()
    assert FIXED in (tmp_path / "broken.py").read_text()


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("mode", [[], ["--fix"], ["--diff"]], ids=["check", "fix", "diff"])
def test_one_fix_of_two_raises(check, monkeypatch, tmp_path, mode, error):
    """The one in line 3 of broken.py cannot be tried; the one in line 4 is applied."""

    def is_first(raw_trial: object, raw: object) -> bool:
        found = raw.finding.location
        return found.path.name == "broken.py" and found.span.first.line == 3 and raw.finding.code == "DLT107"

    failing(dllint.engine.gate.Trial, "repairs", is_first)(monkeypatch, error)
    status, out, err = check(*mode)
    (one,) = told(err)
    assert one.startswith("internal-error: broken.py: the fix of DLT107 in line 3 could not be tried: ")
    assert status == 2
    text = (tmp_path / "broken.py").read_text()
    ast.parse(text)
    if mode == ["--fix"]:
        assert "t().view(6)" in text
        assert "t().reshape(20)" in text
        assert "broken.py:3:" in out
    if mode == ["--diff"]:
        assert "+y = torch.ones(4, 5).t().reshape(20)" in out
        assert text == TWO + OTHER
    if not mode:
        assert sum("DLT107" in line for line in out.splitlines()) == 4
    assert check(*mode, "-e")[0] == 0


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("mode", ["--fix", "--diff"])
def test_one_of_several_fixes_cannot_be_applied(check, monkeypatch, tmp_path, mode, error):
    usual = dllint.engine.fixing.apply_edits

    def broken(text: str, edits: list[object]) -> str:
        if "Linear" in text and any(text.count("\n", 0, edit.start) == 2 for edit in edits):
            raise error("on purpose")
        return usual(text, edits)

    monkeypatch.setattr(dllint.engine.fixing, "apply_edits", broken)
    status, out, err = check(mode)
    (one,) = told(err)
    assert one.startswith("internal-error: broken.py: the fix of DLT107 (")
    assert error.__name__ in one
    assert status == 2
    after = (tmp_path / "broken.py").read_text() if mode == "--fix" else out
    assert "y = torch.ones(4, 5).t().reshape(20)" in after
    assert "x = torch.zeros(2, 3).t().view(6)" in after


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("mode", ["--fix", "--diff"])
def test_a_fixed_text_that_cannot_be_analysed_is_not_kept(check, monkeypatch, tmp_path, mode, error):
    usual = dllint.engine.session._Gated.analyse

    def broken(self: object, document: object) -> object:
        if "reshape" in document.text and document.path.name == "broken.py":
            raise error("on purpose")
        return usual(self, document)

    monkeypatch.setattr(dllint.engine.session._Gated, "analyse", broken)
    status, out, err = check(mode)
    (one,) = told(err)
    assert one.startswith("internal-error: broken.py: the fixes could not be applied: ")
    assert status == 2
    assert (tmp_path / "broken.py").read_text() == TWO + OTHER
    if mode == "--fix":
        assert "broken.py:3:" in out
        assert FIXED in (tmp_path / "a.py").read_text()


@pytest.mark.parametrize("error", [*ERRORS, OSError, KeyboardInterrupt])
@pytest.mark.parametrize("call", ["token_hex", "fsync", "fchmod", "replace"])
def test_a_file_that_cannot_be_written_stays_whole(check, monkeypatch, tmp_path, error, call):
    module = importlib.import_module("secrets" if call == "token_hex" else "os")
    seen: list[object] = []

    def second(*_: object) -> bool:
        seen.append(None)
        return len(seen) == 2  # a.py is written, broken.py is not

    failing(module, call, second)(monkeypatch, error)
    status, _, err = check("--fix")
    monkeypatch.undo()
    assert (tmp_path / "broken.py").read_text() == TWO + OTHER
    assert FIXED in (tmp_path / "a.py").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py", "broken.py"]
    if error is KeyboardInterrupt:
        assert status == 130
    else:
        assert [line.split(": ")[:2] for line in told(err)] == [["not-written", "broken.py"]]
        assert status == 2


#: Programs with fixable findings of a rule.
PROGRAMS = {"DLT107": TWO, "DLT101": f"import torch\n\n{OTHER}"}


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("code", PROGRAMS)
def test_a_fix_that_cannot_be_built_costs_no_finding(check, monkeypatch, tmp_path, code, error):
    for name in ("a.py", "broken.py"):
        (tmp_path / name).write_text(PROGRAMS[code])
    before = check("--unsafe-fixes")[1]
    assert "[*]" in before

    def broken(*_: object) -> list[Fix]:
        raise error("on purpose")

    monkeypatch.setattr(type(rule(code)), "fixes", offering(broken))
    status, out, err = check("--unsafe-fixes")
    assert out == before.replace("[*] ", "")
    assert [line.split(": ")[1] for line in told(err)] == ["a.py", "broken.py"]
    assert all(f"a fix of rule {code} failed on line " in line for line in told(err))
    assert (status, check("-e")[0]) == (2, 0)


@pytest.mark.parametrize("error", ERRORS)
def test_half_an_edit_is_none(error):
    @builder
    def inner() -> tuple[Edit, ...]:
        raise error("on purpose")

    @builder
    def outer() -> tuple[Edit, ...]:
        return (*inner(), Edit(Path("a.py"), 0, 0, "x"))

    assert outer() == ()
    assert [type(failure) for failure in taken_failures()] == [error]
    assert taken_failures() == []


def test_everything_that_builds_fixes_has_the_boundary():
    """All functions that give edits or fixes, by what they say that they give."""
    root, kinds = Path(dllint.__file__).parent, {"Edits", "tuple[Edit, ...]", "tuple[Fix, ...]", "list[Fix]"}
    bare: list[str] = []
    for path in sorted([*(root / "fixes").rglob("*.py"), *(root / "rules").rglob("*.py")]):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            for function in (node, *(node.body if isinstance(node, ast.ClassDef) else ())):
                if isinstance(function, ast.FunctionDef) and function.returns and ast.unparse(function.returns) in kinds:
                    marks = {ast.unparse(mark) for mark in function.decorator_list}
                    is_own = function.name.startswith("_") and path.parent.name == "fixes"
                    bare += [] if is_own or marks & {"builder", "offering"} else [f"{path.name}: {function.name}"]
    assert not bare
