"""Demands of operations on the rank and type of their input: by them, an input of unknown rank is seeded from its first layer.

A demand is part of a row of ``ops/layers.py``: the ranks the input may have (the usual one first), which axis carries the
feature, and the parameter that declares its size. The interpreter turns it into a shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from dllint.domains.dim import Dim, symbol
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.shape import Shape
from dllint.ir.program import Framework
from dllint.ir.values import Value
from dllint.ops.sizes import is_dim

Config = Mapping[str, Value]
#: Names of the spatial axes of a sequence, an image, a volume.
SPATIAL_NAMES: Final[Mapping[int, tuple[str, ...]]] = {1: ("L",), 2: ("H", "W"), 3: ("D", "H", "W")}


@dataclass(frozen=True, slots=True)
class Demand:
    """``ranks`` the input may have, the usual first; ``axis`` of the feature in that rank; ``parameter`` that declares
    its size; ``names`` for the other axes; ``dtype`` a lazily made input gets."""

    ranks: tuple[int, ...]
    axis: int | None
    parameter: str
    names: tuple[str, ...]
    dtype: DType = FLOAT32

    def shape(self, config: Config) -> Shape:
        """A shape of the usual rank with fresh symbols and the declared feature size. The first axis is optional if one axis
        less will do."""
        declared = config.get(self.parameter)
        names = iter(self.names)
        unbatched = self.ranks[0] - 1 in self.ranks
        out: list[Dim] = []
        for axis in range(self.ranks[0]):
            if axis == self.axis:
                out.append(declared if is_dim(declared) else symbol("C"))
            else:
                out.append(symbol(next(names), optional=unbatched and axis == 0))
        return tuple(out)


def images(parameter: str) -> Callable[[Framework, Config], Demand | None]:
    """An image of as many axes as the configuration's ``spatial`` says, whose channels ``parameter`` declares."""

    def find(framework: Framework, config: Config) -> Demand | None:
        spatial = config.get("spatial")
        if not isinstance(spatial, int) or spatial not in SPATIAL_NAMES:
            return None
        rank = spatial + 2
        ranks = (rank, rank - 1) if framework == "torch" else (rank,)
        return Demand(ranks, rank - 1 if _last(framework, config) else 1, parameter, ("B", *SPATIAL_NAMES[spatial]))

    return find


def pooled_to_size(framework: Framework, config: Config) -> Demand | None:
    """The demand of adaptive pooling: Keras pools symbolic inputs of any rank to a size without a look at them."""
    return None if framework == "keras" else images("")(framework, config)


def _last(framework: Framework, config: Config) -> bool:
    hint = next((config[k] for k in ("channels_last", "data_format") if config.get(k) is not None), None)
    if isinstance(hint, str):
        return not (hint == "channels_first" or hint.upper().startswith("NC"))
    return hint if isinstance(hint, bool) else framework != "torch"


def batch_norm(framework: Framework, config: Config) -> Demand | None:
    """BatchNorm1d takes two ranks, so it does not determine the rank; the others do."""
    return images("num_features")(framework, config) if framework == "torch" and config.get("spatial") != 1 else None


def sequence(framework: Framework, config: Config) -> Demand:
    """A sequence for a recurrent layer."""

    first = framework != "torch" or config.get("batch_first") is True
    ranks = (3, 2) if framework == "torch" else (3,)
    return Demand(ranks, 2, "input_size", ("B", "T") if first else ("T", "B"))


def attention(parameter: str) -> Callable[[Framework, Config], Demand]:
    """A sequence whose feature size ``parameter`` declares."""

    def find(framework: Framework, config: Config) -> Demand:
        first = framework != "torch" or config.get("batch_first") is True
        return Demand((3, 2), 2, parameter, ("B", "T") if first else ("T", "B"))

    return find


def fixed(ranks: tuple[int, ...], axis: int | None, parameter: str, *names: str) -> Callable[[Framework, Config], Demand]:
    """The same demand of every configuration."""

    def find(framework: Framework, config: Config) -> Demand:
        return Demand(ranks, axis, parameter, names)

    return find
