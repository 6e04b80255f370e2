"""The scaffolds write what a contributor can run at once, and the generated pages are up to date."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from dllint.dev import docs, new_op, new_rule
from dllint.rules.rule import Rule
from tests.rules.harness import Page

ROOT = Path(__file__).parents[2]


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def test_new_rule_writes_a_rule_and_its_cases(tmp_path):
    arguments = ["DLT199", "thing-that-is-wrong", "--family", "tensor", "--into", str(tmp_path)]
    done = CliRunner().invoke(new_rule.command, arguments)
    assert done.exit_code == 0, done.output
    rule = load(tmp_path / "dllint" / "rules" / "tensor" / "thing_that_is_wrong.py").ThingThatIsWrong
    assert issubclass(rule, Rule)
    assert (rule.code, rule.name) == ("DLT199", "thing-that-is-wrong")
    headings = [line for line in rule.__doc__.splitlines() if line.strip().startswith("## ")]
    assert [heading.strip() for heading in headings] == [
        "## What it finds", "## Why it is bad", "## Bad", "## Good", "## When it stays silent", "## References",
    ]  # fmt: skip
    for section in ("Bad", "Good", "When it stays silent"):
        assert Page.of(rule).snippets(section), section
    cases = (tmp_path / "tests" / "rules" / "tensor" / "thing_that_is_wrong.md").read_text()
    assert "# error: [DLT199]" in cases
    again = CliRunner().invoke(new_rule.command, arguments)
    assert again.exit_code == 2
    assert "exists already" in again.output


@pytest.mark.parametrize(("code", "name"), [("T1", "a-b"), ("DLT199", "CamelCase"), ("DLT199", "oneword")])
def test_new_rule_refuses_odd_names(tmp_path, code, name):
    done = CliRunner().invoke(new_rule.command, [code, name, "--family", "tensor", "--into", str(tmp_path)])
    assert done.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("code", "name"), [("DLT101", "a-new-name"), ("DLT199", "layer-feature-size-mismatch")])
def test_new_rule_refuses_a_code_or_name_that_a_rule_has(tmp_path, code, name):
    done = CliRunner().invoke(new_rule.command, [code, name, "--family", "tensor", "--into", str(tmp_path)])
    assert done.exit_code == 2
    assert "DLT101 layer-feature-size-mismatch exists already" in done.output
    assert list(tmp_path.iterdir()) == []


def test_new_op_refuses_a_name_of_another_family(tmp_path):
    done = CliRunner().invoke(new_op.command, ["relu", "--family", "reshape", "--into", str(tmp_path)])
    assert done.exit_code == 2
    assert "the operation `relu` exists already" in done.output
    assert list(tmp_path.iterdir()) == []


def test_new_op_adds_to_a_family_and_writes_a_test(tmp_path):
    family = tmp_path / "dllint" / "ops" / "reshape.py"
    family.parent.mkdir(parents=True)
    family.write_text('"""Reshapes."""\n\nfrom dllint.ops.spec import Call, Result, op\n')
    arguments = ["spin", "--family", "reshape", "--into", str(tmp_path)]
    assert CliRunner().invoke(new_op.command, arguments).exit_code == 0
    names = [node.name for node in ast.parse(family.read_text()).body if isinstance(node, ast.FunctionDef)]
    assert names == ["spin"]
    ast.parse((tmp_path / "tests" / "ops" / "test_spin.py").read_text())
    assert "already" in CliRunner().invoke(new_op.command, arguments).output


def test_generated_pages_are_up_to_date():
    stale = [name for name, text in docs.pages().items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert stale == [], "run `make docs`"
    written = {path.name for path in (ROOT / "docs" / "rules").glob("*.md")}
    assert written == {Path(name).name for name in docs.pages() if name.startswith("rules/")}
