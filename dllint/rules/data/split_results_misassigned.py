"""DLD109: the parts of a split are given names in another order than the call returns them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.data_parts import SPLITS, named_part
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.ir.events import LibraryCall
from dllint.ir.values import ListVal
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted
from dllint.source.walk import small_statements


class SplitResultsMisassigned(Rule[LibraryCall]):
    """The results of `train_test_split` are bound to names in another order than it returns them.

    ## What it finds
    An assignment of the parts to names that say which rows they hold, where a name of training rows gets held-out ones or the
    other way round. The call returns, for each array in turn, its training rows and its held-out rows.

    ## Why it is bad
    Labels are taken for features or test rows for training rows. Where the numbers of rows happen to agree, training runs on
    labels that belong to other samples.

    ## Bad
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x_train, y_train, x_test, y_test = train_test_split(x, y)  # error: [DLD109]
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## Good
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## When it stays silent
    Names that do not say which rows they hold, and parts that are split again.
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    a, b, c, d = train_test_split(x, y)
    x_valid, x_test, y_valid, y_test = train_test_split(b, d)
    model = keras.Sequential([keras.layers.Dense(1)])
    ```

    ## References
    - scikit-learn documentation, `train_test_split`: "List containing train-test split of inputs".
    """

    code = "DLD109"
    name = "split-results-misassigned"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("sklearn",)
    topics: ClassVar[tuple[str, ...]] = ("event:call",)
    calls: ClassVar[tuple[str, ...]] = tuple(sorted(SPLITS))

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """A call that splits arrays."""
        if item.name not in SPLITS or not isinstance(item.result, ListVal):
            return
        targets = _targets(item)
        if len(targets) != len(item.result.items):
            return
        said = [named_part(context.text(target)) for target in targets]
        if None in said or len(set(said)) == 1:
            return
        wrong = next((number for number, part in enumerate(said) if part is not (number % 2 == 1)), None)
        if wrong is None:
            return
        held = "held-out" if wrong % 2 else "training"
        which = _ORDINALS[wrong // 2] if wrong // 2 < len(_ORDINALS) else "next"
        yield context.finding(
            self,
            item,
            f"{quoted(context.text(targets[wrong]))} gets the {held} rows of the {which} array: "
            "each array gives its training rows, then the others",
            advice="bind the results in that order",
            fixes=_fixes(item, targets, said, context),
        )


_ORDINALS: Final = ("first", "second", "third", "fourth")


def _targets(call: LibraryCall) -> list[cst.BaseExpression]:
    """The names that the parts are bound to, if the call is the whole right-hand side."""
    for part in small_statements(call.site.statement) if call.site.statement is not None else ():
        if isinstance(part, cst.Assign) and part.value is call.site.node and len(part.targets) == 1:
            target = part.targets[0].target
            if isinstance(target, (cst.Tuple, cst.List)) and all(isinstance(e.value, cst.Name) for e in target.elements):
                return [element.value for element in target.elements]
    return []


@builder
def _fixes(
    call: LibraryCall, targets: Sequence[cst.BaseExpression], said: Sequence[bool | None], context: Context
) -> tuple[Fix, ...]:
    """The names in the order of the results: those of training, each followed by the held-out one at the same rank."""
    training = [target for target, part in zip(targets, said, strict=True) if part is False]
    held_out = [target for target, part in zip(targets, said, strict=True) if part is True]
    if len(training) != len(held_out):
        return ()
    ordered = [target for pair in zip(training, held_out, strict=True) for target in pair]
    edits = [
        edit
        for target, new in zip(targets, ordered, strict=True)
        if target is not new
        for edit in replace_expression(call.site, target, context.text(new))
    ]
    return (context.fix("Bind the results in the order of the call", edits, Applicability.UNSAFE),) if edits else ()
