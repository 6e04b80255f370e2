"""A finding that a format cannot print is told in short and costs no other; if all of it fails, all are told plainly."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable

import pytest

import dllint.engine.apply
import dllint.report.concise
from dllint.cli.main import run
from dllint.config.options import FORMATS
from tests.security.test_failure_boundaries import ERRORS, FAULTY, failing, on_finding

#: What makes one entry of the report, by format.
ENTRIES = {"full": "block", "concise": "line", "json": "to_record", "sarif": "_result", "github": "_command"}
LINES = {3: "DLT105", 4: "DLT107", 5: "DLT101"}


@pytest.fixture
def check(tmp_path, monkeypatch, capfd) -> Callable[..., tuple[int, str, list[str]]]:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "broken.py"):
        (tmp_path / name).write_text(FAULTY)

    def checked(*options: str) -> tuple[int, str, list[str]]:
        capfd.readouterr()
        status = run(["check", "-n", "-q", *options, "."])
        out, err = capfd.readouterr()
        return status, out, err.splitlines()

    return checked


def entries(form: str, out: str) -> list[str]:
    """The codes in a report, each with its file."""
    if form == "json":
        return [f"{entry['filename'].rpartition('/')[2]} {entry['code']}" for entry in json.loads(out)]
    if form == "sarif":
        results = json.loads(out)["runs"][0]["results"]
        places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
        return [f"{place} {result['ruleId']}" for place, result in zip(places, results, strict=True)]
    if form == "full":
        return [f"{place} {code}" for code, place in re.findall(r"^\w+\[(\w+)\].*\n +--> (\w+\.py)", out, re.MULTILINE)]
    codes = "|".join(LINES.values())
    return [" ".join(found) for found in re.findall(rf"^.*?\b(a\.py|broken\.py)\b.*?\b({codes})\b", out, re.MULTILINE)]


def test_every_format_is_tried():
    assert ENTRIES.keys() == set(FORMATS)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("form", FORMATS)
def test_a_finding_that_cannot_be_printed_costs_no_other(check, monkeypatch, form, error):
    status, out, _ = check("--output-format", form)
    before = entries(form, out)
    assert status == 1
    assert len(before) == 2 * len(LINES)
    failing(importlib.import_module(f"dllint.report.{form}"), ENTRIES[form], on_finding("DLT107"))(monkeypatch, error)
    status, out, err = check("--output-format", form)
    assert entries(form, out) == [entry for entry in before if entry != "broken.py DLT107"]
    (told,) = [line for line in err if line.startswith("internal-error: ")]
    assert told.startswith("internal-error: broken.py: the finding of DLT107 in line 4 ")
    assert error.__name__ in told
    assert status == 2
    assert check("--output-format", form, "-e")[0] == 0


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("form", FORMATS)
def test_what_fails_beside_a_finding_is_left_out_of_it(check, monkeypatch, form, error):
    """The finding is there, without what could not be printed: here its fixes."""

    def with_fixes(*arguments: object) -> bool:
        return on_finding("DLT107")(*arguments) and any(getattr(argument, "fixes", ()) for argument in arguments)

    before = entries(form, check("--output-format", form)[1])
    failing(importlib.import_module(f"dllint.report.{form}"), ENTRIES[form], with_fixes)(monkeypatch, error)
    status, out, err = check("--output-format", form)
    assert entries(form, out) == before
    assert [line.endswith("is printed in short: " + line.rpartition("in short: ")[2]) for line in err] == [True]
    assert status == 2


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("form", FORMATS)
def test_if_a_format_fails_all_findings_are_told_plainly(check, monkeypatch, form, error):
    failing(importlib.import_module(f"dllint.report.{form}"), "render")(monkeypatch, error)
    status, out, err = check("--output-format", form)
    assert (status, out) == (2, "")
    for name in ("a.py", "broken.py"):
        for line, code in LINES.items():
            assert sum(told.startswith(f"{name}:{line}:") and f" {code} " in told for told in err) == 1
    assert sum(told.startswith("internal-error: ") for told in err) == 1
    assert check("--output-format", form, "-e")[0] == 0


@pytest.mark.parametrize("error", ERRORS)
def test_a_diff_that_cannot_be_shown_costs_no_other(check, monkeypatch, error):
    whole = check("--diff", "--unsafe-fixes")[1]
    assert "+++ a.py" in whole
    assert "+++ broken.py" in whole
    failing(dllint.engine.apply, "unified", lambda path, *_: path == "broken.py")(monkeypatch, error)
    status, out, err = check("--diff", "--unsafe-fixes")
    assert "+++ a.py" in out
    assert "broken.py" not in out
    assert sum(told.startswith("internal-error: broken.py: ") for told in err) == 1
    assert status == 2
    assert check("--diff", "--unsafe-fixes", "-e")[0] == 0


@pytest.mark.parametrize("error", ERRORS)
def test_figures_that_cannot_be_counted_cost_no_finding(check, monkeypatch, error):
    before = check("--output-format", "concise")[1]
    failing(dllint.cli.checking, "figures_of")(monkeypatch, error)
    status, out, err = check("--output-format", "concise")
    assert before in out or out in before
    assert sum(told.startswith("internal-error: ") for told in err) == 1
    assert (status, check("-e")[0]) == (2, 0)
