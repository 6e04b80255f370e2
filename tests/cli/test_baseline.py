"""The baseline file: what is known is hidden, what is new is reported, what is gone is told."""

from __future__ import annotations

import json

import pytest

OLD = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 16)
        self.b = torch.nn.Linear(32, 4)

    def forward(self, x):
        return self.b(self.a(x))


Net()(torch.zeros(2, 8))
"""
NEW = "\ntorch.nn.Linear(3, 4)(torch.zeros(2, 5))\n"


@pytest.fixture
def baselined(project, dllint):
    (project / "dllint.toml").write_text('baseline = "known.json"\n')
    (project / "net.py").write_text(OLD)
    done = dllint("check", "--update-baseline")
    assert done.status == 0
    assert "Wrote 1 known finding to known.json." in done.err
    return project


def codes(done) -> list[str]:
    return [record["code"] for record in json.loads(done.out)]


def test_known_findings_are_not_reported(dllint, baselined):
    done = dllint("check")
    assert done.status == 0
    assert "1 known finding not reported (known.json)." in done.err


def test_a_finding_stays_known_when_code_above_it_is_added(dllint, baselined):
    (baselined / "net.py").write_text("import os\n\n\n" + OLD)
    assert dllint("check").status == 0


def test_new_findings_are_reported(dllint, baselined):
    (baselined / "net.py").write_text(OLD + NEW)
    done = dllint("check", "--output-format", "json")
    assert (done.status, codes(done)) == (1, ["DLT101"])
    assert json.loads(done.out)[0]["location"]["row"] == OLD.count("\n") + 2


def test_the_same_line_once_more_is_new(dllint, baselined):
    (baselined / "net.py").write_text(OLD + NEW)
    dllint("check", "--update-baseline")
    (baselined / "net.py").write_text(OLD + NEW + NEW)
    assert codes(dllint("check", "--output-format", "json")) == ["DLT101"]


def test_a_changed_line_is_new(dllint, baselined):
    (baselined / "net.py").write_text(OLD.replace("self.b(self.a(x))", "self.b(self.a(x).relu())"))
    assert dllint("check").status == 1


def test_stale_entries_are_told_and_removed_on_request(dllint, baselined):
    (baselined / "net.py").write_text(OLD.replace("32", "16"))
    done = dllint("check")
    assert done.status == 0
    assert "still in known.json: 1 finding" in done.err
    strict = dllint("check", "--strict-baseline")
    assert strict.status == 1
    assert "All checks passed!" not in strict.out
    assert "that is gone." in strict.out or "that are gone." in strict.out
    dllint("check", "--update-baseline")
    assert json.loads((baselined / "known.json").read_text())["files"] == {}
    assert dllint("check", "--strict-baseline").status == 0


def test_files_that_were_not_checked_keep_their_entries(dllint, baselined):
    (baselined / "other.py").write_text("import torch\n" + NEW)
    dllint("check", "other.py", "--update-baseline")
    assert sorted(json.loads((baselined / "known.json").read_text())["files"]) == ["net.py", "other.py"]
    (baselined / "net.py").unlink()
    dllint("check", "other.py", "--update-baseline")
    assert sorted(json.loads((baselined / "known.json").read_text())["files"]) == ["other.py"]


def test_a_run_without_update_never_writes(dllint, baselined):
    before = (baselined / "known.json").read_bytes()
    (baselined / "net.py").write_text(OLD + NEW)
    dllint("check")
    assert (baselined / "known.json").read_bytes() == before


def test_syntax_errors_are_never_known(dllint, baselined):
    (baselined / "net.py").write_text("import torch\nx = = 1\n")
    dllint("check", "--update-baseline")
    assert dllint("check").status == 1


def test_the_option_names_another_file(dllint, baselined):
    assert dllint("check", "--baseline", "elsewhere.json").status == 1


@pytest.mark.parametrize(
    "content", ["", "{", '{"version": 99, "files": {}}', '{"version": 1, "files": {"a.py": [{}]}}', "conflict"]
)
def test_a_damaged_baseline_is_told_and_replaced(dllint, baselined, content):
    written = (baselined / "known.json").read_text()
    conflict = "".join(f"<<<<<<< HEAD\n{line}=======\n{line}>>>>>>> other\n" for line in written.splitlines(keepends=True))
    (baselined / "known.json").write_text(conflict if content == "conflict" else content)
    done = dllint("check")
    assert done.status == 2
    assert "known.json" in done.err
    assert dllint("check", "--update-baseline").status == 0
    assert (baselined / "known.json").read_text() == written


@pytest.mark.parametrize(
    "content",
    [
        "[]", "{}", '{"version": []}', '{"version": 99}', '{"files": {}}',
        '{"version": true, "files": {}}', '{"version": 1, "files": []}',
        '{"version": 1, "files": {}, "mine": []}',
        '{"version": 1, "files": {}, "mine": [', '{"version": 1, "files": {"a.py": 3}}',
        '{"version": 1, "files": {"a.py": [{"mine": 1}]}}', '{\n"version": 1,\n"mine": ["work"],\n', "\xff",
    ],
)  # fmt: skip
def test_what_is_not_a_baseline_is_kept(dllint, baselined, content):
    (baselined / "known.json").write_text(content, encoding="latin-1")
    assert dllint("check").status == 2
    assert dllint("check", "--update-baseline").status == 2
    assert (baselined / "known.json").read_text(encoding="latin-1") == content


def test_update_needs_a_file(dllint, project):
    done = dllint("check", "--update-baseline")
    assert done.status == 2
    assert "--baseline FILE" in done.err


def test_notebook_findings_can_be_known(dllint, project):
    cell = {"cell_type": "code", "metadata": {}, "source": "import torch\n" + NEW}
    (project / "a.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    assert dllint("check", "--baseline", "b.json", "--update-baseline").status == 0
    assert dllint("check", "--baseline", "b.json").status == 0


def test_a_baseline_that_is_not_there_is_said(dllint, project):
    (project / "net.py").write_text(OLD)
    done = dllint("check", "--baseline", "knwon.json")
    assert done.status == 1
    assert "There is no baseline" in done.err
    assert "knwon.json" in done.err
