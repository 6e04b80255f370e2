"""Questions to readers and their answers; a small corpus that is checked for real."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.wild import __main__ as command
from benchmarks.wild import checking, corpus, judge
from benchmarks.wild.corpus import Corpus, Repository
from benchmarks.wild.verdicts import read

FAULTY = "import torch\nfrom torch import nn\n\n\ndef run():\n    return nn.Linear(4, 2)(torch.zeros(1, 3))\n\n\nrun()\n"
#: A module of the repository that has the name of one of ours must not be run.
TRAP = "raise SystemExit('code of the repository was run')\n"


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A corpus of one repository that is there, with one fault, and one that is not."""
    tree = tmp_path / "peers" / "owner+name"
    tree.mkdir(parents=True)
    (tree / "model.py").write_text(FAULTY)
    cells = ["import torch\n", "x = torch.zeros(2, 3)\n", "x @ torch.zeros(2, 3)\n"]
    kinds = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None} for cell in cells]
    (tree / "notes.ipynb").write_text(json.dumps({"cells": kinds, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
    for name in ("benchmarks.py", "dllint.py", "json.py", "click.py"):
        (tree / name).write_text(TRAP)
    repositories = (Repository("owner/name", "0" * 12), Repository("owner/absent", "0" * 12))
    made = Corpus("small", repositories, tmp_path / "judged.jsonl", readers=2, warnings=200, seed="abc")
    for module in (judge, command, corpus):
        monkeypatch.setattr(module, "corpus", lambda number: made)
    monkeypatch.setattr(checking, "BUILD", tmp_path / "build")
    monkeypatch.setattr(command.results, "RESULTS", tmp_path / "results")
    return made


def peers(small):
    return str(small.judged.parent / "peers")


def answer(small, reader, word="true"):
    """All open findings, answered by a reader with one verdict."""
    folder = small.judged.parent
    arguments = ["--peers", peers(small), "--reader", reader]
    assert judge.main([*arguments, "--export", str(folder / "asked")]) == 0
    asked = [json.loads(line) for line in (folder / "asked").read_text().splitlines()]
    answers = [{"id": one["id"], "verdict": word, "reason": "read", "proof": "run: raises"} for one in asked]
    (folder / "answers").write_text("".join(json.dumps(one) + "\n" for one in answers))
    assert judge.main([*arguments, "--import", str(folder / "answers")]) == 0
    return asked


def test_from_findings_over_two_readers_to_figures(small, capsys):
    assert command.main(["--peers", peers(small), "-j", "2"]) == 1
    assert "owner/absent: not present" in capsys.readouterr().out
    asked = answer(small, "A")
    assert {(one["file"], one["cell"]) for one in asked} == {("model.py", None), ("notes.ipynb", 3)}
    for one in asked:
        assert {*one} == {"id", "repository", "file", "cell", "line", "message", "advice", "code", "related"}
        assert one["advice"]
    shown = {one["file"]: one["code"] for one in asked}
    assert "> 6     return nn.Linear(4, 2)(torch.zeros(1, 3))" in shown["model.py"]
    assert "  2:1 x = torch.zeros(2, 3)" in shown["notes.ipynb"]
    assert "> 3:1 x @ torch.zeros(2, 3)" in shown["notes.ipynb"]
    assert command.main(["--kept"]) == 1  # one reader is not enough
    assert answer(small, "A") == []
    assert len(answer(small, "B")) == 2
    assert command.main(["--kept"]) == 0
    figures = json.loads((small.judged.parent / "results" / "wild.json").read_text())
    assert figures["verdicts"]["errors of the analysis"]["true"] == 2
    assert (figures["errors proved by running"], figures["unjudged"], figures["disputed"]) == (2, [], [])
    assert figures["not checked"] == {"owner/absent": "not present"}
    assert figures["coverage"]["operations"]["operations"] >= 3
    assert {verdict.reader for verdict in read(small.judged)} == {"A", "B"}


def test_readers_who_do_not_agree(small):
    command.main(["--peers", peers(small)])
    answer(small, "A")
    answer(small, "B", "harmless")
    assert command.main(["--kept"]) == 0
    figures = json.loads((small.judged.parent / "results" / "wild.json").read_text())
    assert (figures["verdicts"]["errors"]["false"], len(figures["disputed"])) == (2, 2)
    assert figures["targets"]["false errors of the analysis"]["met"] is False


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"id": "nothing"}, "no open finding"),
        ({"verdict": "perhaps"}, "no verdict"),
        ({"reason": ""}, "no reason"),
        ({"severity": "error"}, "unknown keys"),
    ],
)
def test_an_answer_that_cannot_be_taken_changes_nothing(small, capsys, change, why):
    command.main(["--peers", peers(small)])
    wanted = judge.open_for(small, "A")
    good = {"id": judge.identity(wanted[0].place), "verdict": "true", "reason": "read"}
    bad = {"id": judge.identity(wanted[1].place), "verdict": "true", "reason": "read"} | change
    path = small.judged.parent / "answers"
    path.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n")
    assert judge.main(["--peers", peers(small), "--reader", "A", "--import", str(path)]) == 2
    assert why in capsys.readouterr().err
    assert read(small.judged) == []


def test_an_answer_counts_once(small):
    command.main(["--peers", peers(small)])
    wanted = judge.open_for(small, "A")
    good = {"id": judge.identity(wanted[0].place), "verdict": "true", "reason": "read"}
    with pytest.raises(judge.AnswerError, match="twice"):
        judge.taken([good, good], wanted, small, "A")


def test_a_reader_at_the_keyboard(small, monkeypatch, capsys):
    command.main(["--peers", peers(small)])
    lines = iter(["false", "it fits", "", ""])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    assert judge.main(["--peers", peers(small), "--reader", "A"]) == 0
    assert [(verdict.verdict, verdict.reason, verdict.reader) for verdict in read(small.judged)] == [("false", "it fits", "A")]
    assert "DLT" not in capsys.readouterr().out.split("written:")[-1]  # readers do not see the rule


def test_a_check_that_takes_too_long_is_told(small):
    tree = small.judged.parent / "peers" / "owner+name"
    (tree / "long.py").write_text(
        "import torch\n" + "".join(f"x{n} = torch.zeros({n}) + torch.ones({n})\n" for n in range(4_000))
    )
    run = checking.check(small.repositories[0], small.judged.parent / "peers", 1)
    assert (run.state, run.found) == ("timed out", [])
    assert run.cpu_s < 5
    assert command.main(["--peers", peers(small), "--limit", "1"]) == 1


def test_what_was_found_survives_its_file(small):
    runs = checking.check_all(small, small.judged.parent / "peers", jobs=1, limit_s=60, tell=lambda run: None)
    checking.keep(small, runs)
    assert checking.kept(small) == runs
    assert replace(runs[0].found[0].place, line=1) != runs[0].found[0].place


def test_rows_from_before_findings_had_advice_are_read(small):
    runs = checking.check_all(small, small.judged.parent / "peers", jobs=1, limit_s=60, tell=lambda run: None)
    path = checking.keep(small, runs)
    rows = json.loads(path.read_text())
    for found in (found for row in rows for found in row["found"]):
        assert found.pop("advice")
    path.write_text(json.dumps(rows))
    (one, *_) = [found for run in checking.kept(small) for found in run.found]
    assert (one.advice, one.message) == ("", runs[0].found[0].message)
