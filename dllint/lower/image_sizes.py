"""The height and width of a model's images, where the model is told them: by the parameter ``img_size`` of its constructor.

The images that an entry is run with have any height and width. Where the constructor takes them, layers and weights are made to
fit (a position for each patch, a dense layer behind the convolutions), so that the entry is run once more with images of that
size (:mod:`dllint.lower.variants.runs`). That the input is the image shows in its channels: 1, 3 or 4 of them, or as many as a
parameter for channels says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import Dim, DimExpr
from dllint.domains.shape import Shape
from dllint.ir.program import Program
from dllint.ir.values import ClassVal, FuncVal, ListVal, Value, unwrap
from dllint.lower import mro
from dllint.lower.signatures import signature
from dllint.lower.variants.variant import Variant

if TYPE_CHECKING:
    from dllint.lower.options import Options
    from dllint.lower.state import Identities, Run

#: What a run under this setting is given; no parameter has such a name.
SOURCE: Final = "size of images"
#: Parameters for both sides, and pairs of those for height and width.
_SQUARE: Final = ("img_size", "image_size", "imgsize", "imagesize", "im_size", "img_sz", "image_resolution")
_PAIRS: Final = (
    ("img_height", "img_width"),
    ("image_height", "image_width"),
    ("img_h", "img_w"),
    ("image_h", "image_w"),
    ("im_height", "im_width"),
)
#: Names of the axes that layers of images give (:data:`dllint.ops.demands.SPATIAL_NAMES`).
_SIDES: Final = ("H", "W")
_RANK: Final = 4
#: Channels of images: gray, in colours, with transparency; parameters that say how many there are.
_CHANNELS: Final = (1, 3, 4)
_NAMED: Final = frozenset({
    "in_channels", "in_chans", "in_ch", "input_channels", "n_channels", "num_channels", "channels", "img_channels",
    "image_channels", "c_in", "channels_in",
})  # fmt: skip


def sides_of(options: Options, run: Run, shape: Shape) -> Mapping[str, Dim] | None:
    """What the height and width of an input of this shape are, by the names of their symbols; None if that is open."""
    if options.image_size is not None and len(shape) == _RANK:
        return dict.fromkeys(_SIDES, options.image_size)
    given = run.values.get(SOURCE)
    if not isinstance(given, tuple) or not is_image(shape):
        return None
    return {name: side for name, side in zip(_SIDES, given, strict=True) if isinstance(side, (int, DimExpr))}


def is_image(shape: Shape) -> bool:
    """Whether a demanded shape is that of images whose height and width are open."""
    if len(shape) != _RANK or {*_SIDES} - {*map(repr, shape)}:
        return False
    return any(size in _CHANNELS if isinstance(size, int) else repr(size) in _NAMED for size in shape[1:])


def variant(known: Identities, run: Run, program: Program, cls: Value) -> Variant | None:
    """The setting under which the images of a model, which an entry has run, have the size that its constructor takes; None if
    there is no such parameter, no such image, or no number."""
    init = mro.lookup(cls, "__init__") if isinstance(cls, ClassVal) else None
    if not isinstance(init, FuncVal) or not any(map(is_image, _shapes(program))):
        return None
    sig = signature(known, init.node)
    names = next((pair for pair in ((name, name) for name in _SQUARE) if pair[0] in sig.names), None)
    names = names or next((pair for pair in _PAIRS if sig.names.issuperset(pair)), None)
    made = run.last_instances.get(id(cls))
    if names is None or made is None:
        return None
    given = {**init.defaults, **dict(zip(sig.positional[1:], made.arguments.args, strict=False)), **made.arguments.kwargs}
    sides = _sides(*(unwrap(given.get(name)) for name in names))
    if sides is None:
        return None
    stated = " and ".join(f"{name} = {side}" for name, side in dict(zip(names, sides, strict=True)).items())
    return Variant(SOURCE, sides, f"images have {stated}")


def _shapes(program: Program) -> Iterator[Shape]:
    return (seed.shape for seed in program.inputs if isinstance(seed.shape, tuple))


def _sides(height: Value, width: Value) -> tuple[int, int] | None:
    """Height and width as the arguments tell them; one argument may tell both."""
    if height is width and isinstance(height, (tuple, ListVal)):
        both = height.items if isinstance(height, ListVal) else height
        if len(both) != len(_SIDES) or (isinstance(height, ListVal) and height.rest is not None):
            return None
        height, width = map(unwrap, both)
    if not isinstance(height, int) or not isinstance(width, int) or isinstance(height, bool) or min(height, width) < 1:
        return None
    return height, width
