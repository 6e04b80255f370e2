"""What entries share (a logger, a class that is given, classes of other files) ties none of them to edits of others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

#: Two models that have the same thing of no known value, ask it for the same, and are given the same class and nothing else.
MODEL = """

class {name}(nn.Module):
    def __init__(self, dim=8, norm={norm}, act=None):
        super().__init__()
        size = dim
        {shared}
        self.norm = norm(size)
        self.act = act or nn.ReLU()

    def forward(self, x):
        y = self.act(self.norm(x))
        self.last = y
        return y
"""
HEAD = """\
import torch
from torch import nn
from elsewhere import something

{name} = something({argument!r})


class Norm(nn.LayerNorm):
    pass
"""
SHARED = (
    "{name}.warning('made')",
    "{name}.info.now('made')",
    "self.silent = not {name}",
    "for one in {name}.values:\n            self.one = one",
)
OTHER = """\
import torch
from torch import nn


class Made{number}(nn.Module):
    def forward(self, x):
        return x
"""
USING = """

class {name}(nn.Module):
    def __init__(self, dim=8, wide=False):
        super().__init__()
        self.wide = wide
        self.fc = nn.Linear(dim, 2 * dim)
        self.out = nn.Linear(2 * dim if wide else dim, dim)

    def forward(self, x):
        from part{number} import Made{number}
        y = Made{number}()(self.fc(x))
        if self.wide:
            return self.out(y)
        return self.out(y[:, :8])
"""


def models() -> Iterator[tuple[str, str, int]]:
    """Texts, what an edit is made behind, and in which model: the last one is the first that is executed."""
    for number, (shared, norm, name) in enumerate(product(SHARED, ("Norm", "nn.LayerNorm"), ("logger", "tool"))):
        own = [MODEL.format(name=model, norm=norm, shared=shared.format(name=name)) for model in ("First", "Second", "Third")]
        yield HEAD.format(name=name, argument=name) + "".join(own), "size = dim", 2 * (number % 3 > 0)


def executed(path: Path, text: str, new: str) -> int:
    """The steps that an edit costs, whose answer is that of a fresh start."""
    configuration = Configuration(overrides={"root": path.parent, "select": ("ALL",)}, isolated=True)
    editor, document = Session(configuration, remember=True), Document.from_text(path, text)
    editor.analyser(path).analyse(document)
    after = editor.analyser(path).analyse(document.edit(new))
    work = editor.tracer(editor.configuration.for_file(path)).work(path)
    fresh = Session(configuration, remember=True).analyser(path).analyse(Document.from_text(path, new))
    assert after.findings == fresh.findings
    assert [program.entry for program in after.programs] == [program.entry for program in fresh.programs]
    assert work is not None
    return work.executed


@pytest.mark.parametrize(("text", "old", "place"), list(models()))
def test_a_model_that_is_edited_is_executed_alone(tmp_path, text, old, place):
    path = tmp_path / "model.py"
    parts = text.split(old)
    new = old.join(parts[: place + 1]) + f"{old}\n        self.added = 3" + old.join(parts[place + 1 :])
    assert executed(path, text, new) == 2


@pytest.mark.parametrize("edited", ["y = Made1()(self.fc(x))", "return self.out(y[:, :8])"])
def test_files_that_a_method_loads_concern_no_run_under_a_setting(tmp_path, edited):
    """What has loaded a file is not what uses it next, so that no list of all classes tells of it."""
    path = tmp_path / "model.py"
    for number in (1, 2):
        (tmp_path / f"part{number}.py").write_text(OTHER.format(number=number))
    text = "from torch import nn\n" + "".join(USING.format(name=f"Net{number}", number=number) for number in (1, 2))
    assert executed(path, text, text.replace(edited, f"added = 1\n        {edited}", 1)) <= 2
