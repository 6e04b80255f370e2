"""DLS303: a hidden layer is much narrower than the number of classes behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.built_here import where_built
from dllint.analysis.dense_stacks import before, features
from dllint.analysis.keras_training import CROSS_ENTROPIES, heads
from dllint.analysis.output_kind import affine_source
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Compile
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.kinds import does, having
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

_LOSSES: Final = having(Trait.CLASS_LOSS)
#: Fewer classes than this are told apart along one direction.
_FEWEST: Final = 4
#: A layer is narrow with fewer than a quarter of the classes, and no more features than this: embeddings are wider.
_NARROW: Final = 8


class HiddenNarrowerThanClasses(Rule[Op | Compile]):
    """The last hidden layer of a classifier has far fewer features than there are classes.

    ## What it finds
    A dense layer with an activation before the layer of the scores that leaves at most 8 features, and fewer than a quarter of
    the classes, of more features before.

    ## Why it is bad
    All that tells the classes apart has to go through these few numbers, half of which a relu sets to 0: the classes cannot be
    told apart well.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((64,))])
    model.add(Dense(2, activation="relu"))  # hint: [DLS303]
    model.add(Dense(10, activation="softmax"))
    model.compile("adam", "sparse_categorical_crossentropy")
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((64,))])
    model.add(Dense(32, activation="relu"))
    model.add(Dense(10, activation="softmax"))
    model.compile("adam", "sparse_categorical_crossentropy")
    ```

    ## When it stays silent
    Few classes, embeddings without an activation, data that have no more features themselves, and autoencoders.
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    shown = Sequential([Input((64,)), Dense(32, activation="relu"), Dense(2), Dense(10, activation="softmax")])
    shown.compile("adam", "sparse_categorical_crossentropy")
    decoder = Sequential([Input((64,)), Dense(2, activation="relu"), Dense(64, activation="sigmoid")])
    decoder.compile("adam", "mse")
    ```

    ## References
    - Humbatova et al., ICSE 2020: suboptimal number of neurons.
    """

    code = "DLS303"
    name = "hidden-narrower-than-classes"
    severity = Severity.HINT
    confidence = Confidence.MEDIUM
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss", *(f"op:{kind}" for kind in sorted(_LOSSES)))
    default = "hint"

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """The scores that a loss of classes takes."""
        for prediction in _predictions(item, context):
            scores = affine_source(prediction) if isinstance(prediction, TensorVal) else None
            hidden = before(scores) if scores is not None and does(scores, Trait.DENSE) else None
            if scores is None or hidden is None or not hidden.by or not does(hidden.layer, Trait.DENSE):
                continue
            classes, width, wide = features(scores), features(hidden.layer), _width(hidden.layer.args.get("x"))
            if width is None or _width(scores.args.get("x")) != width:
                continue
            if classes is None or wide is None or not _is_narrow(width, classes, wide):
                continue
            yield context.finding(
                self,
                where_built(hidden.layer),
                f"{operation(hidden.layer, context)} leaves {width} of {wide} features to tell {classes} classes apart",
                advice="give it more features than there are classes",
                related=built(scores, context),
            )


def _predictions(item: Op | Compile, context: Context) -> Iterator[Value]:
    if isinstance(item, Op) and item.kind in _LOSSES:
        yield item.args.get("x")
        return
    yield from (head.output for head in heads(item, context.facts) if head.kind in CROSS_ENTROPIES[1:])


def _width(value: Value) -> int | None:
    size = value.shape[-1] if isinstance(value, TensorVal) and isinstance(value.shape, tuple) and value.shape else None
    return size if isinstance(size, int) else None


def _is_narrow(width: int, classes: int, wide: int) -> bool:
    return classes >= _FEWEST and width < wide and width <= _NARROW and 4 * width < classes
