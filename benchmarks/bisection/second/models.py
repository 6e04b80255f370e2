"""Ten small networks in the manner of those that are deployed, trained for a few seconds on the tasks of ``tasks.py``.

``subject(name)`` gives a trained network with samples that it has not seen, their targets and the metric of each sample.
Training runs in one thread from a fixed seed: on one machine and release of torch the weights are always the same.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from benchmarks.bisection.second import tasks

#: Samples that the metric is taken over, and those of training.
HELD_OUT: Final = 1024
_TRAINED_ON: Final = 3072


class Residual(nn.Module):
    """Two convolutions and a way round them."""

    def __init__(self, wide: int, out: int, stride: int) -> None:
        super().__init__()
        self.one = nn.Conv2d(wide, out, 3, stride, 1, bias=False)
        self.two = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.norm_one, self.norm_two = nn.BatchNorm2d(out), nn.BatchNorm2d(out)
        self.round = nn.Conv2d(wide, out, 1, stride) if (wide, stride) != (out, 1) else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm_two(self.two(torch.relu(self.norm_one(self.one(x)))))
        return torch.relu(y + self.round(x))


class ResNet(nn.Module):
    """A residual network whose channels are multiples of 16."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.stem_norm = nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16)
        self.pool = nn.AvgPool2d(3, 2, 1)
        self.stage = nn.ModuleList([Residual(16, 16, 1), Residual(16, 32, 2), Residual(32, 48, 1)])
        self.head = nn.Linear(48, tasks.GRATINGS)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.pool(torch.relu(self.stem_norm(self.stem(image))))
        for block in self.stage:
            x = block(x)
        return self.head(x.mean((2, 3)))


class Bottleneck(nn.Module):
    """Widen, convolve each channel by itself, weigh the channels, narrow."""

    def __init__(self, wide: int, out: int, stride: int, weigh: bool) -> None:
        super().__init__()
        inner = 4 * wide
        self.widen, self.widen_norm = nn.Conv2d(wide, inner, 1, bias=False), nn.BatchNorm2d(inner)
        self.depth = nn.Conv2d(inner, inner, 3, stride, 1, groups=inner, bias=False)
        self.depth_norm = nn.BatchNorm2d(inner)
        self.less = nn.Conv2d(inner, 8, 1) if weigh else None
        self.more = nn.Conv2d(8, inner, 1) if weigh else None
        self.narrow, self.narrow_norm = nn.Conv2d(inner, out, 1, bias=False), nn.BatchNorm2d(out)
        self.straight = stride == 1 and wide == out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = functional.relu6(self.widen_norm(self.widen(x)))
        y = functional.hardswish(self.depth_norm(self.depth(y)))
        if self.less is not None and self.more is not None:
            y = y * functional.hardsigmoid(self.more(torch.relu(self.less(y.mean((2, 3), keepdim=True)))))
        y = self.narrow_norm(self.narrow(y))
        return x + y if self.straight else y


class Mobile(nn.Module):
    """A phone's network: inverted bottlenecks with hard activations."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.stem_norm = nn.Conv2d(3, 12, 3, 2, 1, bias=False), nn.BatchNorm2d(12)
        self.block = nn.ModuleList([Bottleneck(12, 12, 1, False), Bottleneck(12, 20, 2, True), Bottleneck(20, 20, 1, True)])
        self.last = nn.Conv2d(20, 64, 1)
        self.head = nn.Linear(64, tasks.GRATINGS)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = functional.hardswish(self.stem_norm(self.stem(image)))
        for block in self.block:
            x = block(x)
        return self.head(functional.hardswish(self.last(x)).mean((2, 3)))


class Twice(nn.Module):
    """Two convolutions with group normalisation between them."""

    def __init__(self, wide: int, out: int) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(wide, out, 3, padding=1), nn.Conv2d(out, out, 3, padding=1)
        self.norm = nn.GroupNorm(4, out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.leaky_relu(self.two(functional.leaky_relu(self.norm(self.one(x)), 0.1)), 0.1)


class UNet(nn.Module):
    """Down twice and up twice, by resizing and by a transposed convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.left, self.lower, self.bottom = Twice(1, 16), Twice(16, 24), Twice(24, 32)
        self.rise = nn.ConvTranspose2d(32, 24, 2, 2)
        self.upper, self.right = Twice(48, 24), Twice(40, 16)
        self.answer = nn.Conv2d(16, tasks.SHAPES, 1)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        top = self.left(image)
        middle = self.lower(functional.max_pool2d(top, 2))
        x = self.rise(self.bottom(functional.max_pool2d(middle, 2)))
        x = self.upper(torch.cat([x, middle], 1))
        x = functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        return self.answer(self.right(torch.cat([x, top], 1)))


class ViTBlock(nn.Module):
    """One projection for queries, keys and values, and torch's own attention."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.qkv(self.before(x)).unflatten(-1, (3, 4, -1)).permute(2, 0, 3, 1, 4)
        x = x + self.out(functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(self.between(x))))


class ViT(nn.Module):
    """Patches of 4 x 4 and the mean over them."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, width, 4, 4)
        self.place = nn.Parameter(0.1 * torch.randn(1, 25, width))
        self.block = nn.ModuleList([ViTBlock(width) for _ in range(2)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tasks.GRATINGS)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        x = self.patch(image).flatten(2).transpose(1, 2) + self.place
        for block in self.block:
            x = block(x)
        return self.head(self.norm(x).mean(1))


class Heads(nn.Module):
    """Attention spelled out, with a mask that is added to the scores."""

    def __init__(self, width: int, heads: int = 2) -> None:
        super().__init__()
        self.heads, self.factor = heads, (width // heads) ** -0.5
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        q, k, v = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.q(x), self.k(memory), self.v(memory)))
        weights = torch.softmax(q @ k.transpose(2, 3) * self.factor + mask, -1)
        return self.o((weights @ v).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """Attention, perhaps attention to a memory, and a small network; normalised behind each."""

    def __init__(self, width: int, crossed: bool) -> None:
        super().__init__()
        self.own, self.cross = Heads(width), Heads(width) if crossed else None
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.norm = nn.ModuleList([nn.LayerNorm(width) for _ in range(3 if crossed else 2)])

    def forward(
        self,
        x: torch.Tensor,
        mask: torch.Tensor,
        memory: torch.Tensor | None = None,
        memory_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        x = self.norm[0](x + self.own(x, x, mask))
        if self.cross is not None:
            x = self.norm[1](x + self.cross(x, memory, memory_mask))
        return self.norm[-1](x + self.down(functional.gelu(self.up(x))))


class Bert(nn.Module):
    """Words, places and segments; the masked words hold rubbish that must not be looked at."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.word, self.place = nn.Embedding(tasks.WORDS, width), nn.Embedding(tasks.LONG, width)
        self.norm = nn.LayerNorm(width)
        self.layer = nn.ModuleList([Layer(width, False) for _ in range(2)])
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, tasks.TOPICS)

    def forward(self, words: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
        mask = (1.0 - kept[:, None, None, :]) * -10000.0
        x = self.norm(self.word(words) + self.place(torch.arange(words.shape[1])))
        for layer in self.layer:
            x = layer(x, mask)
        return self.head(torch.tanh(self.pool(x[:, 0])))


class Translator(nn.Module):
    """An encoder, and a decoder that is given the words before the one asked for."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(tasks.LETTERS, width), nn.Embedding(tasks.LETTERS + 2, width)
        self.place = nn.Parameter(0.5 * torch.randn(tasks.SHORT, width))
        self.encoder, self.decoder = Layer(width, False), Layer(width, True)
        self.answer = nn.Linear(width, tasks.LETTERS)
        self.register_buffer("causal", torch.full((tasks.SHORT, tasks.SHORT), -10000.0).triu(1))

    def forward(self, source: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
        open_ = torch.zeros(1, 1, 1, tasks.SHORT)
        memory = self.encoder(self.source(source) + self.place, open_)
        return self.answer(self.decoder(self.target(given) + self.place, self.causal, memory, open_))


class Recurrent(nn.Module):
    """A layer in both directions and one forwards; the last step answers."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.enter = nn.Linear(tasks.SENSORS, width)
        self.both = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.mix, self.norm = nn.Linear(2 * width, width), nn.LayerNorm(width)
        self.over = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, tasks.EVENTS)

    def forward(self, series: torch.Tensor) -> torch.Tensor:
        x, _ = self.both(functional.silu(self.enter(series)))
        x, _ = self.over(self.norm(torch.tanh(self.mix(x))))
        return self.head(x[:, -1])


class Audio(nn.Module):
    """Convolutions over a waveform: wide strides, gates with dilation, pooling that rounds up."""

    def __init__(self) -> None:
        super().__init__()
        self.bank = nn.Conv1d(1, 32, 16, 4, 6)
        self.first = nn.Conv1d(32, 32, 5, padding=4, dilation=2)
        self.second = nn.Conv1d(16, 48, 3, padding=3, dilation=3)
        self.norm, self.between = nn.GroupNorm(4, 16), nn.GroupNorm(4, 24)
        self.narrow = nn.Conv1d(24, 32, 3, padding=1)
        self.score, self.head = nn.Conv1d(32, 1, 1), nn.Linear(32, tasks.SOUNDS)

    def forward(self, wave: torch.Tensor) -> torch.Tensor:
        x = functional.max_pool1d(functional.elu(self.bank(wave)), 3, 2, ceil_mode=True)
        x = self.norm(functional.glu(self.first(x), 1))
        x = self.between(functional.glu(self.second(x), 1))
        x = functional.elu(functional.avg_pool1d(self.narrow(x), 4, 4, ceil_mode=True))
        return self.head((x * torch.softmax(self.score(x), 2)).sum(2))


class Recommender(nn.Module):
    """Two towers of embeddings, brought to length 1, whose product ranks the items on offer."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.user, self.item = nn.Embedding(tasks.USERS, width), nn.Embedding(tasks.ITEMS, width)
        self.blend, self.deep = nn.Linear(2 * width, 96), nn.Linear(96, width)
        self.goods, self.temperature = nn.Linear(width, width), 8.0

    def forward(self, user: torch.Tensor, history: torch.Tensor, kept: torch.Tensor, offer: torch.Tensor) -> torch.Tensor:
        seen = (self.item(history) * kept[:, :, None]).sum(1) / kept.sum(1, keepdim=True)
        tower = 40 * self.deep(torch.relu(self.blend(torch.cat([self.user(user), seen], 1))))
        tower = tower / (tower * tower).sum(1, keepdim=True).sqrt()
        goods = self.goods(self.item(offer))
        goods = goods / (goods * goods).sum(2, keepdim=True).sqrt()
        return (goods @ tower[:, :, None]).squeeze(2) * self.temperature


class SuperResolution(nn.Module):
    """Twice the size, for two colours: a cubic enlargement and what a network adds to it."""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.inner, self.slope = nn.Conv2d(2, 24, 5, padding=2), nn.Conv2d(24, 24, 3, padding=1), nn.PReLU(24)
        self.leave = nn.Conv2d(24, 8, 3, padding=1)

    def forward(self, small: torch.Tensor) -> torch.Tensor:
        x = torch.tanh(self.enter(small))
        x = functional.pixel_shuffle(self.leave(self.slope(self.inner(x))), 2)
        large = functional.interpolate(small, scale_factor=2.0, mode="bicubic", align_corners=False)
        return torch.clamp(large + x, 0.0, 1.0)


@dataclass(frozen=True)
class Subject:
    """A trained network, its weights early in training, and unseen samples with their metric."""

    name: str
    model: nn.Module
    early: nn.Module
    inputs: tuple[np.ndarray, ...]
    targets: np.ndarray
    metric: str
    per_sample: tasks.PerSample


@dataclass(frozen=True)
class Recipe:
    """How a subject comes about."""

    build: Callable[[], nn.Module]
    task: tasks.Task
    steps: int = 240
    rate: float = 4e-3
    batch: int = 48


RECIPES: Final[dict[str, Recipe]] = {
    "resnet": Recipe(ResNet, tasks.IMAGES, 150),
    "mobile": Recipe(Mobile, tasks.IMAGES, 200),
    "unet": Recipe(UNet, tasks.MASKS, 150, batch=24),
    "vit": Recipe(ViT, tasks.IMAGES, 400, 2e-3),
    "bert": Recipe(Bert, tasks.TEXTS, 400, 2e-3),
    "gru": Recipe(Recurrent, tasks.SERIES, 250),
    "translator": Recipe(Translator, tasks.SENTENCES, 700, 3e-3),
    "audio": Recipe(Audio, tasks.WAVES, 250),
    "recommender": Recipe(Recommender, tasks.RANKING, 500),
    "superres": Recipe(SuperResolution, tasks.FIELDS, 250),
}
NAMES: Final = tuple(RECIPES)


@functools.cache
def subject(name: str) -> Subject:
    """One of :data:`NAMES`, trained; the same for every call."""
    recipe, number = RECIPES[name], NAMES.index(name)
    torch.set_num_threads(1)
    torch.manual_seed(1000 + number)
    generator = torch.Generator().manual_seed(2000 + number)
    model = recipe.build()
    inputs, targets = recipe.task.draw(generator, _TRAINED_ON)
    early = copy.deepcopy(model)
    optimiser = torch.optim.Adam(model.parameters(), recipe.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2 * recipe.rate, total_steps=recipe.steps)
    model.train()
    for step in range(recipe.steps):
        chosen = torch.randint(_TRAINED_ON, (recipe.batch,), generator=generator)
        loss = recipe.task.loss(model(*(array[chosen] for array in inputs)), targets[chosen])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step == recipe.steps // 10:
            early = copy.deepcopy(model)
    unseen, wanted = recipe.task.draw(generator, HELD_OUT)
    arrays = tuple(array.numpy() for array in unseen)
    return Subject(name, model.eval(), early.eval(), arrays, wanted.numpy(), recipe.task.metric, recipe.task.per_sample)
