"""DLD103: data are scaled down twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from dllint.analysis.data_scale import TRAINING, Scale, constant_factor, model_rescaling, scale, source
from dllint.analysis.facts import Facts
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import Fit
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import distinguished

#: A constant that brings 0 to 255 to about 0 to 1, or less.
_STRONG: Final = 1 / 100


class ScaledTwice(Rule[Fit | Op]):
    """Pictures are scaled down twice.

    ## What it finds
    Pictures that are divided by 255 (or a similar number) twice on their way into a model: by hand, by a generator with
    `rescale`, by a `Rescaling` layer; in PyTorch, by hand after `ToTensor`, which scales to 0 to 1 itself.

    ## Why it is bad
    The numbers end up between 0 and 0.004. All pictures look black, and training crawls.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten, Rescaling

    (x, y), _ = mnist.load_data()
    model = Sequential([Input((28, 28)), Rescaling(1 / 255), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)  # error: [DLD103]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten, Rescaling

    (x, y), _ = mnist.load_data()
    model = Sequential([Input((28, 28)), Rescaling(1 / 255), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x, y)
    ```

    ## When it stays silent
    A standardisation of numbers between 0 and 1, and scales that are not known.
    ```python
    from keras import Input, Sequential
    from keras.datasets import mnist
    from keras.layers import Dense, Flatten, Rescaling

    (x, y), _ = mnist.load_data()
    model = Sequential([Input((28, 28)), Rescaling(2.0, offset=-1.0), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(x / 255.0, y)
    ```

    ## References
    - Nikanjam et al., TheDeepChecker: double normalisation.
    """

    code = "DLD103"
    name = "scaled-twice"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    frameworks = ("keras", "torch")
    topics: ClassVar[tuple[str, ...]] = ("event:fit", "op:div", "op:mul")

    def check(self, item: Fit | Op, context: Context) -> Iterator[Finding]:
        """The scaling steps before the model, and the model's own."""
        if isinstance(item, Op):
            yield from self._again(item, context)
            return
        found = scale(item.x) if item.method in TRAINING else None
        if found is None or not does(found.root, Trait.LOADS):
            return
        strong = strong_steps(found)
        inside = model_rescaling(item, context.facts)
        config = inside.layer.layer if inside is not None and inside.layer is not None else None
        factor = config.args.get("scale") if config is not None else None
        if inside is not None and isinstance(factor, (float, int)) and abs(factor) <= _STRONG:
            strong.append(inside)
        if len(strong) < 2:
            return
        first, second = distinguished([strong[0], strong[-1]], context)
        message = f"these pictures are scaled down twice, by {first} and {second}"
        related = [context.related(op, "scaled here") for op in strong]
        yield context.finding(self, item, message, advice="leave one of them out", related=[r for r in related if r])

    def _again(self, op: Op, context: Context) -> Iterator[Finding]:
        """A division of what torchvision has brought to 0 to 1."""
        factor = constant_factor(op) if op.framework == "torch" else None
        if factor is None or abs(factor) > _STRONG or not _is_scaled_picture(op, context.facts):
            return
        message = f"these pictures have numbers from 0 to 1: `ToTensor` has scaled them{context.condition_note(op)}"
        yield context.finding(self, op, message, advice="leave the division out")


def _is_scaled_picture(op: Op, facts: Facts) -> bool:
    """Whether an operation takes a picture, or a batch of pictures, as a loader gives it, with numbers from 0 to 1."""
    x = op.args.get("x")
    given = source(x) if isinstance(x, TensorVal) else None
    if given is None or given.producer is not None or given.framework != "torch":
        return False
    picture = given.sample if isinstance(given.sample, TensorVal) else given
    # What is written to in place is that only afterwards if nothing has taken it before.
    is_written = picture.modified or (given.modified and facts.users(given)[:1] != [op])
    axes = picture.type.rank
    return not is_written and (picture.low, picture.high) == (0.0, 1.0) and axes is not None and axes > 2


def strong_steps(found: Scale) -> list[Op]:
    """The steps that divide by a hundred or more."""
    return [op for op in reversed(found.steps) if (change := constant_factor(op)) is not None and abs(change) <= _STRONG]
