"""A class of which one method is parsed alone has the places that it has when it is parsed as a whole."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from dllint.source import reparse
from dllint.source.chunk import Tree
from dllint.source.document import Document
from dllint.source.grafted import Grafted, grafted
from dllint.source.positions import nested

TEXT = '''\
import torch


# in front of the class
@decorated
class Model(Base):
    """What it is.

    More of it.
    """

    width = 3

    def __init__(self, dim=8,
                 ratio=2):  # (N, C)
        super().__init__()
        self.fc = [
            dim,
            # inside
            ratio,
        ]
        # behind

    def continued(self, x):
        y = x + \\
            1
        assert x, \\
            "text"  # (C,)
        return y

    @property
    # between
    def size(self):
        if self.fc:
            for x in self.fc:
                y = x
        else: y = 2
        try:
            return y
        finally:
            pass
            # at the end of a block

    # in front of a method

    def last(self): return 3

    class Inner:
        def method(self):
            a = """text
  of lines
"""
            return a

    def forward(self, x):
        x = x + 1; y = x
        return y
    # behind the method


value = Model()
'''
LINES = (
    "z = 1",
    "# a comment",
    "",
    "if z:\n{m}    z = 2",
    "z = [\n{m}1]",
    "def g():\n{m}    return 1",
    "  z = (",
    "for i in z: pass",
    "z = 1 + \\\n{m}    2",
    '"""a',
)


def places(document: Document) -> list[object]:
    return [
        (type(part).__name__, document.span(part), document.extent(part), document.indentation(part))
        for statement in document.body
        for part in (statement, *nested(statement))
    ]


def edited(text: str, random: Random) -> str:
    lines = text.split("\n")
    number = random.randrange(4, len(lines) - 2)
    margin = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
    if random.random() < 0.25:
        del lines[number]
    else:
        lines.insert(number, f"{margin}{random.choice(LINES)}".replace("{m}", margin))
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(6))
def test_the_places_are_those_of_the_whole_text_parsed(monkeypatch, seed):
    random, alone = Random(seed), list[Tree]()

    def counted(known: Tree, text: str) -> Grafted | None:
        found = grafted(known, text)
        alone.extend([found.tree] if found is not None else [])
        return found

    monkeypatch.setattr(reparse, "grafted", counted)
    document = Document.from_text(Path("m.py"), TEXT)
    for _ in range(100):
        text = TEXT if random.random() < 0.2 else edited(document.text, random)
        fresh = Document.from_text(document.path, text)
        document = document.edit(text) if fresh.problem is None else document.edit(TEXT)
        if fresh.problem is None:
            assert document.problem is None
            assert places(document) == places(fresh)
    assert len(alone) > 4
