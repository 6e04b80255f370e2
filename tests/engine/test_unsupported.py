"""Valid Python that dllint cannot read is no error in the code."""

from __future__ import annotations

import ast
import json

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

MIXED = {
    "in a function": "def f(x):\n        for a in x:\n\t        print(a)\n",
    "in a block": "if True:\n    if True:\n\t    y = 2\n",
    "deeper": "class A:\n    def f(self):\n\t    if self:\n\t        return 1\n\t    return 2\n",
}


@pytest.mark.parametrize("text", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_what_python_takes_is_no_syntax_error(text, suffix, tmp_path):
    ast.parse(text)
    path = tmp_path / f"mixed{suffix}"
    cell = {"cell_type": "code", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
    path.write_text(
        text if suffix == ".py" else json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.findings == []
    assert all("Python can" in notice.message and notice.kind in ("skipped", "incomplete") for notice in result.notices)


def test_what_python_refuses_is_one(tmp_path):
    (tmp_path / "bad.py").write_text("def f(x):\n    for a in x:\n\tif a:\n          print(a)\n   return x\n")
    result = Session(Configuration(isolated=True)).check_file(tmp_path / "bad.py")
    assert [finding.code for finding in result.findings] == ["syntax-error"]


MAGICS = ("%matplotlib qt", "!pip install torch", "files = !ls", "%time x = 1", "torch.nn.Linear?")


@pytest.mark.parametrize("magic", MAGICS)
@pytest.mark.parametrize("mark", ["# %%", "#%%", "# %% [markdown]\n# Training"])
def test_a_script_of_cells_is_told_of_as_such(magic, mark, tmp_path):
    (tmp_path / "cells.py").write_text(f"import torch\n{magic}\n{mark}\nx = torch.zeros(2)\n")
    result = Session(Configuration(isolated=True)).check_file(tmp_path / "cells.py")
    assert result.findings == []
    assert [(n.kind, "IPython" in n.message and "line 2" in n.message) for n in result.notices] == [("skipped", True)]


@pytest.mark.parametrize(
    "text",
    ["%matplotlib qt\nx = 1\n", "# %%\n%matplotlib qt\ndef f(:\n", "# %%\nx = = 1\n"],
    ids=["no cells", "broken", "plain"],
)
def test_what_ipython_refuses_too_is_an_error(text, tmp_path):
    (tmp_path / "cells.py").write_text(text)
    result = Session(Configuration(isolated=True)).check_file(tmp_path / "cells.py")
    assert [finding.code for finding in result.findings] == ["syntax-error"]
