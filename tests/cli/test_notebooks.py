"""Notebooks on the command line: findings, fixes and formats in terms of cells."""

from __future__ import annotations

import io
import json
import re
import sys
from types import SimpleNamespace

import pytest

FAULTY = [
    ("markdown", "# Training"),
    ("code", "%matplotlib inline\n!pip install -q torch\nimport torch\nfrom torch import nn"),
    ("code", "%%time\nnet = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(32, 4))\nout = net(torch.zeros(2, 8))"),
]


def written(path, cells) -> None:
    made = [
        {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), "outputs": []} for kind, text in cells
    ]
    path.write_text(json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n")


@pytest.fixture
def notebook(project):
    path = project / "train.ipynb"
    written(path, FAULTY)
    return path


def test_findings_name_the_cell_and_its_line(dllint, notebook):
    result = dllint("check", "--output-format", "concise")
    assert result.status == 1
    assert result.out.startswith("train.ipynb:cell 3:3:")
    assert "16" in result.out
    assert "32" in result.out


def test_the_excerpt_shows_the_cell_s_own_line(dllint, notebook):
    result = dllint("check", "train.ipynb")
    assert "--> train.ipynb:cell 3:" in result.out
    assert "2 | net = nn.Sequential" in result.out


def test_json_has_the_cell_in_places_and_edits(dllint, notebook):
    (record,) = json.loads(dllint("check", "--output-format", "json").out)
    assert record["cell"] == 3
    assert record["fix"]["edits"][0]["cell"] == 3
    assert record["fix"]["edits"][0]["location"]["row"] == 2


@pytest.mark.parametrize("indent", [1, 4, None])
@pytest.mark.parametrize("name", ["train.ipynb", "a b,c.ipynb", "x\x1b[31m.ipynb"])
def test_annotations_stand_on_the_line_of_the_file(dllint, notebook, name, indent):
    data = json.loads(notebook.read_text())
    notebook.unlink()
    path = notebook.with_name(name)
    path.write_text(json.dumps(data, indent=indent))
    (command,) = dllint("check", "--output-format", "github").out.splitlines()
    line, last = map(int, re.findall(r"(?:line|endLine)=(\d+)", command))
    assert line == last
    assert "out = net(torch.zeros(2, 8))" in path.read_text().split("\n")[line - 1]
    assert (line > 1) is (indent is not None)
    assert ":cell 3:3:" in command


def test_a_place_that_spans_lines_of_a_cell_is_annotated_in_whole(dllint, notebook):
    data = json.loads(notebook.read_text())
    cells = data["cells"]
    cells[2]["source"] = [line.replace("net(torch", "net(\n    torch") for line in cells[2]["source"]]
    notebook.write_text(json.dumps(data, indent=1))
    (command,) = dllint("check", "--output-format", "github").out.splitlines()
    line, last = map(int, re.findall(r"(?:line|endLine)=(\d+)", command))
    lines = notebook.read_text().split("\n")
    assert "net(" in lines[line - 1]
    assert "torch.zeros(2, 8)" in lines[last - 1]


def test_sarif_names_the_line_of_the_file(dllint, notebook):
    (result,) = json.loads(dllint("check", "--output-format", "sarif").out)["runs"][0]["results"]
    (location,) = result["locations"]
    region = location["physicalLocation"]["region"]
    assert region["startLine"] == region["endLine"]
    assert "out = net(torch.zeros(2, 8))" in notebook.read_text().split("\n")[region["startLine"] - 1]
    assert location["logicalLocations"][0]["name"].startswith("cell 3, line 3")


def test_fixes_change_the_cell_and_nothing_else(dllint, notebook):
    before = notebook.read_text()
    result = dllint("check", "--fix", "--unsafe-fixes")
    after = json.loads(notebook.read_text())
    assert result.status == 0
    text = "".join(after["cells"][2]["source"])
    assert text.startswith("%%time\n")
    assert text != FAULTY[2][1]
    assert "".join(after["cells"][1]["source"]) == FAULTY[1][1]
    assert len(notebook.read_text().splitlines()) == len(before.splitlines())


def test_diff_changes_nothing(dllint, notebook):
    before = notebook.read_bytes()
    assert "+net = nn.Sequential" in dllint("check", "--diff", "--unsafe-fixes").out
    assert notebook.read_bytes() == before


def test_a_broken_cell_is_reported_beside_the_findings_of_the_others(dllint, project):
    written(project / "a.ipynb", [*FAULTY, ("code", "x = = 3")])
    records = json.loads(dllint("check", "--output-format", "json").out)
    assert [(record["cell"], record["code"]) for record in records][1] == (4, "syntax-error")
    assert len(records) == 2


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b'{"cells": 1}'])
def test_what_is_no_notebook_gets_a_clear_message(dllint, project, content):
    (project / "bad.ipynb").write_bytes(content)
    result = dllint("check")
    assert result.status in (1, 2)
    assert "bad.ipynb" in result.out


def test_pragmas_work_in_cells(dllint, project):
    written(project / "a.ipynb", [*FAULTY[:2], ("code", f"{FAULTY[2][1]}  # dllint: ignore")])
    assert dllint("check").status == 0


def test_standard_input_can_be_a_notebook(dllint, notebook, monkeypatch):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(notebook.read_bytes())))
    result = dllint("check", "-", "--stdin-filename", "x.ipynb", "--output-format", "concise")
    assert "x.ipynb:cell 3:3:" in result.out


def test_explain_takes_a_place_in_a_cell(dllint, notebook):
    result = dllint("explain", "train.ipynb:cell 3:3")
    assert "(2, 16)" in result.out
    assert "--> train.ipynb:cell 3:3:" in result.out
    assert "3 | out = net(" in result.out
    assert dllint("explain", "train.ipynb:cell 1:1").status == 2


def test_the_traced_program_names_the_cells(dllint, notebook):
    lines = dllint("ir", "train.ipynb").out.splitlines()
    assert next(line for line in lines if " zeros(" in line).endswith("# train.ipynb:cell 3:3:11")
