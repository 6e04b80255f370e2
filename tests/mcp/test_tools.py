"""What coding agents are answered, over the real protocol. One server answers all questions of a module."""

from __future__ import annotations

import json

import pytest

from tests.mcp.conftest import agent

MODEL = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Linear(32, width)
        self.second = nn.Linear(width + 1, 10)

    def forward(self, x):
        hidden = self.first(x)
        return self.second(hidden)


model = Net()
scores = model(torch.zeros(8, 32))
"""
GOOD = """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))
scores = model(torch.zeros(8, 32))
"""
MANY = "import torch\n\nx = torch.zeros(2, 3)\ny = torch.zeros(4, 5)\n" + "z = x @ y\n" * 60


@pytest.fixture(scope="module")
def roots(tmp_path_factory):
    base = tmp_path_factory.mktemp("agents")
    inside, outside = base / "inside", base / "outside"
    for folder in (inside / "models", outside):
        folder.mkdir(parents=True)
    (inside / "models" / "net.py").write_text(MODEL)
    (inside / "good.py").write_text(GOOD)
    (inside / "many.py").write_text(MANY)
    (outside / "secret.py").write_text(MODEL)
    (inside / "link.py").symlink_to(outside / "secret.py")
    (inside / "folder").symlink_to(outside)
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": text}
             for text in ("import torch\n", "x = torch.zeros(2, 3)\ny = x @ x\n")]  # fmt: skip
    (inside / "book.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return inside


@pytest.fixture(scope="module")
def asked(roots):
    with agent(roots, cwd=roots) as client:
        yield client


def test_the_tools_are_described_and_only_read(asked):
    tools = asked.tools()
    assert set(tools) == {"check", "explain", "shape_at", "summary", "fixes"}
    assert all(tool.annotations.read_only_hint and tool.description and tool.output_schema for tool in tools.values())


def test_check_cites_findings_by_line(asked):
    answer = asked.ask("check", paths=["models/net.py"])
    (found,) = answer["findings"]
    assert found["code"] == "DLT101"
    assert found["place"] == "models/net.py:13:16"
    assert found["source"] == "return self.second(hidden)"
    assert "64" in found["message"]
    assert answer["files"] == 1


def test_working_code_gives_nothing(asked):
    assert asked.ask("check", paths=["good.py"])["findings"] == []


def test_what_is_cut_is_counted(asked):
    answer = asked.ask("check", paths=["many.py"], limit=5)
    assert len(answer["findings"]) == 5
    assert answer["not_shown"] == len(asked.ask("check", paths=["many.py"], limit=200)["findings"]) - 5


def test_select_chooses_rules(asked):
    assert asked.ask("check", paths=["models"], select=["DLS"])["findings"] == []
    assert "DLX999" in asked.refusal("check", paths=["models"], select=["DLX999"])


def test_links_in_folders_do_not_lead_outside(asked):
    answer = asked.ask("check", paths=["."], limit=200)
    assert {found["place"].split(":")[0] for found in answer["findings"]} == {"models/net.py", "many.py", "book.ipynb"}
    assert any("leads out of the roots" in note for note in answer["notes"])


@pytest.mark.parametrize("path", ["link.py", "folder/secret.py", "../outside/secret.py", "../outside", "/etc/passwd", "a\0b"])
@pytest.mark.parametrize("tool", ["check", "shape_at", "summary", "fixes"])
def test_what_lies_outside_is_refused(asked, tool, path):
    arguments = {
        "check": {"paths": [path]},
        "shape_at": {"file": path, "line": 1},
        "summary": {"target": path},
        "fixes": {"file": path},
    }
    assert "lies outside of the root" in asked.refusal(tool, **arguments[tool])


def test_what_is_not_there_is_named(asked):
    assert "there is no `gone.py`" in asked.refusal("check", paths=["gone.py"])


def test_a_rule_is_explained(asked):
    by_code, by_name = (asked.ask("explain", rule=rule) for rule in ("DLT101", "layer-feature-size-mismatch"))
    assert by_code == by_name
    assert "## What it finds" in by_code["page"]
    assert "names" in asked.refusal("explain", rule="DLT")


def test_shapes_at_a_line_by_name_and_by_column(asked):
    by_name = asked.ask("shape_at", file="models/net.py", line=12, name="hidden")["at"]
    assert [(known["place"], known["expression"]) for known in by_name] == [("models/net.py:12:9", "hidden")]
    assert "f32[8, 64]" in by_name[0]["known"]
    by_column = asked.ask("shape_at", file="models/net.py", line=12, column=29)["at"]
    assert "f32[8, 32]" in by_column[0]["known"]
    assert len(asked.ask("shape_at", file="models/net.py", line=12)["at"]) >= 3
    assert "lines" in asked.refusal("shape_at", file="models/net.py", line=900)


def test_shapes_in_a_cell(asked):
    (known,) = asked.ask("shape_at", file="book.ipynb", line=1, cell=2, name="x")["at"]
    assert known["place"] == "book.ipynb:cell 2:1:1"
    assert "f32[2, 3]" in known["known"]


def test_a_summary_has_totals_and_a_table(asked):
    (model,) = asked.ask("summary", target="good.py")["models"]
    assert model["parameters"] == 32 * 64 + 64 + 64 * 10 + 10
    assert model["parameters_complete"]
    assert "Linear" in model["table"]
    (model,) = asked.ask("summary", target="models/net.py:Net(width=8)", inputs=["4,32"])["models"]
    assert model["model"] == "Net"
    assert model["parameters"] == 32 * 8 + 8 + 9 * 10 + 10
    assert "is no expression" in asked.refusal("summary", target="good.py:1)\nx = (")


def test_fixes_are_edits_and_nothing_is_written(asked, roots):
    found = asked.ask("fixes", file="models/net.py", include_unsafe=True)
    assert found["fixes"]
    repair = found["fixes"][0]
    (edit,) = repair["edits"]
    assert edit["path"] == "models/net.py"
    lines = MODEL.splitlines()
    assert lines[edit["start_line"] - 1][edit["start_column"] - 1 : edit["end_column"] - 1] == edit["old"]
    assert (roots / "models" / "net.py").read_text() == MODEL
    assert asked.ask("fixes", file="models/net.py", line=1)["fixes"] == []


def test_a_file_that_was_edited_is_read_anew(asked, roots):
    path = roots / "edited.py"
    path.write_text(GOOD.replace("nn.Linear(64", "nn.Linear(65"))
    assert asked.ask("check", paths=["edited.py"])["findings"]
    path.write_text(GOOD)
    assert asked.ask("check", paths=["edited.py"])["findings"] == []
    path.unlink()


def test_a_file_that_does_not_parse_is_told_of(asked, roots):
    (roots / "broken.py").write_text("import torch\nx = torch.zeros(2,\n")
    assert asked.ask("check", paths=["broken.py"])["findings"][0]["code"] == "syntax-error"
    assert "broken.py:" in asked.refusal("shape_at", file="broken.py", line=1)
    (roots / "broken.py").unlink()


def test_arguments_that_do_not_fit_are_refused(asked):
    assert asked.result("check", paths=[]).is_error
    assert asked.result("shape_at", file="good.py", line=0).is_error
