"""Edits of models that nothing builds: the object of an entry stays while its methods are edited, whatever they do to it, and
all is as after a fresh start."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.ir.printer import Printer
from dllint.lower import incremental
from dllint.source.document import Document

HEAD = """\
import random
import torch
from torch import nn

SEEN = []
MODELS = {}
PARTS = nn.ModuleList()


def counted():
    count = 0
    def step(x):
        nonlocal count
        count += 1
        return x * count
    return step


def reset(model):
    model.scale = 1
    model.extra = torch.zeros(3)

"""
#: What a constructor does; ``{n}`` is a small number, ``{other}`` another class.
MAKING = (
    "self.fc = nn.Linear(dim, dim)",
    "self.fc = nn.Linear(dim, {n})",
    "self.out = nn.Linear(dim, dim)\n        self.out.weight = self.fc.weight",
    "self.blocks = nn.ModuleList([nn.Linear(dim, dim) for _ in range({n})])",
    "self.blocks = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.BatchNorm1d({n}))",
    "self.scale = {n}",
    "self.scale = random.random()",
    "self.cache = []",
    "self.cache = [torch.zeros({n}, 3)]",
    "self.step = counted()",
    "self.table = {'a': {n}, 'b': {n}}",
    "self.register_buffer('extra', torch.arange({n}).float())",
    "self.extra = nn.Parameter(torch.zeros({n}, dim))",
    "self.extra = None",
    "self.late = None",
    "self.scale = None",
    "self.part = {other}({n})",
    "self.part = {other}(dim)",
    "self.part = {other}(input())",
    "self.register_forward_hook(lambda module, args, out: SEEN.append(module))",
    "MODELS['{n}'] = self",
    "SEEN.append(self)",
    "self.setup()",
    "if dim > {n}:\n            raise ValueError(dim)",
    "assert dim % {n} == 0",
    "self.size = torch.zeros({n}, dim).reshape(-1, {n})",
)
#: What other methods do.
USING = (
    "x = self.fc(x)",
    "x = torch.log(self.fc(x).sum(1, keepdim=True))",
    "self.scale = {n}",
    "self.scale = self.scale + 1",
    "self.scale = x",
    "x = x * self.scale",
    "self.cache.append(x)",
    "self.cache = self.cache + [{n}]",
    "x = self.cache[-1]",
    "x = self.step(x)",
    "self.table['{n}'] = x\n        del self.table['a']",
    "for key, value in self.table.items():\n            x = x + value",
    "self.extra.add_({n})",
    "self.extra[0] = {n}",
    "self.extra = x.reshape(-1, {n})",
    "if self.extra is None:\n            self.extra = torch.ones({n})",
    "x = x + self.extra",
    "y = self.extra.view(-1)\n        y.mul_({n})",
    "self.fc = nn.Linear({n}, {n})",
    "self.late = nn.Linear(3, {n})",
    "del self.fc",
    "self.part.scale = {n}",
    "x = self.part(x)",
    "for block in self.blocks:\n            x = block(x)",
    "self.blocks[0].weight.requires_grad = False",
    "assert x.shape[1] == {n}",
    "if self.training:\n            x = x.reshape({n}, -1)",
    "SEEN.append(x)",
    "MODELS['x'] = self.part",
    "PARTS.append(self.fc)",
    "x = MODELS['{n}'](x)",
    "reset(self)",
    "x = torch.cat([x, x], {n})",
    "with torch.no_grad():\n            self.fc.weight.fill_({n})",
    "x = getattr(self, input())(x)",
    "added = {n}",
)
FUNCTIONS = (
    "def use(x):\n    model = {other}({n})\n    model.scale = {n}\n    return model(x)\n",
    "def last(x):\n    return SEEN[-1](x).reshape({n})\n",
    "def through(x):\n    for part in PARTS:\n        x = part(x)\n    return x\n",
    "def known(x):\n    return MODELS['x'](x) + {n}\n",
    "def drawn():\n    return {other}(random.randrange({n}))(torch.zeros(2, {n}))\n",
)
NAMES = ("A", "B", "C", "D")


def written(template: str, random: Random) -> str:
    while "{n}" in template:
        template = template.replace("{n}", str(random.randrange(1, 5)), 1)
    return template.replace("{other}", random.choice(NAMES))


def some(pool: tuple[str, ...], most: int, random: Random) -> list[str]:
    return [written(template, random) for template in random.sample(pool, random.randrange(1, most))]


class Model:
    """A class of the text: what its constructor and its methods do."""

    def __init__(self, name: str, random: Random) -> None:
        self.name, self.base = name, random.choice(("nn.Module", "nn.Module", NAMES[0]) if name != NAMES[0] else ("nn.Module",))
        self.methods = {
            "__init__": ["self.fc = nn.Linear(dim, dim)", *some(MAKING, 6, random)],
            "setup": some(USING[2:6], 3, random),
            "forward": some(USING, 6, random),
            "predict_step": some(USING, 4, random),
        }

    def text(self) -> str:
        heads = {"__init__": "self, dim=4", "setup": "self, x=None"}
        out = [f"class {self.name}({self.base}):"]
        for name, statements in self.methods.items():
            out.append(f"    def {name}({heads.get(name, 'self, x')}):")
            out += ["        super().__init__()"] if name == "__init__" else []
            out += [f"        {statement}" for statement in statements]
            out += ["        return x"] if name not in heads else []
        return "\n".join(out) + "\n\n\n"

    def edit(self, random: Random) -> None:
        """Change one method: a statement more, less, or another one."""
        name = random.choice(("__init__", "setup", "forward", "forward", "forward", "predict_step", "predict_step"))
        statements = self.methods[name]
        place = random.randrange(len(statements))
        new = written(random.choice(MAKING if name == "__init__" else USING), random)
        kind = random.randrange(3)
        statements[place : place + (kind > 0)] = [new] if kind < 2 or len(statements) == 1 else []


class Text:
    """A generated document."""

    def __init__(self, random: Random) -> None:
        self.models = [Model(name, random) for name in NAMES]
        self.functions = some(FUNCTIONS, 4, random)

    def text(self) -> str:
        return HEAD + "".join([*(model.text() for model in self.models), *(f"{function}\n\n" for function in self.functions)])


def session(path: Path, *, remember: bool) -> Session:
    return Session(Configuration(overrides={"root": path.parent, "select": ("ALL",)}, isolated=True), remember=remember)


def shown(analysis: Analysis) -> list[object]:
    """All that can be told from an analysis."""
    programs = [*analysis.programs, *analysis.settings]
    texts = [(Printer(with_events=True).program(p), [(gap[0], gap[1]) for gap in p.gaps], p.setting) for p in programs]
    return [*texts, *analysis.findings, *analysis.notices, analysis.cut]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("seed", range(12))
def test_after_edits_of_models_all_is_that_of_a_fresh_start(tmp_path, seed):
    random, path = Random(seed), tmp_path / "model.py"
    text, editor = Text(random), session(path, remember=True)
    document = Document.from_text(path, text.text())
    former = [document.text]
    for _ in range(10):
        told = shown(editor.analyser(path).analyse(document))
        fresh = session(path, remember=False).analyser(path).analyse(Document.from_text(path, document.text))
        assert told == shown(fresh), document.text
        if random.random() < 0.2:
            document = document.edit(random.choice(former))
        else:
            random.choice(text.models).edit(random)
            document = document.edit(text.text())
            former.append(document.text)


BIG = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.seen = None

    def forward(self, x):
        self.seen = x
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, dim=8, depth=4):
        super().__init__()
        self.blocks = nn.ModuleList([Block(dim) for _ in range(depth)])
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x + self.bias.view(1, -1)

    def unused(self):
        return self.bias


class Other(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.fc(x)
"""


@pytest.mark.parametrize("by_halves", [True, False])
def test_an_edit_of_a_method_leaves_the_object_as_it_is(tmp_path, monkeypatch, by_halves):
    monkeypatch.setattr(incremental, "BY_HALVES", by_halves)
    path = tmp_path / "model.py"
    editor, document = session(path, remember=True), Document.from_text(path, BIG)
    objects = []
    for number in range(4):
        programs = editor.analyser(path).analyse(document).programs
        net = next(program for program in programs if program.entry == "Net.forward")
        objects.append([id(event) for event in net.events if event.kind == "instance"])
        work = editor.tracer(editor.configuration.for_file(path)).work(path)
        assert work is not None
        assert number == 0 or work.executed == 1
        document = document.edit(BIG.replace("return x + self", f"x = x * {number}\n        return x + self"))
    assert all(one == objects[0] for one in objects) is by_halves


@pytest.mark.parametrize(
    ("old", "new", "executed"),
    [
        ("return self.bias", "bias = self.bias\n        return bias", 0),
        ("return self.bias", "self.other = self.bias\n        return self.bias", 1),
    ],
)
def test_an_edit_of_another_method_counts_for_the_attributes_that_it_sets(tmp_path, old, new, executed):
    path, text = tmp_path / "model.py", BIG.replace("self.bias = nn", "self.other = None\n        self.bias = nn")
    editor, document = session(path, remember=True), Document.from_text(path, text)
    editor.analyser(path).analyse(document)
    document = document.edit(text.replace(old, new))
    told = shown(editor.analyser(path).analyse(document))
    work = editor.tracer(editor.configuration.for_file(path)).work(path)
    assert work is not None
    assert work.executed == executed
    assert told == shown(session(path, remember=False).analyser(path).analyse(Document.from_text(path, document.text)))
