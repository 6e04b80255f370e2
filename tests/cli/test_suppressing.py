"""Suppression comments that cannot be meant, and those that suppress nothing, are told as information."""

from __future__ import annotations

import json
from itertools import product

import pytest

MODEL = """import torch
from torch import nn

x = torch.randn(4, 3)
net = nn.Linear(5, 2)
"""
FAULT = "y = net(x)"
FINE = "w = torch.zeros(3)"
NAME = "layer-feature-size-mismatch"
#: What is written, and what is told of it.
INVALID = {
    "ignore[DLX9999]": "there is no rule `DLX9999`",
    "ignore[DLT101, DLT1011]": "there is no rule `DLT1011`; did you mean `DLT111`?",
    "ignore[layer-feature-size-missmatch]": f"there is no rule `layer-feature-size-missmatch`; did you mean `{NAME}`?",
    "ingore[DLT101]": "`ingore` is no word that dllint knows; did you mean `ignore`?",
    "ignroe": "`ignroe` is no word that dllint knows; did you mean `ignore`?",
    "ignore-fiel[DLT101]": "`ignore-fiel` is no word that dllint knows; did you mean `ignore-file`?",
    "disable=DLT101": "`disable` is no word that dllint knows",
    "noqa": "`noqa` is no word that dllint knows",
    "skip[DLT101]": "`skip` is no word that dllint knows",
    "ignore DLT101": "every rule is suppressed: `DLT101` stands in no brackets",
    "ignore: DLT101": "every rule is suppressed: `DLT101` stands in no brackets",
    "ignore[DLT101": "`[` is not closed, so that every rule is suppressed",
    "ignore[]": "no rule is named, so that nothing is suppressed",
    "ignore-file[DLT101]": "`ignore-file` has a line of its own, and suppresses nothing here",
}
VALID = ["ignore", "ignore[DLT101]", "ignore[dlt101]", "ignore[DLT]", f"ignore[{NAME}] because", "Ignore[DLT101, DLT101]"]
OTHERS = ["see issue 12", "range x in [0, 1]", "ok", "cell 3"]


def told(dllint, *options):
    done = dllint("check", "--no-cache", "--output-format", "json", *options)
    return done.status, [(f["code"], f["location"]["row"], f["message"]) for f in json.loads(done.out)]


@pytest.mark.parametrize("written", INVALID)
@pytest.mark.parametrize("spaces", ["# dllint: ", "#dllint:"])
def test_comments_that_cannot_be_meant(dllint, project, written, spaces):
    (project / "model.py").write_text(f"{MODEL}{FINE}  {spaces}{written}\n")
    assert told(dllint, "--ignore", "unused-suppression") == (0, [("invalid-suppression", 6, INVALID[written])])


@pytest.mark.parametrize(("word", "rest"), [*product(["ignore"], VALID), *product(["other"], OTHERS)])
def test_comments_that_are_meant(dllint, project, word, rest):
    line = FAULT if word == "ignore" else FINE
    (project / "model.py").write_text(f"{MODEL}{line}  # dllint: {rest}\n")
    assert told(dllint) == (0, [])


#: What stands in a ``noqa`` comment, and the codes in it of which is told that no rule has them.
NOQA = {
    "noqa: DLX999": ["DLX999"],
    "noqa:dlx999": ["dlx999"],
    "NOQA: E501, DLX999, W291": ["DLX999"],
    "noqa: DLX999 DLT9": ["DLX999", "DLT9"],
    "type: ignore # noqa: DLT1011  # more": ["DLT1011"],
    "noqa: DLT101": [],
    "noqa: DLT1": [],
    "noqa": [],
    "noqa: E501": [],
    "noqa: E501, W291, ABC123, DL3008, D100": [],
    "noqa: some-rule": [],
    "see DLX999": [],
    "ruff: noqa: E501": [],
}


@pytest.mark.parametrize("written", NOQA)
@pytest.mark.parametrize("line", [FINE, FAULT, "t = (\n    torch.zeros(3),\n)", "t = '# noqa: DLX999'"])
def test_codes_of_ours_that_no_rule_has_in_noqa(dllint, project, written, line):
    (project / "model.py").write_text(f"{MODEL}{line}  # {written}\n")
    row = 5 + len(line.splitlines())
    expected = [(row, f"there is no rule `{code}`") for code in NOQA[written]]
    found = [entry for entry in told(dllint, "--ignore", "unused-suppression,DLT")[1] if entry[0] == "invalid-suppression"]
    assert [(at, message.split(";")[0]) for _, at, message in found] == expected
    assert told(dllint, "--ignore", "invalid-suppression,unused-suppression,DLT") == (0, [])


def test_a_code_in_noqa_that_no_rule_has_suppresses_nothing(dllint, project):
    (project / "model.py").write_text(f"{MODEL}{FAULT}  # noqa: DLX999\n")
    assert [code for code, _, _ in told(dllint)[1]] == ["DLT101", "invalid-suppression"]


def test_rules_that_do_not_exist_hold_for_no_file(dllint, project):
    (project / "model.py").write_text(f"# dllint: ignore-file[NOPE]\n{MODEL}{FAULT}\n")
    status, found = told(dllint)
    assert status == 1
    assert [code for code, _, _ in found] == ["invalid-suppression", "DLT101"]


#: A line with a comment that suppresses nothing, and what is left of it.
UNUSED = {
    f"{FINE}  # dllint: ignore[DLT101]\n": f"{FINE}\n",
    f"{FINE}  # dllint: ignore\n": f"{FINE}\n",
    f"{FINE}  # dllint: ignore[DLT101, DLT107] shapes are fine\n": f"{FINE}\n",
    f"{FINE}  # type: ignore  # dllint: ignore[DLT101]\n": f"{FINE}  # type: ignore\n",
    f"{FINE}  # dllint: ignore[DLT101]  # type: ignore\n": f"{FINE}  # type: ignore\n",
    f"# dllint: ignore[DLT101]\n{FINE}\n": f"{FINE}\n",
    f"if True:\n    # dllint: ignore[DLT101]\n    {FINE}\n": f"if True:\n    {FINE}\n",
    f"{FAULT}  # dllint: ignore[DLT101, DLT107]\n": f"{FAULT}  # dllint: ignore[DLT101]\n",
    f"{FAULT}  # dllint: ignore[DLT107, DLT101] why\n": f"{FAULT}  # dllint: ignore[DLT101] why\n",
    f"{FAULT}  # dllint: ignore[DLT107,DLT101,DLT108]\n": f"{FAULT}  # dllint: ignore[DLT101]\n",
}


@pytest.mark.parametrize("line", UNUSED)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_comments_that_suppress_nothing_are_removed(dllint, project, line, ending):
    path = project / "model.py"
    path.write_text((MODEL + line + "z = 1\n").replace("\n", ending), newline="")
    status, found = told(dllint)
    assert status == 0
    assert {code for code, _, _ in found} == {"unused-suppression"}
    assert all("suppress" in message for _, _, message in found)
    dllint("check", "--no-cache", "--fix")
    assert path.read_bytes().decode() == (MODEL + UNUSED[line] + "z = 1\n").replace("\n", ending)
    assert told(dllint) == (0, [])


def test_what_another_file_may_need_is_not_judged(dllint, project):
    inside = f"{MODEL}def run(x):\n    return net(x)  # dllint: ignore[DLN101]\n"
    (project / "model.py").write_text(inside)
    assert told(dllint) == (0, [])
    (project / "model.py").write_text(inside + '\n\nif __name__ == "__main__":\n    run(torch.zeros(2, 5))\n')
    assert [code for code, _, _ in told(dllint)[1]] == ["unused-suppression"]


def test_rules_that_were_not_asked_are_not_judged(dllint, project):
    (project / "model.py").write_text(f"{MODEL}{FINE}  # dllint: ignore[DLN101]\n")
    assert told(dllint, "--ignore", "DLN101") == (0, [])
    assert told(dllint, "--select", "DLT") == (0, [])
    assert told(dllint, "--select", "DLN,unused-suppression")[1][0][0] == "unused-suppression"


def test_they_are_selected_like_rules(dllint, project):
    (project / "model.py").write_text(f"{MODEL}{FINE}  # dllint: ignore[DLX9999, DLN101, unused-suppression]\n")
    assert [code for code, _, _ in told(dllint)[1]] == ["invalid-suppression"]
    assert told(dllint, "--ignore", "invalid-suppression") == (0, [])
    assert told(dllint, "--config", 'severity = {"invalid-suppression" = "error"}')[0] == 1
    assert told(dllint, "--per-file-ignores", "model.py:invalid-suppression") == (0, [])


def test_comments_in_notebooks(dllint, project):
    cells = [MODEL, f"{FINE}  # dllint: ingore[DLT101]\n{FAULT}  # dllint: ignore[DLT101]\nz = 1  # dllint: ignore[DLT101]"]
    data = {"cells": [{"cell_type": "code", "metadata": {}, "source": text} for text in cells], "metadata": {}, "nbformat": 4}
    (project / "book.ipynb").write_text(json.dumps(data))
    done = dllint("check", "--no-cache", "--output-format", "json")
    found = [(f["code"], f["cell"], f["location"]["row"]) for f in json.loads(done.out)]
    assert found == [("invalid-suppression", 2, 1), ("unused-suppression", 2, 3)]
