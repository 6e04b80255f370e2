"""DLO126: an optimizer is configured, and ``compile`` is given the name of one in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import builder
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.values import InstanceVal, LibSymbol
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.document import Document
from dllint.source.walk import small_statements, walk

_OPTIMIZERS: Final = "keras.optimizers."
_SCHEDULES: Final = "keras.optimizers.schedules."


class OptimizerObjectIgnored(Rule[Compile]):
    """An optimizer object is made with settings of its own and used nowhere, while `compile` is given a name.

    ## What it finds
    A Keras optimizer with arguments under a name that the file never reads, and `compile(optimizer="sgd")` after it.

    ## Why it is bad
    The name stands for an optimizer with default settings. The learning rate, momentum or clipping that was chosen has no
    effect, and nothing raises.

    ## Bad
    ```python
    import keras
    from keras import layers

    model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    sgd = keras.optimizers.SGD(learning_rate=0.001, momentum=0.9)
    model.compile(loss="mse", optimizer="sgd")  # error: [DLO126]
    ```

    ## Good
    ```python
    import keras
    from keras import layers

    model = keras.Sequential([keras.Input((8,)), layers.Dense(4, activation="relu"), layers.Dense(1)])
    sgd = keras.optimizers.SGD(learning_rate=0.001, momentum=0.9)
    model.compile(loss="mse", optimizer=sgd)
    ```

    ## When it stays silent
    Optimizers that anything reads (another model, a table of choices), optimizers without arguments, and names that are given
    before any object is made.
    ```python
    import keras
    from keras import layers

    first = keras.Sequential([keras.Input((8,)), layers.Dense(1)])
    second = keras.Sequential([keras.Input((8,)), layers.Dense(1)])
    sgd = keras.optimizers.SGD(learning_rate=0.001)
    first.compile(loss="mse", optimizer=sgd)
    second.compile(loss="mse", optimizer="sgd")
    plain = keras.optimizers.Adam()
    first.compile(loss="mse", optimizer="adam")
    choices = {"fast": keras.optimizers.SGD(learning_rate=0.1), "slow": keras.optimizers.SGD(learning_rate=0.001)}
    second.compile(loss="mse", optimizer="sgd")
    later = keras.optimizers.SGD(learning_rate=0.1)
    ```

    ## References
    - Keras documentation, optimizers: a string identifier stands for the default parameters.
    - In public code: ArabelaTso/DeepFD, subject 31556268, `repair.py`, line 17.
    """

    code = "DLO126"
    name = "optimizer-object-ignored"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:compile",)

    def check(self, item: Compile, context: Context) -> Iterator[Finding]:
        """A model that is compiled with the name of an optimizer."""
        argument = item.nodes.get("optimizer")
        if not isinstance(item.optimizer, str) or not isinstance(argument, cst.Arg):
            return
        for made in _before(item, context):
            name = _unread_name(made)
            if name is None or made.site.document is not item.site.document:
                continue
            given = quoted(context.text(argument.value))
            related = context.related(made, "the optimizer that nothing uses")
            yield context.finding(
                self,
                item,
                f"`compile` is given {given}, an optimizer with default settings, and `{name}` is used nowhere",
                advice=f"pass `{name}`",
                node=argument,
                related=[related] if related else [],
                fixes=offer(context, f"Pass `{name}`", _passed(item, argument, name), Applicability.UNSAFE),
            )
            return


def _before(item: Compile, context: Context) -> list[LibraryCall]:
    """The optimizers with arguments that are made before a model is compiled, the last first."""
    trace = context.program.trace
    until = next((number for number, other in enumerate(trace) if other is item), len(trace))
    made = (call for call in trace[:until] if isinstance(call, LibraryCall) and _is_configured(call))
    return list(made)[::-1]


def _is_configured(call: LibraryCall) -> bool:
    if not call.name.startswith(_OPTIMIZERS) or call.name.startswith(_SCHEDULES) or not (call.bound or call.unbound):
        return False
    return isinstance(call.result, InstanceVal) and isinstance(call.result.cls, LibSymbol)


def _unread_name(call: LibraryCall) -> str | None:
    """The name that an object is assigned to, if the file speaks of it nowhere else."""
    for small in small_statements(call.site.statement):
        if isinstance(small, cst.Assign) and small.value is call.site.node and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, cst.Name) and _count(call.site.document, target.value) == 1:
                return target.value
    return None


def _count(document: Document, name: str) -> int:
    """How often a name stands in the code of a file, as that of a variable, an attribute or a keyword."""
    nodes = (node for top in document.body for node in walk(top))
    return sum(isinstance(node, cst.Name) and node.value == name for node in nodes)


@builder
def _passed(item: Compile, argument: cst.Arg, name: str) -> tuple[Edit, ...]:
    return replace_value(item.site, argument, name)
