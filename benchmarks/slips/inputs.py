"""Sizes and random tensors with which a torch module of somebody else may run, by the names of its parameters."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import torch
from torch import nn

#: Batch and length of sequences; no other size is one of these.
BATCH: Final = 3
LENGTH: Final = 7
#: Sizes that are tried where nothing else is said, one after the other.
SIZES: Final = (16, 64, 4, 1)
_IMAGES: Final = (32, 64, 28, 224, 128, 256, 84, 16, 1024)
_TRIED: Final = 150
#: So many inputs, and more, are not tried in all combinations, the likeliest first.
_MOST_COMBINED: Final = 4

#: What a parameter of a constructor gets, by its name; ``None`` stands for the size that is tried.
_VALUES: Final[tuple[tuple[str, Any], ...]] = (
    (r"kernel|filter_size|ksize", 3),
    (r"stride|dilation|groups|multiplier|expansion", 1),
    (r"padding|^pad$", 1),
    (r"head", 4),
    (r"layers$|n_layer|num_layer|depth|blocks$|n_block|num_block|steps_in", 2),
    (r"drop|rate|slope|momentum|^p$", 0.1),
    (r"^eps|epsilon", 1e-5),
    (r"pad_idx|padding_idx|_idx$|_id$", 0),
    (r"bidirectional|bias|^use_|^is_|^has_|^with_|bilinear|residual", True),
    (r"vocab|num_embed|n_token|num_token|num_item|n_item|num_user|n_user|timesteps|num_diff", 50),
    (r"max_len|block_size|seq_len|max_seq|n_position|max_pos", 50),
    (r"class|out_dim|output_dim|n_out|num_label|n_action|num_action|action_dim", 10),
    (r"^in_ch|^n_channels|^channels?$|input_nc|img_ch|^nc$|input_channels|in_channels", 3),
    (r"img_size|image_size|resolution|input_size_hw|^img$", 32),
    (r"patch", 4),
    (r"norm_layer|norm$", nn.BatchNorm2d),
    (r"^act|activation|nonlin", nn.ReLU),
    (r"device", "cpu"),
    (r"^mode$|^type$|^name$|method", "none"),
)  # fmt: skip


class Settings:
    """A configuration whose every attribute is what a parameter of that name gets."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _value(name, self._size)

    def __getitem__(self, name: str) -> Any:
        return _value(name, self._size)

    def get(self, name: str, default: Any = None) -> Any:
        """As that of a dictionary."""
        return _value(name, self._size) if default is None else default


def _value(name: str, size: int) -> Any:
    if re.search(r"^(config|cfg|args|opt|opts|hparams|hps|params|conf)$", name):
        return Settings(size)
    return next((value for pattern, value in _VALUES if re.search(pattern, name.lower())), size)


def arguments(cls: type, size: int, scope: dict[str, Any]) -> dict[str, Any]:
    """Values for the parameters of a constructor that have no default."""
    given: dict[str, Any] = {}
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            given[parameter.name] = _of_annotation(parameter, size, scope)
    blocks = [name for name in given if name in ("block", "Block", "block_type")]
    expandable = [one for one in scope.values() if isinstance(one, type) and hasattr(one, "expansion")]
    if blocks and expandable:
        given |= {blocks[0]: expandable[0]} | {name: [1, 1, 1, 1] for name in given if "layers" in name or "num_blocks" in name}
    return given


def _of_annotation(parameter: inspect.Parameter, size: int, scope: dict[str, Any]) -> Any:
    wanted = parameter.annotation
    wanted = scope.get(wanted, wanted) if isinstance(wanted, str) else wanted
    if (
        isinstance(wanted, type)
        and wanted.__module__ not in ("builtins", "inspect", "torch")
        and not issubclass(wanted, nn.Module)
    ):
        try:
            return wanted()
        except Exception:
            return _value(parameter.name, size)
    value = _value(parameter.name, size)
    return int(value) if wanted in (int, "int") and isinstance(value, float) else value


def tensors(model: nn.Module, call: Callable[..., Any]) -> Iterator[tuple[torch.Tensor, ...]]:
    """Random inputs that a module may take, those that its first layers suggest before others."""
    parameters = list(inspect.signature(call).parameters.values())
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if not needed:
        return
    first = list(_suggested(model))
    each = [_named(parameter.name, first, position) for position, parameter in enumerate(needed)]
    every: Iterator[tuple[int, ...]] = itertools.product(*(range(len(options)) for options in each))
    shapes = sorted(every, key=sum) if len(each) < _MOST_COMBINED else every
    for choice in itertools.islice(shapes, _TRIED):
        yield tuple(options[number]() for options, number in zip(each, choice, strict=True))


Make = Callable[[], Any]


def _named(name: str, first: list[Make], position: int) -> list[Make]:
    """The inputs for a parameter: those of its name's usual meaning, then those that suit the first layers."""
    lower = name.lower()
    if re.search(r"^(t|time|timestep|timesteps|ts|t_emb)$|^temb", lower):
        return [_floats(BATCH), _integers(10, BATCH), _floats(BATCH, 1), _floats(BATCH, 16), *first]
    if "mask" in lower:
        return [lambda: None, _ones(BATCH, LENGTH), _ones(LENGTH, LENGTH), _ones(BATCH, 1, 1, LENGTH)]
    if re.search(r"label|^y$|class|^c$|^cond|target", lower):
        return [_integers(10, BATCH), *first, _floats(BATCH, 10), _integers(10, BATCH, LENGTH)]
    if re.search(r"token|ids$|_id$|^idx|src|trg|tgt|captions|seq$|user|item", lower):
        return [_integers(10, BATCH, LENGTH), _integers(10, BATCH), *first]
    if re.search(r"^hidden|^h$|state|^hx$", lower) and position:
        return [lambda: None, _floats(1, BATCH, 16), _floats(BATCH, 16), *first]
    return first


def _suggested(model: nn.Module) -> Iterator[Make]:
    """Inputs that suit the first layers of a module, in their order."""
    seen: set[str] = set()
    for layer in itertools.islice(model.modules(), 60):
        key = str(layer)
        if key in seen:
            continue
        seen.add(key)
        yield from _for_layer(layer)
        if len(seen) > 12:
            break
    yield from (_floats(BATCH, 16), _floats(BATCH, LENGTH, 16), _floats(BATCH, 3, 32, 32), _floats(BATCH, 16, 32, 32))
    yield from (_floats(BATCH, 1), _integers(10, BATCH, LENGTH), _floats(BATCH, LENGTH), _floats(BATCH, 4, LENGTH, 16))


def _for_layer(layer: nn.Module) -> Iterator[Make]:
    if isinstance(layer, (nn.Conv2d, nn.ConvTranspose2d)):
        yield from (_floats(BATCH, layer.in_channels, size, size) for size in _IMAGES)
        yield _floats(BATCH, layer.in_channels, 1, 1)
    elif isinstance(layer, nn.BatchNorm2d):
        yield _floats(BATCH, layer.num_features, 32, 32)
    elif isinstance(layer, nn.Conv3d):
        yield _floats(BATCH, layer.in_channels, 16, 16, 16)
    elif isinstance(layer, nn.Conv1d):
        yield from (_floats(BATCH, layer.in_channels, size) for size in (64, 16, 256, LENGTH))
        yield _floats(BATCH, 64, layer.in_channels)
    elif isinstance(layer, nn.Linear):
        yield from (_floats(BATCH, layer.in_features), _floats(BATCH, LENGTH, layer.in_features))
        side = round(layer.in_features**0.5)
        yield from ([_floats(BATCH, 1, side, side)] if side * side == layer.in_features else [])
        yield _floats(BATCH, 4, LENGTH, layer.in_features)
    elif isinstance(layer, nn.Embedding):
        most = layer.num_embeddings
        yield from (_integers(most, BATCH, LENGTH), _integers(most, BATCH), _integers(most, LENGTH, BATCH))
    elif isinstance(layer, nn.RNNBase):
        yield from (_floats(BATCH, LENGTH, layer.input_size), _floats(LENGTH, BATCH, layer.input_size))
    elif isinstance(layer, nn.LayerNorm):
        yield _floats(BATCH, LENGTH, *layer.normalized_shape)


def _floats(*shape: int) -> Make:
    return lambda: torch.randn(shape)


def _ones(*shape: int) -> Make:
    return lambda: torch.ones(shape, dtype=torch.bool)


def _integers(most: int, *shape: int) -> Make:
    return lambda: torch.randint(0, max(most, 1), shape)
