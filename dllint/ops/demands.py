"""What an operation demands of its input, so that an input of unknown rank can be seeded from the layer it flows into.

A demand is one row: the ranks the input may have (the usual one first), which axis carries the feature, and the
parameter that declares its size. The interpreter turns it into a shape with :func:`demanded_shape`.
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
        """A shape of the usual rank with fresh symbols and the declared feature size."""
        declared = config.get(self.parameter)
        names = iter(self.names)
        out: list[Dim] = []
        for axis in range(self.ranks[0]):
            if axis == self.axis:
                out.append(declared if is_dim(declared) else symbol("C"))
            else:
                out.append(symbol(next(names)))
        return tuple(out)


def demand(op: str, framework: Framework, config: Config) -> Demand | None:
    """What the operation demands of its first tensor with this configuration; ``None`` if it takes any rank."""
    find = DEMANDS.get(op)
    return None if find is None else find(framework, config)


def demanded_shape(op: str, framework: Framework, config: Config) -> Shape | None:
    """The shape an input of unknown rank gets when it flows into the operation, ``None`` if that does not tell it."""
    found = demand(op, framework, config)
    return None if found is None else found.shape(config)


def _images(parameter: str) -> Callable[[Framework, Config], Demand | None]:
    def find(framework: Framework, config: Config) -> Demand | None:
        spatial = config.get("spatial")
        if not isinstance(spatial, int) or spatial not in SPATIAL_NAMES:
            return None
        rank = spatial + 2
        ranks = (rank, rank - 1) if framework == "torch" else (rank,)
        return Demand(ranks, rank - 1 if _last(framework, config) else 1, parameter, ("B", *SPATIAL_NAMES[spatial]))

    return find


def _pooled_to_size(framework: Framework, config: Config) -> Demand | None:
    """Keras pools symbolic inputs of any rank to a size without a look at them."""
    return None if framework == "keras" else _images("")(framework, config)


def _last(framework: Framework, config: Config) -> bool:
    hint = next((config[k] for k in ("channels_last", "data_format") if config.get(k) is not None), None)
    if isinstance(hint, str):
        return not (hint == "channels_first" or hint.upper().startswith("NC"))
    return hint if isinstance(hint, bool) else framework != "torch"


def _batch_norm(framework: Framework, config: Config) -> Demand | None:
    """BatchNorm1d takes two ranks, so it does not tell; the others do."""
    return _images("num_features")(framework, config) if framework == "torch" and config.get("spatial") != 1 else None


def _sequence(framework: Framework, config: Config) -> Demand:
    first = framework != "torch" or config.get("batch_first") is True
    ranks = (3, 2) if framework == "torch" else (3,)
    return Demand(ranks, 2, "input_size", ("B", "T") if first else ("T", "B"))


def _attention(parameter: str) -> Callable[[Framework, Config], Demand]:
    def find(framework: Framework, config: Config) -> Demand:
        first = framework != "torch" or config.get("batch_first") is True
        return Demand((3, 2), 2, parameter, ("B", "T") if first else ("T", "B"))

    return find


def _fixed(ranks: tuple[int, ...], axis: int | None, parameter: str, *names: str) -> Callable[[Framework, Config], Demand]:
    def find(framework: Framework, config: Config) -> Demand:
        return Demand(ranks, axis, parameter, names)

    return find


#: Operation → its demand. Operations that take any rank (embedding, linear, pixel_shuffle) are absent: a guess would not be
#: proof.
DEMANDS: Final[Mapping[str, Callable[[Framework, Config], Demand | None]]] = {
    **dict.fromkeys(("conv", "conv_transpose", "depthwise_conv", "separable_conv"), _images("in_channels")),
    **dict.fromkeys(
        ("max_pool", "avg_pool", "lp_pool", "global_avg_pool", "global_max_pool"),
        _images(""),
    ),
    **dict.fromkeys(("adaptive_avg_pool", "adaptive_max_pool"), _pooled_to_size),
    **dict.fromkeys(("zero_pad", "crop"), _images("")),
    "batch_norm": _batch_norm,
    "instance_norm": _images("num_features"),
    "rnn": _sequence,
    "rnn_cell": _fixed((2, 1), 1, "input_size", "B"),
    "multihead_attention": _attention("embed_dim"),
    "transformer_encoder_layer": _attention("d_model"),
    "transformer_encoder": _attention("d_model"),
    "transformer_decoder_layer": _attention("d_model"),
    "repeat_vector": _fixed((2,), 1, "", "B"),
}
