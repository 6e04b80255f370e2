"""Notebooks: cells that are broken, magics, keys that are missing or of other kinds."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.fuzz.cases import Finding, Looked, run_cases
from benchmarks.fuzz.command import FAULT, told
from benchmarks.fuzz.mutations import mutant
from benchmarks.fuzz.odd_json import damaged, dumped, mutated
from benchmarks.fuzz.options import Options
from benchmarks.fuzz.report import Report

_CELLS: Final = (
    "import torch\nfrom torch import nn\nnet = nn.Linear(4, 2)\nnet(torch.zeros(8, 5))\n",
    "from keras.optimizers import Adam\noptimizer = Adam(lr=0.001)  # é 😀\n",
    "import torch\nfrom torch import nn\n",
    "torch.ones(3).view(7)\n",
    "%matplotlib inline\nx = torch.zeros(2)\n",
    "%%time\nx = torch.ones(3)\nx.view(9)\n",
    "!pip install torch==2.1\n",
    "%%bash\nls\n",
    "?torch.nn",
    "x = !ls\ny = %who\n",
    "%%writefile a.py\nimport torch\n",
    "for i in range(3):\n    %time x = torch.ones(i)\n",
    "class Net(nn.Module):\n    def forward(self, x):\n        return x.view(7)\n",
    "net = Net()\nnet(torch.ones(3))",
    "",
    "\n\n",
    "# dllint: cell 3\n",
    "x = (1,\n",
    "    y = 3\n",
    "%cd /tmp\n%run a.py\n",
    "get_ipython().system('ls')\n",
    "%load_ext tensorboard",
    "%%html\n<b>",
    "print('a'\\\n'b')",
    "\ufeffx = 1",
    "x = 1;;",
    "%",
    "!",
    "%%",
    "??",
    "a = 1 # %%\n",
    "from torch import nn\nnn.Linear(4, 2)(torch.ones(3, 5))\n",
    "%%capture out\nnn.Linear(4, 2)(torch.ones(3, 5))\n",
    "%pip install 'keras<3'\n",
    "await f()\n",
    "return 3\n",
    "x\r\ny\r",
    "\f\nx = 1\n",
    "def f():\n\treturn 1\n        return 2\n",
)


def run(options: Options) -> Report:
    """Check ``count`` notebooks."""
    return run_cases("notebooks", options, look, "notebooks")


def look(seed: str) -> Looked:
    """What is wrong with the check of one: it ends well, other files keep their findings, and fixing leaves a notebook."""
    random = Random(f"notebook {seed}")
    value = _notebook(random)
    whole = random.random() < 0.3
    data = dumped(value if whole else mutated(value, random, random.choice((1, 1, 2, 4))))
    if not whole and random.random() < 0.25:
        data = damaged(data, random)
    counts: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.ipynb").write_bytes(data)
        (folder / "b.py").write_text("import torch\n\ntorch.ones(3).view(7)\n")
        done = told(folder, "check", "-n", "--isolated", ".")
        found = [done.fault] if done.fault else []
        if f"b.py:3:1: {FAULT}" not in done.out and "b.py" not in done.out:
            found.append(f"the other file was not checked: {done.err}")
        fixed = told(folder, "check", "-n", "--isolated", "--fix", "--unsafe-fixes", "a.ipynb")
        found += [fixed.fault] if fixed.fault else []
        after = (folder / "a.ipynb").read_bytes()
        counts["fixed"] = int(after != data)
        if after != data:
            found += _torn(data, after)
    return Looked(counts, tuple(Finding("fault", text, data, ".ipynb") for text in found))


def _notebook(random: Random) -> dict[str, Any]:
    cells = []
    for number in range(random.randrange(1, 8)):
        text = random.choice(_CELLS[:2] if random.random() < 0.25 else _CELLS)  # those that are fixed more often
        if random.random() < 0.2:
            text = mutant(text, random.choice(_CELLS), random).decode("utf-8", "replace")
        source: Any = text if random.random() < 0.3 else text.splitlines(keepends=True)
        kind = random.choice(("code", "code", "code", "markdown", "raw"))
        cells.append(
            {
                "cell_type": kind,
                "id": f"c{random.choice((number, 0))}",
                "metadata": {},
                "source": source,
                "outputs": [],
                "execution_count": number,
            }
        )
    kernel = {
        "kernelspec": {"name": "python3", "language": random.choice(("python", "python", "R"))},
        "language_info": {"name": "python", "version": "3.11.1"},
    }
    if random.random() < 0.2:
        return {
            "worksheets": [{"cells": [{**cell, "input": cell["source"]} for cell in cells]}],
            "metadata": kernel,
            "nbformat": 3,
            "nbformat_minor": 0,
        }
    return {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


def _torn(before: bytes, after: bytes) -> list[str]:
    """What fixing has changed beside the text of code cells."""
    try:
        old, new = json.loads(before), json.loads(after)
    except ValueError as error:
        return [f"no JSON after fixing: {error}"]
    return [] if _bare(old) == _bare(new) else ["more than sources of cells changed"]


def _bare(notebook: Any) -> str:
    def stripped(value: Any) -> Any:
        if isinstance(value, dict):
            is_code = value.get("cell_type") == "code"
            return {key: stripped(part) for key, part in value.items() if not (is_code and key in ("source", "input"))}
        return [stripped(part) for part in value] if isinstance(value, list) else value

    return json.dumps(stripped(notebook), sort_keys=True)
