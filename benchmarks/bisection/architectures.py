"""Eight kinds of deployed networks with random weights, made so that their answers vary and react to a changed operator.

Nothing is trained: batch normalisations take their statistics from a few batches, the answers' means are subtracted in the
head, and the targets are the reference's own answers, a share of them replaced at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

SAMPLES: Final = 1024
_CLASSES: Final = 8
_VOCABULARY: Final = 40
_LENGTH: Final = 12
#: Share of targets that are not the reference's answers.
_WRONG: Final = 0.15


class ConvNet(nn.Module):
    """Residual convolutions with a stride in the middle."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU())
        self.first = _Residual(channels, channels, 1)
        self.second = _Residual(channels, 2 * channels, 2)
        self.third = _Residual(2 * channels, 2 * channels, 1)
        self.head = nn.Linear(2 * channels, _CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.third(self.second(self.first(self.stem(x))))
        return self.head(x.mean((2, 3)))


class _Residual(nn.Module):
    def __init__(self, wide: int, out: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(wide, out, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out)
        self.short = nn.Conv2d(wide, out, 1, stride=stride) if stride > 1 or wide != out else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = functional.relu(self.bn1(self.conv1(x)))
        return functional.relu(self.short(x) + self.bn2(self.conv2(inner)))


class MobileNet(nn.Module):
    """Inverted residuals: expansion, convolution by channel, squeeze and excitation, projection."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(16), nn.Hardswish())
        self.blocks = nn.Sequential(_Inverted(16, 16, 1), _Inverted(16, 24, 2), _Inverted(24, 24, 1))
        self.last = nn.Sequential(nn.Conv2d(24, 48, 1, bias=False), nn.BatchNorm2d(48), nn.ReLU6())
        self.head = nn.Linear(48, _CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(functional.adaptive_avg_pool2d(self.last(self.blocks(self.stem(x))), 1).flatten(1))


class _Inverted(nn.Module):
    def __init__(self, wide: int, out: int, stride: int) -> None:
        super().__init__()
        inner = 3 * wide
        self.expand = nn.Sequential(nn.Conv2d(wide, inner, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU6())
        self.depth = nn.Sequential(
            nn.Conv2d(inner, inner, 3, stride=stride, padding=1, groups=inner, bias=False), nn.BatchNorm2d(inner), nn.ReLU6()
        )
        self.squeeze = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(inner, 8, 1), nn.ReLU(), nn.Conv2d(8, inner, 1), nn.Hardsigmoid()
        )
        self.project = nn.Sequential(nn.Conv2d(inner, out, 1, bias=False), nn.BatchNorm2d(out))
        self.same = wide == out and stride == 1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.depth(self.expand(x))
        y = self.project(y * self.squeeze(y))
        return x + y if self.same else y


class UNet(nn.Module):
    """Down, up by a transposed convolution and by resizing, joined with what came before; a class for each pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.down, self.deep = _double(3, 16), _double(16, 32), _double(32, 32)
        self.up = nn.ConvTranspose2d(32, 32, 2, stride=2)
        self.join, self.leave = _double(64, 16), _double(32, 16)
        self.out = nn.Conv2d(16, 5, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        one = self.enter(x)
        two = self.down(functional.max_pool2d(one, 2))
        deep = self.deep(functional.max_pool2d(two, 2))
        y = self.join(torch.cat([self.up(deep), two], 1))
        y = functional.interpolate(y, scale_factor=2.0, mode="bilinear", align_corners=False)
        return self.out(self.leave(torch.cat([y, one], 1)))


def _double(wide: int, out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(wide, out, 3, padding=1), nn.BatchNorm2d(out), nn.ReLU(), nn.Conv2d(out, out, 3, padding=1), nn.ReLU()
    )


class Attention(nn.Module):
    """Of four heads, with keys and values from elsewhere if they are given."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, other: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        q, k, v = self._heads(self.query(x)), self._heads(self.key(other)), self._heads(self.value(other))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e4)
        y = torch.softmax(scores, -1) @ v
        return self.out(y.transpose(1, 2).flatten(2))

    def _heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(-1, (4, -1)).transpose(1, 2)


class ViT(nn.Module):
    """Patches, a class token, normalisation in front of each part."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, width, 4, stride=4)
        self.token = nn.Parameter(torch.randn(1, 1, width))
        self.place = nn.Parameter(torch.randn(1, 17, width) * 0.5)
        self.blocks = nn.ModuleList(_PreNorm(width) for _ in range(3))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, _CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


class _PreNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm1(x)
        x = x + self.attention(y, y)
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


class Bert(nn.Module):
    """Words and a mask, normalisation behind each part, the first word's answer through a tanh."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(_VOCABULARY, width), nn.Embedding(_LENGTH, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(_PostNorm(width) for _ in range(3))
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, _CLASSES)

    def forward(self, words: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.norm(self.words(words) + self.places(torch.arange(_LENGTH)))
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return self.head(torch.tanh(self.pool(x[:, 0])))


class _PostNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.norm1(x + self.attention(x, x, mask))
        return self.norm2(x + self.down(functional.gelu(self.up(x))))


class Recurrent(nn.Module):
    """Two recurrent layers between linear ones; the mean over time answers."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.enter = nn.Linear(6, width)
        self.gru = nn.GRU(width, width, num_layers=2, batch_first=True)
        self.norm = nn.LayerNorm(width)
        self.mix, self.head = nn.Linear(width, width), nn.Linear(width, _CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, _ = self.gru(torch.tanh(self.enter(x)))
        return self.head(functional.silu(self.mix(self.norm(y).mean(1))))


class EncoderDecoder(nn.Module):
    """A translator under teacher forcing: a word for each place of the target."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.words, self.answers = nn.Embedding(_VOCABULARY, width), nn.Embedding(_VOCABULARY, width)
        self.encoder = _PreNorm(width)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))
        self.own, self.cross = Attention(width), Attention(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.last, self.head = nn.LayerNorm(width), nn.Linear(width, _CLASSES)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        memory = self.encoder(self.words(source))
        y = self.answers(target)
        z = self.norm1(y)
        y = y + self.own(z, z, torch.ones(_LENGTH, _LENGTH).tril())
        y = y + self.cross(self.norm2(y), memory)
        y = y + self.down(functional.relu(self.up(self.norm3(y))))
        return self.head(self.last(y))


@dataclass(frozen=True)
class Network:
    """A model with samples; the classes lie along ``axis`` of its output."""

    name: str
    model: nn.Module
    inputs: tuple[np.ndarray, ...]
    targets: np.ndarray
    axis: int


def made(name: str, seed: int = 0) -> Network:
    """One of :data:`NAMES`, the same for the same seed."""
    build, draw, axis = _NETWORKS[name]
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    model = build()
    inputs = draw(torch.Generator().manual_seed(seed + 1), SAMPLES)
    _settle(model, inputs, axis)
    with torch.no_grad():
        answers = model(*inputs).argmax(axis).numpy()
    generator = np.random.default_rng(seed)
    wrong = generator.random(answers.shape) < _WRONG
    targets = np.where(wrong, generator.integers(answers.max() + 1, size=answers.shape), answers)
    return Network(name, model, tuple(array.numpy() for array in inputs), targets, axis)


def _settle(model: nn.Module, inputs: tuple[torch.Tensor, ...], axis: int) -> None:
    """Statistics of normalisations, scales that differ by channel, and a head whose answers are spread."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d | nn.LayerNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0.0, 0.3)
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = None
    with torch.no_grad():
        model.train()(*(array[:256] for array in inputs))
        model.eval()
        *_, head = (module for module in model.modules() if isinstance(module, nn.Linear | nn.Conv2d))
        out = model(*(array[:256] for array in inputs)).movedim(axis, -1).flatten(0, -2)
        shape = (-1,) + (1,) * (head.weight.dim() - 1)
        head.weight /= out.std(0).view(shape)
        assert head.bias is not None
        head.bias.copy_((head.bias - out.mean(0)) / out.std(0))


def _images(generator: torch.Generator, count: int) -> tuple[torch.Tensor, ...]:
    coarse = torch.randn(count, 3, 4, 4, generator=generator)
    return (functional.interpolate(coarse, size=16, mode="nearest") + 0.5 * torch.randn(count, 3, 16, 16, generator=generator),)


def _masked(generator: torch.Generator, count: int) -> tuple[torch.Tensor, ...]:
    words = torch.randint(_VOCABULARY, (count, _LENGTH), generator=generator)
    length = torch.randint(5, _LENGTH + 1, (count, 1), generator=generator)
    return words, (torch.arange(_LENGTH)[None] < length).float()


def _pairs(generator: torch.Generator, count: int) -> tuple[torch.Tensor, ...]:
    return tuple(torch.randint(_VOCABULARY, (count, _LENGTH), generator=generator) for _ in range(2))


def _series(generator: torch.Generator, count: int) -> tuple[torch.Tensor, ...]:
    return (torch.randn(count, 10, 6, generator=generator).cumsum(1) * 0.7,)


Draw = Callable[[torch.Generator, int], tuple[torch.Tensor, ...]]
_NETWORKS: Final[dict[str, tuple[Callable[[], nn.Module], Draw, int]]] = {
    "conv16": (lambda: ConvNet(16), _images, 1),
    "conv12": (lambda: ConvNet(12), _images, 1),
    "mobile": (MobileNet, _images, 1),
    "unet": (UNet, _images, 1),
    "vit": (ViT, _images, 1),
    "bert": (Bert, _masked, 1),
    "gru": (Recurrent, _series, 1),
    "translator": (EncoderDecoder, _pairs, 2),
}
NAMES: Final = tuple(_NETWORKS)
