"""What is a warning and what is information, for generated variants of the patterns that rules know."""

from __future__ import annotations

import itertools

import pytest

from dllint.finding import Severity
from tests.rules.harness import findings

WARNING, INFO, HINT = Severity.WARNING, Severity.INFO, Severity.HINT


def weights(text: str, code: str) -> set[Severity]:
    """The severities that a rule's findings about a text have."""
    return {found.severity for found in findings(text) if found.code == code}


# --- DLN105: where the failure comes about --------------------------------------------------------------------------------

SCORES = {
    "matmul": "tf.matmul(x, w) + b",
    "bias first": "b + tf.linalg.matmul(x, w)",
    "reshaped": "tf.reshape(tf.matmul(x, w) + b, [-1, 3])",
}
LOGARITHMS = {
    "softmax": "tf.math.log(tf.nn.softmax(scores))",
    "sigmoid": "tf.math.log(tf.sigmoid(scores))",
    "1 - sigmoid": "tf.math.log(1 - tf.nn.sigmoid(scores))",
}
GRAPH = """\
import numpy as np
import tensorflow as tf

x = tf.compat.v1.placeholder(tf.float32, [None, 2])
y = tf.compat.v1.placeholder(tf.float32, [None, 3])
w = tf.Variable(tf.random.normal([2, 3]))
b = tf.Variable(tf.zeros([3]))
scores = {scores}
cost = -tf.reduce_mean(y * {logarithm})
train = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(cost)
session = tf.compat.v1.Session()
session.run(train, feed_dict={{x: {data}, y: [[0, 0, 1], [0, 1, 0]]}})
"""
DATA = {
    "[[0, 1], [1, 0]]": set(),
    "[[4, -1], [1.5, 0]]": set(),
    "[[1, 6], [-2, 0]]": {"1 - sigmoid"},
    "[[1, 60], [-2, 0]]": {"softmax", "1 - sigmoid"},
    "np.loadtxt('data.csv')": {"softmax", "1 - sigmoid"},
}


@pytest.mark.parametrize(("scores", "logarithm", "data"), list(itertools.product(SCORES, LOGARITHMS, DATA)))
def test_scores_of_a_few_small_numbers_do_not_saturate(scores, logarithm, data):
    text = GRAPH.format(scores=SCORES[scores], logarithm=LOGARITHMS[logarithm], data=data)
    assert weights(text, "DLN105") == {WARNING if logarithm in DATA[data] else INFO}


@pytest.mark.parametrize(("layer", "weight"), [("nn.Linear(3, 1)", INFO), ("nn.Linear(64, 1)", WARNING)])
@pytest.mark.parametrize("data", ["torch.rand(8, {width})", "torch.tanh(torch.randn(8, {width}))"])
def test_scores_of_a_few_limited_numbers_do_not_saturate(data, layer, weight):
    width = layer[len("nn.Linear(") :].split(",")[0]
    text = (
        f"import torch\nfrom torch import nn\n\nfc = {layer}\nx = {data.format(width=width)}\n"
        "loss = -torch.log(1 - torch.sigmoid(fc(x))).mean()\nloss.backward()\n"
    )
    assert weights(text, "DLN105") == {weight}


TRAINED = """\
import torch
from torch import nn

net = nn.Linear(64, 10)
x = torch.randn(4, 64)
{lines}
"""
PLACES = {
    "trained": ("p = torch.softmax(net(x), dim=1)\nloss = -torch.log(p).mean()\nloss.backward()", WARNING),
    "in a helper": ("def nll(p):\n    return -p.log().mean()\n\n\nnll(net(x).softmax(1)).backward()", WARNING),
    "without gradients": ("with torch.no_grad():\n    entropy = torch.log(torch.softmax(net(x), dim=1))", INFO),
    "detached": ("p = torch.softmax(net(x).detach(), dim=1)\nentropy = (p * torch.log(p)).sum()", INFO),
    "only evaluated": ("net.eval()\nprint(torch.log(torch.softmax(net(x), dim=1)))", INFO),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_underflow_matters_where_gradients_pass(place):
    lines, weight = PLACES[place]
    assert weights(TRAINED.format(lines=lines), "DLN105") == {weight}


COMPOSED = """\
import tensorflow as tf


def composed(z):
    return {formula}


{call}
"""
TOTALS = (
    "tf.math.log(tf.reduce_sum(tf.exp(z), axis=-1))",
    "tf.math.log(tf.reduce_sum(tf.math.exp(z), -1, keepdims=True))",
    "(lambda e: e / tf.reduce_sum(e))(tf.exp(z))",
)
ACTIVATIONS = ("tf.math.log(1 + tf.exp(z))", "tf.math.log(tf.exp(z) + 1.0)", "1 / (1 + tf.exp(-z))", "1.0 / (tf.exp(-z) + 1)")
CALLS = {
    "composed(tf.constant([100.0]))": INFO,
    "composed(tf.constant([0.0, 100.0]))": INFO,
    "composed(tf.Variable(tf.random.normal([3])))": WARNING,
    "scores = tf.keras.layers.Dense(4)(tf.random.normal([2, 8]))\ncomposed(scores)": WARNING,
}


@pytest.mark.parametrize("call", list(CALLS))
@pytest.mark.parametrize("formula", TOTALS)
def test_an_overflow_of_written_numbers_is_meant(formula, call):
    assert weights(COMPOSED.format(formula=formula, call=call), "DLN105") == {CALLS[call]}


@pytest.mark.parametrize("call", [call for call, weight in CALLS.items() if weight is WARNING])
@pytest.mark.parametrize("formula", ACTIVATIONS)
def test_an_activation_that_is_a_function_of_its_own_is_information(formula, call):
    assert weights(COMPOSED.format(formula=formula, call=call), "DLN105") == {INFO}


LOG_SOFTMAX = """\
import torch
from torch import nn


def own(x{more}):
    return {formula}


fc = nn.Linear(8, 4)
out = own(fc(torch.randn(5, 8)){given})
"""
TOTALS_OF_X = ("x.exp().sum(-1).log()", "torch.log(torch.exp(x).sum(-1))", "torch.log(torch.sum(torch.exp(x), dim=-1))")
#: What is done with the logarithm of the total → what is said of it.
OF_TOTALS = {
    "x - {}.unsqueeze(-1)": INFO,
    "torch.sub(x, {}[:, None])": INFO,
    "x - {}.view(-1, 1)": INFO,
    "{}": WARNING,
    "-{}.mean()": WARNING,
    "y - {}.unsqueeze(-1)": WARNING,
}


@pytest.mark.parametrize("total", TOTALS_OF_X)
@pytest.mark.parametrize("use", list(OF_TOTALS))
def test_a_log_softmax_that_is_a_function_of_its_own_is_information(use, total):
    more, given = (", y", ", torch.zeros(5, 4)") if use.startswith("y") else ("", "")
    found = findings(LOG_SOFTMAX.format(formula=use.format(total), more=more, given=given))
    assert [(one.code, one.severity) for one in found if one.code[:3] == "DLN"] == [("DLN105", OF_TOTALS[use])]


WITHIN = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.zeros(4, 4))

    def energy(self, x):
        scores = {scores}
        return {formula}

    def forward(self, x):
        return self.energy({given})
"""
COMPUTED = {"self.fc(x)": WARNING, "x @ self.weight": WARNING, "nn.functional.linear(x, self.weight)": WARNING, "x": INFO}
WRITTEN = ("torch.log(1 + torch.exp(scores))", "scores.exp().add(1).log()", "1 / (1 + torch.exp(-scores))")


@pytest.mark.parametrize("given", ["x", "self.fc(x)"])
@pytest.mark.parametrize("scores", list(COMPUTED))
@pytest.mark.parametrize("formula", WRITTEN)
def test_an_activation_of_what_the_function_computes_is_a_warning(formula, scores, given):
    assert weights(WITHIN.format(formula=formula, scores=scores, given=given), "DLN105") == {COMPUTED[scores]}


# --- DLN101: probabilities of what was drawn by them, and conditions --------------------------------------------------------

POLICY = """\
import random

import numpy as np
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.fc = nn.Linear(64, 4)

    def act(self, state, stored):
        probs = torch.softmax(self.fc(state), dim=1)
        {draw}
        return torch.log({taken})
"""
DRAWS = {
    "multinomial": "action = torch.multinomial(probs, 1)",
    "argmax": "action = probs.argmax(dim=1, keepdim=True)",
    "largest": "_, action = probs.max(dim=1, keepdim=True)",
    "stored": "action = stored",
}


@pytest.mark.parametrize("taken", ["probs.gather(1, action)", "torch.gather(probs, 1, action)", "probs[0][action]"])
@pytest.mark.parametrize("draw", DRAWS)
def test_what_was_drawn_is_not_zero(draw, taken):
    weight = WARNING if draw == "stored" else HINT
    assert weights(POLICY.format(draw=DRAWS[draw], taken=taken), "DLN101") == {weight}


NUMBERS = {
    "numpy": "action = np.random.choice(4, p=np.squeeze(probs.detach().cpu().numpy()))",
    "random": "action = random.choices(range(4), weights=probs[0].detach())[0]",
    "item": "action = torch.multinomial(probs, 1).item()",
    "distribution": "action = torch.distributions.Categorical(probs).sample()",
}


@pytest.mark.parametrize("taken", ["probs.squeeze(0)[action]", "probs[0, action]", "probs[0][action]"])
@pytest.mark.parametrize("draw", NUMBERS)
def test_a_drawn_number_is_not_one_of_probability_zero(draw, taken):
    assert weights(POLICY.format(draw=NUMBERS[draw], taken=taken), "DLN101") == {HINT}


ELSEWHERE = """\
import random

import numpy as np
import torch
from torch import nn


class Agent:
    def __init__(self):
        self.fc = nn.Linear(64, 4)
        self.memory = []

    def probs(self, state):
        return torch.softmax(self.fc(state), dim=1)

    def act(self, state):
        probs = self.probs(state)
        {draw}
        self.memory.append((state, action))
        return action

    def learn(self, state, action):
        {given}
        probs = self.probs(state)
        return torch.log({taken})
"""
UNDRAWN = {"not drawn": "action = 0", "evenly": "action = random.choice(range(4))", "by numpy": "action = np.random.choice(4)"}
FAR = NUMBERS | UNDRAWN
GIVEN = {
    "parameters": "pass",
    "buffer": "action = self.memory[0][1]",
    "batch": "action = torch.as_tensor([one for _, one in self.memory])",
    "written": "action = torch.tensor([[0], [2]])",
}


@pytest.mark.parametrize("taken", ["probs.gather(1, action)", "probs[0, action]", "probs[torch.arange(4), action]"])
@pytest.mark.parametrize("given", list(GIVEN))
@pytest.mark.parametrize("draw", list(FAR))
def test_what_was_drawn_elsewhere_is_not_of_probability_zero(draw, given, taken):
    text = ELSEWHERE.format(draw=FAR[draw], given=GIVEN[given], taken=taken)
    assert weights(text, "DLN101") == {HINT if draw in NUMBERS and given != "written" else WARNING}


CONDITIONS = ("(x.abs() < 1).float()", "0.5 * (x > 0)", "(x >= 0).to(torch.float32) / 2", "torch.gt(x, 0).float()")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_logarithm_of_a_condition_is_meant(condition):
    text = f"import torch\n\nx = torch.randn(4, 3)\nprior = torch.log({condition})\n"
    assert weights(text, "DLN101") <= {INFO}


# --- DLS201: layers that look forgotten, and those that are meant -----------------------------------------------------------

STACK = """\
from keras import Input, Sequential
from keras.layers import Dense

model = Sequential([Input((100,)), Dense(128, activation="relu"), {first}, Dense({last}, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
"""
FIRST = {
    "Dense(64)": WARNING,
    'Dense(32, name="hidden")': WARNING,
    'Dense(64, activation="linear")': INFO,
    "Dense(64, None)": INFO,
    "Dense(31)": INFO,
}


@pytest.mark.parametrize(("first", "last"), list(itertools.product(FIRST, (1, 10))))
def test_a_wide_layer_without_a_word_is_forgotten(first, last):
    assert weights(STACK.format(first=first, last=last), "DLS201") == {FIRST[first]}


@pytest.mark.parametrize(("first", "second"), list(itertools.product((3, 5), (3, 7))))
def test_convolutions_in_a_row_are_a_design(first, second):
    text = (
        "import torch\nfrom torch import nn\n\n"
        f"net = nn.Sequential(nn.Conv2d(3, 32, {first}), nn.Conv2d(32, 64, {second}), nn.ReLU())\n"
        "net(torch.randn(2, 3, 32, 32))\n"
    )
    assert weights(text, "DLS201") == {INFO}


# --- DLT119: what fails without the batch axis ------------------------------------------------------------------------------

SQUEEZED = """\
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 1)

    def forward(self, x, y):
        scores = self.fc(x.view(-1, 8)).squeeze()
        {use}
"""
USES = {
    "return F.binary_cross_entropy_with_logits(scores, y)": WARNING,
    "return F.binary_cross_entropy(torch.sigmoid(scores), y)": WARNING,
    "return nn.BCEWithLogitsLoss()(scores, y)": WARNING,
    "return torch.cat([scores, scores])": WARNING,
    "return F.mse_loss(scores, y)": INFO,
    "return (scores - y).abs().mean()": INFO,
    "return scores": INFO,
}


@pytest.mark.parametrize("use", USES)
def test_a_lost_batch_axis_matters_where_it_is_needed(use):
    assert weights(SQUEEZED.format(use=use), "DLT119") == {USES[use]}


# --- DLS102, DLN106, and losses of tests ------------------------------------------------------------------------------------


@pytest.mark.parametrize("layer", ["Dense(4)", "LSTM(16)", 'Conv1D(4, 3, padding="same")'])
def test_an_unread_result_is_information(layer):
    text = (
        "import keras\nfrom keras import layers\n\n\ndef build():\n    inputs = keras.Input((5, 14))\n"
        f"    shown = layers.{layer}(inputs)\n    return keras.Model(inputs, layers.Dense(1)(inputs))\n\n\nbuild()\n"
    )
    assert weights(text, "DLS102") == {INFO}


@pytest.mark.parametrize("number", ["1e-5", "1e-8", "self.eps"])
@pytest.mark.parametrize("exponential", ["x.exp()", "torch.exp(x)", "torch.exp(self.fc(x))"])
def test_nothing_guards_an_exponential_from_behind(number, exponential):
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Tree(nn.Module):\n    def __init__(self, eps=1e-5):\n"
        "        super().__init__()\n        self.eps = eps\n        self.fc = nn.Linear(8, 8)\n\n"
        f"    def forward(self, x):\n        return torch.inverse({exponential} + {number})\n"
    )
    assert weights(text, "DLN106") == set()


COMPILED = """\
from keras import Input, Sequential
from keras.layers import Dense


def {name}():
    model = Sequential([Input((2,)), Dense(2, activation="relu"), Dense(3)])
    model.compile(loss="categorical_crossentropy", optimizer="adam")
    {use}
"""


@pytest.mark.parametrize(
    ("name", "use", "weight"),
    [
        ("test_gradients", "assert model.weights", INFO),
        ("test_saving", "model.save('model.keras')", INFO),
        ("test_prediction", "model.predict([[0.0, 1.0]])", INFO),
        ("test_training", "model.fit([[0.0, 1.0]], [[0, 1, 0]])", Severity.ERROR),
        ("build", "return model", Severity.ERROR),
    ],
)
def test_a_loss_that_a_test_never_uses_is_information(name, use, weight):
    assert weights(COMPILED.format(name=name, use=use), "DLL103") == {weight}


# --- DLS102 and DLS110: what somebody would mend; errors under a condition --------------------------------------------------

LEFT_OUT = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
{made}

    def forward(self, x):
{applied}
        return x


net = Net()
"""


@pytest.mark.parametrize("name", ["fc{}", "layer_{}", "conv{}_1", "block{}a"])
@pytest.mark.parametrize(
    ("built", "applied", "weight"),
    [
        ((1, 2, 3), (1, 3), WARNING),
        ((3, 7, 11), (11, 3), WARNING),
        ((1, 2), (1,), INFO),
        ((6, 5, 4), (6, 5), INFO),
        ((0, 1, 2), (1, 2), INFO),
    ],
)
def test_a_layer_that_another_one_stands_for_is_a_warning(name, built, applied, weight):
    made = "\n".join(f"        self.{name.format(number)} = nn.Linear(8, 8)" for number in built)
    uses = "\n".join(f"        x = torch.relu(self.{name.format(number)}(x))" for number in applied)
    assert weights(LEFT_OUT.format(made=made, applied=uses), "DLS102") == {weight}


@pytest.mark.parametrize(
    ("before", "weight"),
    [
        ("", INFO),
        ("net = nn.DataParallel(net)", INFO),
        ("net = nn.parallel.DistributedDataParallel(net)", INFO),
        ("net = torch.compile(net)", INFO),
        ("weight_norm = net.weight.norm()\nprint(weight_norm)", INFO),
        ("print(f'spectral_norm {net.weight.max()}')", INFO),
        ("net.register_forward_hook(print)", WARNING),
        ("net.register_forward_pre_hook(print)", WARNING),
        ("net = nn.utils.spectral_norm(net)", WARNING),
        ("fsdp.fully_shard(net)", WARNING),
    ],
)
def test_a_direct_call_matters_where_something_depends_on_the_other_one(before, weight):
    text = (
        "import torch\nfrom torch import nn\nfrom torch.distributed import fsdp\n\nnet = nn.Linear(8, 2)\n"
        f"{before}\nprint(net.forward(torch.ones(1, 8)))\n"
    )
    assert weights(text, "DLS110") in ({weight}, set())


CHOSEN = """\
from keras import Input, Sequential
from keras.layers import Dense, LSTM


def build(deep{default}):
    model = Sequential([Input((5, 2)), LSTM(4)])
    {test}model.add(LSTM(8))
    return model
"""


@pytest.mark.parametrize(
    ("default", "test", "weight"),
    [
        ("", "", Severity.ERROR),
        ("=True", "if deep: ", Severity.ERROR),
        ("=False", "if deep: ", INFO),
        ("", "if deep > 3: ", INFO),
    ],
)
def test_what_fails_under_a_condition_is_information(default, test, weight):
    found = [finding for finding in findings(CHOSEN.format(default=default, test=test)) if finding.code == "DLT113"]
    assert {finding.severity for finding in found} == {weight}
    assert all((finding.confidence.value == "low") == (weight is INFO) for finding in found)


@pytest.mark.parametrize(
    ("left_out", "weight"),
    [
        ("torch.where(x > 0, x, torch.exp(x))", WARNING),
        ("torch.where(x < 50, torch.exp(x), zeros)", WARNING),
        ("torch.maximum(torch.exp(x), zeros)", INFO),
        ("torch.exp(x).clamp(max=9)", INFO),
    ],
)
def test_an_overflow_that_only_training_brings_about_is_information(left_out, weight):
    text = (
        "import torch\nfrom torch import nn\n\nnet = nn.Linear(8, 4)\nx = net(torch.randn(2, 8))\nzeros = torch.zeros(2, 4)\n"
        f"loss = {left_out}.sum()\nloss.backward()\n"
    )
    assert weights(text, "DLN107") <= {weight}
    assert weight is INFO or weights(text, "DLN107")


@pytest.mark.parametrize("asked", ["value is None", "value is not None", "None is value", "value == None", "value != None"])
def test_a_number_that_may_be_nan_can_be_asked_whether_it_is_there(asked):
    text = (
        f"import torch\n\n\ndef is_finite(value):\n    if {asked}:\n        return True\n    return torch.isfinite(value)\n\n\n"
        "print(is_finite(float('nan')))\nprint(is_finite(torch.tensor(float('nan'))))\n"
    )
    assert weights(text, "DLN111") == set()


@pytest.mark.parametrize("size", [64, 32])
@pytest.mark.parametrize(
    "use", ["net({x}.view({size}, 8))", "net({x}.reshape({size}, -1)[:, :8])", "other(net({x}), torch.zeros({size}, 3))"]
)
@pytest.mark.parametrize("helper", [False, True])
def test_the_last_batch_of_an_epoch_comes_about(helper, use, size):
    called = use.format(x="x", size=size)
    body = (
        f"def step(x):\n    return {called}\n\n\nfor (x,) in loader:\n    step(x)\n"
        if helper
        else f"for (x,) in loader:\n    {called}\n"
    )
    text = (
        "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader, TensorDataset\n\n"
        f"loader = DataLoader(TensorDataset(torch.ones(100, 8)), batch_size={size})\n"
        f"net = nn.Linear(8, 3)\nother = nn.MSELoss()\n{body}"
    )
    found = [finding for finding in findings(text) if "the last one" in finding.message]
    assert found
    assert all(finding.severity in (WARNING, Severity.ERROR) for finding in found)
    dropped = findings(text.replace(f"batch_size={size}", f"batch_size={size}, drop_last=True"))
    assert not [finding for finding in dropped if "the last one" in finding.message]


# --- DLS108: tensors that a module keeps ------------------------------------------------------------------------------------

KEPT = """\
import torch
from torch import nn


class Grid(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.grid = {made}

    def forward(self, x):
        {used}


{call}
"""
MADE = ("torch.zeros(4, 3)", "torch.tensor([[1.0, 0.0, 0.0]] * 4)")
#: What `forward` does with the tensor → what is said of that.
USED = {
    "return x + self.grid": {WARNING},
    "return torch.cat([x, self.grid], 1)": {WARNING},
    "return self.fc(x) * self.grid[:, :1]": {WARNING},
    "part = self.grid[:2].reshape(6)\n        return x.sum(0) + part.sum()": {INFO},
    "return x @ self.grid.t()": {WARNING},
    "out = torch.zeros(x.size(0), 4, 3)\n        out[0] = self.grid\n        return out.cuda()": {INFO},
    "out = x.clone()\n        out.copy_(self.grid)\n        return out": {INFO},
    "base = torch.ones(4, 3)\n        return (base * self.grid).to(x.device) + x": set(),
    "base = torch.ones(4, 3)\n        return base * self.grid": {INFO},
    "return x + self.grid.to(x.device)": set(),
    "grid = self.grid\n        grid = grid.type_as(x)\n        return x + grid": set(),
    "grid = self.grid[:4]\n        return x + grid.to(x)": set(),
    "return x + x.new_tensor(self.grid)": set(),
    "return x": set(),
}
#: What becomes of the module → whether it is moved to another device.
CALLED = {
    "def prepare(net, device):\n    return net.to(device)": False,
    "y = Grid()(torch.randn(4, 3).cuda())": False,
    'y = Grid().to("cpu")(torch.randn(4, 3))': False,
    "fc = nn.Linear(3, 3).cuda()\ny = Grid()(fc(torch.randn(4, 3)))": False,
    'y = Grid().to("cuda")(torch.randn(4, 3))': True,
    "net = Grid().cuda()\ny = net(torch.randn(4, 3).cuda())": True,
    "net = nn.Sequential(nn.Linear(3, 3), Grid())\nnet.to(device='cuda')\ny = net(torch.randn(4, 3).cuda())": True,
    "def use(net, x):\n    return net(x)\n\n\nnet = nn.DataParallel(Grid()).cuda()\ny = use(net, torch.randn(4, 3))": True,
}


@pytest.mark.parametrize("call", list(CALLED))
@pytest.mark.parametrize("used", list(USED))
def test_a_kept_tensor_matters_where_it_meets_the_input_of_a_module_that_is_moved(used, call):
    expected = USED[used] if CALLED[call] else {INFO} if USED[used] else set()
    for made in MADE:
        stays = made == "torch.zeros(4, 3)" and used == "return x + self.grid"  # zeros that nothing changes are told anyway
        found = weights(KEPT.format(made=made, used=used, call=call), "DLS108")
        assert found == ({WARNING} if stays else expected), made


# --- DLS201: rows of layers --------------------------------------------------------------------------------------------------

#: For each layer of a stack, whether an activation follows it → how many rows without one there are.
STACKS = {"".join(bits): sum(map(bool, "".join(bits)[:-1].split("a"))) for bits in itertools.product("al", repeat=4)}


STACK_OF_TORCH = """\
import torch
from torch import nn

x = torch.randn(4, 160)
{layers}y = torch.sigmoid(x)
"""
STACK_OF_KERAS = """\
from keras import Input, Sequential
from keras.layers import Activation, Dense

model = Sequential([Input((160,)), {layers}Activation("sigmoid")])
model.compile("sgd", "mse")
"""
WRITTEN_AS = {
    STACK_OF_TORCH: {"a": "x = torch.relu(nn.Linear({}, {})(x))\n", "l": "x = nn.Linear({}, {})(x)\n"},
    STACK_OF_KERAS: {"a": "Dense({1}, activation='relu'), ", "l": "Dense({1}), "},
}


@pytest.mark.parametrize("text", list(WRITTEN_AS))
@pytest.mark.parametrize("stack", list(STACKS))
def test_a_row_of_layers_is_told_once(stack, text):
    widths = (160, 128, 96, 80, 64)
    layers = "".join(map(str.format, (WRITTEN_AS[text][one] for one in stack), widths, widths[1:]))
    found = [one for one in findings(text.format(layers=layers)) if one.code == "DLS201"]
    assert len(found) == STACKS[stack]
    assert {one.severity for one in found} <= {WARNING}
    assert all(len(one.fixes) == 1 for one in found)
