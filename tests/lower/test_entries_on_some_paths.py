"""Dicts whose entries are there on some paths only: what tests of membership, removals and copies make of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.ir.program import TensorVal
from dllint.lower.document import lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

#: How a dict gets an entry on one path, how it is copied, and how it is asked.
MADE = (
    "wanted = {'b': 'out'}\nif flag:\n    wanted['d'] = 'more'\n",
    "wanted = {'b': 'out', 'd': 'more'}\nif not flag:\n    del wanted['d']\n",
    "wanted = {'b': 'out'}\nif flag:\n    wanted.update(d='more')\n",
)
COPIED = ("", "wanted = {str(k): str(v) for k, v in wanted.items()}\n", "wanted = {k: v for k, v in wanted.items()}\n")
ASKED = (
    "if name in wanted:\n        del wanted[name]",
    "if name not in wanted:\n        pass\n    else:\n        wanted.pop(name)",
    "if name in wanted.keys():\n        del wanted[name]",
)
LOOP = """names = ['a', 'd', 'b', 'e']
taken = []
for name in names:
    taken.append(name)
    {asked}
    if not wanted:
        break
"""


def attributes(root: Path, source: str):
    found = lower_document(Document.from_text(root / "train.py", source), Workspace([root]))
    assert found.failures == []
    return found.module.attrs


@pytest.mark.parametrize(("made", "copied", "asked"), list(product(MADE, COPIED, ASKED[:2])))
def test_a_loop_that_removes_entries_ends_when_none_is_left(made, copied, asked, tmp_path):
    source = f"import sys\nimport torch\nflag = len(sys.argv) > 2\n{made}{copied}{LOOP.format(asked=asked)}"
    found = attributes(tmp_path, source)
    runs = []
    for flag in (True, False):
        names: dict[str, object] = {}
        exec(source.replace("import torch\n", "").replace("len(sys.argv) > 2", str(flag)), names)
        runs.append(names["taken"])
    assert runs[0] == runs[1] == ["a", "d", "b"]
    taken = found["taken"]
    if taken.rest is None:
        assert taken.items == runs[0]
    else:
        assert made != MADE[0]  # what other ways leave open may stay open


def test_the_loop_of_the_usual_form_is_decided(tmp_path):
    for copied in COPIED:
        source = f"import sys\nimport torch\nflag = len(sys.argv) > 2\n{MADE[0]}{copied}{LOOP.format(asked=ASKED[0])}"
        assert attributes(tmp_path, source)["taken"].items == ["a", "d", "b"]


def test_what_a_copy_has_by_another_name(tmp_path):
    head = f"import sys\nimport torch\nflag = len(sys.argv) > 2\n{MADE[0]}"
    found = attributes(tmp_path, f"{head}same = {{'b': v for k, v in wanted.items()}}\nn = 'x' in wanted\nq = 'd' in wanted\n")
    assert set(found["same"].items) == {"b"}
    assert found["n"] is False
    assert found["q"] not in (True, False)


def test_an_entry_that_is_tested_for_is_there(tmp_path):
    head = "import sys\nimport torch\nflag = len(sys.argv) > 2\nouts = {'a': torch.zeros(2, 3)}\n"
    found = attributes(
        tmp_path,
        f"{head}if flag:\n    outs['aux'] = torch.zeros(4, 5)\nx = torch.ones(5)\nif 'aux' in outs:\n    x = outs['aux'] @ x\n"
        "    y = outs['aux']\nz = 1\n",
    )
    assert isinstance(found["y"], TensorVal)
    assert found["y"].type.shape == (4, 5)


def test_entries_of_unknown_keys_end_what_is_known(tmp_path):
    head = "import sys\nimport torch\nflag = len(sys.argv) > 2\nkey = sys.argv[1]\n"
    source = f"{head}{MADE[0]}wanted[key] = 'x'\nn = 'x' in wanted\n"
    assert attributes(tmp_path, source)["n"] is not False
