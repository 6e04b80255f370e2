"""Three small classifiers, trained in seconds on generated data: a ResNet with a resizing, a transformer, a GRU."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

SAMPLES: Final = 1024
_LENGTH: Final = 16
_WIDTH: Final = 16
_VOCABULARY: Final = 12
_PAD: Final = 0


class ResidualBlock(nn.Module):
    """Two convolutions with batch normalisation beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(x + self.bn2(self.conv2(inner)))


class SmallResNet(nn.Module):
    """Images of 3×12×12; the middle of it works on half the size and is resized back."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 12, 3, padding=1)
        self.first = ResidualBlock(12)
        self.second = ResidualBlock(12)
        self.third = ResidualBlock(12)
        self.head = nn.Linear(12 * 36, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(functional.relu(self.stem(x)))
        x = self.second(functional.max_pool2d(x, 2))
        x = functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        x = functional.avg_pool2d(self.third(x), 2)
        return self.head(x.flatten(1))


class EncoderBlock(nn.Module):
    """Attention of one head, written out, and a feed-forward part, each behind a layer normalisation."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.project = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        h = self.norm1(x)
        scores = self.query(h) @ self.key(h).transpose(1, 2) * x.shape[-1] ** -0.5
        weights = torch.softmax(scores + (1.0 - mask[:, None, :]) * -1e4, dim=-1)
        x = x + self.project(weights @ self.value(h))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


class SmallTransformer(nn.Module):
    """Rows of 16 tokens with a mask; the answer is the kind of the token behind a mark."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(_VOCABULARY, _WIDTH)
        self.position = nn.Parameter(torch.randn(_LENGTH, _WIDTH) * 0.3)
        self.blocks = nn.ModuleList(EncoderBlock(_WIDTH) for _ in range(2))
        self.norm = nn.LayerNorm(_WIDTH)
        self.head = nn.Linear(_WIDTH, _VOCABULARY)

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens) + self.position
        for block in self.blocks:
            x = block(x, mask)
        x = (self.norm(x) * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(x)


class SmallGRU(nn.Module):
    """Eight steps of a gated recurrent unit over rows of 6 features, each step written out."""

    def __init__(self) -> None:
        super().__init__()
        self.gates = nn.Linear(6 + _WIDTH, 2 * _WIDTH)
        self.new = nn.Linear(6 + _WIDTH, _WIDTH)
        self.square = nn.Linear(_WIDTH, _WIDTH)
        self.norm = nn.LayerNorm(_WIDTH)
        self.head = nn.Linear(_WIDTH, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.zeros_like(x[:, 0, :1]).expand(-1, _WIDTH)
        for step in range(8):
            now = x[:, step]
            reset, update = torch.sigmoid(self.gates(torch.cat([now, h], 1))).chunk(2, 1)
            fresh = torch.tanh(self.new(torch.cat([now, reset * h], 1)))
            h = update * h + (1 - update) * fresh
        return self.head(torch.softmax(self.square(self.norm(h)), -1) * 4)


@dataclass(frozen=True)
class Subject:
    """A trained model with test samples; ``inputs`` are in the order of ``forward``."""

    name: str
    model: nn.Module
    inputs: tuple[np.ndarray, ...]
    targets: np.ndarray


Draw = Callable[[torch.Generator, int], tuple[tuple[torch.Tensor, ...], torch.Tensor]]


def images(generator: torch.Generator, count: int) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    """A bright spot of one colour in one of four corners; class = corner × (red or blue), under noise."""
    classes = torch.randint(8, (count,), generator=generator)
    x = torch.randn(count, 3, 12, 12, generator=generator) * 1.2
    shift = torch.randint(-1, 2, (count, 2), generator=generator)
    for i in range(count):
        corner, colour = int(classes[i]) % 4, int(classes[i]) // 4 * 2
        row, column = 3 + 5 * (corner // 2) + int(shift[i, 0]), 3 + 5 * (corner % 2) + int(shift[i, 1])
        x[i, colour, row - 1 : row + 2, column - 1 : column + 2] += 1.5
    return (x,), classes


def tokens(generator: torch.Generator, count: int) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    """The class is that of the token behind the mark (token 1), among four; rows end in padding."""
    words = torch.randint(2, _VOCABULARY, (count, _LENGTH), generator=generator)
    length = torch.randint(10, _LENGTH + 1, (count,), generator=generator)
    mark = torch.randint(1, 8, (count,), generator=generator)
    rows = torch.arange(count)
    words[rows, mark] = 1
    mask = (torch.arange(_LENGTH)[None] < length[:, None]).float()
    words = torch.where(mask.bool(), words, torch.full_like(words, _PAD))
    classes = words[rows, mark + 1] % 4
    return (words, mask), classes


def series(generator: torch.Generator, count: int) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    """The class is the feature with the largest sum of weighted steps."""
    x = torch.randn(count, 8, 6, generator=generator)
    weights = torch.linspace(0.4, 1.0, 8)[None, :, None]
    return (x,), (x * weights).sum(1).argmax(1)


def trained(name: str) -> Subject:
    """Train one of ``resnet``, ``transformer``, ``gru`` from a fixed seed; test samples are drawn after those to train with."""
    build, draw, steps = _SUBJECTS[name]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model = build()
    inputs, targets = draw(generator, 4096)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 8e-3, steps)
    for step in range(steps):
        rows = torch.arange(step * 128, (step + 1) * 128) % 4096
        optimizer.zero_grad()
        functional.cross_entropy(model(*[array[rows] for array in inputs]), targets[rows]).backward()
        optimizer.step()
        schedule.step()
    test, classes = draw(generator, SAMPLES)
    return Subject(name, model.eval(), tuple(array.numpy() for array in test), classes.numpy())


_SUBJECTS: Final[dict[str, tuple[Callable[[], nn.Module], Draw, int]]] = {
    "resnet": (SmallResNet, images, 250),
    "transformer": (SmallTransformer, tokens, 600),
    "gru": (SmallGRU, series, 500),
}
NAMES: Final = tuple(_SUBJECTS)
