"""The table of what layers put out."""

from __future__ import annotations

from tests.diagnose.scripts import HEALTHY


def test_layers_are_shown_in_the_first_and_the_last_step(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text(HEALTHY.replace("STEPS", "12"))
    _, out, _ = run_in_fork(["diagnose", "--no-replay", "--layers", "train.py"], tmp_path)
    lines = out.splitlines()
    start = lines.index("Outputs of layers:")
    assert lines[start + 1].split() == ["layer", "class", "line", "step", "mean", "deviation", "least", "greatest", "zero"]
    rows = [line.split() for line in lines[start + 2 : start + 14]]
    relu = next(number for number, row in enumerate(rows) if row[0] == "Sequential.1")
    name, kind, place, step, _, deviation, least, greatest, zero = rows[relu]
    assert (name, kind, place, step, least) == ("Sequential.1", "ReLU", "train.py:9", "1", "0")
    assert float(greatest) > float(deviation) > 0
    assert 20 < int(zero.removesuffix("%")) < 80
    assert rows[relu + 1][0] == "12"


def test_no_table_is_shown_unless_it_is_asked_for(run_in_fork, tmp_path):
    (tmp_path / "train.py").write_text(HEALTHY.replace("STEPS", "3"))
    assert "Outputs of layers" not in run_in_fork(["diagnose", "--no-replay", "train.py"], tmp_path)[1]
