"""The output formats, over one listing that has everything."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Related, Severity
from dllint.report.formats import render
from dllint.report.listing import Listing, RuleText
from dllint.report.schema import findings_schema
from dllint.report.summary import statistics
from dllint.source.lines import Lines
from dllint.span import Location

TEXT = "import torch\n\nfc = torch.nn.Linear(3, 4)\ny = fc(torch.zeros(2, 5))  # ☃\nz = y.view(\n    8,\n)\n"
BASE = Path("/project")
PATH = BASE / "pkg" / "a b.py"


def place(snippet: str) -> Location:
    start = TEXT.index(snippet)
    return Location(PATH, Lines(TEXT).span(start, start + len(snippet)))


def fix(old: str, new: str, applicability: Applicability) -> Fix:
    start = TEXT.index(old)
    return Fix(f"Write `{new}`", (Edit(PATH, start, start + len(old), new),), applicability)


SIZE = Finding(
    "DLT101",
    "layer-feature-size-mismatch",
    "`fc` expects 3 input features, but its input has 5",
    Severity.ERROR,
    Confidence.HIGH,
    place("fc(torch.zeros(2, 5))"),
    (Related(place("torch.nn.Linear(3, 4)"), "`fc` is built here"),),
    (
        fix("Linear(3", "Linear(5", Applicability.UNSAFE),
        fix("torch.nn.Linear(3,", "torch.nn.LazyLinear(", Applicability.UNSAFE),
    ),
    advice="set in_features=5 or change the layer before it",
)
VIEW = Finding(
    "DLT107",
    "view-on-noncontiguous",
    "100 % wrong,\nreally",
    Severity.WARNING,
    Confidence.MEDIUM,
    place("y.view(\n    8,\n)"),
    (),
    (fix("view", "reshape", Applicability.SAFE),),
)


def listing(*findings: Finding, **options) -> Listing:
    rules = {"DLT101": RuleText("DLT101", "layer-feature-size-mismatch", "A size differs.", "A size differs.\n\nMore.")}
    return Listing(findings, lambda path, cell: TEXT if path == PATH else "", rules, BASE, **options)


def printed(name: str, *findings: Finding, **options) -> str:
    return "\n".join(render(name, listing(*findings, **options)))


def test_concise():
    assert printed("concise", SIZE, VIEW).splitlines() == [
        "pkg/a b.py:4:5: DLT101 `fc` expects 3 input features, but its input has 5",
        "pkg/a b.py:5:5: DLT107 [*] 100 % wrong,␊really",
        "Found 2 findings.",
        "[*] 1 fixable with `--fix` (1 more fix can be applied with `--unsafe-fixes`).",
    ]


def test_nothing_found():
    assert printed("concise") == "All checks passed!"
    assert printed("concise", quiet=True) == ""
    assert printed("concise", fixed=2) == "Found 2 findings (2 fixed, 0 remaining)."


def test_full_shows_the_source_the_evidence_and_the_change():
    assert printed("full", SIZE).splitlines() == [
        "error[DLT101] `fc` expects 3 input features, but its input has 5",
        " --> pkg/a b.py:4:5",
        "  |",
        "4 | y = fc(torch.zeros(2, 5))  # ☃",
        "  |     ^^^^^^^^^^^^^^^^^^^^^",
        "note: `fc` is built here",
        " --> pkg/a b.py:3:6",
        "  |",
        "3 | fc = torch.nn.Linear(3, 4)",
        "  |      ---------------------",
        "help: set in_features=5 or change the layer before it",
        "fix: Write `Linear(5` (unsafe)",
        "fix: Write `torch.nn.LazyLinear(` (unsafe)",
        "  |",
        "3 - fc = torch.nn.Linear(3, 4)",
        "  + fc = torch.nn.Linear(5, 4)",
        "",
        "Found 1 finding.",
        "No fixes apply by default (1 fix can be applied with `--unsafe-fixes`).",
    ]


def test_full_marks_every_line_of_a_long_place():
    lines = printed("full", VIEW).splitlines()
    assert lines[3:10] == [
        "5 | z = y.view(",
        "  |     ^^^^^^^",
        "6 |     8,",
        "  |     ^^",
        "7 | )",
        "  | ^",
        "fix: Write `reshape`",
    ]


def test_colours_only_if_asked_for():
    assert "\x1b[" not in printed("full", SIZE)
    assert "\x1b[1;31merror[DLT101]\x1b[0m" in printed("full", SIZE, color=True)


def test_json_follows_the_published_schema():
    flowing = replace(SIZE, flow=SIZE.related)
    records = json.loads(printed("json", flowing, VIEW))
    jsonschema.validate(records, findings_schema())
    assert records[0]["location"] == {"row": 4, "column": 5}
    assert records[0]["end_location"] == {"row": 4, "column": 26}
    assert records[0]["fix"]["edits"] == [
        {
            "filename": str(PATH),
            "cell": None,
            "content": "Linear(5",
            "location": {"row": 3, "column": 15},
            "end_location": {"row": 3, "column": 23},
        }
    ]
    assert [record["advice"] for record in records] == ["set in_features=5 or change the layer before it", None]
    assert [record["confidence"] for record in records] == ["high", "medium"]
    assert records[0]["related"][0]["message"] == "`fc` is built here"
    assert records[0]["flow"] == records[0]["related"]
    assert records[1]["flow"] == []


def test_the_schema_refuses_what_is_not_a_finding():
    record = json.loads(printed("json", SIZE))[0]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{**record, "severity": "loud"}], findings_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate([{key: value for key, value in record.items() if key != "fix"}], findings_schema())


def test_github_escapes_and_puts_errors_first():
    first, second = printed("github", VIEW, SIZE).splitlines()
    assert first == (
        "::error title=dllint (DLT101),file=pkg/a b.py,line=4,col=5,endLine=4,endColumn=26"
        "::pkg/a b.py:4:5: DLT101 `fc` expects 3 input features, but its input has 5"
        "%0Ahelp: set in_features=5 or change the layer before it"
    )
    assert second == (
        "::warning title=dllint (DLT107),file=pkg/a b.py,line=5,endLine=7::pkg/a b.py:5:5: DLT107 [*] 100 %25 wrong,␊really"
    )


def test_sarif_has_rules_relative_places_fingerprints_and_fixes():
    log = json.loads(printed("sarif", SIZE, SIZE, VIEW))
    run = log["runs"][0]
    assert (log["version"], run["tool"]["driver"]["name"]) == ("2.1.0", "dllint")
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["DLT101", "DLT107"]
    first, again, _ = run["results"]
    assert first["message"]["text"] == (
        "`fc` expects 3 input features, but its input has 5. Set in_features=5 or change the layer before it."
    )
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "pkg/a%20b.py"
    assert physical["region"] == {"startLine": 4, "startColumn": 5, "endLine": 4, "endColumn": 26}
    assert first["relatedLocations"][0]["message"]["text"] == "`fc` is built here"
    replacement = first["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["insertedContent"]["text"] == "Linear(5"
    assert replacement["deletedRegion"] == {"startLine": 3, "startColumn": 15, "endLine": 3, "endColumn": 23}
    assert first["partialFingerprints"] != again["partialFingerprints"]


def test_sarif_tells_how_a_danger_comes_about():
    steps = (Related(place("torch.nn.Linear(3, 4)"), "built"), Related(place("fc(torch.zeros(2, 5))"), "called"))
    result = json.loads(printed("sarif", replace(SIZE, flow=steps)))["runs"][0]["results"][0]
    locations = [step["location"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    assert [location["message"]["text"] for location in locations] == ["built", "called"]
    assert [location["physicalLocation"]["region"]["startLine"] for location in locations] == [3, 4]


def test_statistics_count_by_rule():
    assert list(statistics(listing(SIZE, VIEW, SIZE))) == [
        "2\tDLT101\t[ ] layer-feature-size-mismatch",
        "1\tDLT107\t[*] view-on-noncontiguous",
    ]


def test_a_file_that_is_gone_is_listed_without_excerpt():
    gone = Listing([SIZE], lambda path, cell: "", base=BASE)
    assert list(render("full", gone))[1] == " --> pkg/a b.py:4:5"


def test_a_fix_elsewhere_names_its_place_and_is_not_offered_to_fix():
    other = BASE / "pkg" / "b.py"
    elsewhere = Fix("Write `5`", (Edit(other, 7, 8, "5"),), Applicability.SAFE)
    shown = Listing([replace(VIEW, fixes=(elsewhere,))], lambda path, _: "x = 1\ny = 3\n" if path == other else TEXT, base=BASE)
    lines = list(render("full", shown))
    help_ = lines.index("fix: Write `5`")
    assert lines[help_ + 1 : help_ + 5] == [" --> pkg/b.py:2:2", "  |", "2 - y = 3", "  + y5= 3"]
    assert "fixable" not in "\n".join(lines)
