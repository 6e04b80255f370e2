"""The commands beside `check`."""

from __future__ import annotations

import json

import pytest

from dllint import __version__
from dllint.config.options import options

SOURCE = """\
import torch

layer = torch.nn.Linear(5, 4)
x = torch.zeros(2, 5)
y = layer(x)
z = layer(y)
"""


@pytest.fixture
def source(project):
    (project / "model.py").write_text(SOURCE)
    return project / "model.py"


def test_version(dllint):
    assert dllint("--version").out == f"dllint {__version__}\n"


def test_help_lists_the_commands_without_importing_them(dllint):
    shown = dllint("--help").out
    assert all(f"  {name} " in shown for name in ("check", "rule", "explain", "summary", "ir", "config", "dev"))
    assert "--fail-on" in dllint("check", "--help").out


def test_rule_prints_the_page(dllint):
    by_code, by_name = dllint("rule", "DLT101"), dllint("rule", "layer-feature-size-mismatch")
    assert by_code.out == by_name.out
    assert by_code.out.startswith("layer-feature-size-mismatch (DLT101)\n")
    assert "## What it finds" in by_code.out


def test_all_rules_as_json(dllint):
    records = json.loads(dllint("rule", "--all", "--output-format", "json").out)
    assert len(records) > 30
    assert all(record["page"].startswith(record["summary"]) for record in records)


def test_rule_needs_one_rule_or_all(dllint):
    assert dllint("rule").status == 2
    assert dllint("rule", "DLT101", "--all").status == 2


def test_config_lists_and_describes(dllint):
    assert dllint("config").out.split() == [option.name for option in options()]
    assert 'Default: "warning"' in dllint("config", "fail-on").out
    assert json.loads(dllint("config", "--output-format", "json").out)[0]["name"] == "select"


def test_explain_shows_where_a_range_comes_from(dllint, tmp_path):
    (tmp_path / "loss.py").write_text(
        "import torch\n\nw = torch.ones(3, requires_grad=True)\np = torch.relu(w)\nloss = torch.log(p)\n"
    )
    shown = dllint("explain", "loss.py:5").out
    assert "DLN101" in shown
    assert "from (-∞, ∞) (assumed: trained values may become anything) by ones at loss.py:3" in shown
    assert "[0, ∞) (lower bound derived; upper bound assumed: trained values may become anything)" in shown


def test_the_way_to_a_danger_is_reported(dllint, tmp_path):
    (tmp_path / "loss.py").write_text(
        "import torch\n\nw = torch.ones(3, requires_grad=True)\np = torch.relu(w)\nloss = torch.log(p)\n"
    )
    (finding,) = json.loads(dllint("check", "--output-format", "json", "loss.py").out)
    assert [(step["location"]["row"], step["message"].split("`")[1]) for step in finding["flow"]] == [
        (3, "ones"),
        (4, "relu"),
        (5, "log"),
    ]
    (result,) = json.loads(dllint("check", "--output-format", "sarif", "loss.py").out)["runs"][0]["results"]
    (flow,) = result["codeFlows"]
    lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in flow["threadFlows"][0]["locations"]]
    assert lines == [3, 4, 5]


def test_ir_shows_ranges(dllint, tmp_path):
    (tmp_path / "loss.py").write_text("import torch\n\np = torch.sigmoid(torch.zeros(3, requires_grad=True))\n")
    assert "in [0, 1] (derived) = sigmoid" in dllint("ir", "--ranges", "loss.py").out


def test_explain_shows_types_and_findings(dllint, source):
    assert "linear(" in dllint("explain", "model.py:5").out
    assert "f32[2, 4]" in dllint("explain", "model.py:5").out
    fault = dllint("explain", "model.py:6")
    assert "DLT101" in fault.out
    assert "is built here" in fault.out
    assert dllint("explain", "model.py:1").out == "Nothing is known about tensors at model.py:1.\n"
    assert dllint("explain", "model.py:99").status == 2


def test_ir_prints_the_traced_program(dllint, source):
    shown = dllint("ir", "model.py")
    assert shown.status == 0
    assert "f32[2, 5]" in shown.out
    assert "linear" in shown.out


def test_coverage(dllint, source):
    record = json.loads(dllint("dev", "coverage", "model.py", "--output-format", "json").out)["all"]
    assert record["operations"] >= 3
    assert record["shape"] == record["dtype"] == 1.0
    assert "most frequent reasons" in dllint("dev", "coverage", "model.py").out


def test_a_range_is_stated_above_a_function_and_in_a_file(dllint, tmp_path):
    text = "import torch\n\n\n# dllint: range x in (0, 1]\ndef f(x, y):\n    return torch.log(x) + torch.log(y)\n"
    (tmp_path / "loss.py").write_text(text)
    (tmp_path / "ranges.toml").write_text('y = "[1, 2]"\n')
    (tmp_path / "wrong.toml").write_text("y = 3\n")
    shown = ("check", "--show-hints", "--output-format", "concise", "loss.py")
    assert "loss.py:6:27: DLN101" in dllint(*shown).out
    assert "DLN101" not in dllint(*shown, "--ranges", "ranges.toml").out
    failed = dllint("check", "--ranges", "wrong.toml", "loss.py")
    assert failed.status == 2
    assert "wrong.toml: the range of `y`: `3` is no interval" in failed.err


def test_what_a_diagnosed_run_finds_has_pages_too(dllint):
    by_code, by_name = dllint("rule", "DLX104"), dllint("rule", "vanishing-or-exploding-gradient")
    assert by_code.out == by_name.out
    assert "Vanishing gradient" in by_code.out
    assert "running median" in by_code.out


@pytest.mark.parametrize(
    ("words", "at", "expected"),
    [
        ("dllint ch", 1, {"check"}),
        ("dllint di", 1, {"diagnose"}),
        ("dllint --ver", 1, {"--version"}),
        ("dllint check --output-f", 2, {"--output-format", "--output-file"}),
        ("dllint check --output-format s", 3, {"sarif"}),
        ("dllint diagnose --rep", 2, {"--replay", "--replay-seconds"}),
    ],
)
def test_shells_complete(dllint, monkeypatch, words, at, expected):
    monkeypatch.setenv("_DLLINT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(at))
    done = dllint()
    assert {line.partition(",")[2] for line in done.out.splitlines()} == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_shells_get_their_scripts(dllint, monkeypatch, shell):
    monkeypatch.setenv("_DLLINT_COMPLETE", f"{shell}_source")
    done = dllint()
    assert done.status == 0
    assert "_DLLINT_COMPLETE" in done.out
