"""DLT110: a Keras model's declared input shape is not the shape of its data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.keras_training import declaration
from dllint.domains.shape import show_shape
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import replace_value
from dllint.fixes.boundary import offering
from dllint.fixes.calls import append_index
from dllint.fixes.operations import argument_of
from dllint.ir.events import Fit, ModelInput
from dllint.ir.program import Fault, Op
from dllint.ir.values import Value
from dllint.ops.sizes import is_shape, whole_numbers
from dllint.rules.context import Context
from dllint.rules.fault_rule import FaultRule
from dllint.rules.offers import offer
from dllint.rules.places import declared_shape, input_shape_argument
from dllint.rules.wording import operation, size


class DeclaredInputShapeWrong(FaultRule):
    """A Keras model's declared input shape is not the shape of its data.

    ## What it finds
    `Input(shape)`, `input_shape=` or `input_dim=` that differs from the known shape of the array the model is called or
    fitted with, or that contains the number of samples.

    ## Why it is bad
    `fit` and `predict` raise. Declared shapes never include the batch axis.

    ## Bad
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense

    x = np.random.rand(100, 3)
    y = np.random.rand(100, 1)
    model = Sequential([Input((2,)), Dense(8, activation="relu"), Dense(1)])  # error: [DLT110]
    model.compile("adam", "mse")
    model.fit(x, y)
    ```

    ## Good
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Dense

    x = np.random.rand(100, 3)
    y = np.random.rand(100, 1)
    model = Sequential([Input((3,)), Dense(8, activation="relu"), Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    ```

    ## When it stays silent
    Axes declared as `None` accept any size.
    ```python
    import numpy as np
    from keras import Input, Sequential
    from keras.layers import Conv1D, GlobalAveragePooling1D

    model = Sequential([Input((None, 3)), Conv1D(8, 3), GlobalAveragePooling1D()])
    model.predict(np.random.rand(4, 50, 3))
    ```

    ## References
    - Humbatova et al., ICSE 2020: wrong defined input shape; wrong shape of input data.
    """

    code = "DLT110"
    name = "declared-input-shape-wrong"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("fault:input-shape",)
    suppresses = ("DLT102", "DLT101", "DLT109")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """The declaration is reported where training data contradict it; other data are reported where they are fed."""
        for fault in item.faults:
            if fault.kind != "input-shape":
                continue
            trained = declaration(item, context.facts)
            single = lacks_batch(fault) and (trained is None or lacks_channels(fault))
            declared = None if single else trained
            fed = context.related(item, "the data are fed here") if declared is not None else None
            evidence = [*([fed] if fed else []), *self.evidence(item, fault, context)]
            message = self.message(item, fault, context) + context.condition_note(item)
            node = declared_shape(declared) if declared is not None else None
            fixes = declaring(declared, fault, context) if declared is not None else batched(item, fault, context)
            advice = self.advice(item, fault, context)
            yield context.finding(self, declared or item, message, advice=advice, node=node, related=evidence, fixes=fixes)

    def message(self, op: Op, fault: Fault, context: Context) -> str:
        """The declared and the given shape."""
        declared, given = shape_text(fault.expected), shape_text(fault.actual)
        return f"{operation(op, context)} gets data of shape {given}, but the model is declared for {declared}"

    def advice(self, op: Op, fault: Fault, context: Context) -> str:
        """The shape to declare, or how to change the data."""
        return remedy(fault, trained=declaration(op, context.facts) is not None)


@offering
def declaring(declared: ModelInput, fault: Fault, context: Context) -> list[Fix]:
    """The declared shape becomes that of the data; ``x.shape`` loses the number of samples."""
    arg, sizes = input_shape_argument(declared), whole_numbers(fault.actual[1:]) if isinstance(fault.actual, tuple) else None
    if arg is None or not sizes:
        return []
    whole = isinstance(arg.value, cst.Attribute) and arg.value.attr.value == "shape"
    if whole and isinstance(fault.expected, tuple) and fault.expected[-len(sizes) :] == sizes:
        edits = append_index(declared.site, arg.value, "1:")
    elif arg.keyword is not None and arg.keyword.value == "input_dim":
        edits = replace_value(declared.site, arg, str(sizes[0])) if len(sizes) == 1 else ()
    else:
        edits = replace_value(declared.site, arg, str(sizes))
    return offer(context, f"Declare {show_shape(sizes)}", edits, Applicability.UNSAFE)


@offering
def batched(op: Op, fault: Fault, context: Context) -> list[Fix]:
    """A single sample that is fed to a model gets its batch axis."""
    if not lacks_batch(fault) or lacks_channels(fault):
        return []
    fed = next((e.nodes.get("x") for e in context.facts.events(Fit) if e.site.node is op.site.node), None)
    node = fed.value if isinstance(fed, cst.Arg) else argument_of(op, 0)
    if node is None:
        return []
    return offer(context, "Add the batch axis", append_index(op.site, node, "None"), Applicability.UNSAFE)


def shape_text(shape: Value) -> str:
    """A declared or given shape; ``None`` axes are batch or free axes."""
    return show_shape(shape) if is_shape(shape) else str(shape)


def lacks_batch(fault: Fault) -> bool:
    """Whether the data are one sample without a batch axis."""
    declared, given = fault.expected, fault.actual
    return isinstance(declared, tuple) and isinstance(given, tuple) and len(given) == len(declared) - 1


def lacks_channels(fault: Fault) -> bool:
    """Whether the data are a batch of what the model takes but for its last axis."""
    declared, given = fault.expected, fault.actual
    if not isinstance(declared, tuple) or not isinstance(given, tuple) or not lacks_batch(fault):
        return False
    return len(given) > 1 and given[1:] == declared[1:-1]


def remedy(fault: Fault, *, trained: bool) -> str:
    """A missing batch axis wants one on the data, unless the data are ``trained`` on and have one; other differences want
    another declaration."""
    if not isinstance(fault.expected, tuple) or not isinstance(fault.actual, tuple) or not fault.actual:
        return fault.detail or "make the two agree"
    own = shape_text(fault.actual[1:])
    if lacks_channels(fault):
        return f"give the data their last axis, of size {size(fault.expected[-1])}, or declare {own}"
    if lacks_batch(fault) and not trained:
        return "add the batch axis to the data (np.expand_dims(x, 0) or x[None])"
    if len(fault.expected) > len(fault.actual):
        return f"declare {own}, without the number of samples"
    return f"declare {own} or reshape the data"
