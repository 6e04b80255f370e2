"""The files of a program: its classes, and what makes a model of them and trains it, with some of it hidden."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from random import Random
from textwrap import indent
from typing import Final

from benchmarks.module_idioms.hiding import Hiding
from benchmarks.module_idioms.rewriting import rewritten
from benchmarks.module_idioms.template import DEFAULT, Draft

IMPORTS: Final = """\
import argparse
import collections
import contextlib
import copy
import functools
import json
import math
import os
import random
from collections import OrderedDict
from contextlib import suppress
from functools import partial

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import weight_norm
from torch.utils.data import DataLoader, Dataset, TensorDataset
"""
MAIN: Final = "main.py"
MODULE: Final = "models.py"
_SETTING: Final = re.compile(r"\$(\w+)")
_PUBLIC: Final = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)
_ABSENT: Final = re.compile(r"^from layers import (\w+)", re.MULTILINE)


@dataclass(slots=True)
class Project:
    """Files by name."""

    files: dict[str, str]

    @property
    def text(self) -> str:
        """All of it, for a reader."""
        if len(self.files) == 1:
            return next(iter(self.files.values()))
        return "\n".join(f"# --- {name}\n{text}" for name, text in self.files.items())


def written(draft: Draft, hiding: Hiding, seed: int) -> Project:
    """The files of a draft. Equal seeds make equal choices wherever the ways of hiding leave one."""
    random = Random(f"{draft.family} {seed}")
    definitions = _definitions(draft, hiding)
    if draft.form:
        definitions = rewritten(definitions, Random(draft.form))
    if hiding.missing:
        definitions = _with_missing(definitions, random)
    if hiding.place == "alone":
        return Project({MODULE: f"{IMPORTS}\n\n{definitions}"})
    main = _Main(draft, hiding, random).text()
    if hiding.place == "beside":
        return Project({MAIN: f"{IMPORTS}\n\n{definitions}\n\n{main}"})
    names = ", ".join([*_PUBLIC.findall(definitions), *_ABSENT.findall(definitions)])
    return Project({MODULE: f"{IMPORTS}\n\n{definitions}", MAIN: f"{IMPORTS}\nfrom models import {names}\n\n\n{main}"})


def _definitions(draft: Draft, hiding: Hiding) -> str:
    values = {"others": draft.others, "odd": draft.odd}.get(hiding.defaults, draft.settings)
    text = draft.sections["definitions"]
    if hiding.defaults == "none":
        return _without_defaults(text, values)
    return DEFAULT.sub(lambda found: f"{found[1]}={values[found[2]]}", text)


def _without_defaults(text: str, values: dict[str, str]) -> str:
    """A text in which parameters that are settings have no default, unless one before them has one."""

    def replaced(found: re.Match[str]) -> str:
        before = DEFAULT.sub("", text[text.rfind("def ", 0, found.start()) : found.start()])
        return f"{found[1]}={values[found[2]]}" if "=" in before else found[1]

    return DEFAULT.sub(replaced, text)


def _with_missing(definitions: str, random: Random) -> str:
    """A text in which some of the classes and functions are imported from a module that is not there."""
    parts = [ast.get_source_segment(definitions, node) or "" for node in ast.parse(definitions).body]
    left = [part for part in parts if not _PUBLIC.match(part) or random.random() < 0.6]
    lost = [name for part in parts if part not in left for name in _PUBLIC.findall(part)]
    return "".join([*(f"from layers import {name}\n" for name in lost), "\n\n", "\n\n\n".join(left), "\n"])


def _type(value: str) -> str:
    return type(eval(value)).__name__


@dataclass(slots=True)
class _Main:
    draft: Draft
    hiding: Hiding
    random: Random

    def text(self) -> str:
        """What makes a model and trains it, in the functions or the top level that the ways of hiding ask for."""
        head, write = self._source()
        if self.hiding.part == "some":
            values = self.draft.settings
            write = {name: text if self.random.random() < 0.5 else values[name] for name, text in write.items()}
        lines = [self._fill(self.draft.sections["main"], write), self._optimizer()]
        classes, loader, loop = self._data(write)
        body = "".join([loader, *lines, loop])
        parameters = [*self._parameters(), *(["loader"] if self.hiding.data == "parameter" else [])]
        if parameters:
            return f"{classes}def main({', '.join(parameters)}):\n{indent(head + body, '    ')}"
        if self.random.random() < 0.3:
            return f'{classes}def main():\n{indent(head + body, "    ")}\n\nif __name__ == "__main__":\n    main()\n'
        if self.random.random() < 0.3:
            return f'{classes}if __name__ == "__main__":\n{indent(head + body, "    ")}'
        return f"{classes}{head}{body}"

    def _parameters(self) -> list[str]:
        if self.hiding.settings == "parameters":
            typed = self.random.random() < 0.3
            return [f"{name}: {_type(value)}" if typed else name for name, value in self.draft.settings.items()]
        return ["cfg"] if self.hiding.settings == "config" else []

    def _source(self) -> tuple[str, dict[str, str]]:
        """What reads the settings, and how each is written."""
        values, r = self.draft.settings, self.random
        match self.hiding.settings:
            case "literal":
                if r.random() < 0.5:
                    return "", dict(values)
                return "".join(f"{name} = {value}\n" for name, value in values.items()), {name: name for name in values}
            case "argparse" | "required":
                options = "".join(f"parser.add_argument({self._option(name)})\n" for name in values)
                return (f"parser = argparse.ArgumentParser()\n{options}args = parser.parse_args()\n",
                        {name: f"args.{name}" for name in values})  # fmt: skip
            case "parameters":
                return "", {name: name for name in values}
            case "config":
                owner = r.choice(["cfg", "cfg.model", "cfg"])
                return "", {name: f"{owner}.{name}" for name in values}
            case "json":
                form = r.choice(['config["{}"]', 'config["model"]["{}"]', 'config.get("{}")', 'config["{}"]'])
                return 'with open("config.json") as f:\n    config = json.load(f)\n', {n: form.format(n) for n in values}

    def _option(self, name: str) -> str:
        value = self.draft.settings[name]
        kind = _type(value)
        if kind == "bool":
            return f"'--{name}', action='store_true'"
        if self.hiding.settings == "argparse":
            return f"'--{name}', type={kind}, default={value}"
        return f"'--{name}', type={kind}, required=True"

    def _optimizer(self) -> str:
        name, more = self.random.choice([("Adam", ""), ("SGD", ", momentum=0.9"), ("AdamW", ", weight_decay=0.01")])
        return f"optimizer = torch.optim.{name}(model.parameters(), lr=1e-3{more})\n"

    def _data(self, write: dict[str, str]) -> tuple[str, str, str]:
        """A class of data sets, what makes the loader, and the loop."""
        names = ", ".join(self.draft.data)
        made = "".join(f"{name} = {self._fill(expression, write)}\n" for name, expression in self.draft.data.items())
        unpacked = names if len(self.draft.data) > 1 else f"({names},)" if self.hiding.data == "made" else names
        step = self._fill(self.draft.sections["step"], write)
        step = f"optimizer.zero_grad()\n{step}loss.backward()\noptimizer.step()\n"
        by_rows = self.random.random() < 0.5 and not self.draft.whole
        if self.hiding.data == "made" and not by_rows:
            return "", made, f"for epoch in range(2):\n{indent(step, '    ')}"
        loader = ""
        if self.hiding.data == "made":
            loader = f"{made}loader = DataLoader(TensorDataset({names}), batch_size=len({next(iter(self.draft.data))}))\n"
        elif self.hiding.data == "files":
            loader = "loader = DataLoader(Files('data'), batch_size=4, shuffle=True)\n"
        classes = self._files() if self.hiding.data == "files" else ""
        inner = f"for {unpacked} in loader:\n{indent(step, '    ')}"
        return classes, loader, f"for epoch in range(2):\n{indent(inner, '    ')}"

    def _files(self) -> str:
        loads = [f"np.load(self.names[index] + '_{name}.npy')" for name in self.draft.data]
        tensors = [f"torch.from_numpy({load})" for load in loads]
        items = ", ".join(self.random.choice([loads, tensors]))
        return f"""class Files(Dataset):
    def __init__(self, root):
        with open(root + '/names.txt') as f:
            self.names = f.read().split()

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return {items}


"""

    def _fill(self, text: str, write: dict[str, str]) -> str:
        def replaced(found: re.Match[str]) -> str:
            return write[found[1]]

        return _SETTING.sub(replaced, text)
