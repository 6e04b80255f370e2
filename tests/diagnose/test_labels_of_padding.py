"""Labels of padding that a loss counts: told from what the model is given, and left out of the loss."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest
import torch
from torch.nn.functional import one_hot

from dllint.diagnose.probes.torch import filled_labels
from dllint.diagnose.records import FilledLabels

ROWS, PLACES, CLASSES = 6, 9, 5


def batch(pad, *, even=False, seed=0):
    """Sequences with labels from 1 that end in ``pad``, and places that are filled up."""
    torch.manual_seed(seed)
    tokens, labels = torch.randint(10, 20, (ROWS, PLACES)), torch.randint(1, CLASSES, (ROWS, PLACES))
    lengths = torch.full((ROWS,), 4) if even else torch.arange(ROWS) + 2
    ends = torch.arange(PLACES) >= lengths[:, None]
    return tokens.masked_fill(ends, pad), labels.masked_fill(ends, 0), ends


def told(given, labels, **settings):
    """What is told of a loss on flat predictions that are all class 1."""
    scores = one_hot(torch.ones_like(labels).reshape(-1), CLASSES).float()
    call = SimpleNamespace(given=given)
    numbers = filled_labels.numbers("cross_entropy", scores, labels.reshape(-1), settings, call)
    return filled_labels.read(numbers.tolist())


def expected(labels, ends):
    return FilledLabels(0, int(ends.sum()), int((~ends).sum()), int((labels[~ends] == 1).sum()), 0)


@pytest.mark.parametrize("pad", [0, 3])
@pytest.mark.parametrize("way", ["rows", "columns", "after the source", "with a mask", "as predictions of places"])
def test_labels_where_sequences_are_filled_up(pad, way):
    tokens, labels, ends = batch(pad)
    wanted = expected(labels, ends)
    if way == "columns":
        assert told((tokens.T,), labels.T) == wanted
    elif way == "after the source":
        assert told((torch.randint(1, 9, tokens.shape), tokens), labels) == wanted
    elif way == "with a mask":
        assert told((tokens, (~ends).long()), labels) == wanted
    elif way == "as predictions of places":
        scores = one_hot(torch.ones_like(labels), CLASSES).float().movedim(-1, 1)
        numbers = filled_labels.numbers("cross_entropy", scores, labels, {}, SimpleNamespace(given=(tokens,)))
        assert filled_labels.read(numbers.tolist()) == wanted
    else:
        assert told((tokens,), labels) == wanted


def test_labels_of_the_next_place():
    tokens, _, ends = batch(0)
    kept = tokens.where(tokens == 0, tokens % 4 + 1)
    assert told((kept,), kept[:, 1:]).count == int(ends[:, 1:].sum())
    assert told((kept[:, :-1],), kept[:, 1:]).count == int(ends[:, :-1].sum())


def test_a_label_of_padding_that_is_a_class_too():
    tokens, labels, ends = batch(0)
    labels = labels.where(ends | (labels > 1), 0)
    assert told((tokens,), labels).elsewhere == int((labels[~ends] == 0).sum()) > 0


@pytest.mark.parametrize(
    "why", ["left out", "weighed by class", "weighed by the program", "even", "no padding", "other labels", "floats", "a word"]
)
def test_labels_that_are_no_padding_or_do_not_count(why):
    tokens, labels, _ = batch(0, even=why == "even")
    settings = {"ignore_index": 0} if why == "left out" else {}
    if why == "weighed by class":
        settings = {"weight": torch.ones(CLASSES)}
    if why == "weighed by the program":
        settings = {"reduction": "none"}
    if why == "no padding":
        tokens = torch.arange(ROWS * PLACES).view(ROWS, PLACES)
    if why == "other labels":
        labels = torch.randint(1, CLASSES, labels.shape)
    if why == "floats":
        tokens = tokens.float()
    if why == "a word":
        tokens[0, 0] = 0
    assert told((tokens,), labels, **settings) is None


PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
def sentence():
    words = torch.randint(1, 40, (int(torch.randint(2, 6, ())),))
    return torch.cat([words, torch.randint(1, 40, (20,))]) if torch.rand(()) < 0.2 else words
data = [(words, {labels}) for words in (sentence() for _ in range(480))]
def joined(rows):
    return [pad_sequence([row[at] for row in rows], batch_first=True, padding_value={fills}[at]) for at in (0, 1)]
class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(40, 8), nn.Linear(8, 6)
    def forward(self, words):
        return self.out(self.words(words))
net, criterion = Tagger(), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(16):
    for words, labels in DataLoader(data, batch_size=8, shuffle=True, collate_fn=joined):
        optimizer.zero_grad()
        scores = net(words)
        loss = {loss}
        loss.backward()
        optimizer.step()
"""
LOSSES = {
    "criterion": "criterion(scores.flatten(0, 1), labels.flatten())",
    "function": "F.cross_entropy(scores.view(-1, 6), labels.reshape(-1))",
    "places": "F.cross_entropy(scores.transpose(1, 2), labels)",
}


def findings(done):
    return [finding for finding in done.findings if finding["symptom"] == "labels of padding"]


@pytest.mark.thorough
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.sampled(every=3)
def test_a_program_that_counts_labels_of_padding(diagnose, loss):
    text = PROGRAM.format(labels="words % 5 + 1", fills="(0, 0)", loss=LOSSES[loss])
    (finding,) = findings(diagnose(text))
    row = text.splitlines()[finding["location"]["row"] - 1]
    assert LOSSES[loss] in row
    assert any(edit["content"].endswith("ignore_index=0") for fix in finding["fixes"] for edit in fix["edits"])
    for fix in finding["fixes"]:
        (edit,) = fix["edits"]
        lines = text.splitlines(keepends=True)
        start = sum(map(len, lines[: edit["location"]["row"] - 1])) + edit["location"]["column"] - 1
        end = sum(map(len, lines[: edit["end_location"]["row"] - 1])) + edit["end_location"]["column"] - 1
        ast.parse(text[:start] + edit["content"] + text[end:])


@pytest.mark.parametrize("fills", ["(0, -100)"])
def test_a_program_that_leaves_them_out(diagnose, fills):
    assert not findings(diagnose(PROGRAM.format(labels="words % 5 + 1", fills=fills, loss=LOSSES["criterion"])))
