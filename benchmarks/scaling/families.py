"""Programs of every size: many of a kind, long ones, deep ones, those that ask for ever more work, and whole projects.

A family makes the files of a program from one number. Twice the number is about twice the text, or the same text with twice
the work that it asks for. Those of one file are templates in ``programs.txt``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

Files = dict[str, str]

#: What every program of one file begins and ends with. The last line has a fault, which is to be found.
BEFORE: Final = "import torch\n"
AFTER: Final = "torch.ones(3).view(7)\n"
FAULT: Final = "DLT105"
NAME: Final = "program.py"
#: The least sizes that are measured, by kind.
_SIZES: Final = {"many": 500, "long": 1000, "deep": 20, "work": 30}
#: Kinds whose programs find the fault at any size; others may be cut short before.
_FOUND: Final = ("many", "long")
_TITLE: Final = re.compile(r"^== ((\w+): .*?)(?: (\d+))?\n", re.MULTILINE)
_REPEATED: Final = re.compile("«([^»]*)»|‹([^›]*)›")


@dataclass(frozen=True, slots=True)
class Family:
    """Programs that differ in one number. ``size`` is the least that is measured, ``found`` whether the fault on the last line
    must be found at any size."""

    name: str
    make: Callable[[int], Files]
    size: int
    found: bool = True


def written(template: str, n: int) -> str:
    """A program of a size."""

    def repeated(match: re.Match[str]) -> str:
        forward = match[1] is not None
        numbers = range(n) if forward else reversed(range(n))
        return "".join(_numbered(match[1 if forward else 2], i) for i in numbers)

    return _numbered(_REPEATED.sub(repeated, template).replace("$n", str(n)), n)


def _numbered(text: str, i: int) -> str:
    if "$" not in text:
        return text
    return text.replace("$i", str(i)).replace("$h", str(i - 1)).replace("$j", str(i + 1)).replace("$_", " " * i)


def _alone(template: str, n: int) -> Files:
    return {NAME: f"{BEFORE}{written(template, n)}{AFTER}"}


def _programs() -> Iterator[Family]:
    _, *parts = _TITLE.split((Path(__file__).parent / "programs.txt").read_text(encoding="utf-8"))
    for name, kind, size, template in zip(*(parts[k::4] for k in range(4)), strict=True):
        make = partial(_alone, template.rstrip("\n") + "\n")
        yield Family(name, make, int(size or _SIZES[kind]), kind in _FOUND)


def _cell(*lines: str) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": list(lines)}


def _notebook(n: int) -> Files:
    cells = [_cell(BEFORE), *(_cell(f"x{i} = torch.ones(2)") for i in range(n)), _cell(AFTER)]
    metadata = {"language_info": {"name": "python"}}
    return {"book.ipynb": json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})}


def _files(n: int) -> Files:
    return {f"m{i}.py": f"{BEFORE}x = torch.ones(2)\n{AFTER}" for i in range(n)}


def _chain_of_modules(n: int) -> Files:
    files = {f"m{i}.py": f"import torch\nfrom m{i + 1} import f as g\ndef f(x): return g(x)\n" for i in range(n)}
    return files | {f"m{n}.py": f"{BEFORE}def f(x): return x\n{AFTER}"}


def _star_imports(n: int) -> Files:
    files = {f"m{i}.py": f"from m{i + 1} import *\ny{i} = 1\n" for i in range(n)}
    return files | {f"m{n}.py": f"{BEFORE}x = torch.ones(2)\n{AFTER}"}


def _circle_of_modules(n: int) -> Files:
    return {f"m{i}.py": f"{BEFORE}import m{(i + 1) % n}\ndef f(x): return m{(i + 1) % n}.f(x)\n{AFTER}" for i in range(n)}


def _importers_of_one(n: int) -> Files:
    model = "class A(torch.nn.Module):\n    def forward(self, x): return x\n"
    files = {f"m{i}.py": f"{BEFORE}from common import A\nA()(torch.ones(2, 5))\n" for i in range(n)}
    return files | {"common.py": f"{BEFORE}{model}{AFTER}"}


def _directories(n: int) -> Files:
    return {f"d{i}/m.py": f"{BEFORE}{AFTER}" for i in range(n)}


def _ignored(n: int) -> Files:
    return {".gitignore": "".join(f"*{i}*x?y{i}\n" for i in range(n)), NAME: f"{BEFORE}{AFTER}"}


def _configured(n: int) -> Files:
    rows = "".join(f'"m{i}*.py" = ["DLS"]\n' for i in range(n))
    return {"pyproject.toml": f"[tool.dllint.per-file-ignores]\n{rows}", NAME: f"{BEFORE}{AFTER}"}


def _requirements(n: int) -> Files:
    rows = "".join(f"package-{i}==1.{i}\n" for i in range(n))
    return {"requirements.txt": f"{rows}torch>=2.0\n", NAME: f"{BEFORE}{AFTER}"}


FAMILIES: Final = (
    *_programs(),
    Family("project: cells of a notebook", _notebook, 250),
    Family("project: files", _files, 250),
    Family("project: modules that import the next", _chain_of_modules, 50),
    Family("project: modules with stars", _star_imports, 50),
    Family("project: modules in a circle", _circle_of_modules, 50),
    Family("project: importers of one module", _importers_of_one, 100),
    Family("project: directories", _directories, 250),
    Family("project: patterns of .gitignore", _ignored, 1000),
    Family("project: patterns of the configuration", _configured, 500),
    Family("project: requirements", _requirements, 2000),
)
