"""Tensors to which the passes of a loop concatenate: told where the loop does nothing else with them, in every form."""

from __future__ import annotations

from itertools import cycle, product
from pathlib import Path

import pytest

from tests.rules.training.variants import found

HEAD = "import numpy as np\nimport tensorflow as tf\nimport torch\nfrom torch import cat, nn\n\n"
#: How two things are concatenated → how an empty one is made.
JOINS = {
    "torch.cat([{0}, {1}])": "torch.empty(0, 8)",
    "cat(({1}, {0}), dim=0)": "torch.zeros(0, 8)",
    "torch.cat(tensors=[{0}, {1}], dim=0)": "torch.zeros(0, 8)",
    "np.concatenate([{0}, {1}], axis=0)": "np.empty((0, 8))",
    "tf.concat([{0}, {1}], 0)": "tf.zeros((0, 8))",
}
GROWING = (
    "for part in parts:\n    {0} = {2}\nprint({0}.shape)",
    "for part in parts:\n    for _ in range(2):\n        {0} = {2}\nprint({0}.shape)",
    "{0} = None\nfor part in parts:\n    {0} = part if {0} is None else {2}\nprint({0}.shape)",
    "{0} = None\nfor part in parts:\n    if {0} is not None:\n        {0} = {2}\n    else:\n        {0} = part\nprint({0})",
)
#: The loop needs what has grown, or begins it anew, or there is no loop.
NEEDED = (
    "for part in parts:\n    {0} = {3}\nprint({0}.shape)",
    "for part in parts:\n    {0} = {2}\n    print({0}.mean())",
    "for part in parts:\n    {0} = part * 2\n    {0} = {2}\n",
    "kept = []\nfor part in parts:\n    kept.append(part)\n{0} = kept[0]\npart = kept[1]\n{0} = {2}\n",
    "def joined({0}, part):\n    {0} = {2}\n    return {0}\n\nfor part in parts:\n    print(joined(part, part).shape)",
)
FORMS = {
    "script": "parts = {parts}\n{name} = {empty}\n{body}\n",
    "function": "def gathered(parts):\n    {name} = {empty}\n    {body}\n\ngathered({parts})\n",
    "method": "class Bank:\n    def fill(self, parts):\n        {name} = {empty}\n        {body}\n\nBank().fill({parts})\n",
}


def program(form: str, name: str, join: str, body: str) -> str:
    texts = (join.format(name, "part"), join.format(name, f"part * {name}.mean()"))
    library = "np" if join.startswith("np") else "tf" if join.startswith("tf") else "torch"
    parts = {"np": "[np.ones((2, 8))] * 4", "tf": "[tf.ones((2, 8))] * 4", "torch": "torch.randn(8, 8).split(2)"}[library]
    lines = body.format(name, None, *texts).replace("\n", "\n" + {"script": "", "function": " " * 4, "method": " " * 8}[form])
    return HEAD + FORMS[form].format(parts=parts, name=name, empty=JOINS[join], body=lines)


CASES = list(zip(product(JOINS, range(len(GROWING))), cycle(FORMS), cycle(("table", "bank", "xs")), strict=False))


@pytest.mark.parametrize(("chosen", "form", "name"), CASES)
def test_what_grows_in_a_loop(chosen: tuple[str, int], form: str, name: str, tmp_path: Path) -> None:
    join, number = chosen
    name = "self.kept" if form == "method" else name
    assert found({"main.py": program(form, name, join, GROWING[number])}, tmp_path, ["DLG110"])
    silent = program(form, name.replace("self.", ""), join, NEEDED[number])
    assert found({"main.py": silent}, tmp_path, ["DLG110"]) == [], silent


@pytest.mark.parametrize("form", ["script", "function"])
def test_what_a_function_makes_longer_once(form: str, tmp_path: Path) -> None:
    text = program(form, "table", next(iter(JOINS)), NEEDED[-1])
    assert found({"main.py": text}, tmp_path, ["DLG110"]) == []
