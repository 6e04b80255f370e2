"""Losses that are added to objects of the program's own classes: what is kept is up to their ``__iadd__`` and ``__add__``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """import torch
from torch import nn


class Track:
    def __init__(self):
        self.values, self.total, self.number = [], 0.0, 0

    def {method}(self, value):
        {keep}
        return self


class Tracks:
    def __init__(self):
        self.tracks = {{}}

    def add(self, name):
        self.tracks[name] = Track()

    def load(self, path):
        self.tracks = torch.load(path)["tracks"]

    def update(self, given):
        for name, value in given.items():
            if name not in self.tracks:
                self.add(name)
            self.tracks[name] += value"""
SETUP = """model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"""
LOOP = """{first}
for step in range(100):
    loss = model(torch.randn(4, 8)).square().mean()
    optimizer.zero_grad()
    {add}
    loss.backward()
    optimizer.step()
print(tracks)"""
#: What there is before the loop, and how a pass adds its loss to it.
ADDED = (
    ("tracks = Track()", "tracks += loss"),
    ("tracks = Track()", "tracks = tracks + loss"),
    ("tracks = {'all': Track()}", "tracks['all'] += loss"),
    ("tracks = [Track()]", "tracks[0] += loss"),
    ("tracks = Tracks()", "tracks.update(dict(all=loss))"),
    ("tracks = Tracks()", "tracks.update({'all': loss, 'none': loss})"),
)
#: Objects of which nothing is known.
LOADED = (
    ("tracks = Tracks()\nif optimizer.defaults:\n    tracks.load('tracks.pt')", "tracks.update(dict(all=loss))"),
    ("tracks = torch.load('tracks.pt')", "tracks['all'] += loss"),
)
WITHOUT_GRAPH = (
    "self.values.append(value.detach().cpu())",
    "self.total, self.number = float(value) + self.total, self.number + 1",
    "self.total += value.item()",
)
WITH_GRAPH = ("self.values.append(value)", "self.total += value", "self.total = self.total + value")


def _told(keep: str, added: tuple[str, str], form: str, folder: Path) -> bool:
    first, add = added
    imports = IMPORTS.format(keep=keep, method="__iadd__" if "+=" in add or "update" in add else "__add__")
    case = Case("DLO110", imports, SETUP, LOOP.format(first=first, add=add), ("model", "optimizer"))
    return "DLO110" in found(FORMS[form](case), folder, ["DLO110"])


@pytest.mark.parametrize("keep", WITHOUT_GRAPH)
@pytest.mark.parametrize("added", ADDED + LOADED)
def test_objects_that_keep_numbers(added: tuple[str, str], keep: str, tmp_path: Path) -> None:
    assert not _told(keep, added, "plain", tmp_path)


@pytest.mark.sampled(every=7)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("added", ADDED)
def test_objects_that_keep_numbers_in_every_form(added: tuple[str, str], form: str, tmp_path: Path) -> None:
    assert not _told(WITHOUT_GRAPH[0], added, form, tmp_path)


@pytest.mark.parametrize("keep", WITH_GRAPH)
@pytest.mark.parametrize("added", ADDED)
def test_objects_that_keep_graphs(added: tuple[str, str], keep: str, tmp_path: Path) -> None:
    assert _told(keep, added, "plain", tmp_path)
