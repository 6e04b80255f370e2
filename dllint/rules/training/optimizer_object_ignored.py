"""DLO126: an optimizer or loss is configured, and ``compile`` is given the name of one in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.kept_states import is_returned
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
from dllint.source.walk import dotted, small_statements, walk

#: The arguments of `compile` that are asked about → where the objects for them come from.
_KINDS: Final = {"optimizer": "keras.optimizers.", "loss": "keras.losses."}
#: How code reads attributes without their names.
_ASKS_ALL: Final = re.compile(r"__dict__|\bvars\(|\bgetattr\(self, [^\"']")
_SCHEDULES: Final = "keras.optimizers.schedules."


class OptimizerObjectIgnored(Rule[Compile]):
    """An optimizer or loss is made with settings of its own and used nowhere, while `compile` is given a name.

    ## What it finds
    A Keras optimizer with arguments under a name, or an attribute of `self`, that the file never reads, and
    `compile(optimizer="sgd")` after it; the same of losses (`compile(loss="mse")`).

    ## Why it is bad
    The name stands for an optimizer or loss with default settings. The learning rate, momentum, clipping or smoothing that was
    chosen has no effect, and nothing raises.

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
        """A model that is compiled with the name of an optimizer or loss."""
        for kind, prefix in _KINDS.items():
            named = getattr(item, kind)
            if not isinstance(named, str):
                continue
            made = next(((call, name) for call in _before(item, prefix, context) if (name := _unread_name(call))), None)
            if made is not None and _bound_at(made[0]).document is item.site.document:
                yield self._finding(item, kind, named, made, context)

    def _finding(self, item: Compile, kind: str, named: str, made: tuple[LibraryCall, str], context: Context) -> Finding:
        (call, name), node = made, item.nodes.get(kind)
        argument = node if isinstance(node, cst.Arg) else None
        given = quoted(context.text(argument.value) if argument is not None else repr(named))
        related = context.related(call, f"the {kind} that nothing uses")
        edits = (
            _passed(item, argument, name)
            if call.scope == item.scope and _bound_at(call) is call.site and argument is not None
            else ()
        )
        return context.finding(
            self,
            item,
            f"`compile` is given {given}, {_article(kind)} {kind} with default settings, and `{name}` is used nowhere",
            advice=f"pass `{name}`",
            node=argument,
            related=[related] if related else [],
            fixes=offer(context, f"Pass `{name}`", edits, Applicability.UNSAFE),
        )


def _article(kind: str) -> str:
    return "an" if kind[0] in "aeiou" else "a"


def _before(item: Compile, prefix: str, context: Context) -> list[LibraryCall]:
    """The objects of a kind with arguments that are made before a model is compiled, the last first."""
    trace = context.program.trace
    until = next((number for number, other in enumerate(trace) if other is item), len(trace))
    made = (call for call in trace[:until] if isinstance(call, LibraryCall) and _is_configured(call, prefix))
    return list(made)[::-1]


def _is_configured(call: LibraryCall, prefix: str) -> bool:
    if not call.name.startswith(prefix) or call.name.startswith(_SCHEDULES) or not (call.bound or call.unbound):
        return False
    return isinstance(call.result, InstanceVal) and isinstance(call.result.cls, LibSymbol)


def _bound_at(call: LibraryCall) -> Site:
    """Where an object comes to a name: where it is made, or where a function is called that makes it and does nothing but give
    it back."""
    site = call.site
    while site.caller is not None and is_returned(site):
        site = site.caller
    return site


def _unread_name(call: LibraryCall) -> str:
    """The variable or attribute of `self` that an object is assigned to, if nothing reads it: in the function around, or
    anywhere in the file; empty for any other."""
    site = _bound_at(call)
    for small in small_statements(site.statement):
        if isinstance(small, cst.Assign) and small.value is site.node and len(small.targets) == 1:
            target = small.targets[0].target
            if isinstance(target, cst.Name) and not _is_read(target.value, site):
                return target.value
            if (
                isinstance(target, cst.Attribute)
                and dotted(target) == f"self.{target.attr.value}"
                and not _is_asked(target, site)
            ):
                return f"self.{target.attr.value}"
    return ""


def _is_asked(target: cst.Attribute, site: Site) -> bool:
    """Whether an attribute is read anywhere in a file, by its name or as a text, or objects are asked for all of theirs."""
    text, name = site.document.text, target.attr.value
    nodes = [part for top in site.document.body for part in walk(top)]
    bound = {id(part.target) for part in nodes if isinstance(part, cst.AssignTarget)}
    read = any(isinstance(part, cst.Attribute) and part.attr.value == name and id(part) not in bound for part in nodes)
    return read or _ASKS_ALL.search(text) is not None or f'getattr(self, "{name}"' in text


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
