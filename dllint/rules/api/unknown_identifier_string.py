"""DLA105: a string that names no object of the library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import libcst as cst

from dllint.analysis.identifiers import kind_of, may_be_own, meant
from dllint.analysis.keras_training import sequence
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.frameworks.nearest_names import nearest
from dllint.frameworks.torch.identifiers import STRINGS
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.values import DictVal, ListVal, Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.walk import walk

#: Argument of ``compile`` → the kind of object that its strings name.
_COMPILED = {"loss": "loss", "optimizer": "optimizer", "metrics": "metric"}


class UnknownIdentifierString(Rule[LibraryCall | Compile]):
    """A string that names no object of the library, and is one slip away from one that does.

    ## What it finds
    Strings for activations, initializers, regularizers and constraints of Keras layers, and for the loss, optimizer and metrics
    of `compile`, that no release of Keras knows (`"rellu"`, `"Relu"`, `"categorial_crossentropy"`, `"adam(lr=0.1)"`). Of
    PyTorch: `mode`, `nonlinearity`, `reduction`, `padding_mode`, `activation` and `indexing` of functions and classes that take
    only certain strings.

    ## Why it is bad
    The library raises an error where it looks the string up, which may be long after the start of the program.

    ## Bad
    ```python
    from keras.layers import Dense

    layer = Dense(10, activation="rellu")  # error: [DLA105]
    ```

    ## Good
    ```python
    from keras.layers import Dense

    layer = Dense(10, activation="relu")
    ```

    ## When it stays silent
    Strings that some release of Keras knows, those that nothing is near to, and code that registers objects of its own.
    ```python
    import keras
    from keras.layers import Dense


    def swishh(x):
        return x * keras.ops.sigmoid(x)


    keras.utils.get_custom_objects()["swishh"] = swishh
    layers = [Dense(10, activation="swishh"), Dense(10, kernel_initializer="glorot_uniform")]
    ```

    ## References
    - Humbatova et al., *Taxonomy of Real Faults in Deep Learning Systems*, ICSE 2020: wrong API usage.
    """

    code = "DLA105"
    name = "unknown-identifier-string"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("event:call", "event:compile")
    suppresses = ("DLT118",)

    def check(self, item: LibraryCall | Compile, context: Context) -> Iterator[Finding]:
        """Every string of a call."""
        for parameter, written, near in unknown(item, context):
            node = item.nodes.get(parameter)
            place = string_node(node, written)
            edits = named(item, place, near) if place is not None else ()
            message = f"{owner(item)} knows no {parameter} {quoted_string(written)}{context.condition_note(item)}"
            fixes = offer(context, f'Write "{near}"', edits, Applicability.SAFE)
            yield context.finding(self, item, message, advice=f'write `"{near}"`', node=place, fixes=fixes)


def unknown(event: LibraryCall | Compile, context: Context) -> Iterator[tuple[str, str, str]]:
    """The strings of a call that name nothing: the parameter, the string, and what was meant."""
    if isinstance(event, Compile):
        for parameter, kind in _COMPILED.items():
            for text in strings(getattr(event, parameter)):
                if (near := meant(kind, text)) and not may_be_own(context.document, text):
                    yield parameter, text, near
        return
    allowed = STRINGS.get(event.name, {})
    for parameter, value in event.bound.items():
        written = unwrap(value)
        if not isinstance(written, str):
            continue
        if parameter in allowed:
            near = "" if is_allowed(event.name, written, allowed[parameter]) else nearest(written, allowed[parameter])
        else:
            kind = kind_of(event.name, parameter)
            near = meant(kind, written) if kind and not may_be_own(context.document, written) else ""
        if near:
            yield parameter, str(written), near


def is_allowed(name: str, written: str, allowed: tuple[str, ...]) -> bool:
    """Whether a callable takes a string; initialisations take it in capitals, too."""
    return written in allowed or (name.startswith("torch.nn.init.") and written.lower() in allowed)


def strings(value: Value) -> Iterator[str]:
    """The strings of an argument: itself, or what a list or a table holds."""
    value = unwrap(value)
    if isinstance(value, str):
        yield str(value)
    elif isinstance(value, (ListVal, DictVal, tuple)):
        for each in sequence(value):
            yield from strings(each)


def string_node(node: Any, written: str) -> cst.SimpleString | None:
    """The only string of an argument that is this one."""
    if node is None:
        return None
    found = [part for part in walk(node) if isinstance(part, cst.SimpleString) and part.evaluated_value == written]
    return found[0] if len(found) == 1 else None


@builder
def named(event: LibraryCall | Compile, node: cst.SimpleString, near: str) -> tuple[Edit, ...]:
    """The string with the name that was meant, in the same quotes."""
    return replace_expression(event.site, node, f"{node.quote}{near}{node.quote}") if not node.prefix else ()


def owner(event: LibraryCall | Compile) -> str:
    """Who looks the string up."""
    return "Keras" if isinstance(event, Compile) else f"`{event.name.rpartition('.')[2]}`"


def quoted_string(written: str) -> str:
    """The string as it is written in code."""
    return f'`"{written}"`'
