"""Notebooks: cells to one module and back."""

from __future__ import annotations

import ast
import json

import pytest

from dllint.source.notebook import LostCellsError, Notebook, NotebookError, NotebookFile


def notebook(*cells: str | tuple[str, str], **metadata) -> str:
    """The text of a notebook: a string is a code cell, a pair another kind of cell."""
    made = []
    for cell in cells:
        kind, source = cell if isinstance(cell, tuple) else ("code", cell)
        made.append({"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)})
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


def module(*cells: str | tuple[str, str], **metadata) -> Notebook:
    return NotebookFile(notebook(*cells, **metadata)).notebook


def test_cells_become_one_module_without_the_text_cells():
    found = module("import torch", ("markdown", "# Title"), "x = 1\n\ny = 2\n")
    assert [cell.number for cell in found.cells] == [1, 3]
    assert "import torch\n" in found.text
    assert "Title" not in found.text
    ast.parse(found.text)


@pytest.mark.parametrize(
    "line",
    [
        "%matplotlib inline",
        "!pip install -q torch",
        "! nvidia-smi",
        "files = !ls data",
        "a, b = %sql select 1",
        "Dense?",
        "torch.nn.Linear??",
        "?print",
        "pip install torch",
        "!pip install a \\\n    b",
        "%time x = f(1)",
        "if ready:\n    %cd data\n    !ls",
        "text = '''\n%s\n'''\n%pwd",
        "value = (a\n  % b)\n!ls",
    ],
)
def test_ipython_syntax_becomes_python_on_the_same_lines(line):
    source = f"before = 1\n{line}\nafter = 2"
    found = module(source)
    assert found.problems == {}
    lines = found.text.splitlines()[1:]
    assert len(lines) == len(source.splitlines())
    assert (lines[0], lines[-1]) == ("before = 1", "after = 2")
    assert found.sources(found.text) == {1: source}
    ast.parse(found.text)


def test_a_line_that_begins_with_a_percent_sign_inside_a_statement_is_left_alone():
    source = "x = (a\n% b)\ny = '''\n!ls\n'''\n"
    assert module(source).text.endswith(source)


def test_timed_statements_keep_their_columns():
    found = module("%time history = model.fit(x)")
    assert found.text.splitlines()[1].index("history") == len("%time ")


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile net.py", "%%javascript", "%%sh"])
def test_cells_of_other_languages_are_left_out(magic):
    assert module(f"{magic}\nfoo bar", "x = 1").text.endswith("# dllint: cell 2\nx = 1\n")


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "%%timeit -n 1"])
def test_python_cells_with_a_magic_are_kept(magic):
    assert module(f"{magic}\nx = 1").text.splitlines()[-1] == "x = 1"


def test_other_kernels_hold_no_python():
    assert module("x <- 1", kernelspec={"language": "R"}).cells == []
    assert module("x = 1", kernelspec={"language": "python"}).cells != []


def test_a_cell_that_does_not_parse_is_told_and_the_others_stay():
    found = module("x = 1", "y = = 2", "z = 3")
    assert [cell.number for cell in found.cells] == [1, 3]
    assert found.problems[2].line == 1


def test_places_map_to_cells_and_lines():
    found = module("import torch\n", "%pwd --long-option\nx = torch.zeros(2)\n")
    place = found.place(found.text.index("torch.zeros"))
    assert place.cell == 2
    assert found.source(2)[place.offset :].startswith("torch.zeros")
    assert found.line_of(2, 2) == found.text[: found.text.index("x = torch")].count("\n") + 1
    assert found.line_of(2, 9) is None
    assert found.line_of(7, 1) is None


def test_the_start_of_a_marker_belongs_to_the_end_of_the_cell_before():
    found = module("a = 1\n", "b = 2\n")
    assert found.place(found.text.index("# dllint: cell 2")) == (1, len("a = 1\n"))
    assert found.place(0) == (1, 0)


def test_an_edit_comes_back_in_its_cell_and_magics_stay():
    file = NotebookFile(notebook("%matplotlib inline\nimport torch", ("markdown", "text"), "x = 1"))
    text = file.notebook.text.replace("x = 1", "x = 2\ny = 3").replace("import torch\n", "import torch\nimport numpy\n")
    written = json.loads(file.with_module(text))
    assert [cell["source"] for cell in written["cells"]] == [
        ["%matplotlib inline\n", "import torch\n", "import numpy"],
        ["text"],
        ["x = 2\n", "y = 3"],
    ]


def test_an_unchanged_module_gives_the_same_file_to_the_byte():
    for text in (notebook("x = 'ä'", "!ls"), json.dumps(json.loads(notebook("x"))), notebook("a").replace("\n ", "\n  ")):
        assert json.loads(NotebookFile(text).with_module(NotebookFile(text).notebook.text)) == json.loads(text)
    plain = notebook("x = 1", "y = 2")
    assert NotebookFile(plain).with_module(NotebookFile(plain).notebook.text) == plain


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("# dllint: cell 2\n", ""),
        lambda text: text.replace("pass  # dllint: line 1", "pass"),
        lambda text: text + "# dllint: cell 9\n",
    ],
)
def test_an_edit_that_loses_a_cell_or_a_magic_is_refused(damage):
    found = module("!ls\nx = 1", "y = 2")
    with pytest.raises(LostCellsError):
        found.sources(damage(found.text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
        ("[]", "no JSON object"),
        ("{}", "no list of cells"),
        ('{"cells": 3}', "no list of cells"),
        ('{"cells": [1]}', "no list of cells"),
        ('{"worksheets": [{}]}', "no list of cells"),
    ],
)
def test_what_is_no_notebook_is_said_clearly(text, message):
    with pytest.raises(NotebookError, match=message):
        NotebookFile(text)


def test_format_3_is_read_and_written():
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}]}], "nbformat": 3, "metadata": {}}
    file = NotebookFile(json.dumps(old))
    written = json.loads(file.with_module(file.notebook.text.replace("x = 1", "x = 5")))
    assert written["worksheets"][0]["cells"][0]["input"] == ["x = 5\n", "y = 2"]


def test_odd_cells_are_survived():
    text = json.dumps(
        {"cells": [{"cell_type": "code"}, {"cell_type": "code", "source": None, "metadata": 3}, {}], "metadata": []}
    )
    assert NotebookFile(text).notebook.text.count("# dllint: cell") == 2
