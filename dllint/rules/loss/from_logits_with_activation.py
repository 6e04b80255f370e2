"""DLL102: a loss with ``from_logits=True`` gets probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.keras_training import CROSS_ENTROPIES, Head, heads
from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import keyword_argument, remove_argument
from dllint.fixes.boundary import builder
from dllint.ir.events import Compile
from dllint.ir.program import Op
from dllint.rules.context import Context
from dllint.rules.fault_rule import built
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation


class FromLogitsWithActivation(Rule[Op | Compile]):
    """A loss with `from_logits=True` gets the output of a softmax or sigmoid.

    ## What it finds
    A Keras cross-entropy with `from_logits=True` whose model ends in a softmax or sigmoid.

    ## Why it is bad
    The loss applies the activation a second time: gradients shrink and the model learns slowly. Where nothing stands between
    activation and loss, it is information only: today's Keras on TensorFlow keeps the logits with the result of the activation,
    takes them and warns. On JAX and PyTorch the activation is applied twice.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense, Reshape
    from keras.losses import CategoricalCrossentropy

    model = Sequential([Input((8,)), Dense(3, activation="softmax"), Reshape((3,))])
    model.compile("adam", loss=CategoricalCrossentropy(from_logits=True))  # error: [DLL102]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense
    from keras.losses import CategoricalCrossentropy

    model = Sequential([Input((8,)), Dense(3, activation="softmax")])
    model.compile("adam", loss=CategoricalCrossentropy())
    ```

    ## When it stays silent
    Of a model with several heads, only the head bound to the loss counts.
    ```python
    from keras import Input, Model
    from keras.layers import Dense
    from keras.losses import BinaryCrossentropy

    x = Input((8,))
    scores = Dense(1)(x)
    shares = Dense(3, activation="softmax")(x)
    model = Model(x, [scores, shares])
    model.compile("adam", loss=[BinaryCrossentropy(from_logits=True), "categorical_crossentropy"])
    ```

    ## References
    - Schoop et al., UMLAUT; Nikanjam et al., NeuraLint: loss input post-activation.
    """

    code = "DLL102"
    name = "from-logits-with-activation"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:compile", "op:keras_loss")
    suppresses = ("DLS202",)

    def check(self, item: Op | Compile, context: Context) -> Iterator[Finding]:
        """The last activation of every head with ``from_logits=True``."""
        for head in heads(item, context.facts):
            made = source(head.output)
            if head.kind not in CROSS_ENTROPIES or head.from_logits is not True or made.op is None:
                continue
            if made.kind not in (OutputKind.SOFTMAX, OutputKind.SIGMOID):
                continue
            message = f"`{head.kind}` with from_logits=True gets the {made.kind.value} of {operation(made.op, context)}"
            advice = "remove from_logits=True or the activation"
            fixes = offer(context, "Remove from_logits=True", without_from_logits(head), Applicability.UNSAFE)
            kept = _are_logits_kept(head, made.op)
            severity = Severity.INFO if kept else self.severity
            message += ", which only TensorFlow undoes" if kept else ""
            yield context.finding(
                self,
                head.where,
                message,
                advice=advice,
                node=head.node,
                severity=severity,
                related=built(made.op, context),
                fixes=fixes,
            )


#: How a program says that Keras runs on a backend that keeps no logits.
_OTHER_BACKEND: Final = re.compile(r"KERAS_BACKEND\W{1,12}(?:torch|jax|openvino)\b")


def _are_logits_kept(head: Head, maker: Op) -> bool:
    """Whether a loss gets the result of an activation itself, with which Keras on TensorFlow keeps the logits. An operation
    between them makes a tensor of its own."""
    return head.output.producer is maker and _OTHER_BACKEND.search(maker.site.document.text) is None


@builder
def without_from_logits(head: Head) -> tuple[Edit, ...]:
    """The keyword is taken out of a loss that is built in the call of ``compile``."""
    if not isinstance(head.node, cst.Call) or (arg := keyword_argument(head.node, "from_logits")) is None:
        return ()
    return remove_argument(head.where.site, head.node, arg)
