"""DLL114: a loss or metric gets the truth and the prediction in each other's place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.swapped import swapped_losses, swapped_metrics, swapped_parameters
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import Compile, LibraryCall
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import operation, quoted

#: What a loss takes first, and what to change; whether it is one of PyTorch's.
_ORDERS: Final = {
    True: ("prediction", "pass the model's output first"),
    False: ("truth", "pass the truth first"),
}


class LossArgumentsSwapped(Rule[Program | Compile]):
    """A loss or metric that tells the truth from the prediction gets each in the other's place.

    ## What it finds
    - A cross-entropy whose target is what a model has computed, and whose input is none of that. PyTorch takes the input first,
      Keras and TensorFlow the truth.
    - scikit-learn: `confusion_matrix`, `classification_report`, `precision_score`, `recall_score`, `r2_score` and the like,
    with
      the prediction first. Where the data are not known, the names of the arguments decide.
    - Keras: a loss or metric of the program itself with parameters such as `(y_pred, y_true)`; Keras passes the truth first.

    ## Why it is bad
    Precision is reported as recall, and false positives as false negatives. A loss with its arguments exchanged has another
    minimum, or none.

    ## Bad
    ```python
    import keras
    import numpy as np
    from sklearn.metrics import classification_report

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    model = keras.Sequential([keras.layers.Dense(3, activation="softmax")])
    model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
    model.fit(x, y)
    print(classification_report(model.predict(x).argmax(axis=1), y))  # error: [DLL114]
    ```

    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()
        optimizer.zero_grad()
        nn.BCELoss()(y, model(x)).backward()  # error: [DLL114]
        optimizer.step()
    ```

    ```python
    import keras
    import tensorflow as tf

    model = keras.Sequential([keras.layers.Dense(1)])
    loss_function = keras.losses.BinaryCrossentropy(from_logits=True)
    x, y = tf.random.normal([16, 4]), tf.ones([16, 1])
    with tf.GradientTape() as tape:
        loss = loss_function(model(x), y)  # error: [DLL114]
    ```

    ## Good
    ```python
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 1), nn.Sigmoid())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(4, 8), torch.randint(0, 2, (4, 1)).float()
        optimizer.zero_grad()
        nn.BCELoss()(model(x), y).backward()
        optimizer.step()
    ```

    ## When it stays silent
    Measures that are symmetric, divergences, which may be meant either way, and pairs of which both, or neither, come from a
    model.
    ```python
    import numpy as np
    import torch
    from sklearn.metrics import accuracy_score, confusion_matrix
    from torch import nn

    student, teacher = nn.Linear(8, 3), nn.Linear(8, 3)
    x, y = torch.randn(4, 8), torch.randint(0, 3, (4,))
    print(accuracy_score(student(x).argmax(1), y), confusion_matrix(student(x).argmax(1), teacher(x).argmax(1)))
    loss = nn.functional.kl_div(student(x).log_softmax(1), teacher(x).softmax(1), reduction="batchmean")
    distance = nn.functional.mse_loss(torch.zeros(4, 3), student(x))
    reverse = nn.functional.kl_div(torch.full((4, 3), 1 / 3).log(), student(x).softmax(1), reduction="batchmean")
    ```

    ## References
    - scikit-learn documentation, `sklearn.metrics`; Keras documentation, "Creating custom losses".
    - Humbatova et al., ICSE 2020: wrong loss calculation.
    """

    code = "DLL114"
    name = "loss-arguments-swapped"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("torch", "keras", "tensorflow", "sklearn")
    topics: ClassVar[tuple[str, ...]] = ("program", "event:compile")

    def check(self, item: Program | Compile, context: Context) -> Iterator[Finding]:
        """The losses and metrics of a program, or those that a model is compiled with."""
        if isinstance(item, Compile):
            for function in swapped_parameters(item):
                message = f"Keras calls {quoted(function.name)} with the truth first: its parameters have the opposite order"
                yield context.finding(self, item, message, advice="declare the parameters in the order (y_true, y_pred)")
            return
        for call in swapped_metrics(context.facts):
            name = quoted(call.name.rpartition(".")[2])
            yield context.finding(
                self,
                call,
                f"{name} takes the truth first, but its first argument is the prediction",
                advice="pass the truth first",
                fixes=_exchanged(call, context),
            )
        for op in swapped_losses(context.facts):
            first, advice = _ORDERS[op.framework == "torch"]
            message = f"{operation(op, context)} takes the {first} first, but what the model computes is passed as the target"
            yield context.finding(self, op, message, advice=advice)


@builder
def _exchanged(call: LibraryCall, context: Context) -> tuple[Fix, ...]:
    node = call.site.node
    if not isinstance(node, cst.Call) or len(node.args) < 2 or any(arg.star or arg.keyword for arg in node.args[:2]):
        return ()
    first, second = (arg.value for arg in node.args[:2])
    edits = [
        *replace_expression(call.site, first, context.text(second)),
        *replace_expression(call.site, second, context.text(first)),
    ]
    return (context.fix("Exchange the arguments", edits, Applicability.UNSAFE),)
