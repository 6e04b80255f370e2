"""Losses that are negated as a whole: by which operation, of which loss, and code that does so on purpose."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.harness import reports
from tests.rules.training_variants import Training

SETUP = """
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
"""
BODY = """x, y = torch.randn(4, 8), {target}
optimizer.zero_grad()
loss = {loss}
loss.backward()
optimizer.step()"""
LOSSES = {
    "nn.functional.cross_entropy(model(x), y)": "torch.randint(0, 3, (4,))",
    "nn.MSELoss()(model(x), y)": "torch.randn(4, 3)",
    "nn.BCEWithLogitsLoss(reduction='none')(model(x), y).mean()": "torch.rand(4, 3)",
}
WAYS = {
    "-{}": True, "-1 * {}": True, "{} * -0.5": True, "(-{}).mean()": True, "{}": False, "-(-{})": False, "1 - {}": False,
    "2 * {}": False,
}  # fmt: skip


def program(way: str, loss: str, target: str | None = None) -> Training:
    body = BODY.format(target=target or LOSSES[loss], loss=way.format(loss))
    return Training(SETUP, body, ("model", "optimizer"))


def told(text: str) -> bool:
    return "DLL115" in {code for _, code in reports(text)}


@pytest.mark.parametrize(("way", "loss"), list(product(WAYS, LOSSES)))
def test_signs_of_whole_losses(way, loss):
    assert told(program(way, loss).plain()) == WAYS[way]


FORMS = ("in_main", "under_other_names", "with_aliased_imports", "in_helper", "under_context", "in_class")


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form):
    assert told(getattr(program("-{}", next(iter(LOSSES))), form)())


def test_losses_of_constants_and_of_other_models():
    assert not told(program("-{}", "nn.functional.mse_loss(model(x), y)", "torch.zeros(4, 3)").plain())
    two = program("-{}", "nn.functional.mse_loss(model(x), y)", "other(torch.randn(4, 8))").plain()
    assert not told(two.replace("optimizer =", "other = nn.Linear(8, 3)\noptimizer =", 1))


def test_classes_that_are_not_known():
    assert told(program("-{}", "nn.functional.cross_entropy(model(x), y)", "somewhere()").plain())
    assert not told(program("-{}", "nn.functional.mse_loss(model(x), y)", "somewhere()").plain())


def test_several_optimizers():
    text = program("-{}", next(iter(LOSSES))).plain()
    assert not told(text.replace("optimizer =", "second = torch.optim.Adam(nn.Linear(2, 2).parameters())\noptimizer =", 1))


@pytest.mark.parametrize("name", ["attack_step", "unlearn", "adversarial_update"])
def test_code_that_makes_a_model_worse_on_purpose(name):
    assert not told(program("-{}", next(iter(LOSSES))).in_helper().replace("one_pass", name))


def test_inputs_that_are_optimised():
    text = """
import torch
from torch import nn

model, x, y = nn.Linear(8, 3), torch.randn(4, 8, requires_grad=True), torch.randint(0, 3, (4,))
optimizer = torch.optim.SGD([x], lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    (-nn.functional.cross_entropy(model(x), y)).backward()
    optimizer.step()
"""
    assert not told(text)


STEP = "loss.backward()\noptimizer.step()"
OTHERWISE = {
    "no step": "loss.backward()",
    "cleared before the step": "loss.backward()\noptimizer.zero_grad()\noptimizer.step()",
    "turned gradients": "loss.backward()\nfor p in model.parameters():\n    p.grad.neg_()\noptimizer.step()",
    "a negative factor": "loss.backward(gradient=torch.tensor(-1.0))\noptimizer.step()",
    "a factor by position": "loss.backward(torch.tensor(-1.0))\noptimizer.step()",
    "two losses": "nn.functional.cross_entropy(model(x), y).backward()\nloss.backward()\noptimizer.step()",
}
BEFORE = {
    "maximised": ("lr=0.01)", "lr=0.01, maximize=True)"),
    "hooks": ("optimizer =", "for p in model.parameters():\n    p.register_hook(lambda g: -g)\noptimizer ="),
    "complementary labels": ("x, y", "x, complementary"),
}


@pytest.mark.parametrize("end", OTHERWISE.values(), ids=OTHERWISE)
def test_gradients_that_no_step_uses_alone_as_they_are(end):
    loss, target = next(iter(LOSSES.items()))
    body = BODY.format(target=target, loss=f"-{loss}").replace(STEP, end)
    assert not told(Training(SETUP, body, ("model", "optimizer")).plain())


@pytest.mark.parametrize("change", BEFORE.values(), ids=BEFORE)
def test_losses_that_are_to_grow(change):
    text = program("-{}", next(iter(LOSSES))).plain().replace(*change)
    if "complementary" in change[1]:
        text = text.replace("(x), y)", "(x), complementary)")
    assert not told(text)


def test_gradients_of_several_batches_and_scaled_ones():
    loss, target = next(iter(LOSSES.items()))
    body = BODY.format(target=target, loss=f"-{loss}")
    scaled = body.replace(STEP, "scaler.scale(loss).backward()\nscaler.step(optimizer)\nscaler.update()")
    assert told(Training(f"{SETUP}scaler = torch.amp.GradScaler('cuda')\n", scaled, ("model", "optimizer", "scaler")).plain())
    assert told(Training(SETUP, body.replace("loss.backward()", "loss.backward(retain_graph=True)"), ("model",)).plain())


NESTED = """
for epoch in range(3):
    for x, y in batches:
        optimizer.zero_grad()
        loss = -nn.functional.cross_entropy(model(x), y)
        {between}
        loss.backward()
        optimizer.step()
"""
DATA = f"import torch\nfrom torch import nn\n{SETUP}batches = [(torch.randn(4, 8), torch.randint(0, 3, (4,)))] * 2\n"


@pytest.mark.parametrize(
    ("between", "is_bad"),
    [
        ("print(loss)", True),
        ("for _ in range(2):\n            print(loss)", True),
        ("for _ in range(len(y)):\n            loss = nn.functional.cross_entropy(model(x), y)", False),
        ("if len(x) > n:\n            loss = loss + model(x).square().mean()", False),
    ],
)
def test_what_loops_carry(between, is_bad):
    assert told(DATA + "n = int(input())\n" + NESTED.format(between=between)) == is_bad


def test_a_line_that_makes_an_optimizer_for_each_model():
    text = """
import torch
from torch import nn

batches = [(torch.randn(4, 8), torch.randint(0, 3, (4,)))] * 2


def fit(model):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in batches:
        optimizer.zero_grad()
        loss = -nn.functional.cross_entropy({}(x), y)
        loss.backward()
        optimizer.step()


first, second = nn.Linear(8, 3), nn.Linear(8, 3)
fit(first)
fit(second)
"""
    assert told(text.format("model"))
    assert not told(text.format("nn.Linear(8, 3)"))


UNKNOWN = """
import torch
from torch import nn, optim
from elsewhere import batches, build

model = build()
criterion = nn.CrossEntropyLoss()
optimizer = {optimizer}


def {name}():
    for x, y in batches:
        loss = {loss}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


{name}()
"""
MADE = {"unknown": "getattr(optim, input())(model.parameters())", "known": "optim.SGD(model.parameters(), lr=0.1)"}


@pytest.mark.parametrize(
    ("name", "loss", "is_bad"),
    [
        ("train", "-criterion(model(x), y)", True),
        ("train", "-0.5 * criterion(model(x).cuda(), y.cuda())", True),
        ("train", "criterion(model(x), y)", False),
        ("train", "-nn.functional.mse_loss(model(x), y)", False),
        ("perturb", "-criterion(model(x), y)", False),
        ("train", "-criterion(model(x), y) + model.penalty()", False),
    ],
)
@pytest.mark.parametrize("optimizer", MADE)
def test_models_that_are_not_known(name, loss, is_bad, optimizer):
    assert told(UNKNOWN.format(name=name, loss=loss, optimizer=MADE[optimizer])) == is_bad


def test_texts_that_are_about_harm():
    text = UNKNOWN.format(name="train", loss="-criterion(model(x), y)", optimizer=MADE["unknown"])
    assert not told("# Gradient ascent, so that the model unlearns these.\n" + text)


ELSEWHERE = (
    "import torch\nfrom torch import nn\nfrom elsewhere import batches, build, make, other, schedule\n\nmodel = {model}\n"
)
STACK = "nn.Sequential(nn.Linear(8, 8), nn.ReLU())"
PASSES = """
optimizer = {optimizer}
{more}
for x, y in batches:
    loss = -nn.functional.cross_entropy({prediction}, {target})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    {end}
"""
OF_MODEL = "make(model.parameters())"
#: The model, the optimizer, further objects, the prediction, the target and the end of each pass.
TOGETHER = (
    ("build()", OF_MODEL, "", "model(x)", "y", "pass"),
    ("build()", "make(model, lr=0.1)", "scheduler = schedule(optimizer)", "model(x).float()", "y.cuda()", "scheduler.step()"),
    ("build()", "torch.optim.SGD(model.parameters())", "", "model.classify(x)", "y", "pass"),
    (STACK, OF_MODEL, "", "model(x)", "y", "pass"),
    (STACK, OF_MODEL, "", "model(torch.randn(4, 8))", "y", "pass"),
)
#: Sound: something else than what predicts learns, or what is no data is to be missed.
APART = (
    ("build()", "make()", "", "model(x)", "y", "pass"),
    ("build()", OF_MODEL, "", "other(model(x))", "y", "pass"),
    ("build()", "torch.optim.SGD(model.parameters())", "", "other(model(x))", "y", "pass"),
    ("build()", "make(x0 := torch.zeros(8, requires_grad=True))", "", "model(x + x0)", "y", "pass"),
    ("build()", OF_MODEL, "teacher = build()", "model(x)", "teacher(x).argmax(1)", "pass"),
    ("build()", OF_MODEL, "second = make(other.parameters())", "model(x)", "y", "second.step()"),
    (STACK, "torch.optim.SGD(model.parameters())", "", "other(model(x))", "y", "pass"),
    (STACK, "make(other)", "", "model(torch.randn(4, 8))", "y", "pass"),
)


@pytest.mark.parametrize(("parts", "is_bad"), [(row, True) for row in TOGETHER] + [(row, False) for row in APART])
def test_models_and_optimizers_that_belong_together(parts, is_bad):
    names = ("model", "optimizer", "more", "prediction", "target", "end")
    assert told((ELSEWHERE + PASSES).format(**dict(zip(names, parts, strict=True)))) == is_bad


def test_arguments_of_which_nothing_is_known():
    text = """
import torch
from torch import nn


def learn({}):
    for x, y in batches:
        loss = -nn.functional.cross_entropy(model({}), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""
    for given in ("x", "x + noise", "augment(x)"):
        assert not told(text.format("model, optimizer, batches, noise, augment", given))
