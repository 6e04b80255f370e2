"""DLT111: channels-first images in a channels-last convolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import libcst as cst

from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import offering
from dllint.fixes.operations import set_option
from dllint.frameworks.keras.protocols.formats import OPEN
from dllint.ir.events import ModelInput
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import having_any
from dllint.ops.ranges.spec import shape_of
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.places import declared_shape, input_shape_argument
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_COLOURS = (1, 3, 4)
_SMALLEST_IMAGE = 5


class ChannelOrderMismatch(Rule[Op]):
    """Images with the channels first go into a convolution that expects them last.

    ## What it finds
    A Keras convolution with the default data format whose input has shape (c, h, w) with c of 1, 3 or 4 and
    larger h and w.

    ## Why it is bad
    The layer takes the width for the channels and slides over channels and rows; it runs, or fails later with a
    collapsed size, and learns badly.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Conv2D

    model = Sequential([Input((3, 64, 64)), Conv2D(16, 3)])  # error: [DLT111]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Conv2D

    model = Sequential([Input((64, 64, 3)), Conv2D(16, 3)])
    ```

    ## When it stays silent
    With `data_format="channels_first"`, for shapes that are no images, and for the state of a recurrent cell, of whose last
    axis the layer makes a multiple.
    ```python
    from keras import Input, Sequential
    from keras.layers import Conv2D

    model = Sequential([Input((3, 64, 64)), Conv2D(16, 3, data_format="channels_first")])
    ```

    ## References
    - Schoop et al., UMLAUT: input has the wrong shape.
    """

    code = "DLT111"
    name = "channel-order-mismatch"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("op:conv",)

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """A channels-last convolution on an input that looks channels-first."""
        x = item.args.get("x")
        if not isinstance(x, TensorVal) or item.framework not in ("keras", "tensorflow") or not _is_last_by_default(item):
            return
        whole = shape_of(x)
        if not is_model_input(x) or not channels_first_image(x) or whole is None or is_of_features(item, whole):
            return
        shape = whole[1:]
        message = f"{operation(item, context)} expects channels last, but its input {show_shape(whole)} looks channels-first"
        advice = (
            f"declare ({shape[1]}, {shape[2]}, {shape[0]}) and move the channel axis of the data to the end, or set "
            "data_format='channels_first'"
        )
        node, fixes = declared_shape(item), reordered(item, x, context)
        yield context.finding(self, item, message + context.condition_note(item), advice=advice, node=node, fixes=fixes)


def _is_last_by_default(op: Op) -> bool:
    """Whether a layer takes its channels last, or does so if nobody has set Keras 1 otherwise."""
    last = op.args.get("channels_last")
    return last is True or (isinstance(last, Unknown) and last == OPEN)


@offering
def reordered(op: Op, x: TensorVal, context: Context) -> list[Fix]:
    """The declared shape with its channels last, if it is written as a tuple; or the layer's data format."""
    where = next((e for e in context.facts.events(ModelInput) if e.value is x), op)
    arg = input_shape_argument(where)
    edits: tuple[Edit, ...] = ()
    if arg is not None and isinstance(arg.value, cst.Tuple) and len(arg.value.elements) == 3:
        first, *others = (context.text(element.value) for element in arg.value.elements)
        edits = replace_value(where.site, arg, f"({', '.join([*others, first])})")
    return [
        *offer(context, "Declare the channels last", edits, Applicability.UNSAFE),
        *offer(context, "Set data_format", set_option(op.layer, "data_format", '"channels_first"'), Applicability.UNSAFE),
    ]


#: What stands for data: random numbers, constants, arrays.
_GIVEN = having_any(Trait.DRAWS_NORMAL | Trait.DRAWS_EVENLY | Trait.FILLS | Trait.TAKES_DATA)


def is_model_input(x: TensorVal) -> bool:
    """Whether a tensor is an input that no layer has changed."""
    return x.producer is None or x.producer.kind in _GIVEN


def is_of_features(op: Op, shape: Sequence[Dim]) -> bool:
    """Whether the last axis of (N, a, h, w) may hold features: the layer makes a multiple of them, as a recurrent cell does of
    its state, and the plane is no square, as most images are."""
    made = op.args.get("out_channels")
    width = shape[-1]
    return isinstance(made, int) and isinstance(width, int) and made % width == 0 and shape[-2] != width


def channels_first_image(x: TensorVal) -> bool:
    """(N, c, h, w) with few channels and an image-like rest that could not be channels itself."""
    if isinstance(x.shape, Unknown) or len(x.shape) != 4:
        return False
    c, h, w = x.shape[1:]
    sizes = isinstance(h, int) and isinstance(w, int) and h >= _SMALLEST_IMAGE and w >= _SMALLEST_IMAGE
    return sizes and c in _COLOURS and w not in _COLOURS
