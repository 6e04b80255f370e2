"""DLO115: a Keras layer is frozen or thawed after its model was trained, and the model is not compiled again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import recompiled
from dllint.analysis.typestate.recompiled import Unheeded
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.statements import insert_before
from dllint.ir.program import Program
from dllint.ir.values import unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class TrainableChangedWithoutRecompile(Rule[Program]):
    """`trainable` is changed between two trainings of a Keras model without `compile()`.

    ## What it finds
    A layer, or a part of a model, is frozen or thawed after `fit()` of the model, and the next `fit()` of it follows without
    `compile()` in between.

    ## Why it is bad
    The first `fit()` makes a function for the variables that are trained then, and later ones call it again. What was frozen
    stays frozen, and what is frozen now goes on learning: fine-tuning trains nothing but the head.

    ## Bad
    ```python
    import keras
    import numpy as np

    x, y = np.zeros((32, 8)), np.zeros(32)
    base = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu")])
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y, epochs=5)
    base.trainable = True  # error: [DLO115]
    model.fit(x, y, epochs=5)
    ```

    ## Good
    ```python
    import keras
    import numpy as np

    x, y = np.zeros((32, 8)), np.zeros(32)
    base = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu")])
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y, epochs=5)
    base.trainable = True
    model.compile(optimizer=keras.optimizers.Adam(1e-5), loss="mse")
    model.fit(x, y, epochs=5)
    ```

    ## When it stays silent
    Changes before the first `fit()`, also behind `compile()`; changes that change nothing; loops that train the parts of a GAN
    in turn; models that are compiled in a function of their own, run eagerly or are given to code that is not followed.
    ```python
    import keras
    import numpy as np
    from recipes import prepared

    x, y = np.zeros((32, 8)), np.zeros(32)
    late = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16), keras.layers.Dense(1)])
    late.compile(optimizer="adam", loss="mse")
    late.layers[0].trainable = False
    late.fit(x, y)
    late.layers[0].trainable = False
    late.fit(x, y)
    late.layers[0].trainable = True
    prepared(late)
    late.fit(x, y)

    generator = keras.Sequential([keras.Input((4,)), keras.layers.Dense(8)])
    critic = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    critic.compile(optimizer="adam", loss="mse")
    both = keras.Sequential([generator, critic])
    both.compile(optimizer="adam", loss="mse")
    for _ in range(100):
        critic.trainable = True
        critic.fit(x, y)
        critic.trainable = False
        both.fit(np.zeros((32, 4)), y)
    ```

    ## References
    - Keras guide, "Transfer learning and fine-tuning": important notes about `compile()` and `trainable`.
    - Reported of public code: `nasa/delta` (issue 58); by users of `keras-team/keras`: issue 9940.
    """

    code = "DLO115"
    name = "trainable-changed-without-recompile"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:fit",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The changes of ``trainable`` that come too late."""
        for found in recompiled.unheeded(context.facts):
            changed = "thawed" if unwrap(found.write.value) is True else "frozen"
            node = found.later.site.node
            model = context.text(node.func.value) if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) else ""
            places = (
                context.related(found.first, "the model was trained here, which made its training function"),
                context.related(found.later, "it is trained with the same function here"),
            )
            yield context.finding(
                self,
                found.write,
                f"the layers that are {changed} here are so in vain: {quoted(model or 'the model')} is not compiled again",
                advice=f"call {model or 'model'}.compile(...) before it is trained again",
                related=[place for place in places if place is not None],
                fixes=_fixes(found, context),
            )


@builder
def _fixes(found: Unheeded, context: Context) -> tuple[Fix, ...]:
    """Repeat the call of ``compile`` in front of the next training, if it makes its optimizer itself: one that has been used
    knows only the variables that it was used for."""
    compiled, later = found.compiled, found.later
    if compiled is None or compiled.scope != later.scope or compiled.site.document is not later.site.document:
        return ()
    argument = compiled.nodes.get("optimizer")
    optimizer = argument.value if isinstance(argument, cst.Arg) else argument
    if not isinstance(optimizer, (cst.SimpleString, cst.Call)):
        return ()
    edits = insert_before(later.site, context.text(compiled))
    return tuple(offer(context, "Compile the model again", edits, Applicability.UNSAFE))
