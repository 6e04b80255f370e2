"""What `dllint check` says about what it has followed, and what it makes of that."""

from __future__ import annotations

import json

import jsonschema
import pytest

from dllint.finding import Confidence
from dllint.report.schema import coverage_schema
from dllint.rules import calibration

KNOWN = "import torch\n\nx = torch.relu(torch.zeros(2))\n"
HALF = "import torch\n\nx = torch.zeros(2)\ny = torch.relu(torch.load('a'))\n"
FAULTY = "import torch\n\nx = torch.zeros(3).view(7)\n"
#: The same fault behind an argument that nobody gives.
UNCERTAIN = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.view(3).view(7)\n"
FOREIGN = "import jax\nimport torch\n\nx = torch.zeros(2)\n"
UNDRIVEN = "import torch\n\n\ndef f(x):\n    return torch.relu(x)\n"
CLASS = f"{KNOWN}\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return unknown(x)\n"
NOTHING = "No faults in what was followed."


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        (KNOWN, ["All checks passed!", "Followed shapes of all operations."]),
        (HALF, [NOTHING, "Followed shapes of 50 % of operations."]),
        (FAULTY, ["Found 1 finding.", "Followed shapes of all operations."]),
        ("print(1)\n", ["Found no tensor code."]),
        (FOREIGN, [NOTHING, "Followed shapes of all operations; 1 file uses jax, which dllint does not know."]),
        ("import jax\n", [NOTHING, "Found no tensor code; 1 file uses jax, which dllint does not know."]),
        (CLASS, [NOTHING, "Followed 0 of 1 model, shapes of all operations."]),
        (UNDRIVEN, [NOTHING, "Followed shapes of 0 % of operations."]),
    ],
)
def test_the_closing_lines_say_what_silence_rests_on(dllint, project, text, closing):
    (project / "main.py").write_text(text)
    done = dllint("check", "--output-format", "concise")
    assert done.out.splitlines()[-len(closing) :] == closing
    assert dllint("check", "-q", "--output-format", "concise").out.count("Followed") == 0


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_other_formats_tell_it_on_standard_error(dllint, project, form):
    (project / "main.py").write_text(HALF)
    done = dllint("check", "--output-format", form)
    assert done.err == "Followed shapes of 50 % of operations.\n"
    assert "Followed" not in done.out
    if form == "json":
        assert json.loads(done.out) == []
    if form == "sarif":
        invocation = json.loads(done.out)["runs"][0]["invocations"][0]
        assert invocation["executionSuccessful"] is True
        assert invocation["properties"]["followed"]["share"] == 0.5
    assert dllint("check", "-q", "--output-format", form).err == ""


def test_after_an_error_of_ours_nothing_is_said_to_have_passed(dllint, project, monkeypatch):
    (project / "main.py").write_text(KNOWN)
    monkeypatch.setattr("dllint.engine.session.is_relevant", lambda *_: 1 / 0)
    done = dllint("check", "-n")
    assert done.status == 2
    assert done.out.splitlines() == [NOTHING, "Found no tensor code; 1 analysis was ended by an error of dllint."]


def test_a_file_that_is_left_out_is_not_said_to_have_passed(dllint, project):
    (project / "main.py").write_text(KNOWN)
    done = dllint("check", "--config", "max-file-size = 10")
    assert (done.status, done.out.splitlines()) == (0, [NOTHING, "Found no tensor code; 1 file was left out."])


def test_known_findings_are_not_said_to_have_passed(dllint, project):
    (project / "main.py").write_text(FAULTY)
    dllint("check", "--baseline", "known.json", "--update-baseline")
    done = dllint("check", "--baseline", "known.json")
    assert (done.status, done.out.splitlines()[0]) == (0, "No new findings.")


@pytest.mark.parametrize(
    ("text", "least", "status"),
    [
        (HALF, 50, 0), (HALF, 51, 1), (HALF, 0, 0), (KNOWN, 100, 0), ("print(1)\n", 100, 0), ("import jax\n", 100, 0),
        (FAULTY, 1, 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("how", ["option", "setting"])
def test_too_little_followed_fails(dllint, project, text, least, status, how):
    (project / "main.py").write_text(text)
    if how == "setting":
        (project / "dllint.toml").write_text(f"min-coverage = {least}\n")
    done = dllint("check", *(["--min-coverage", str(least)] if how == "option" else []))
    assert done.status == status
    assert ("`min-coverage`" in done.err) == (status == 1 and text is not FAULTY)
    if "`min-coverage`" in done.err:
        assert "shapes are known of 1 of 2 (50.0 %) operations: less than the 51 %" in done.err
    assert dllint("check", "--exit-zero", "--min-coverage", str(least)).status == 0


def test_a_share_that_is_none_is_refused(dllint):
    assert dllint("check", "--min-coverage", "101").status == 2
    assert dllint("check", "--config", "min-coverage = 'much'").status == 2


def test_the_coverage_file_has_every_file(dllint, project):
    (project / "main.py").write_text(HALF)
    (project / "other.py").write_text(FOREIGN)
    dllint("check", "--coverage-file", "coverage.json")
    record = json.loads((project / "coverage.json").read_text())
    jsonschema.validate(record, coverage_schema())
    assert (record["operations"], record["known_shapes"], record["unknown_frameworks"]) == (3, 2, {"jax": 1})
    assert [(file["filename"], file["share"]) for file in record["files"]] == [("main.py", 0.5), ("other.py", 1.0)]


HINTED = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(torch.relu(self.a(x)))


print(Net()(torch.ones(2, 4)))
"""


@pytest.mark.parametrize("option", ["--hints", "--show-hints"])
def test_hints_are_printed_if_they_are_wanted_and_never_fail(dllint, project, option):
    (project / "net.py").write_text(HINTED)
    hinted = ("check", "--config", "severity.DLS202 = 'hint'", "--output-format")
    for output_format in ("full", "concise", "github"):
        plain, done = dllint(*hinted, output_format), dllint(*hinted, output_format, option)
        assert "DLS202" not in plain.out
        assert "DLS202" in done.out
        assert (plain.status, done.status) == (0, 0)
    assert "hint[DLS202]" in dllint(*hinted, "full", option).out


@pytest.mark.parametrize("options", [(), ("--show-hints",), ("--fail-on", "info", "--fail-on-confidence", "low")])
def test_hints_are_in_json_and_never_fail(dllint, project, options):
    (project / "net.py").write_text(HINTED)
    done = dllint("check", "--config", "severity.DLS202 = 'hint'", "--output-format", "json", *options)
    assert [record["severity"] for record in json.loads(done.out)] == ["hint"]
    assert done.status == 0


@pytest.mark.parametrize(
    ("confidence", "arguments", "status"),
    [
        ("high", (), 1),
        ("medium", (), 1),
        ("low", (), 0),
        ("low", ("--fail-on-confidence", "low"), 1),
        ("medium", ("--fail-on-confidence", "high"), 0),
        ("low", ("--fail-on-confidence", "low", "--exit-zero"), 0),
        ("low", ("--fail-on-confidence", "low", "--min-confidence", "medium"), 0),
    ],
)
def test_what_is_less_certain_is_told_and_fails_nothing(dllint, project, monkeypatch, confidence, arguments, status):
    monkeypatch.setattr(calibration, "REACHED", {"DLT105": Confidence(confidence)})
    (project / "main.py").write_text(UNCERTAIN)
    done = dllint("check", "-n", *arguments)
    assert done.status == status
    assert ("warning[DLT105] (low confidence)" in done.out) == (confidence == "low" and "--min-confidence" not in arguments)
