"""DLO126: an optimizer is configured, and ``compile`` is given the name of one in its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.own_statements import enclosing
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import builder
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.program import Site
from dllint.ir.values import InstanceVal, LibSymbol
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
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
            if name is None or made.site.document is not item.site.document or made.scope != item.scope:
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
    """The name that an object is assigned to, if nothing reads it: in the function around, or anywhere in the file."""
    for small in small_statements(call.site.statement):
        if isinstance(small, cst.Assign) and small.value is call.site.node and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, cst.Name) and not _is_read(target.value, call.site):
                return target.value
    return None


def _is_read(name: str, site: Site) -> bool:
    """Whether a name stands in the code of a function, or of a file, for a variable that is not just bound; at the top level of
    a file also as an attribute, by which other files read it."""
    functions = [part for part in enclosing(site) if isinstance(part, cst.FunctionDef)]
    nodes = [part for top in functions[-1:] or site.document.body for part in walk(top)]
    others = {id(other) for part in nodes for other in _no_reads(part, bool(functions))}
    return any(isinstance(part, cst.Name) and part.value == name and id(part) not in others for part in nodes)


def _no_reads(part: cst.CSTNode, is_local: bool) -> tuple[cst.CSTNode | None, ...]:
    """The names in a part of the tree that bind a variable, or are no variables."""
    if isinstance(part, cst.AssignTarget):
        return (part.target,)
    if isinstance(part, cst.Arg):
        return (part.keyword,)
    return (part.attr,) if is_local and isinstance(part, cst.Attribute) else ()


@builder
def _passed(item: Compile, argument: cst.Arg, name: str) -> tuple[Edit, ...]:
    return replace_value(item.site, argument, name)
