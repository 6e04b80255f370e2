"""Symptoms of PyTorch programs, with their lines and columns."""

from __future__ import annotations

import json

import pytest

from dllint.diagnose.records import RunRecord
from dllint.diagnose.serial import from_json, to_json
from tests.diagnose.loops import loop
from tests.diagnose.scripts import HEALTHY


def place(finding):
    return finding["location"]["row"], finding["location"]["column"]


def position(text, part):
    before = text[: text.index(part)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


LOOP = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
y = torch.randint(0, 4, (64,))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 4)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


net = Net()
optimizer = OPTIMIZER
for step in range(STEPS):
    out = net(x)
    LOSS
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def program(loss, optimizer="torch.optim.SGD(net.parameters(), lr=0.1)", steps=30):
    return LOOP.replace("OPTIMIZER", optimizer).replace("STEPS", str(steps)).replace("LOSS", loss)


CROSS_ENTROPY = "loss = nn.functional.cross_entropy(out, y)"


def test_a_logarithm_of_zero_is_found_where_it_is_taken(diagnose):
    text = program("é = 'ä'; loss = -(nn.functional.one_hot(y, 4) * torch.log(torch.softmax(out * 500, 1))).sum(1).mean()")
    done = diagnose(text)
    assert done.codes == ["DLX101"]
    finding = done.findings[0]
    assert place(finding) == position(text, "torch.log(")
    assert finding["evidence"]["operation"] == "log"
    assert finding["evidence"]["inputs_finite"] is True
    assert finding["step"] == 1


def test_a_bad_derivative_is_found_at_the_operation_of_the_forward_pass(diagnose):
    text = program("loss = (out * 0).sum(1).abs().sqrt().mean()")
    finding = diagnose(text).findings[0]
    assert finding["code"] == "DLX101"
    assert place(finding)[0] == position(text, "loss = (out * 0)")[0]
    assert finding["evidence"]["phase"] == "backward"


def test_an_overflow_late_in_training_is_explained(diagnose):
    text = program("loss = torch.exp(out * (0 if step < 60 else 1000)).mean()", steps=100)
    finding = diagnose(text).findings[0]
    assert (finding["evidence"]["operation"], finding["step"]) == ("exp", 61)
    assert place(finding) == position(text, "torch.exp(")


def test_bad_data_is_told_as_such(diagnose):
    done = diagnose(program(CROSS_ENTROPY).replace("y = torch", "x[3, 2] = float('nan')\ny = torch"))
    assert done.findings[0]["evidence"]["where"] == "input"


def test_weights_that_no_optimizer_has_are_told_at_the_optimizer_with_their_layer(diagnose):
    text = program(CROSS_ENTROPY, optimizer="torch.optim.SGD(net.second.parameters(), lr=0.1)")
    done = diagnose(text)
    assert [(f["code"], f["layer"], place(f)) for f in done.findings] == [
        ("DLX105", "Net.first", position(text, "torch.optim"))
    ]
    assert done.findings[0]["related"][0]["location"]["row"] == position(text, "nn.Linear(8, 16)")[0]
    assert done.status == 1


def test_weights_that_the_loss_does_not_depend_on_are_found(diagnose):
    done = diagnose(program("loss = nn.functional.cross_entropy(net.second(net.first(x).detach()), y)"))
    assert [(f["code"], f["layer"]) for f in done.findings] == [("DLX105", "Net.first")]


def test_frozen_weights_are_no_symptom(diagnose):
    text = program(CROSS_ENTROPY, optimizer="torch.optim.SGD(net.second.parameters(), lr=0.1)")
    done = diagnose(text.replace("net = Net()", "net = Net()\nnet.first.requires_grad_(False)"))
    assert (done.status, done.findings) == (0, [])


def test_a_loss_that_stays_is_said_only_after_enough_steps(diagnose):
    loss = "x = torch.randn(64, 8); y = torch.randint(0, 4, (64,)); " + CROSS_ENTROPY.replace("out", "net(x)")
    flat = program(loss, optimizer="torch.optim.SGD(net.parameters(), lr=1e-4)", steps=200)
    assert diagnose(flat).codes == ["DLX106"]
    few = diagnose(flat.replace("range(200)", "range(40)"))
    assert few.codes == []
    assert "too few steps" in few.stderr


def test_dead_rectifiers_are_found_at_their_line(diagnose):
    text = HEALTHY.replace("STEPS", "120").replace("criterion =", "nn.init.constant_(net[0].bias, -100.0)\ncriterion =")
    text = text.replace("batch_size=32", "batch_size=256")
    done = diagnose(text)
    dead = [finding for finding in done.findings if finding["code"] == "DLX102"]
    assert [place(finding) for finding in dead] == [position(text, "nn.ReLU()")]
    assert dead[0]["severity"] == "error"


def test_divergence_is_told_at_the_optimizer(diagnose):
    text = program("loss = (out - x[:, :4]).square().sum()", optimizer="torch.optim.SGD(net.parameters(), lr=0.02)", steps=12)
    done = diagnose(text)
    assert done.findings
    assert {finding["code"] for finding in done.findings} <= {"DLX104", "DLX101"}


def test_a_healthy_program_is_left_alone(diagnose):
    done = diagnose(HEALTHY.replace("STEPS", "300"))
    assert (done.status, done.findings) == (0, [])


def test_two_models_that_train_against_each_other_are_two_tracks(diagnose, tmp_path):
    text = """
import torch
from torch import nn
torch.manual_seed(0)
make = lambda a, b: nn.Sequential(nn.Linear(a, 32), nn.LeakyReLU(), nn.Linear(32, b))
G, D = make(4, 2), make(2, 1)
optG = torch.optim.Adam(G.parameters(), lr=1e-3)
optD = torch.optim.Adam(D.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
for step in range(60):
    real = torch.randn(32, 2) + 3
    fake = G(torch.randn(32, 4))
    dloss = bce(D(real), torch.ones(32, 1)) + bce(D(fake.detach()), torch.zeros(32, 1))
    optD.zero_grad()
    dloss.backward()
    optD.step()
    gloss = bce(D(fake), torch.ones(32, 1))
    optG.zero_grad()
    gloss.backward()
    optG.step()
"""
    record = tmp_path / "record.json"
    done = diagnose(text, "--record", str(record))
    assert (done.status, done.findings) == (0, [])
    run = from_json(RunRecord, json.loads(record.read_text()))
    assert to_json(run).items() <= json.loads(record.read_text()).items()
    assert [(track.key, track.steps) for track in run.tracks] == [("Adam", 60), ("Adam#2", 60)]
    assert [(loss.track, len(loss.values), loss.place.line) for loss in run.losses] == [("Adam", 60, 13), ("Adam#2", 60, 17)]
    assert {layer.model for layer in run.layers} == {"Sequential", "Sequential#2"}


def test_copied_layers_are_told_where_what_holds_them_was_built(diagnose, tmp_path):
    text = """
import torch
from torch import nn
layer = nn.TransformerEncoderLayer(8, 2, 8, batch_first=True)
model = nn.TransformerEncoder(layer, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(4):
    optimizer.zero_grad()
    model(torch.randn(4, 3, 8)).square().mean().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
"""
    record = tmp_path / "record.json"
    assert diagnose(text, "--record", str(record)).status == 0
    run = from_json(RunRecord, json.loads(record.read_text()))
    assert {layer.name: layer.place.line for layer in run.layers}["TransformerEncoder.layers.1.self_attn.out_proj"] == 5
    assert run.tracks[0].clipped == 4


@pytest.mark.parametrize(
    ("option", "layers"), [([], set()), (["--force-eager"], {"Net", "Net.first", "Net.relu", "Net.second"})]
)
def test_compiled_models_are_trained_as_ever(diagnose, tmp_path, option, layers):
    text = program(CROSS_ENTROPY, optimizer="torch.optim.SGD(net.second.parameters(), lr=0.1)", steps=8)
    record = tmp_path / "record.json"
    text = text.replace("for step", "net = torch.compile(net, backend='eager')\nfor step")
    done = diagnose(text, "--record", str(record), *option)
    assert [(finding["code"], finding["layer"]) for finding in done.findings] == [("DLX105", "Net.first")]
    assert set(json.loads(record.read_text())["steps"][-1]["layers"]) == layers
    assert ("were not observed" if not option else "uncompiled") in done.stderr


TANHS = """
layers = []
width = 20
for _ in range(4):
    linear = nn.Linear(width, 64)
    nn.init.normal_(linear.weight, std=STD)
    layers += [linear, nn.Tanh()]
    width = 64
net = nn.Sequential(*layers, nn.Linear(width, 2))
"""


@pytest.mark.parametrize(("std", "found"), [("3.0", True), ("0.1", False)])
def test_units_near_their_limits_from_the_start_are_told_of_models_that_a_simple_one_beats(diagnose, std, found):
    data = "x = torch.randn(N, 20)\ny = (x[:, :5].sum(1) > 0).long()"
    text = loop(model=TANHS.replace("STD", std), data=data, optimizer="SGD(net.parameters(), lr=0.01)", steps=160)
    assert ("DLX103" in diagnose(text).codes) == found
