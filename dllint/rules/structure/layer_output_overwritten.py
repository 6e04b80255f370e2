"""DLS101: the output of a layer is overwritten before anybody reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import libcst as cst

from dllint.analysis.dead_layers import DeadLayer, dead_layers
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import builder
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import distinguished


class LayerOutputOverwritten(Rule[Program]):
    """The output of a layer is overwritten before anybody reads it.

    ## What it finds
    A name is bound to the result of a layer and bound again before that value is read, and the second layer starts from
    a tensor that the first chain had started from: the layers between are in the program, but not in the network.

    ## Why it is bad
    A copied line that kept its old argument cuts layers out of the model. Nothing raises; the network is just smaller
    than it reads.

    ## Bad
    ```python
    from keras import Input, Model
    from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D

    inp = Input((28, 28, 1))
    x = Conv2D(32, 3, activation="relu")(inp)
    x = MaxPooling2D()(x)  # error: [DLS101]
    x = Conv2D(32, 3, activation="relu")(inp)
    x = Flatten()(x)
    model = Model(inp, Dense(10, activation="softmax")(x))
    ```

    ## Good
    ```python
    from keras import Input, Model
    from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D

    inp = Input((28, 28, 1))
    x = Conv2D(32, 3, activation="relu")(inp)
    x = MaxPooling2D()(x)
    x = Conv2D(32, 3, activation="relu")(x)
    x = Flatten()(x)
    model = Model(inp, Dense(10, activation="softmax")(x))
    ```

    ## When it stays silent
    Branches (ResNet, U-Net, Inception) read each value, under another name or in a list.
    ```python
    from keras import Input, Model
    from keras.layers import Add, Concatenate, Conv2D

    inp = Input((28, 28, 8))
    x = Conv2D(8, 3, padding="same")(inp)
    shortcut = x
    x = Conv2D(8, 3, padding="same")(inp)
    x = Add()([x, shortcut])
    branches = []
    for size in (1, 3, 5):
        x = Conv2D(8, size, padding="same")(inp)
        branches.append(x)
    model = Model(inp, Concatenate()(branches))
    ```

    ## References
    - Islam et al., *A Comprehensive Study on Deep Learning Bug Characteristics*, FSE 2019: data-flow bugs.
    """

    code = "DLS101"
    name = "layer-output-overwritten"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("program",)
    suppresses = ("DLS102",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The overwritten layer outputs whose successor starts from one of their ancestors."""
        for dead in dead_layers(item, context.facts, context.document):
            if dead.restarts:
                fixes = offer(context, f"Pass `{dead.name}` to the second layer", rewired(dead), Applicability.UNSAFE)
                advice, related = f"pass `{dead.name}` to the second call", places(dead, context)
                yield context.finding(self, dead.op, sentence(dead, context), advice=advice, related=related, fixes=fixes)


def sentence(dead: DeadLayer, context: Context) -> str:
    """Which value is lost, and what overwrites it."""
    assert dead.killer is not None
    lost, killer = distinguished([dead.op, dead.killer], context)
    return f"the output of {lost} is lost: {killer} overwrites `{dead.name}` and starts from an earlier tensor"


@builder
def rewired(dead: DeadLayer) -> tuple[Edit, ...]:
    """The overwriting call takes the dead value as its argument."""
    node = dead.killer.site.node if dead.killer is not None else None
    if dead.killer is None or not isinstance(node, cst.Call) or len(node.args) != 1:
        return ()
    return replace_value(dead.killer.site, node.args[0], dead.name)


def places(dead: DeadLayer, context: Context) -> list[Any]:
    """Where the value is overwritten."""
    related = context.related(dead.killer, f"`{dead.name}` is overwritten here")
    return [related] if related else []
