"""DLA106: a positional argument that lands in another parameter than the author meant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, TypeGuard

import libcst as cst

from dllint.analysis import former_orders
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.arguments import positional_arguments, remove_argument, replace_value
from dllint.fixes.boundary import builder
from dllint.ir.events import LibraryCall
from dllint.ir.values import Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted, size

_DENSE_LIKE = ("keras.layers.Dense", "keras.layers.LSTM", "keras.layers.GRU", "keras.layers.SimpleRNN")
_DROPOUTS = ("keras.layers.Dropout", "keras.layers.AlphaDropout")
_FITS = ("keras.Model.fit", "keras.Sequential.fit")
_NORMS = ("keras.layers.BatchNormalization",)
_POOLS = ("torch.nn.MaxPool1d", "torch.nn.MaxPool2d", "torch.nn.MaxPool3d")
_CHANGED_IN_TENSORFLOW_1 = Releases("tensorflow", former_orders.SINCE, "the order of arguments of TensorFlow 0", usual=True)
_EPOCHS = ("epoch",)
#: Keras 0 took input and output sizes.
_NOT_KERAS_0 = Releases("keras", "1.0", "the order of arguments of Keras 0", usual=True)
_LARGEST_AXIS = 5


class PositionalArgumentConfusion(Rule[LibraryCall]):
    """A positional argument lands in another parameter than the author meant.

    ## What it finds
    Values that make no sense for their parameter: `Dense(50, 1)` (the second is the activation; Keras 0.x took input and
    output sizes), `Dropout(0.5, 100)` (the noise shape), `fit(x, y, epochs)` (the batch size),
    `BatchNormalization(64)` (the axis), `MaxPool2d(2, 2, 2)` (padding larger than half the window). Calls of TensorFlow in the
    order of releases before 1.0, such as `tf.concat(1, [a, b])`, which later ones refuse.

    ## Why it is bad
    The call raises a puzzling error, or runs with another meaning.

    ## Bad
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((100,)), Dense(100, 50)])  # error: [DLA106]
    ```

    ```python
    import tensorflow as tf

    a, b = tf.zeros([2, 3]), tf.ones([2, 3])
    both = tf.concat(1, [a, b])  # error: [DLA106]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((100,)), Dense(50)])
    ```

    ## When it stays silent
    Values that fit their parameter.
    ```python
    from keras.layers import BatchNormalization, Dense, Dropout

    layers = [Dense(50, "relu"), Dropout(0.5), BatchNormalization(1)]
    ```

    ## References
    - Stack Overflow 31880720.
    - Zhang et al., ISSTA 2018: API misuse.
    """

    code = "DLA106"
    name = "positional-argument-confusion"
    severity = Severity.WARNING
    confidence = Confidence.MEDIUM
    applicability = Applicability.UNSAFE
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (*_DENSE_LIKE, *_DROPOUTS, *_FITS, *_NORMS, *_POOLS, *former_orders.NAMES)

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The suspicious parameter of each call in the table."""
        for names, parameter, judge in _SUSPECTS:
            if item.name in names and (judged := judge(item.name.rpartition(".")[2], parameter, item, context)):
                fact, advice = judged
                edits = corrected(item, parameter, context)
                fixes = offer(context, "Name or drop the argument", edits, Applicability.UNSAFE)
                releases = _NOT_KERAS_0 if names is _DENSE_LIKE else None
                message = fact + context.condition_note(item)
                yield context.finding(self, item, message, advice=advice, fixes=fixes, releases=releases)
        if (former := former_orders.former_order(item)) is not None:
            yield self._of_former_release(item, former, context)

    def _of_former_release(self, item: LibraryCall, former: former_orders.FormerOrder, context: Context) -> Finding:
        fixes = offer(context, "Name the arguments", named(item, former.names, context), Applicability.UNSAFE)
        return context.finding(
            self,
            item,
            f"{quoted(item.name)} takes {former.taken}, since TensorFlow {former_orders.SINCE}",
            advice="name the arguments" if former.names else "pass `[height, width]`",
            severity=Severity.ERROR,
            fixes=fixes,
            releases=_CHANGED_IN_TENSORFLOW_1,
        )


@builder
def named(event: LibraryCall, names: tuple[str, ...], context: Context) -> tuple[Edit, ...]:
    """The arguments that are given by position get names, if they are as many."""
    node = event.site.node
    args = positional_arguments(node) if isinstance(node, cst.Call) else []
    if not names or len(args) != len(names):
        return ()
    texts = (f"{name}={context.text(arg.value)}" for name, arg in zip(names, args, strict=True))
    return tuple(e for arg, text in zip(args, texts, strict=True) for e in replace_value(event.site, arg, text))


@builder
def corrected(event: LibraryCall, parameter: str, context: Context) -> tuple[Edit, ...]:
    """The input size of a legacy dense layer goes; epochs are named; a noise shape or axis is dropped."""
    node = event.site.node
    _, arg = positional(event, parameter)
    if not isinstance(node, cst.Call) or not isinstance(arg, cst.Arg) or arg not in node.args:
        return ()
    if parameter == "activation":
        return remove_argument(event.site, node, node.args[0])
    if parameter == "batch_size":
        return replace_value(event.site, arg, f"epochs={context.text(arg.value)}")
    return remove_argument(event.site, node, arg) if parameter in ("noise_shape", "axis") else ()


def positional(event: LibraryCall, parameter: str) -> tuple[Value, cst.Arg | None]:
    """The value and the node of a parameter that was given by position; ``(None, None)`` otherwise."""
    node = event.nodes.get(parameter)
    written = node if isinstance(node, cst.Arg) else None
    if parameter not in event.bound or (written is not None and written.keyword is not None):
        return None, None
    return unwrap(event.bound[parameter]), written


def is_number(value: Value) -> TypeGuard[float]:
    """Whether a value is a plain number, not a truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


#: What is wrong, and what to do.
FactAndAdvice = tuple[str, str]


def _activation(name: str, parameter: str, event: LibraryCall, context: Context) -> FactAndAdvice | None:
    value, _ = positional(event, parameter)
    if not is_number(value):
        return None
    units = unwrap(event.bound.get("units"))
    fact = f"`{name}({size(units)}, {value})` makes {value} the activation, because Keras infers the input size"
    return fact, f"write `{name}({value})`"


def _noise_shape(name: str, parameter: str, event: LibraryCall, context: Context) -> FactAndAdvice | None:
    value, _ = positional(event, parameter)
    if not is_number(value):
        return None
    return f"the second argument of `{name}` is noise_shape, but {value} is given", "drop it"


def _batch_size(name: str, parameter: str, event: LibraryCall, context: Context) -> FactAndAdvice | None:
    _, node = positional(event, parameter)
    text = context.text(node.value) if isinstance(node, cst.Arg) else ""
    if node is None or not any(word in text.lower() for word in _EPOCHS):
        return None
    return f"the third argument of `{name}` is batch_size, but {quoted(text)} is given", f"write `epochs={text}`"


def _axis(name: str, parameter: str, event: LibraryCall, context: Context) -> FactAndAdvice | None:
    value, _ = positional(event, parameter)
    if not is_number(value) or value <= _LARGEST_AXIS:
        return None
    fact = f"`{name}({value})` makes {value} the axis to normalise, because Keras infers the number of features"
    return fact, f"write `{name}()`"


def _padding(name: str, parameter: str, event: LibraryCall, context: Context) -> FactAndAdvice | None:
    value, _ = positional(event, parameter)
    window = unwrap(event.bound.get("kernel_size"))
    if not is_number(value) or not is_number(window) or value <= window // 2:
        return None
    fact = f"the third argument of `{name}` is padding, at most half the window {window}, but {value} is given"
    return fact, "name the argument you mean"


_SUSPECTS = (
    (_DENSE_LIKE, "activation", _activation),
    (_DROPOUTS, "noise_shape", _noise_shape),
    (_FITS, "batch_size", _batch_size),
    (_NORMS, "axis", _axis),
    (_POOLS, "padding", _padding),
)
