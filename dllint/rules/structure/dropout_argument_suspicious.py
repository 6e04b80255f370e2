"""DLS208: a rate of dropout that is a probability to keep, and dropout between the layers of a single recurrent layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.name_words import words
from dllint.domains.finite import finite
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.arguments import remove_argument
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import LibraryCall
from dllint.ir.values import Value, unwrap
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: What drops values at a rate, and the name of the parameter (torch 2.13, Keras 3.15).
_RATES: Final = {
    **{f"torch.nn.{name}": "p" for name in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout")},
    **{f"torch.nn.functional.{name}": "p" for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")},
    **{f"keras.layers.{name}": "rate" for name in ("Dropout", "SpatialDropout1D", "SpatialDropout2D", "AlphaDropout")},
    "tensorflow.nn.dropout": "rate",
}
_OF_TENSORFLOW: Final = "tensorflow."
_NOT_TENSORFLOW_1: Final = Releases("tensorflow", "2.0", "`keep_prob` of `tf.nn.dropout`", usual=True)
_RECURRENT: Final = frozenset(f"torch.nn.{name}" for name in ("RNN", "LSTM", "GRU"))
_HALF: Final = 0.5


class DropoutArgumentSuspicious(Rule[LibraryCall]):
    """A dropout gets the share of values to keep for the share to drop, or has no effect.

    ## What it finds
    A rate that is given by a name such as `keep_prob` and is above 0.5; `nn.LSTM`, `nn.GRU` and `nn.RNN` of one layer with
    `dropout`.

    ## Why it is bad
    The parameter of PyTorch's and Keras' layers, and of `tf.nn.dropout` since TensorFlow 2, is the share that is dropped; in
    TensorFlow 1 it was the share that is kept. Of 0.8, only a fifth of the values is left. The `dropout` of a recurrent layer
    acts between its layers: with one layer there is nowhere to act, and the regularisation that was meant is missing.

    ## Bad
    ```python
    from torch import nn

    keep_prob = 0.8
    layers = [nn.Dropout(keep_prob)]  # error: [DLS208]
    layers += [nn.LSTM(16, 32, dropout=0.5)]  # error: [DLS208]
    ```

    ## Good
    ```python
    from torch import nn

    keep_prob = 0.8
    layers = [nn.Dropout(1 - keep_prob), nn.LSTM(16, 32), nn.Dropout(0.5)]
    ```

    ## When it stays silent
    Several recurrent layers, and numbers of layers that are a default or are not known.
    ```python
    from torch import nn


    def encoder(layers=1, dropout=0.5):
        return nn.LSTM(16, 32, layers, dropout=dropout)


    deep = nn.LSTM(16, 32, num_layers=2, dropout=0.5)
    ```

    ## References
    - PyTorch documentation, `torch.nn.LSTM`: `dropout` acts on the outputs of each layer except the last.
    - TensorFlow documentation, `tf.compat.v1.nn.dropout`: `keep_prob`.
    """

    code = "DLS208"
    name = "dropout-argument-suspicious"
    severity = Severity.WARNING
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = (*_RATES, *sorted(_RECURRENT))

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """The construction or call of a dropout, or the construction of a recurrent layer."""
        if item.name in _RECURRENT:
            yield from self._idle(item, context)
        elif (parameter := _RATES.get(item.name)) is not None:
            yield from self._kept(item, parameter, context)

    def _kept(self, item: LibraryCall, parameter: str, context: Context) -> Iterator[Finding]:
        node = item.nodes.get(parameter)
        given = node.value if isinstance(node, cst.Arg) else node
        rate = finite(unwrap(item.bound.get(parameter)))
        if not isinstance(given, (cst.Name, cst.Attribute)) or not _keeps(given):
            return
        if rate is None or not _HALF < rate <= 1:
            return
        text = context.text(given)
        edits = replace_expression(item.site, given, f"1 - {text}")
        yield context.finding(
            self,
            item,
            f"{quoted(text)} = {rate:g} is taken for the share of values to drop{context.condition_note(item)}",
            advice=f"write 1 - {text}",
            node=given,
            fixes=offer(context, f"Write 1 - {text}", edits, Applicability.UNSAFE),
            releases=_NOT_TENSORFLOW_1 if item.name.startswith(_OF_TENSORFLOW) else None,
        )

    def _idle(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        rate = item.bound.get("dropout")
        if not _is_number_above_0(rate) or not _is_one(item.bound.get("num_layers", 1)):
            return
        yield context.finding(
            self,
            item,
            f"`dropout` of {quoted(item.name.rpartition('.')[2])} acts between its layers: with one layer it does nothing"
            f"{context.condition_note(item)}",
            advice="put a dropout layer behind it, or use num_layers=2",
            node=item.nodes.get("dropout"),
            fixes=offer(context, "Remove `dropout`", without_dropout(item), Applicability.UNSAFE),
        )


@builder
def without_dropout(item: LibraryCall) -> tuple[Edit, ...]:
    """A call without its keyword ``dropout``."""
    call, given = item.site.node, item.nodes.get("dropout")
    if isinstance(call, cst.Call) and isinstance(given, cst.Arg) and given.keyword is not None:
        return remove_argument(item.site, call, given)
    return ()


def _keeps(given: cst.Name | cst.Attribute) -> bool:
    """Whether a name says that something is kept (``keep_prob``, ``self.p_keep``)."""
    name = given.value if isinstance(given, cst.Name) else given.attr.value
    return "keep" in words(name)


def _is_one(layers: Value) -> bool:
    """Whether there is one layer, and not by a default that a caller may change."""
    return type(layers) is int and layers == 1


def _is_number_above_0(rate: Value) -> bool:
    number = finite(unwrap(rate))
    return number is not None and number > 0
