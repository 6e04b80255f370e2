"""DLO117: a gradient tape is asked for what it has not recorded, twice, or in vain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar as Constant

import libcst as cst

from dllint.analysis.typestate import tapes, unrecorded
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value, set_argument
from dllint.fixes.boundary import builder
from dllint.ir import events
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted


class GradientTapeMisuse(Rule[Program]):
    """A gradient tape gives no gradient, or none that is used.

    ## What it finds
    - The last step of a loss is computed outside of `with tf.GradientTape()`, or the model is applied in front of it: the
      gradients are all `None`.
    - A tape that is not persistent is asked twice, or in each pass of a loop behind it, which raises.
    - A gradient by a tensor that is no variable and that the tape does not watch: it is `None`.
    - `apply_gradients(zip(variables, gradients))`, the pairs in the wrong order, which raises.
    - Gradients by the variables of a model, under a name that nothing reads.

    ## Why it is bad
    A tape records what happens in its context, of variables and of what it is told to watch. Of anything else it knows
    nothing and gives `None`, without a word, until an optimizer gets nothing but `None`.

    ## Bad
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD()
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
    loss = tf.reduce_mean((prediction - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)  # error: [DLO117]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    ```

    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = tf.reduce_mean((prediction - y) ** 2)
        size = tf.reduce_mean(prediction**2)
    print(tape.gradient(loss, model.trainable_variables))
    print(tape.gradient(size, model.trainable_variables))  # error: [DLO117]
    ```

    ```python
    import tensorflow as tf

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    print(tape.gradient(y, x))  # error: [DLO117]
    ```

    ## Good
    ```python
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD()
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    with tf.GradientTape() as tape:
        prediction = model(x, training=True)
        loss = tf.reduce_mean((prediction - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    ```

    ## When it stays silent
    Persistent tapes, tapes in tapes, tapes that are told to watch or to begin anew, losses and variables that are not known.
    ```python
    import tensorflow as tf
    from losses import made

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        loss = tf.reduce_mean((model(x) - y) ** 2)
    print(tape.gradient(loss, model.trainable_variables))
    print(tape.gradient(loss, x))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = tf.reduce_sum(x**3)
        first = inner.gradient(value, x)
    print(outer.gradient(first, x))
    with tf.GradientTape() as tape:
        prediction = model(x)
        loss = made(prediction, y)
    print(tape.gradient(tf.convert_to_tensor(loss), model.trainable_variables))
    ```

    ## References
    - TensorFlow guide, "Introduction to gradients and automatic differentiation": getting a gradient of `None`.
    - Reported by users of `tensorflow/tensorflow`: issues 45604 and 37141 (the sign of a loss is changed outside the tape).
    """

    code = "DLO117"
    name = "gradient-tape-misuse"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("tensorflow", "keras")
    topics: Constant[tuple[str, ...]] = ("program",)
    needs: Constant[tuple[str, ...]] = ("event:context", "call:*.apply_gradients")

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The tapes of a program that are asked in vain."""
        yield from self._applied(context)
        if not context.facts.under_tape and not context.facts.events(events.ContextEdge):
            return
        for found in tapes.computed_outside(context.facts):
            related = context.related(found.op, "this is computed outside of the tape")
            yield context.finding(
                self,
                found.call,
                f"these gradients are None: {operation(found.op, context)} is not computed in the context of the tape",
                advice="move the computation of the loss into the `with` block",
                related=[related] if related else [],
                severity=Severity.ERROR if found.applied is not None else None,
                kind="outside",
            )
        for early in unrecorded.applied_before(context.facts):
            node = early.applied.site.node
            model = quoted(context.text(node.func)) if isinstance(node, cst.Call) else "the model"
            related = context.related(early.applied, "the model is applied here, where the tape does not record")
            yield context.finding(
                self,
                early.call,
                f"these gradients are None: {model} is not applied in the context of the tape",
                advice="move the call of the model into the `with` block",
                related=[related] if related else [],
                kind="outside",
            )
        yield from self._asked(context)
        for lone in tapes.unwatched(context.facts):
            yield context.finding(
                self,
                lone.call,
                "this gradient is None: the tape does not watch the tensor that it is asked for, which is no variable",
                advice="call watch() of the tape with the tensor, first of all in the `with` block",
                kind="unwatched",
            )
        for call, name in tapes.never_applied(context.facts):
            yield context.finding(
                self,
                call,
                f"nothing reads {quoted(name)}, so that the model does not learn",
                advice="pass the gradients with their variables to apply_gradients() of the optimizer",
                kind="never-applied",
            )

    def _asked(self, context: Context) -> Iterator[Finding]:
        for first, second in tapes.asked_twice(context.facts):
            related = context.related(first, "it is asked here already")
            yield context.finding(
                self,
                second,
                "this tape is asked for gradients a second time, which raises, because it is not persistent",
                advice="make it with persistent=True, or ask once for all that is needed",
                related=[related] if related else [],
                severity=Severity.ERROR,
                fixes=_persistent(first, context),
                kind="twice",
            )
        for call, is_sure in tapes.asked_in_passes(context.facts):
            yield context.finding(
                self,
                call,
                "each pass of this loop asks the same tape for gradients: the second raises, as the tape is not persistent",
                advice="make it with persistent=True, or ask once for all that is needed",
                severity=Severity.ERROR if is_sure else None,
                fixes=_persistent(call, context),
                kind="twice",
            )

    def _applied(self, context: Context) -> Iterator[Finding]:
        for call in tapes.in_wrong_order(context.facts):
            yield context.finding(
                self,
                call,
                "each of these pairs has the gradient behind its variable, which raises",
                advice="pair them as zip(gradients, variables)",
                severity=Severity.ERROR,
                fixes=_swapped(call, context),
                kind="order",
            )


@builder
def _persistent(first: events.LibraryCall, context: Context) -> tuple[Fix, ...]:
    """Make the tape persistent, where that is said by its constructor."""
    made = next((call for call in context.facts.events(events.LibraryCall) if call.result is first.receiver), None)
    if made is None or not isinstance(made.site.node, cst.Call):
        return ()
    edits = set_argument(made.site, made.site.node, "persistent", "True", 0)
    return tuple(offer(context, "Make the tape persistent", edits, Applicability.UNSAFE))


@builder
def _swapped(call: events.LibraryCall, context: Context) -> tuple[Fix, ...]:
    """Pair the other way round."""
    node = call.site.node
    pairs = node.args[0].value if isinstance(node, cst.Call) and node.args else None
    if not isinstance(pairs, cst.Call) or len(pairs.args) != 2:
        return ()
    first, second = pairs.args
    edits = (
        *replace_value(call.site, first, context.text(second.value)),
        *replace_value(call.site, second, context.text(first.value)),
    )
    return tuple(offer(context, "Pair gradients with variables", edits, Applicability.UNSAFE))
