"""Schedulers, samplers, graphs and parameters of optimizers that are misused are found however the program is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.harness import findings, session
from tests.rules.training_variants import Training, codes, codes_of_files

PARTS = """
class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.randn(8), torch.tensor(1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x).relu())
"""
SETUP = "model = Net()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
LOADER = "loader = torch.utils.data.DataLoader(Data(), batch_size=8{sampler})\n"
SAMPLER = "sampler = torch.utils.data.DistributedSampler(Data(){shuffle})\n"
STEP = "optimizer.zero_grad()\nloss = nn.functional.cross_entropy(model(x), y)\nloss.backward()\noptimizer.step()\n"
RENAMED = (("model", "net"), ("optimizer", "opt"), ("loss", "objective"), ("loader", "batches"), ("scheduler", "rate"))


def indented(text: str, depth: int = 1) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in text.splitlines())


def batches(body: str) -> str:
    return f"for x, y in loader:\n{indented(body)}"


def training(setup: str, body: str, names: str = "model optimizer loader") -> Training:
    return Training(setup, body, names.split(), "for epoch in range(10):", PARTS, RENAMED)


PLAIN_LOADER = LOADER.format(sampler="")
SHUFFLED = SETUP + SAMPLER.format(shuffle="") + LOADER.format(sampler=", sampler=sampler")
STEPPED = "scheduler.step()\n"
PER_EPOCH, PER_BATCH = batches(STEP) + STEPPED, batches(STEP + STEPPED)
NO_GRAD = STEP.replace("loss = ", "with torch.no_grad():\n    out = model(x)\nloss = ").replace("(model(x)", "(out")
FROZEN = STEP.replace("loss = ", "with torch.no_grad():\n    inner = model.body(x)\nloss = ").replace(
    "(model(x)", "(model.head(inner)"
)


def scheduled(made: str, body: str) -> Training:
    setup = f"{SETUP}{PLAIN_LOADER}scheduler = torch.optim.lr_scheduler.{made}\n"
    return training(setup, body, "model optimizer loader scheduler")


CYCLE = "OneCycleLR(optimizer, 0.1, {length})"
OTHER = "other = Net()\n" + PLAIN_LOADER
#: Name → the code and a program in which it is found.
FAULTY = {
    "scheduler-first": ("DLO111", scheduled("StepLR(optimizer, 3)", STEPPED + batches(STEP))),
    "scheduler-between": (
        "DLO111",
        scheduled("ExponentialLR(optimizer, 0.9)", batches(STEP.replace("loss.backward", f"{STEPPED}loss.backward"))),
    ),
    "plateau-without-metric": ("DLO112", scheduled("ReduceLROnPlateau(optimizer)", PER_EPOCH)),
    "cycle-of-batches": ("DLO112", scheduled(CYCLE.format(length="epochs=9, steps_per_epoch=len(loader)"), PER_EPOCH)),
    "same-order": ("DLO130", training(SHUFFLED, batches(STEP))),
    "list-of-losses": (
        "DLO110",
        training(f"{SETUP}{PLAIN_LOADER}losses = []\n", batches(f"{STEP}losses.append(loss)"), "model optimizer loader losses"),
    ),
    "no-grad": ("DLO106", training(SETUP + PLAIN_LOADER, batches(NO_GRAD))),
    "head-replaced": ("DLO113", training(f"{SETUP}model.head = nn.Linear(16, 2)\n{PLAIN_LOADER}", batches(STEP))),
    "other-model": (
        "DLO113",
        training(SETUP + OTHER, batches(STEP.replace("model(x)", "other(x)")), "model optimizer loader other"),
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_every_form_is_found(name: str) -> None:
    code, program = FAULTY[name]
    for form, text in program.texts():
        if name == "no-grad" and form in ("under_context", "decorated"):
            continue  # the context records gradients
        found = codes(text, session())
        assert code in found, (form, found, text)


@pytest.mark.parametrize("name", FAULTY)
def test_faults_across_files_are_found(name: str, tmp_path: Path) -> None:
    code, program = FAULTY[name]
    assert code in codes_of_files(program.files(), tmp_path)


SUMS = ("total += loss", "total = total + loss", "total = loss + total", "total += loss * 8", "losses.append(loss)")
FUNCTION = """
import torch
from torch import nn


def train(model, optimizer, loader{argument}):
    total, losses = 0.0, []
{body}"""


@pytest.mark.parametrize("kept", SUMS)
@pytest.mark.parametrize("epochs", [True, False])
def test_sums_of_losses(kept: str, epochs: bool) -> None:
    body = batches(f"{STEP}{kept}")
    text = f"import torch\nfrom torch import nn\n{PARTS}\n{SETUP}{PLAIN_LOADER}"
    text += (
        f"for epoch in range(3):\n    total, losses = 0.0, []\n{indented(body)}"
        if epochs
        else f"total, losses = 0.0, []\n{body}"
    )
    assert "DLO110" in codes(text, session())


@pytest.mark.parametrize("kept", [kept for kept in SUMS if "*" not in kept])
@pytest.mark.parametrize(
    "criterion", ["nn.functional.cross_entropy(model(x), y)", "criterion(model(x), y)", "model(x, y).loss"]
)
def test_sums_of_losses_of_unknown_models(kept: str, criterion: str) -> None:
    step = STEP.replace("nn.functional.cross_entropy(model(x), y)", criterion)
    text = FUNCTION.format(argument=", criterion", body=indented(batches(f"{step}{kept}")))
    assert "DLO110" in codes(text, session()), text


CUT = (
    "total += loss.item()", "total += loss.detach()", "total += float(loss)", "losses.append(loss.detach().cpu())",
    "losses.append(loss.item())", "total += loss.data", "total = loss.item()", "losses.append(loss.detach().cpu().numpy())",
    "with torch.no_grad():\n    total += loss", "losses = [loss]\nlosses.append(loss)", "loss = loss.item()\ntotal += loss",
)  # fmt: skip


@pytest.mark.parametrize("kept", CUT)
@pytest.mark.parametrize("known", [True, False])
def test_what_is_cut_off(kept: str, known: bool) -> None:
    body = batches(f"{STEP}{kept}")
    if known:
        text = f"import torch\nfrom torch import nn\n{PARTS}\n{SETUP}{PLAIN_LOADER}total, losses = 0.0, []\n{body}"
    else:
        text = FUNCTION.format(argument="", body=indented(body))
    assert "DLO110" not in codes(text, session()), text


DIFFERENTIATED = (
    ("total = total + loss", "total.backward()"), ("losses.append(loss)", "sum(losses).backward()"),
    ("losses.append(loss)", "torch.stack(losses).mean().backward()"), ("total += loss", "(total / 4).backward()"),
)  # fmt: skip


@pytest.mark.parametrize(("kept", "backward"), DIFFERENTIATED)
@pytest.mark.parametrize("inside", [True, False])
def test_sums_that_are_differentiated(kept: str, backward: str, inside: bool) -> None:
    body = batches(f"loss = nn.functional.cross_entropy(model(x), y)\n{kept}\n" + (backward if inside else ""))
    text = FUNCTION.format(argument="", body=indented(body + ("" if inside else f"{backward}\n")))
    assert "DLO110" not in codes(text, session()), text


SOUND = {
    "scheduler-last": scheduled("StepLR(optimizer, 3)", PER_EPOCH),
    "per-batch": scheduled(CYCLE.format(length="total_steps=10 * len(loader)"), PER_BATCH),
    "metric": scheduled("ReduceLROnPlateau(optimizer)", f"{batches(STEP)}scheduler.step(loss.item())\n"),
    "epoch-set": training(SHUFFLED, f"sampler.set_epoch(len(loader))\n{batches(STEP)}", "model optimizer loader sampler"),
    "order-kept": training(SHUFFLED.replace("Data())", "Data(), shuffle=False)", 1), batches(STEP)),
    "head-first": training(SETUP.replace("Net()\n", "Net()\nmodel.head = nn.Linear(16, 2)\n") + PLAIN_LOADER, batches(STEP)),
    "head-alone": training(SETUP.replace("model.p", "model.head.p") + PLAIN_LOADER, batches(STEP)),
    "frozen-body": training(SETUP + PLAIN_LOADER, batches(FROZEN)),
}
CODES = {code for code, _ in FAULTY.values()}


@pytest.mark.parametrize("name", SOUND)
def test_sound_programs_are_silent(name: str) -> None:
    for form, text in SOUND[name].texts():
        assert not CODES & set(codes(text, session())), (form, text)


NAMED = """
import torch
from torch import nn

model = nn.Linear(8, 2)
{name} = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(100):
    {name}.zero_grad()
    loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
    loss.backward()
    {name}.step()
"""


@pytest.mark.parametrize("name", ["optimizer", "sgd", "o"])
@pytest.mark.parametrize("method", ["zero_grad", "backward", "step"])
def test_a_method_that_is_not_called_is_told_once(name: str, method: str) -> None:
    text = NAMED.format(name=name).replace(f".{method}()", f".{method}")
    assert [found.code for found in findings(text)] == ["DLO104"]


SESSION = """
import tensorflow as tf

x = tf.compat.v1.placeholder(tf.float32, [None, 4])
w = tf.Variable(tf.zeros([4, 1]))
cost = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1))
train = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(cost)
total, costs = 0, []
with tf.compat.v1.Session() as session:
    session.run(tf.compat.v1.global_variables_initializer())
    for step in range(100):
        _, value = session.run([train, cost], feed_dict={{x: [[1.0, 2, 3, 4]]}})
        {keep}
print(total, costs)
"""


@pytest.mark.parametrize(
    "keep", ["total += value", "total = total + abs(value)", "costs.append(value)", "costs.append(total / 4)"]
)
def test_what_a_session_gives_has_no_graph(keep: str) -> None:
    assert "DLO110" not in {found.code for found in findings(SESSION.format(keep=keep))}
