"""`dllint check`: what is reported, in which form, and what is fixed."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

#: DLT107 with a safe fix on line 3, DLT101 with an unsafe one on line 6.
SOURCE = """\
import torch

x = torch.zeros(2, 3).t().view(6)

layer = torch.nn.Linear(5, 4)
layer(torch.zeros(2, 3))
"""
REPAIRED = SOURCE.replace("view", "reshape")


@pytest.fixture
def source(project):
    path = project / "model.py"
    path.write_text(SOURCE)
    return path


def concise(done) -> list[str]:
    """Line and code of each finding of a concise listing."""
    rows = [line.split(":", 3) for line in done.out.splitlines() if line.startswith("model.py:")]
    return [f"{row[1]} {row[3].split()[0]}" for row in rows]


def test_findings_are_listed_by_place(dllint, source):
    done = dllint("check", "--output-format", "concise")
    assert concise(done) == ["3 DLT107", "6 DLT101"]
    assert (done.status, done.err) == (1, "")
    assert done.out.splitlines()[-3:] == [
        "Found 2 findings.",
        "[*] 1 fixable with `--fix` (1 more fix can be applied with `--unsafe-fixes`).",
        "Followed shapes of all operations.",
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--select", "DLT107"], ["3 DLT107"]),
        (["--select", "view-on-noncontiguous"], ["3 DLT107"]),
        (["--select", "DLS,DLT101"], ["6 DLT101"]),
        (["--ignore", "DLT1"], []),
        (["--ignore", "DLT", "--extend-select", "DLT101"], ["6 DLT101"]),
        (["--per-file-ignores", "mod*.py:DLT101"], ["3 DLT107"]),
        (["--config", 'ignore = ["DLT107"]'], ["6 DLT101"]),
        (["--exclude", "model.py"], []),
    ],
)
def test_selection(dllint, source, arguments, expected):
    done = dllint("check", "--output-format", "concise", *arguments)
    assert concise(done) == expected
    assert done.status == int(bool(expected))


def test_the_configuration_beside_the_file_counts(dllint, source):
    (source.parent / "pyproject.toml").write_text('[tool.dllint]\nselect = ["DLT107"]\noutput-format = "concise"\n')
    assert concise(dllint("check")) == ["3 DLT107"]
    assert concise(dllint("check", "--isolated", "--output-format", "concise")) == ["3 DLT107", "6 DLT101"]


def test_severities_and_the_exit_status(dllint, source):
    assert dllint("check", "--exit-zero").status == 0
    assert dllint("check", "--config", 'severity = {DLT = "info"}').status == 0
    assert dllint("check", "--config", 'severity = {DLT = "info"}', "--fail-on", "info").status == 1
    hints = dllint("check", "--config", 'severity = {DLT = "hint"}', "--output-format", "concise")
    assert (hints.status, concise(hints)) == (0, [])
    shown = dllint("check", "--config", 'severity = {DLT = "hint"}', "--output-format", "concise", "--show-hints")
    assert concise(shown) == ["3 DLT107", "6 DLT101"]


@pytest.mark.parametrize("pragma", ["# dllint: ignore[DLT107]", "# dllint: ignore", "# noqa: DLT107", "# noqa"])
def test_suppression_on_a_line(dllint, source, pragma):
    source.write_text(SOURCE.replace(".view(6)", f".view(6)  {pragma}"))
    assert concise(dllint("check", "--output-format", "concise")) == ["6 DLT101"]


def test_suppression_in_a_file(dllint, source):
    source.write_text("# dllint: ignore-file[DLT101]\n" + SOURCE)
    assert concise(dllint("check", "--output-format", "concise")) == ["4 DLT107"]


def test_safe_fixes_are_applied(dllint, source):
    done = dllint("check", "--fix", "--output-format", "concise")
    assert source.read_text() == REPAIRED
    assert concise(done) == ["6 DLT101"]
    assert "Found 2 findings (1 fixed, 1 remaining)." in done.out
    assert done.status == 1


def test_unsafe_fixes_on_request(dllint, source):
    done = dllint("check", "--fix", "--unsafe-fixes")
    assert done.status == 0
    assert source.read_text() == REPAIRED.replace("Linear(5, 4)", "Linear(3, 4)")
    assert dllint("check").out == "All checks passed!\nFollowed shapes of all operations.\n"


def test_fix_only_reports_nothing(dllint, source):
    done = dllint("check", "--fix-only")
    assert (done.status, done.out) == (0, "")
    assert source.read_text() == REPAIRED
    assert dllint("check", "--fix-only", "--exit-non-zero-on-fix", "--unsafe-fixes").status == 1


def test_a_diff_changes_nothing(dllint, source):
    done = dllint("check", "--diff")
    assert source.read_text() == SOURCE
    assert done.out.splitlines() == [
        "--- model.py",
        "+++ model.py",
        "@@ -1,6 +1,6 @@",
        " import torch",
        " ",
        "-x = torch.zeros(2, 3).t().view(6)",
        "+x = torch.zeros(2, 3).t().reshape(6)",
        " ",
        " layer = torch.nn.Linear(5, 4)",
        " layer(torch.zeros(2, 3))",
    ]
    assert done.status == 1
    assert done.err == "Would fix 1 finding.\n"


def test_unfixable_rules_are_left_alone(dllint, source):
    dllint("check", "--fix", "--unfixable", "DLT107")
    assert source.read_text() == SOURCE
    dllint("check", "--fix", "--unsafe-fixes", "--fixable", "DLT101")
    assert source.read_text() == SOURCE.replace("Linear(5, 4)", "Linear(3, 4)")


@pytest.mark.parametrize(
    ("encoding", "newline", "head"),
    [("utf-8-sig", "\r\n", ""), ("latin-1", "\n", "# coding: latin-1\n# é\n"), ("utf-8", "\r\n", "# ☃\n")],
)
def test_fixing_keeps_encoding_line_ends_and_byte_order_mark(dllint, source, encoding, newline, head):
    text = (head + SOURCE).replace("\n", newline)
    source.write_bytes(text.encode(encoding))
    dllint("check", "--fix")
    assert source.read_bytes() == text.replace("view", "reshape").encode(encoding)


def test_json(dllint, source):
    done = dllint("check", "--output-format", "json")
    records = json.loads(done.out)
    assert [(record["code"], record["location"]["row"]) for record in records] == [("DLT107", 3), ("DLT101", 6)]
    assert records[0]["fix"]["applicability"] == "safe"
    assert records[1]["severity"] == "error"
    assert records[1]["related"][0]["location"]["row"] == 5


def test_output_file(dllint, source):
    done = dllint("check", "--output-format", "sarif", "--output-file", "out.sarif")
    assert done.out == ""
    log = json.loads((source.parent / "out.sarif").read_text())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["DLT107", "DLT101"]
    assert dllint("check", "--output-file", "no/such/folder").status == 2


def uris(text):
    """The addresses in a SARIF log."""
    return set(re.findall(r'"uri": "([^"]*)"', text))


def test_sarif_addresses_are_relative_to_the_repository(dllint, source, monkeypatch, tmp_path):
    (source.parent / ".git").mkdir()
    below = source.parent / "deep" / "er"
    below.mkdir(parents=True)
    assert uris(dllint("check", "--output-format", "sarif").out) == {"model.py"}
    monkeypatch.chdir(below)
    for given in ("../../model.py", str(source), "../er/../../model.py"):
        assert uris(dllint("check", "--output-format", "sarif", given).out) == {"model.py"}


def test_sarif_addresses_outside_are_complete(dllint, source, monkeypatch):
    elsewhere = source.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert uris(dllint("check", "--output-format", "sarif", "../model.py").out) == {source.as_uri()}


def test_statistics(dllint, source):
    done = dllint("check", "--statistics")
    assert done.out.splitlines() == ["1\tDLT101\t[ ] layer-feature-size-mismatch", "1\tDLT107\t[*] view-on-noncontiguous"]


def test_statistics_in_other_formats(dllint, source):
    done = dllint("check", "--statistics", "--output-format", "json")
    assert json.loads(done.out) == [
        {"code": "DLT101", "name": "layer-feature-size-mismatch", "count": 1, "fixable": False},
        {"code": "DLT107", "name": "view-on-noncontiguous", "count": 1, "fixable": True},
    ]
    refused = dllint("check", "--statistics", "--output-format", "sarif")
    assert (refused.status, refused.out) == (2, "")
    assert "full, concise or json, not as sarif" in refused.err


def test_show_files_and_settings(dllint, source):
    assert dllint("check", "--show-files").out == "model.py\n"
    shown = dllint("check", "--show-settings", "--min-confidence", "high", "--per-file-ignores", "a.py:DLT").out
    assert "# from the built-in defaults" in shown
    settings = tomllib.loads(shown)
    assert settings["min-confidence"] == "high"
    assert settings["per-file-ignores"] == {"a.py": ["DLT"]}


def test_quiet_and_silent(dllint, source):
    assert "Found" not in dllint("check", "--quiet").out
    done = dllint("check", "--silent")
    assert (done.status, done.out, done.err) == (1, "", "")


def test_colours(dllint, source, monkeypatch):
    assert "\x1b[1;31merror[DLT107]" in dllint("check", "--color", "always").out
    assert "\x1b[" not in dllint("check").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in dllint("check").out
    assert "\x1b[" not in dllint("check", "--color", "never").out


def test_several_processes_give_the_same_result(dllint, source):
    for number in range(12):
        (source.parent / f"model{number}.py").write_text(SOURCE + f"\n\nprint({number})\n")
    alone = dllint("check", "-j", "1", "--output-format", "json")
    together = dllint("check", "-j", "3", "--output-format", "json")
    assert len(json.loads(alone.out)) == 26
    assert together.out == alone.out


def test_a_fault_inside_a_called_module_is_reported_once(dllint, source):
    (source.parent / "net.py").write_text(
        "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.fc = torch.nn.Linear(5, 4)\n\n    def forward(self, x):\n        return self.fc(x)\n"
    )
    source.write_text("import torch\nfrom net import Net\n\nnet = Net()\nnet(torch.zeros(2, 3))\nnet(torch.zeros(4, 3))\n")
    records = json.loads(dllint("check", "--output-format", "json", "model.py").out)
    assert [(record["code"], record["location"]["row"]) for record in records] == [("DLT101", 5)]
    assert records[0]["related"][0]["filename"].endswith("net.py")


def test_a_reason_that_another_file_has_with_more_is_printed_once(dllint, project):
    (project / "pyproject.toml").write_text('[project]\nname = "a"\nversion = "1"\ndependencies = ["keras>=3.3"]\n')
    old = "from keras.optimizers import Adam\n\noptimizer = Adam(lr=0.001)\n"
    (project / "one.py").write_text(old)
    (project / "two.py").write_text(f"import keras\n\nmodel = keras.Sequential([keras.layers.Dense(3)])\n{old}")
    line = next(line for line in dllint("check", "one.py", "two.py").out.splitlines() if line.startswith("Releases: "))
    assert line.count("keras>=3.3") == 1
    assert "keras.Sequential" in line
