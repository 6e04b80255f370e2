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


#: More of something than the interpreter that runs dllint reads, which another one might.
TOO_MUCH = {
    "alternatives": ("if a: x = 1\n", "elif a == {i}: x = {i}\n", ""),
    "alternatives in a method": (
        "class A:\n    def f(self, a):\n        if a: return 1\n",
        "        elif a == {i}: return {i}\n",
        "",
    ),
    "negations": ("x = ", "not ", "1\n"),
    "sum": ("x = 1", " + {i}", "\n"),
    "attributes": ("x = a", ".a", "\n"),
    "calls": ("x = a", "({i})", "\n"),
    "powers": ("x = 1", " ** 1", "\n"),
}


@pytest.mark.parametrize("head", ["", "import torch\n"], ids=["plain", "of tensors"])
@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_is_too_deep_for_python_itself_is_told_of_and_no_error(what, head, tmp_path):
    before, repeated, after = TOO_MUCH[what]
    path = tmp_path / "deep.py"
    path.write_text(head + before + "".join(repeated.format(i=i) for i in range(15_000)) + after)
    result = Session(Configuration(isolated=True)).check_file(path)
    assert result.findings == []
    told = [(notice.kind, "nested too deeply" in notice.message) for notice in result.notices]
    assert told == [("skipped", True)] or (not told and "alternatives" not in what), result.notices


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


POINTER = "version https://git-lfs.github.com/spec/v1{end}oid sha256:{digest}{end}size 101431{end}"


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_pointer_of_git_lfs_is_not_the_file(suffix, end, tmp_path):
    for digest, is_pointer in (("0a" * 32, True), ("0a" * 31, False)):
        path = tmp_path / f"large{suffix}"
        path.write_bytes(POINTER.format(end=end, digest=digest).encode())
        result = Session(Configuration(isolated=True)).check_file(path)
        assert bool(result.findings) is not is_pointer
        assert [notice.kind for notice in result.notices] == ["skipped"] * is_pointer


@pytest.mark.parametrize("content", ["", "\n", "  \n\n"])
def test_an_empty_notebook_is_a_notice_and_an_empty_module_is_nothing(content, tmp_path):
    for suffix, kinds in ((".ipynb", ["skipped"]), (".py", [])):
        path = tmp_path / f"empty{suffix}"
        path.write_text(content)
        result = Session(Configuration(isolated=True)).check_file(path)
        assert (result.findings, [notice.kind for notice in result.notices]) == ([], kinds)
