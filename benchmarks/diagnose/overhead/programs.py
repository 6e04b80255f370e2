"""The programs whose time is measured.

Each waits for a line on standard input, makes so many steps, answers with what they cost on the descriptor that it was given,
and ends with a digest of its weights. They know nothing of dllint.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Load:
    """A program, the environment it needs, and how many steps are measured at a time; ``gpu_steps`` on a GPU, where the larger
    ones are much faster."""

    name: str
    text: str
    steps: int
    gpu_steps: int
    environment: tuple[tuple[str, str], ...] = ()


_BEGIN: Final = """
import hashlib, json, os, sys, time
import torch
from torch import nn

device, chunk, out = torch.device(sys.argv[1]), int(sys.argv[2]), os.fdopen(int(sys.argv[3]), "w")
torch.set_num_threads(1)
torch.manual_seed(0)


def memory():
    with open("/proc/self/statm") as stream:
        return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def tell(**content):
    print(json.dumps(content), file=out, flush=True)


def measured(make_steps):
    for line in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        make_steps()
        if device.type == "cuda":
            torch.cuda.synchronize()
        tell(wall=time.perf_counter() - wall, cpu=time.process_time() - cpu, memory=memory())


def digest(tensors):
    found = hashlib.sha256()
    for tensor in tensors:
        found.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    tell(digest=found.hexdigest())

"""
_TORCH: Final = (
    _BEGIN
    + """
{model}
net = net.to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
data = torch.utils.data.TensorDataset(x, y)
loader = torch.utils.data.DataLoader(data, batch_size={batch}, shuffle=True)


def batches():
    while True:
        yield from loader


source = batches()


def make_steps():
    for _ in range(chunk):
        inputs, labels = next(source)
        loss = criterion(net(inputs.to(device)), labels.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


measured(make_steps)
digest(net.state_dict().values())
"""
)
_KERAS: Final = (
    _BEGIN
    + """
import keras
keras.utils.set_random_seed(0)
x = keras.random.normal((4096, 32), seed=1).cpu().numpy()
y = (x[:, 0] * x[:, 1] > 0).astype("int64")
dense = keras.layers.Dense
net = keras.Sequential([keras.Input((32,)), dense(128, "relu"), dense(128, "relu"), dense(2)])
net.compile(keras.optimizers.Adam(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
measured(lambda: net.fit(x[: 32 * chunk], y[: 32 * chunk], batch_size=32, verbose=0))
digest(variable.value for variable in net.weights)
"""
)
_PERCEPTRON: Final = """
x, y = torch.randn(4096, 64), torch.randint(0, 10, (4096,))
net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
"""
_CONVOLUTIONS: Final = """
x, y = torch.randn(1024, 3, 32, 32), torch.randint(0, 10, (1024,))


def block(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(), nn.MaxPool2d(2))


net = nn.Sequential(block(3, 16), block(16, 32), block(32, 64), nn.Flatten(), nn.Dropout(0.1), nn.Linear(1024, 10))
"""
_TRANSFORMER: Final = """
x, y = torch.randint(0, 1000, (512, 64)), torch.randint(0, 10, (512,))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(1000, 256)
        layer = nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
        self.head = nn.Linear(256, 10)

    def forward(self, tokens):
        return self.head(self.encoder(self.embedding(tokens)).mean(1))


net = Classifier()
"""

LOADS: Final = (
    Load("small: perceptron, 0.03 M weights", _TORCH.format(model=_PERCEPTRON, batch=32), 1500, 1500),
    Load("medium: convolutions, 0.03 M weights, images", _TORCH.format(model=_CONVOLUTIONS, batch=32), 80, 400),
    Load("large: transformer, 3.4 M weights", _TORCH.format(model=_TRANSFORMER, batch=16), 8, 200),
    Load("Keras on torch: perceptron", _KERAS, 128, 128, (("KERAS_BACKEND", "torch"),)),
)
