"""Edits beside what an edit has to do with: objects that runs under settings make, and rules that look at no code, stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.dispatch import Dispatcher
from dllint.engine.session import Session
from dllint.source.document import Document

#: A model that is run under settings, too, and one that has nothing to do with it, before or behind it.
FLAGGED = """
class {model}(nn.Module):
    def __init__(self, dim=8, {flag}={value}):
        super().__init__()
        self.{flag} = {flag}
        self.fc = nn.Linear(dim, 2 * dim)
        self.out = nn.Linear(2 * dim if {flag} else dim, dim)

    def forward(self, x):
        x = self.fc(x)
        if self.{flag}:
            return self.out(x)
        return self.out(x[:, :8])

"""
OTHER = """
class {other}(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        size = width
        self.norm = nn.LayerNorm(size)

    def forward(self, x):
        y = self.norm(x)
        return torch.log(y)

"""
SHOWN = """
    def extra_repr(self):
        shown = 1
        return str(shown)
"""
HEAD = "import torch\nfrom torch import nn\n\n"


def texts() -> Iterator[str]:
    for model, flag, value, is_first in product(("Net", "Encoder"), ("wide", "gated"), (True, False), (True, False)):
        parts = FLAGGED.format(model=model, flag=flag, value=value), OTHER.format(other="Beside")
        yield HEAD + "".join(parts if is_first else parts[::-1])


def session(path) -> Session:
    return Session(Configuration(overrides={"root": path.parent, "select": ("ALL",)}, isolated=True), remember=True)


@pytest.mark.parametrize("text", list(texts()))
@pytest.mark.parametrize("typed", ["size = width + 1", "size = width\n        self.added = 3"])
def test_what_a_run_under_a_setting_makes_stays(tmp_path, text, typed):
    """Only the two steps of the other model are executed: that makes it and that runs it."""
    path = tmp_path / "model.py"
    editor, document = session(path), Document.from_text(path, text)
    before = editor.analyser(path).analyse(document)
    document = document.edit(text.replace("size = width", typed))
    after = editor.analyser(path).analyse(document)
    assert before.settings
    assert [id(program) for program in after.settings] == [id(program) for program in before.settings]
    work = editor.tracer(editor.configuration.for_file(path)).work(path)
    assert work is not None
    assert work.executed == 2


@pytest.mark.parametrize("text", list(texts()))
def test_rules_that_look_at_no_code_are_not_asked_again(tmp_path, text, monkeypatch):
    """Nothing has executed the method that is edited, but rules look at its class. The others are asked what they are asked
    after an edit of a comment."""
    path = tmp_path / "model.py"
    text = text.replace("self.norm = nn", "self.idle = nn.Linear(2, 2)\n        self.norm = nn")
    text = text.replace("return torch.log(y)\n", f"return torch.log(y)\n{SHOWN}")
    editor, document = session(path), Document.from_text(path, text)
    editor.analyser(path).analyse(document)
    asked = noted(monkeypatch)
    editor.analyser(path).analyse(document := document.edit(text.replace("shown = 1", "shown = 1  # a comment")))
    for_a_comment, asked[:] = set(asked), []
    after = editor.analyser(path).analyse(document := document.edit(text.replace("shown = 1", "shown = self.idle.weight")))
    lookers = editor.analyser(path).dispatcher.lookers
    assert lookers.intersection(asked)
    assert set(asked) - lookers <= for_a_comment
    assert after.findings == session(path).analyser(path).analyse(Document.from_text(path, document.text)).findings


def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The codes of the rules that are asked from here on."""
    asked: list[str] = []
    ask = Dispatcher.ask

    def noting(self, questions, context, path):
        questions = list(questions)
        asked.extend(code for _, code in questions)
        return ask(self, questions, context, path)

    monkeypatch.setattr(Dispatcher, "ask", noting)
    return asked
