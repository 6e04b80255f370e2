"""DLL103: a cross-entropy on probabilities gets raw scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.keras_training import CROSS_ENTROPIES, Head, heads
from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import set_argument
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.ir.events import Compile
from dllint.ir.program import Op
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class LogitsWithoutFromLogits(Rule[Op | Compile]):
    """A Keras cross-entropy that expects probabilities gets raw scores.

    ## What it finds
    `categorical_crossentropy`, `sparse_categorical_crossentropy` or `binary_crossentropy`, as a string or an object without
    `from_logits=True`, while the model's last layer has no activation.

    ## Why it is bad
    The loss clips the scores to [1e-7, 1 - 1e-7] and takes them for probabilities. Nothing raises; training stalls or
    gives NaN.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(3)])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # error: [DLL103]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense
    from keras.losses import SparseCategoricalCrossentropy

    model = Sequential([Input((8,)), Dense(16, activation="relu"), Dense(3)])
    model.compile("adam", loss=SparseCategoricalCrossentropy(from_logits=True))
    ```

    ## When it stays silent
    An activation added as a layer of its own, and models whose end is not known.
    ```python
    from keras import Input, Sequential
    from keras.layers import Activation, Dense

    model = Sequential([Input((8,)), Dense(3), Activation("softmax")])
    model.compile("adam", loss="categorical_crossentropy")


    def train(model):
        model.compile("adam", loss="categorical_crossentropy")
    ```

    ## References
    - Schoop et al., UMLAUT: no softmax; Humbatova et al., ICSE 2020: missing softmax layer.
    """

    code = "DLL103"
    name = "logits-without-from-logits"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss")

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """The last layer of every head without ``from_logits``."""
        for head in heads(item, context.facts):
            made = source(head.output)
            if head.kind not in CROSS_ENTROPIES or head.from_logits is not False or made.op is None:
                continue
            if made.kind is not OutputKind.LOGITS:
                continue
            activation = "sigmoid" if head.kind == "binary_crossentropy" else "softmax"
            last = f"the model's last layer {operation(made.op, context)}"
            message = f"`{head.kind}` expects probabilities, but {last} has no activation"
            advice = f"use the loss object with from_logits=True, or activation='{activation}'"
            fixes = offer(context, "Use from_logits=True", with_from_logits(head), Applicability.UNSAFE)
            related = built(made.op, context)
            yield context.finding(self, head.where, message, advice=advice, node=head.node, related=related, fixes=fixes)


_CLASSES = {
    "binary_crossentropy": "BinaryCrossentropy",
    "categorical_crossentropy": "CategoricalCrossentropy",
    "sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
}


@builder
def with_from_logits(head: Head) -> tuple[Edit, ...]:
    """The loss's name, or its object without the option, becomes an object with it."""
    site = head.where.site
    if isinstance(head.node, cst.Call):
        return set_argument(site, head.node, "from_logits", "True")
    if not isinstance(head.node, cst.SimpleString):
        return ()
    name, edits = name_for(site.document, f"keras.losses.{_CLASSES[head.kind]}")
    return (*replace_expression(site, head.node, f"{name}(from_logits=True)"), *edits)
