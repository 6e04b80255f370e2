"""The operation that mixes samples, and the one that cuts the graph: found from the run, however the source is written."""

from __future__ import annotations

import textwrap

import pytest

PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.randn(512, 6, 4)
y = (x[:, 0, 0] > 0).long() + (x[:, 1, 1] > 0).long()
AXIS = 0


def helper(value):
{helper}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Linear(4, 5)
        self.norm = nn.BatchNorm1d(6)
        self.rnn = nn.GRU(5, 5{rnn})
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(30, 3)

    def forward(self, {name}):
        {name} = self.norm(self.lift({name}).relu())
{body}


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(4):
    for rows in torch.randperm(512).split(32):
        loss = F.cross_entropy(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""

#: The lines of the forward pass; the marked one mixes the samples.
MIXING = {
    "permuted and reshaped": "{n} = {n}.permute(1, 2, 0).reshape(len({n}), -1)  # here\nreturn self.head(self.drop({n}))",
    "through contiguous": (
        "moved = {n}.transpose(0, 2).contiguous()\nrows = moved.view({n}.shape[0], -1)  # here\nreturn self.head(rows)"
    ),
    "a softmax over the batch": "{n} = {n} * torch.softmax({n}, dim=AXIS)  # here\nreturn self.head({n}.flatten(1))",
    "a method over the batch": "{n} = {n} - {n}.mean(0, keepdim=True)  # here\nreturn self.head(self.drop({n}.flatten(1)))",
    "time taken for the batch": "{n}, _ = self.rnn({n})  # here\nreturn self.head({n}.flatten(1))",
    "in a helper": "return self.head(helper({n}))",
    "after a block that is joined and parted": (
        "{n} = self.drop({n}.reshape(-1, 5)).reshape(-1, 6, 5)\n{n} = {n}.cumsum(0)  # here\nreturn self.head({n}.flatten(1))"
    ),
}
CUTTING = {
    "detach": "return self.head({n}.flatten(1).detach())  # here",
    "data": "pooled = {n}.data  # here\nreturn self.head(pooled.flatten(1))",
    "a list": "return self.head(torch.tensor({n}.flatten(1).tolist()))  # here",
    "an array": ("rows = {n}.flatten(1).detach().numpy()  # here\nreturn self.head(torch.from_numpy(rows * 1.0))"),
    "beside harmless ones": (
        "self.seen = float({n}.detach().mean())\nself.size = {n}.abs().max().item()\n"
        "return self.head({n}.flatten(1).detach())  # here"
    ),
    "in a helper": "return self.head(helper({n}))",
    "a block without gradients": "with torch.no_grad():\n    rows = {n}.flatten(1) * 1.0  # here\nreturn self.head(rows)",
}
HELPERS = {
    "mixing": "    value = value.permute(2, 0, 1)\n    return value.reshape(-1, 30)  # here",
    "cutting": "    return value.flatten(1).detach()  # here",
}
SOUND = {
    "axes moved and moved back": "{n} = {n}.permute(1, 2, 0).permute(2, 0, 1)\nreturn self.head({n}.reshape(len({n}), -1))",
    "joined and parted": "{n} = self.drop({n}.reshape(-1, 5)).reshape(-1, 6, 5)\nreturn self.head({n}.flatten(1))",
    "a softmax over features": "{n} = {n} * torch.softmax({n}, dim=-1)\nreturn self.head({n}.flatten(1))",
    "numbers for a log": "self.seen = {n}.detach().mean().item()\nreturn self.head({n}.flatten(1))",
}


def program(body, kind="mixing", name="x"):
    lines = "".join(f"        {line}\n" for line in body.format(n=name).splitlines())
    return PROGRAM.format(body=lines, helper=HELPERS[kind], name=name, rnn="")


def line(text):
    return next(number for number, row in enumerate(text.splitlines(), 1) if row.endswith("# here") and _is_used(text, row))


def _is_used(text, row):
    return not row.strip().startswith(("return value", "value")) or "self.head(helper(" in text


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["x", "hidden"])
@pytest.mark.parametrize("way", MIXING)
def test_the_operation_that_mixes_samples_is_found(diagnose, way, name):
    text = program(MIXING[way], name=name)
    found = [finding for finding in diagnose(text).findings if finding["symptom"] == "batch cross-talk"]

    assert [finding["location"]["row"] for finding in found] == [line(text)]
    assert "mixes the samples" in found[0]["message"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", ["x", "hidden"])
@pytest.mark.parametrize("way", CUTTING)
def test_the_operation_that_cuts_the_graph_is_found(diagnose, way, name):
    text = program(CUTTING[way], "cutting", name)
    found = [finding for finding in diagnose(text).findings if "cuts the graph" in finding["message"]]

    assert [finding["location"]["row"] for finding in found] == [line(text)]
    assert "more layer" in found[0]["message"]


@pytest.mark.parametrize("way", SOUND)
def test_sound_models_are_left_alone(diagnose, way):
    findings = diagnose(program(SOUND[way])).findings

    assert "batch cross-talk" not in {finding["symptom"] for finding in findings}
    assert not any("cuts the graph" in finding["message"] for finding in findings)


def test_the_reshape_is_repaired(diagnose):
    done = diagnose(program(MIXING["permuted and reshaped"]), replay=True)
    best = done.findings[0]["fixes"][0]

    assert done.findings[0]["symptom"] == "batch cross-talk"
    assert (best["kind"], best["recommended"]) == ("axis", True)
    assert "permute" not in best["edits"][0]["content"]


@pytest.mark.parametrize("way", ["detach", "a list", "beside harmless ones", "a block without gradients"])
def test_the_cut_is_repaired_first(diagnose, way):
    text = program(CUTTING[way], "cutting")
    found = next(finding for finding in diagnose(text).findings if "cuts the graph" in finding["message"])
    fix = next(fix for fix in found["fixes"] if fix["kind"] == "detached")

    assert abs(fix["edits"][0]["location"]["row"] - line(text)) <= 1


TWO_INPUTS = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
kinds, sizes = torch.randint(5, (300, 7)), torch.rand(300, 7)
labels = (kinds[:, 0] > 1).float()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind, self.size = nn.Embedding(5, 8), nn.Linear(1, 8)
        {layer}
        self.head = nn.Linear(8, 1)

    def forward(self, kinds, sizes):
        hidden = self.kind(kinds) + self.size(sizes.unsqueeze(2))
        return self.head({mixed}.mean(dim=1)).squeeze(1)


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    for rows in torch.randperm(300).split(30):
        optimizer.zero_grad()
        F.binary_cross_entropy_with_logits(net({given}), labels[rows]).backward()
        optimizer.step()
"""
ENCODER = "self.inner = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0{first}), 1)"
LAYERS = {
    "an encoder": (ENCODER, "self.inner(hidden)"),
    "a recurrent layer": ("self.inner = nn.GRU(8, 8{first})", "self.inner(hidden)[0]"),
    "attention": ("self.inner = nn.MultiheadAttention(8, 2{first})", "self.inner(hidden, hidden, hidden)[0]"),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("given", ["kinds[rows], sizes[rows]", "*(part[rows] for part in (kinds, sizes))"])
@pytest.mark.parametrize("way", LAYERS)
def test_layers_that_take_the_batch_for_time_are_told_of_models_with_two_inputs(diagnose, way, given):
    layer, mixed = LAYERS[way]
    text = TWO_INPUTS.format(layer=layer.format(first=""), mixed=mixed, given=given)
    (finding,) = [found for found in diagnose(text).findings if found["symptom"] == "batch cross-talk"]
    best = finding["fixes"][0]

    assert mixed in text.splitlines()[finding["location"]["row"] - 1]
    assert [edit["content"] for edit in best["edits"]] == [", batch_first=True"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", LAYERS)
def test_layers_that_take_the_batch_first_are_silent(diagnose, way):
    layer, mixed = LAYERS[way]
    text = TWO_INPUTS.format(layer=layer.format(first=", batch_first=True"), mixed=mixed, given="kinds[rows], sizes[rows]")
    assert "batch cross-talk" not in {finding["symptom"] for finding in diagnose(text).findings}


def test_graphs_whose_nodes_exchange_messages_are_not_asked(diagnose):
    text = TWO_INPUTS.format(
        layer="", mixed="(beside @ hidden.flatten(1)).unflatten(1, (7, 8))", given="kinds[rows], torch.eye(30)"
    )
    text = text.replace("kinds, sizes):", "kinds, beside):").replace("self.size(sizes.unsqueeze(2))", "0.0")
    assert "batch cross-talk" not in {finding["symptom"] for finding in diagnose(text).findings}


#: Models whose rows are meant to meet: the examples of classes for queries, the points of a cloud.
MEETING = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
        self.head = nn.Linear(16, 2)

    def forward(self, {first}, {second}):
{body}


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(40):
{batch}
    loss = F.cross_entropy(net({first}, {second}), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
QUERIES = (
    "return -torch.cdist(self.body({second}), self.body({first}).unflatten(0, (5, 6)).mean(dim=1))",
    "labels = torch.arange(5).repeat(6)\nmeans = 2 * torch.randn(5, 4)\n"
    "{first} = means.repeat_interleave(6, dim=0) + torch.randn(30, 4)\n{second} = means[labels] + torch.randn(30, 4)",
)
_CLOUDS = (
    "hidden = self.body({first})\ncount = int({second}.max()) + 1\n"
    "joined = torch.zeros(count, 8).index_add(0, {second}, hidden)\n"
    "return self.head(torch.cat([hidden, joined[{second}]], dim=1))"
)
_POINTS = "{first} = torch.randn(len({second}), 4)\nlabels = ({first}[:, 0] > 0).long()"
MEETINGS = {
    "queries": QUERIES,
    "clouds of one size": (_CLOUDS, "{second} = torch.arange(6).repeat_interleave(7)\n" + _POINTS),
    "clouds of many sizes": (
        _CLOUDS,
        "{second} = torch.arange(6).repeat_interleave(torch.randint(5, 15, (6,)))\n" + _POINTS,
    ),
    "a cloud and its places": (
        "hidden = self.body({first})\nnear = torch.cdist({second}, {second}).neg().softmax(dim=1)\n"
        "return self.head(torch.cat([hidden, near @ hidden], dim=1))",
        "{second} = torch.rand(int(torch.randint(20, 60, ())), 3)\n" + _POINTS,
    ),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("names", [("support", "query"), ("x", "batch")])
@pytest.mark.parametrize("way", MEETINGS)
def test_rows_that_are_meant_to_meet_are_not_asked(diagnose, way, names):
    first, second = names
    body, batch = (part.format(first=first, second=second) for part in MEETINGS[way])
    lines = [textwrap.indent(part, " " * depth) for part, depth in ((body, 8), (batch, 4))]
    text = MEETING.format(first=first, second=second, body=lines[0], batch=lines[1])
    assert "batch cross-talk" not in {finding["symptom"] for finding in diagnose(text).findings}
