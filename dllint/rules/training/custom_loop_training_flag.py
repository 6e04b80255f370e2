"""DLO116: a Keras model is trained under a tape without ``training=True``, or evaluated with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import training_flags
from dllint.analysis.typestate.training_flags import Flagged
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.fixes.boundary import builder
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import class_name, quoted


class CustomLoopTrainingFlag(Rule[Program]):
    """A training loop written by hand calls a Keras model without `training=True`, or its evaluation calls it with that.

    ## What it finds
    - A model with dropout or batch normalisation is called under a `tf.GradientTape` that is asked for the gradients of its
      variables, and is not told that it is trained. The step may stand in a function, a method, `train_step` or another file.
    - A function that evaluates, by its name, calls such a model with `training=True`.

    ## Why it is bad
    Outside of `fit`, a Keras model that is told nothing computes what it computes for predictions: dropout lets everything
    through, and batch normalisation divides by statistics that it never learns. With `training=True`, an evaluation drops, and
    learns from the evaluation data.

    ## Bad
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(16), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)  # error: [DLO116]
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    ```

    ## Good
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(16), tf.keras.layers.Dropout(0.5), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    ```

    ## When it stays silent
    Models without layers that depend on the flag, layers that are frozen or have a flag of their own, tapes that ask for other
    gradients than those of the model, and evaluations that sample a model that drops.
    ```python
    import tensorflow as tf

    plain = tf.keras.Sequential([tf.keras.layers.Dense(16), tf.keras.layers.Dense(1)])
    features = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization()])
    image = tf.Variable(tf.random.normal((8, 4)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(plain(image) ** 2)
    print(tape.gradient(loss, plain.trainable_variables))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(features(image) ** 2)
    print(tape.gradient(loss, image))


    class AlwaysOn(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.drop = tf.keras.layers.Dropout(0.5)
            self.head = tf.keras.layers.Dense(1)

        def call(self, x):
            return self.head(self.drop(x, training=True))


    always = AlwaysOn()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(always(image) ** 2)
    print(tape.gradient(loss, always.trainable_variables))


    def predict_with_uncertainty(model, x):
        return tf.math.reduce_std(tf.stack([model(x, training=True) for _ in range(20)]), axis=0)
    ```

    ## References
    - Keras guide, "Writing a training loop from scratch".
    """

    code = "DLO116"
    name = "custom-loop-training-flag"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras", "tensorflow")
    topics: Constant[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The calls of models in training steps and evaluations written by hand."""
        for found in training_flags.trained_without_flag(context.facts):
            name, layer = _name(found, context), class_name(found.layer)
            related = context.related(found.asked, "the gradients of its variables are asked for here") if found.asked else None
            yield context.finding(
                self,
                found.call,
                f"{quoted(name)} is trained without training=True, so that its `{layer}` computes what it does for predictions",
                advice=f"call {name}(..., training=True)",
                related=[related] if related else [],
                fixes=_fixes(found, "True", context),
            )
        for found in training_flags.evaluated_with_flag(context.facts):
            name, layer = _name(found, context), class_name(found.layer)
            yield context.finding(
                self,
                found.call,
                f"{quoted(name)} is evaluated with training=True, which its `{layer}` takes for training",
                advice=f"call {name}(..., training=False)",
                fixes=_fixes(found, "False", context),
            )


def _name(found: Flagged, context: Context) -> str:
    """The model as its call names it."""
    node = found.call.site.node
    return (
        context.text(node.func) if isinstance(node, cst.Call) and isinstance(node.func, (cst.Name, cst.Attribute)) else "model"
    )


@builder
def _fixes(found: Flagged, value: str, context: Context) -> tuple[Fix, ...]:
    """Set the flag in the call."""
    node = found.call.site.node
    if not isinstance(node, cst.Call):
        return ()
    edits = set_argument(found.call.site, node, "training", value)
    return tuple(offer(context, f"Call it with training={value}", edits, Applicability.UNSAFE))
