"""The tasks that the networks learn: samples drawn at random, a loss, and a metric that has a value for each sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch.nn import functional

Drawn = tuple[tuple[torch.Tensor, ...], torch.Tensor]
PerSample = Callable[[np.ndarray, np.ndarray], np.ndarray]
GRATINGS, SHAPES, TOPICS, EVENTS, SOUNDS = 8, 4, 6, 6, 6
WORDS, LONG, LETTERS, SHORT = 54, 14, 12, 8
SENSORS, STEPS, USERS, ITEMS, OFFERED = 5, 18, 120, 90, 10


@dataclass(frozen=True)
class Task:
    """Samples, loss and metric."""

    metric: str
    draw: Callable[[torch.Generator, int], Drawn]
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
    per_sample: PerSample


def _crossed(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(output, target)


def _crossed_last(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(output.transpose(1, 2), target)


def top1(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """1 for each sample whose largest output is the right one."""
    return (outputs.argmax(1) == targets).astype(np.float64)


def hit2(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """1 for each sample whose wanted item is among the two highest."""
    return (np.argsort(-outputs, 1)[:, :2] == targets[:, None]).any(1).astype(np.float64)


def letters(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The share of right letters in each sentence."""
    return (outputs.argmax(2) == targets).mean(1)


def iou(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Intersection over union in each picture, mean over the classes that are in it or in the answer."""
    answers = outputs.argmax(1)
    total, count = np.zeros(len(targets)), np.zeros(len(targets))
    for label in range(SHAPES):
        both = ((answers == label) & (targets == label)).sum((1, 2))
        either = ((answers == label) | (targets == label)).sum((1, 2))
        total += both / np.maximum(either, 1)
        count += either > 0
    return total / count


def psnr(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Peak signal to noise of each picture, as a share of 40 dB, so that it lies near those of the other metrics."""
    error = ((outputs.astype(np.float64) - targets) ** 2).mean((1, 2, 3))
    return -np.log10(np.maximum(error, 1e-10)) / 4


def _images(generator: torch.Generator, count: int) -> Drawn:
    """Fine stripes in one of four directions and two colourings, under noise."""
    label = torch.randint(GRATINGS, (count,), generator=generator)
    angle = (label % 4) * (np.pi / 4) + 0.12 * torch.randn(count, generator=generator)
    rate = 1.5 + 0.25 * torch.rand(count, generator=generator)
    phase = 6.3 * torch.rand(count, generator=generator)
    row, column = torch.meshgrid(torch.arange(20.0), torch.arange(20.0), indexing="ij")
    across = torch.cos(angle)[:, None, None] * row + torch.sin(angle)[:, None, None] * column
    wave = torch.sin(rate[:, None, None] * across + phase[:, None, None])
    colour = torch.tensor([[1.0, 0.7, -0.2], [-0.2, 0.7, 1.0]])[label // 4]
    image = wave[:, None] * colour[:, :, None, None]
    return (image + 2.0 * torch.randn(count, 3, 20, 20, generator=generator),), label


def _masks(generator: torch.Generator, count: int) -> Drawn:
    """A disc, a square and a ring of nearly the same brightness; a class for each point."""
    row, column = torch.meshgrid(torch.arange(20.0), torch.arange(20.0), indexing="ij")
    image, label = torch.zeros(count, 20, 20), torch.zeros(count, 20, 20, dtype=torch.long)
    for shape in range(1, SHAPES):
        centre = 3 + 14 * torch.rand(count, 2, 1, 1, generator=generator)
        radius = 2.5 + 2 * torch.rand(count, 1, 1, generator=generator)
        down, right = (row - centre[:, 0]).abs(), (column - centre[:, 1]).abs()
        far = (down**2 + right**2).sqrt()
        inside = (far < radius, torch.maximum(down, right) < 0.85 * radius, (far < radius + 1) & (far > radius - 1.2))[
            shape - 1
        ]
        label = torch.where(inside, shape, label)
        image = torch.where(inside, 0.8 + 0.35 * shape, image)
    return ((image + 0.3 * torch.randn(count, 20, 20, generator=generator))[:, None],), label


def _texts(generator: torch.Generator, count: int) -> Drawn:
    """The topic that most of the kept words belong to; behind the end stand words of any topic."""
    label = torch.randint(TOPICS, (count,), generator=generator)
    per = WORDS // TOPICS
    own = torch.rand(count, LONG, generator=generator) < 0.5
    anything = torch.randint(WORDS, (count, LONG), generator=generator)
    word = torch.where(own, label[:, None] * per + torch.randint(per, (count, LONG), generator=generator), anything)
    length = torch.randint(5, 11, (count, 1), generator=generator)
    kept = torch.arange(LONG)[None] < length
    false = (label + 1 + torch.randint(TOPICS - 1, (count,), generator=generator)) % TOPICS
    rubbish = false[:, None] * per + torch.randint(per, (count, LONG), generator=generator)
    return (torch.where(kept, word, rubbish), kept.float()), label


def _sentences(generator: torch.Generator, count: int) -> Drawn:
    """Each letter by one of two alphabets, which the first word given to the decoder tells."""
    source = torch.randint(LETTERS, (count, SHORT), generator=generator)
    tongue = torch.randint(2, (count, 1), generator=generator)
    target = torch.where(tongue == 0, (source + 5) % LETTERS, LETTERS - 1 - source)
    given = torch.cat([LETTERS + tongue, target[:, :-1]], 1)
    return (source, given), target


def _series(generator: torch.Generator, count: int) -> Drawn:
    """Which of three sensors peaked first, and whether the last peak was up or down."""
    label = torch.randint(EVENTS, (count,), generator=generator)
    series = 0.7 * torch.randn(count, STEPS, SENSORS, generator=generator)
    order = torch.rand(count, 3, generator=generator).argsort(1)
    first = label // 2
    place = (order == first[:, None]).float().argmax(1)
    swapped = order.clone()
    rows = torch.arange(count)
    swapped[rows, place], swapped[rows, 0] = order[:, 0], first
    for turn in range(3):
        time = 1 + 6 * turn + torch.randint(4, (count,), generator=generator)
        sign = torch.where(label % 2 == 0, 1.0, -1.0) if turn == 2 else torch.ones(count)
        series[rows, time, swapped[:, turn]] += 2.6 * sign
    return (series,), label


def _waves(generator: torch.Generator, count: int) -> Drawn:
    """Low, middle and high tones that rise or fall, in noise."""
    label = torch.randint(SOUNDS, (count,), generator=generator)
    time = torch.linspace(0, 1, 301)[None]
    base = torch.tensor([14.0, 26.0, 38.0])[label // 2][:, None] + 2 * torch.randn(count, 1, generator=generator)
    bend = torch.where(label % 2 == 0, 9.0, -9.0)[:, None]
    phase = 6.3 * torch.rand(count, 1, generator=generator)
    wave = torch.sin(6.283 * (base * time + bend * (time**2 - time)) + phase)
    return ((wave + 1.3 * torch.randn(count, 301, generator=generator))[:, None],), label


def _ranking(generator: torch.Generator, count: int) -> Drawn:
    """Users like items near their taste and near what they bought; the best of ten on offer is wanted."""
    fixed = torch.Generator().manual_seed(77)
    taste, nature = torch.randn(USERS, 6, generator=fixed), torch.randn(ITEMS, 6, generator=fixed)
    user = torch.randint(USERS, (count,), generator=generator)
    mood = torch.randn(count, 6, generator=generator)
    history = (mood @ nature.T + 1.5 * torch.randn(count, ITEMS, generator=generator)).topk(8, 1).indices
    kept = (torch.arange(8)[None] < torch.randint(3, 7, (count, 1), generator=generator)).float()
    away = (-mood @ nature.T + 1.5 * torch.randn(count, ITEMS, generator=generator)).topk(8, 1).indices
    history = torch.where(kept > 0, history, away)
    offer = torch.rand(count, ITEMS, generator=generator).topk(OFFERED, 1).indices
    liked = ((0.6 * taste[user] + mood)[:, None] * nature[offer]).sum(2)
    return (user, history, kept, offer), liked.argmax(1)


def _fields(generator: torch.Generator, count: int) -> Drawn:
    """Smooth landscapes cut by a slanted edge, and what is left of them at half the size."""
    coarse = torch.rand(count, 2, 4, 4, generator=generator)
    smooth = functional.interpolate(coarse, size=24, mode="bicubic", align_corners=False)
    row, column = torch.meshgrid(torch.arange(24.0), torch.arange(24.0), indexing="ij")
    angle = 6.3 * torch.rand(count, 1, 1, generator=generator)
    offset = 8 * torch.rand(count, 1, 1, generator=generator) - 4
    side = torch.cos(angle) * (row - 11.5) + torch.sin(angle) * (column - 11.5) > offset
    large = (0.6 * smooth + 0.4 * torch.stack([side, ~side], 1)).clamp(0, 1)
    return (functional.avg_pool2d(large, 2),), large


IMAGES: Final = Task("top-1 accuracy", _images, _crossed, top1)
MASKS: Final = Task("mean IoU", _masks, _crossed, iou)
TEXTS: Final = Task("accuracy", _texts, _crossed, top1)
SENTENCES: Final = Task("letter accuracy", _sentences, _crossed_last, letters)
SERIES: Final = Task("accuracy", _series, _crossed, top1)
WAVES: Final = Task("accuracy", _waves, _crossed, top1)
RANKING: Final = Task("hit rate at 2", _ranking, _crossed, hit2)
FIELDS: Final = Task("PSNR / 40 dB", _fields, functional.mse_loss, psnr)
