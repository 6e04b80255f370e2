"""Watching calls none of the special methods that the classes of a program may define."""

from __future__ import annotations

import pytest

from tests.diagnose.scripts import ROOT

#: Classes below ``Hostile`` note each call of a special method that comes from dllint, through whatever libraries, and fail.
HOSTILE = f"""
import sys
OWN, PATCHED = {str(ROOT / "dllint") + "/"!r}, {str(ROOT / "dllint/diagnose/probes/patching.py")!r}
CALLED, OVER = set(), False

def is_watched():
    # Experiments call the program's model when it is over, and the library does the rest.
    frame = None if OVER else sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if frame.f_code.co_name == "step" and file.endswith("keras/trainers.py"):
            # It makes the program's own step.
            return False
        if file.startswith(OWN) and file != PATCHED:
            return True
        if file.endswith("train.py") or file == PATCHED:
            return False
        frame = frame.f_back
    return False

def special(name):
    def method(self, *args):
        if is_watched():
            CALLED.add(f"{{type(self).__name__}}.{{name}}")
            raise RuntimeError(f"dllint calls {{name}}")
        own = getattr(super(Hostile, self), name, None)
        if own is None:
            raise TypeError(name) if name != "__getattr__" else AttributeError(*args)
        return own(*args)
    return method
"""
ALWAYS = ["__hash__", "__eq__", "__ne__", "__repr__", "__str__", "__format__", "__reduce_ex__", "__sizeof__", "__dir__"]
#: Only for classes below which something has them.
INHERITED = [
    *("__len__", "__bool__", "__getitem__", "__iter__", "__next__", "__getattr__", "__contains__", "__float__", "__int__"),
    *("__index__", "__add__", "__length_hint__", "__lt__"),
]
TRAINING = """
import collections
import torch
from torch import nn

class Hostile:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        bases = [base for base in cls.__mro__[1:] if base not in (Hostile, object)]
        for name in ALWAYS + [name for name in INHERITED if any(name in vars(base) for base in bases)]:
            if name not in vars(cls):
                setattr(cls, name, special(name))

class Metric(nn.Module):
    def __init__(self):
        super().__init__()
        self.defaults = ("total",)
        self.total = torch.zeros(())

    def __hash__(self):
        # As that of torchmetrics: there is nothing to read before the constructor has run.
        return hash(tuple(id(getattr(self, name)) for name in self.defaults))

    def forward(self, guesses, labels):
        self.total += (guesses.argmax(1) == labels).float().mean()
        return self.total

class Net(Hostile, nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.BatchNorm1d(16))
        self.layers = Layers([nn.Linear(16, 16), nn.Linear(16, 2)])
        self.metric = Metric()

    def forward(self, x):
        x = self.body(x)
        for layer in self.layers:
            x = layer(x)
        return x

class Layers(Hostile, nn.ModuleList): pass
class Loss(Hostile, nn.Module):
    def forward(self, guesses, labels):
        return nn.functional.cross_entropy(guesses, labels).as_subclass(Number)
class Number(Hostile, torch.Tensor): pass
class Optimizer(Hostile, torch.optim.Adam): pass
class Data(Hostile, torch.utils.data.Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __len__(self):
        if is_watched():
            CALLED.add("Data.__len__")
        return 64
    def __getitem__(self, at):
        return self.x[at], self.y[at]
class Loader(Hostile, torch.utils.data.DataLoader): pass
BATCH

def gathered(rows):
    x, y = (torch.stack(part) for part in zip(*rows))
    return packed(x, y)

torch.manual_seed(0)
x = torch.randn(64, 8)
net, criterion = Net(), Loss()
optimizer = Optimizer(net.parameters(), lr=0.01)
loader = Loader(Data(x, (x[:, 0] > 0).long()), batch_size=16, shuffle=SHUFFLE, collate_fn=gathered)
for epoch in range(8):
    net.train()
    for batch in loader:
        given, labels = unpacked(batch)
        guesses = net(given)
        loss = criterion(guesses, labels)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        net.metric(guesses.detach(), labels)
    net.eval()
    with torch.no_grad():
        held = criterion(net(x), (x[:, 0] > 0).long())
    print(f"{loss.item():.6f} {held.item():.6f} {net.metric.total.item():.6f}")
print(sorted(CALLED))
OVER = True
"""
BATCHES = {
    "dict": """
class Batch(Hostile, dict): pass
packed = lambda x, y: Batch(x=x, y=y)
unpacked = lambda batch: (dict.__getitem__(batch, "x"), dict.__getitem__(batch, "y"))
""",
    "list": """
class Batch(Hostile, list): pass
packed = lambda x, y: Batch([x, y])
unpacked = lambda batch: tuple(list.__iter__(batch))
""",
    "tuple": """
class Batch(Hostile, tuple): pass
packed = lambda x, y: Batch((x, y))
unpacked = lambda batch: tuple(tuple.__iter__(batch))
""",
    "mapping": """
class Batch(Hostile, collections.UserDict): pass
packed = lambda x, y: Batch(x=x, y=y)
unpacked = lambda batch: (batch.data["x"], batch.data["y"])
""",
    "object": """
class Batch(Hostile):
    def __init__(self, x, y):
        self.x, self.y = x, y
    def items(self):
        CALLED.add("Batch.items")
packed = Batch
unpacked = lambda batch: (batch.x, batch.y)
""",
}


@pytest.mark.parametrize("kind", BATCHES)
def test_no_special_method_is_called(diagnose, run_in_fork, tmp_path, kind):
    program = HOSTILE + f"ALWAYS, INHERITED = {ALWAYS!r}, {INHERITED!r}\n" + TRAINING.replace("BATCH\n", BATCHES[kind])
    program = program.replace("SHUFFLE", str(kind != "list"))
    done = diagnose(program)
    status, plain, error = run_in_fork(["train.py"], tmp_path / "project", plain=True)
    assert status == 0, error
    assert (done.status, done.stdout) == (0, plain), done.stderr
    assert plain.splitlines()[-1] == "[]"
    assert "could not" not in done.stderr
    assert "32 steps of Optimizer" in done.stderr


KERAS = """
import keras
import numpy as np
from keras import layers, ops

class Hostile:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        bases = [base for base in cls.__mro__[1:] if base not in (Hostile, object)]
        for name in ALWAYS + ["__getattr__"] + [name for name in INHERITED if any(name in vars(base) for base in bases)]:
            if name not in vars(cls):
                setattr(cls, name, special(name))

class Own(Hostile, layers.Dense): pass
class Squashed(Hostile, layers.Layer):
    def call(self, x):
        return ops.tanh(x)
class Net(Hostile, keras.Sequential): pass
class Loss(Hostile, keras.losses.Loss):
    def call(self, y_true, y_pred):
        return keras.losses.mean_squared_error(y_true, y_pred)
class Optimizer(Hostile, keras.optimizers.Adam): pass
class Metric(Hostile, keras.metrics.MeanAbsoluteError): pass
class Batches(Hostile, keras.utils.PyDataset):
    def __len__(self):
        return 8
    def __getitem__(self, at):
        return x[16 * at : 16 * at + 16], y[16 * at : 16 * at + 16]

keras.utils.set_random_seed(0)
x = np.random.randn(128, 8).astype("float32")
y = x[:, :1] * 2
net = Net([Own(16, activation="relu"), Squashed(), Own(1)])
net.compile(optimizer=Optimizer(0.01), loss=Loss(), metrics=[Metric()])
history = net.fit(Batches(), epochs=3, verbose=0, shuffle=False)
print(*(f"{loss:.5f}" for loss in history.history["loss"]))
print(sorted(CALLED))
OVER = True
"""


class TestKeras:
    """The same for Keras."""

    @pytest.fixture
    def framework(self):
        return "keras-torch"

    def test_no_special_method_is_called(self, diagnose, run_in_fork, tmp_path):
        program = HOSTILE + f"ALWAYS, INHERITED = {ALWAYS!r}, {INHERITED!r}\n" + KERAS
        done = diagnose(program)
        status, plain, error = run_in_fork(["train.py"], tmp_path / "project", plain=True)
        assert status == 0, error
        assert done.stdout == plain, done.stderr
        assert plain.splitlines()[-1] == "[]"
        assert "could not" not in done.stderr
        assert "24 steps of Optimizer" in done.stderr
