"""Behind an exception that nothing catches, code is executed for what it shows: no error is told from there."""

from __future__ import annotations

import pytest

from benchmarks.failing import says_that_it_fails
from dllint.config.discovery import Configuration
from dllint.engine.session import Session

PROGRAM = """import torch
from keras.layers import Dense, Input
from keras.models import Model

{before}
x = Input((4,))
model = Model(x, [Dense(2)(x), Dense(3)(x)])
model.compile(loss=["mse", "mse"], metrics=["accuracy"], optimizer="adam")
torch.ones(2, 3) @ torch.ones(2, 3)
"""
RAISING = ("{'a': 1}['b']", "[1, 2][5]", "names = ('a',)\nnames[3]", "table = dict(a=1)\ntable['c']")
RUNNING = ("{'a': 1}['a']", "[1, 2][-1]", "names = ('a',)\nnames[0]", "table = dict(a=1)\ntable.get('c')")


def errors(before: str, path) -> set[str]:
    path.write_text(PROGRAM.format(before=before), encoding="utf-8")
    found = Session(Configuration(isolated=True, overrides={"target": ("keras==3.10.0",)})).check_file(path).findings
    return {finding.code for finding in found if says_that_it_fails(finding)}


@pytest.mark.parametrize("before", RAISING)
def test_no_error_is_told_behind_it(before, tmp_path):
    assert errors(before, tmp_path / "code.py") == set()


@pytest.mark.parametrize("before", RUNNING)
def test_errors_are_told_where_nothing_is_raised(before, tmp_path):
    assert errors(before, tmp_path / "code.py") == {"DLT118", "DLT109"}
