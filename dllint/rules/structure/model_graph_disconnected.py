"""DLS112: the outputs of a functional model do not depend on its inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from dllint.analysis.modules import elements
from dllint.domains.lattice import Unknown
from dllint.finding import Confidence, Finding, Severity
from dllint.ir.events import LibraryCall, ModelGraph
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import DictVal, ListVal, Value
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

_INPUTS = ("keras.Input", "keras.layers.Input", "keras.layers.InputLayer")


class ModelGraphDisconnected(Rule[ModelGraph]):
    """An output of a functional model does not depend on its inputs, or depends on one that is not listed.

    ## What it finds
    `Model(inputs, outputs)` where an output is computed from an `Input` that is not among the inputs. An input that no
    output depends on is reported as information.

    ## Why it is bad
    Keras raises "Graph disconnected" (or "cannot be connected").

    ## Bad
    ```python
    from keras import Input, Model
    from keras.layers import Concatenate, Dense

    a = Input((4,))
    b = Input((6,))
    x = Concatenate()([a, b])
    model = Model(a, Dense(1)(x))  # error: [DLS112]
    ```

    ## Good
    ```python
    from keras import Input, Model
    from keras.layers import Concatenate, Dense

    a = Input((4,))
    b = Input((6,))
    x = Concatenate()([a, b])
    model = Model([a, b], Dense(1)(x))
    ```

    ## When it stays silent
    Models that share layers, each with its own inputs.
    ```python
    from keras import Input, Model
    from keras.layers import Dense

    a = Input((4,))
    hidden = Dense(8)(a)
    encoder = Model(a, hidden)
    classifier = Model(a, Dense(1)(hidden))
    ```

    An input whose way to the outputs leads through what is not known.
    ```python
    from keras import Input, Model
    from keras.layers import Dense

    from encoders import encode

    a = Input((4,))
    model = Model(a, Dense(1)(encode(a)))
    ```

    ## References
    - Nikanjam et al., NeuraLint.
    """

    code = "DLS112"
    name = "model-graph-disconnected"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("event:model",)

    def check(self, item: ModelGraph, context: Context) -> Iterator[Finding]:
        """The ``Input`` tensors that each output depends on, against the listed ones."""
        listed, results = list(members(item.inputs)), list(members(item.outputs))
        inputs, outputs = tensors(listed), tensors(results)
        if not inputs or not outputs or len(inputs) != len(listed):
            return
        known = declared(context)
        if any(value.id not in known for value in inputs):
            return
        needed: dict[int, TensorVal] = {}
        followed = len(outputs) == len(results)
        for output in outputs:
            found, whole = leaves(output, {value.id for value in inputs}, known)
            needed.update(found)
            followed = followed and whole
        missing = [value for key, value in needed.items() if key not in {v.id for v in inputs}]
        for value in missing:
            event = known[value.id]
            missed = quoted(context.text(event.site.node))
            message = f"an output of this model depends on {missed}, which is not among its inputs"
            related = context.related(event, "this input is missing")
            evidence = [related] if related else []
            yield context.finding(self, item, message, advice="add it to `inputs` of the model", related=evidence)
        for value in inputs:
            if value.id not in needed and not missing and followed:
                message = f"no output of this model depends on its input {quoted(context.text(known[value.id].site.node))}"
                advice = "use it in an output, or leave it out of `inputs`"
                yield context.finding(self, item, message, advice=advice, severity=Severity.INFO)


def members(value: Value) -> Iterator[Value]:
    """What a model's inputs or outputs are made of, through lists and dicts in one another."""
    if not isinstance(value, (tuple, ListVal, DictVal)):
        yield value
        return
    for member in elements(value):
        yield from members(member)
    if isinstance(value, DictVal) and value.rest is not None:
        yield from members(value.rest)


def tensors(values: Iterable[Value]) -> list[TensorVal]:
    """The tensors among them."""
    return [member for member in values if isinstance(member, TensorVal)]


def declared(context: Context) -> dict[int, LibraryCall]:
    """The calls that made the ``Input`` tensors, by tensor."""
    found: dict[int, LibraryCall] = {}
    for event in context.facts.events(LibraryCall):
        if event.name in _INPUTS and isinstance(event.result, TensorVal):
            found[event.result.id] = event
    return found


def leaves(output: TensorVal, inputs: set[int], known: dict[int, LibraryCall]) -> tuple[dict[int, TensorVal], bool]:
    """The ``Input`` tensors that an output depends on, and whether these are all: the search ends at the listed inputs and at
    what is not known."""
    found: dict[int, TensorVal] = {}
    whole = True
    seen: set[int] = set()
    todo = [output]
    while todo:
        value = todo.pop()
        if value.id in seen:
            continue
        seen.add(value.id)
        if value.id in inputs or value.id in known:
            found[value.id] = value
        elif value.producer is None:
            whole = whole and value.data is not None
        else:
            whole = whole and not _has_unknown(value.producer)
            todo.extend(value.producer.inputs)
    return found, whole


def _has_unknown(op: Op) -> bool:
    """Whether an argument, in whose place a tensor may be, is not known."""
    return any(isinstance(member, Unknown) for value in op.args.values() for member in elements(value))
