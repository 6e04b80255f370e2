"""DLL105: a loss on probabilities or log-probabilities gets raw scores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.output_kind import OutputKind, source
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.operations import rename_attribute, replace_class
from dllint.ir.program import Op, TensorVal
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.fault_rule import origin
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import operation

#: (framework, loss operation, kind of its input) → what it needs and what to do.
_ADVICE = {
    ("torch", "binary_cross_entropy", OutputKind.LOGITS): (
        "probabilities in [0, 1]",
        "use BCEWithLogitsLoss, or apply a sigmoid first",
    ),
    ("torch", "binary_cross_entropy", OutputKind.TANH): ("probabilities in [0, 1]", "use a sigmoid in place of the tanh"),
    ("tensorflow", "binary_crossentropy", OutputKind.LOGITS): (
        "probabilities in [0, 1]",
        "use tf.losses.sigmoid_cross_entropy, or apply a sigmoid (for several classes: a softmax) first",
    ),
    ("tensorflow", "binary_crossentropy", OutputKind.TANH): ("probabilities in [0, 1]", "use a sigmoid in place of the tanh"),
    ("torch", "nll_loss", OutputKind.LOGITS): ("log-probabilities", "use CrossEntropyLoss, or apply log_softmax first"),
    ("torch", "nll_loss", OutputKind.SOFTMAX): ("log-probabilities", "use log_softmax in place of softmax"),
    ("torch", "nll_loss", OutputKind.SIGMOID): ("log-probabilities", "use log_softmax in place of the sigmoid"),
}  # fmt: skip


class BceOrNllOnRawScores(Rule[Op]):
    """A loss that takes probabilities or log-probabilities gets raw scores.

    ## What it finds
    `BCELoss`, or TensorFlow's `tf.losses.log_loss`, on the output of a linear or convolution
    layer, and `NLLLoss` on raw scores or on softmax probabilities.

    ## Why it is bad
    `BCELoss` raises as soon as a score leaves [0, 1]. `NLLLoss` does not: it returns a negative loss that falls without bound.

    ## Bad
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 10), nn.Softmax(dim=1))
    criterion = nn.NLLLoss()
    loss = criterion(model(torch.randn(32, 8)), torch.randint(0, 10, (32,)))  # error: [DLL105]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 10), nn.LogSoftmax(dim=1))
    criterion = nn.NLLLoss()
    loss = criterion(model(torch.randn(32, 8)), torch.randint(0, 10, (32,)))
    ```

    ## When it stays silent
    Models that are not known, values clamped to [0, 1], and data that are probabilities already.
    ```python
    import torch
    from torch import nn


    def loss(model, x, y):
        return nn.BCELoss()(model(x), y)


    scores = nn.Linear(8, 1)(torch.randn(32, 8)).clamp(0, 1)
    value = nn.BCELoss()(scores, torch.rand(32, 1))
    ```

    ## References
    - PyTorch documentation, `torch.nn.NLLLoss`.
    - Nikanjam et al., NeuraLint: missing softmax, missing sigmoid.
    """

    code = "DLL105"
    name = "bce-or-nll-on-raw-scores"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.UNSAFE
    frameworks = ("torch", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("op:binary_cross_entropy", "op:nll_loss", "op:binary_crossentropy")

    def check(self, item: Op, context: Context) -> Iterator[Finding]:
        """What made the prediction."""
        x = item.args.get("x")
        if item.args.get("from_logits") or not isinstance(x, TensorVal):
            return
        made = source(x)
        wanted = _ADVICE.get((item.framework, item.kind, made.kind))
        if made.op is None or wanted is None:
            return
        needs, advice = wanted
        given = f"the output of {operation(made.op, context)} ({made.kind.value})"
        message = f"{operation(item, context)} takes {needs}, but its input is {given}{context.condition_note(item)}"
        related = [r for r in (origin(made.op.output, item, context),) if r]
        fixes = offer(context, advice[0].upper() + advice[1:], fitting_loss(item, made.op), Applicability.UNSAFE)
        yield context.finding(self, item, message, advice=advice, related=related, fixes=fixes)


#: Loss on raw scores → the loss that takes them.
_ON_SCORES = {"binary_cross_entropy": "torch.nn.BCEWithLogitsLoss", "nll_loss": "torch.nn.CrossEntropyLoss"}


@builder
def fitting_loss(op: Op, maker: Op) -> tuple[Edit, ...]:
    """The loss that takes what the model gives, or ``log_softmax`` in place of ``softmax``."""
    if op.kind == "nll_loss" and does(maker, Trait.SHARES):
        if maker.layer is not None:
            return replace_class(maker.layer, "torch.nn.LogSoftmax")
        node = maker.site.node
        return rename_attribute(maker.site, node.func, "log_softmax") if isinstance(node, cst.Call) else ()
    scores = op.args.get("x")
    if not isinstance(scores, TensorVal) or source(scores).kind is not OutputKind.LOGITS or op.layer is None:
        return ()
    return replace_class(op.layer, _ON_SCORES[op.kind])
