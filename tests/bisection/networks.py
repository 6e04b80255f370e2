"""Small torch networks as ONNX files, and searches over them with the agreement with the reference's answers as metric."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn

from dllint.bisection.candidates.onnx_int8 import export
from dllint.bisection.candidates.onnx_runtime import OnnxCandidate
from dllint.bisection.session import Laid, Options, laid_out, opened, searched
from dllint.bisection.spec import Spec

SAMPLES = 512
#: Files by the state of their models: an export takes longer than the search for a fault in a small network.
_EXPORTED: Final[dict[bytes, bytes]] = {}


class Body(nn.Module):
    """Convolutions with a shortcut, answers from weighted rows; blocks of ONNX Runtime divide some numbers of channels."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.enter = nn.Conv2d(3, channels, 3, padding=1)
        self.one = nn.Conv2d(channels, channels, 3, padding=1)
        self.two = nn.Conv2d(channels, channels, 3, padding=1)
        self.head = nn.Linear(channels, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.enter(x))
        y = torch.relu(self.one(x))
        y = torch.relu(x + self.two(y))
        return self.head((y * torch.linspace(-1.0, 2.0, 8)[:, None]).mean((2, 3)))


def body(channels: int) -> tuple[Body, np.ndarray, np.ndarray]:
    """The network, inputs, and its own answers."""
    torch.manual_seed(channels)
    model = Body(channels).eval()
    x = torch.randn(SAMPLES, 3, 8, 1) + 0.5 * torch.randn(SAMPLES, 3, 8, 8)
    with torch.no_grad():
        out = model(x)
        model.head.weight /= out.std(0)[:, None]
        model.head.bias.copy_((model.head.bias - out.mean(0)) / out.std(0))
        answers = model(x).argmax(1)
    return model, x.numpy(), answers.numpy()


def written(model: nn.Module, x: np.ndarray, path: Path) -> onnx.ModelProto:
    """The exported graph; what was exported before is written again."""
    state = _state(model, x)
    if state not in _EXPORTED:
        export(model, [x[:4]], path)
        _EXPORTED[state] = path.read_bytes()
    path.write_bytes(_EXPORTED[state])
    graph = onnx.load_from_string(_EXPORTED[state])
    del graph.graph.value_info[:]
    return graph


def _state(model: nn.Module, x: np.ndarray) -> bytes:
    """What an export depends on: the structure, the weights and the sizes of a sample."""
    digest = sha256(repr((type(model), model, x.shape[1:])).encode())
    for name, tensor in model.state_dict().items():
        digest.update(name.encode() + tensor.numpy().tobytes())
    return digest.digest()


def behind(graph: onnx.ModelProto, name: str, *added: tuple[str, dict[str, object], float | None]) -> None:
    """Put operators behind a value; whoever took it takes the last one's result."""
    takers = [node for node in graph.graph.node if name in node.input]
    place = next(i for i, node in enumerate(graph.graph.node) if name in node.output) + 1
    last = name
    for i, (kind, attributes, constant) in enumerate(added):
        inputs, out = [last], f"{name}.{i}"
        if constant is not None:
            graph.graph.initializer.append(numpy_helper.from_array(np.asarray(constant, np.float32), f"{out}.constant"))
            inputs.append(f"{out}.constant")
        graph.graph.node.insert(place + i, helper.make_node(kind, inputs, [out], **attributes))
        last = out
    for taker in takers:
        taker.input[:] = [last if given == name else given for given in taker.input]


def changed_weight(graph: onnx.ModelProto, name: str) -> None:
    """Reverse the outputs of a weight."""
    tensor = next(tensor for tensor in graph.graph.initializer if tensor.name == name)
    array = np.ascontiguousarray(numpy_helper.to_array(tensor)[::-1])
    tensor.CopyFrom(numpy_helper.from_array(array, name))


def laid(model: nn.Module, candidate: OnnxCandidate, x: np.ndarray, targets: np.ndarray) -> Laid:
    """All that a search needs."""
    spec = Spec(
        Path(),
        reference=model,
        candidate=lambda: candidate,
        batches=[(x, targets)],
        per_sample=lambda outputs, targets: outputs.argmax(1) == targets,
    )
    return laid_out(spec, Options(), opened(spec, Options()), lambda text: None)


def culprits(model: nn.Module, path: Path, x: np.ndarray, targets: np.ndarray, level: str = "all") -> list[str]:
    """The operators that a search over a model file blames."""
    found = searched(laid(model, OnnxCandidate(path, optimise=level), x, targets))
    return [culprit.steps[-1].name for culprit in found.culprits]
