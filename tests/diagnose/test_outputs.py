"""What a run can be asked to write besides findings."""

from __future__ import annotations

from tests.diagnose.scripts import HEALTHY

PROGRAM = HEALTHY.replace("STEPS", "30") + "print('said by the program')\n"


def test_a_page_on_standard_output_stands_alone_and_scalars_lie_in_their_folder(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    options = ["--output-format", "html", "--html", "too.html", "--tensorboard", "logs/run", "--no-replay"]
    status, out, err = run_in_fork(["diagnose", *options, "train.py"], tmp_path)
    assert status == 0, err
    assert out.startswith("<!doctype html>")
    assert out.endswith("</html>\n")
    assert out == (tmp_path / "too.html").read_text(encoding="utf-8")
    assert "said by the program" in err
    assert "Nothing found in 30 steps, which are too few to say whether the loss falls" in out
    assert [path.name.startswith("events.out.tfevents.") for path in (tmp_path / "logs" / "run").iterdir()] == [True]


def test_a_folder_that_is_missing_is_told_before_the_program_runs(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM, encoding="utf-8")
    for option in ("--html", "--record", "--output-file"):
        status, out, err = run_in_fork(["diagnose", "--no-replay", option, "nowhere/file", "train.py"], tmp_path)
        assert (status, out) == (2, "")
        assert err == "error: cannot write nowhere/file: there is no folder nowhere\n"


def test_one_finding_is_a_line_of_the_concise_report_and_the_verdict_follows(run_in_fork, tmp_path):
    text = PROGRAM.replace("criterion(net(batch[0]), batch[1])", "criterion(net(batch[0]), batch[1]) * float('nan')")
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    status, out, err = run_in_fork(["diagnose", "--output-format", "concise", "--no-replay", "train.py"], tmp_path)
    assert status == 1, err
    assert out.startswith("train.py:19:12: DLX101 The loss is NaN at step 1")
    assert out.splitlines()[-1].startswith("1 finding: numerical error")
