"""DLD105: a transformation is fitted again to the data that are held out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.data_parts import DataParts, named_part
from dllint.analysis.fitted import Fitting, fittings
from dllint.analysis.statistics_slices import statistics
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_callee
from dllint.ir.program import Op, Program
from dllint.ops.kinds import does
from dllint.ops.traits import Trait
from dllint.rules.context import Context
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted


class FitOnEvaluationData(Rule[Program]):
    """A scaler, projection or vocabulary that was fitted to the training data is fitted again to the data that are held out.

    ## What it finds
    `fit`, `fit_transform`, `fit_on_texts` or `adapt` on rows that a split holds out, where an object of the same class was
    fitted to the rows of training before. Where no split is seen, the names of the arguments tell which rows they are. The same
    by hand: `(x_test - x_test.mean()) / x_test.std()`.

    ## Why it is bad
    The two parts are transformed by different numbers: a value that means one thing in training means another in the test. The
    score is that of a model on other data than it will meet.

    ## Bad
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.fit_transform(x_test)  # error: [DLD105]
    ```

    ## Good
    ```python
    import keras
    import numpy as np
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    x_train, x_test, y_train, y_test = train_test_split(x, y)
    scaler = StandardScaler()
    x_train = scaler.fit_transform(x_train)
    x_test = scaler.transform(x_test)
    ```

    ## When it stays silent
    Transformations without statistics of rows (`Normalizer`, `Binarizer`), encoders of labels, and data of which nothing says
    that they are held out, such as features and targets that are scaled one after the other.
    ```python
    import keras
    import numpy as np
    from sklearn.preprocessing import MinMaxScaler, Normalizer

    x, y = np.loadtxt("x.txt"), np.loadtxt("y.txt")
    scaled, targets = MinMaxScaler().fit_transform(x), MinMaxScaler().fit_transform(y)
    x_train, x_test = x[:100], x[100:]
    rows_train, rows_test = Normalizer().fit_transform(x_train), Normalizer().fit_transform(x_test)
    ```

    ## References
    - scikit-learn documentation, "Common pitfalls and recommended practices": inconsistent preprocessing, data leakage.
    """

    code = "DLD105"
    name = "fit-on-evaluation-data"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.UNSAFE
    frameworks = ("sklearn", "keras")
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The fittings of a program, each with those before it."""
        fitted = list(fittings(context.facts))
        by_hand = [op for op in context.facts.ops if does(op, Trait.DIVIDES) and statistics(op) is not None]
        if len(fitted) < 2 and len(by_hand) < 2:
            return
        parts = DataParts(context.facts)
        yield from self._by_hand(by_hand, parts, context)
        for number, again in enumerate(fitted):
            first = next((one for one in fitted[:number] if _is_contrast(one, again, parts, context)), None)
            if first is not None:
                yield self._reported(first, again, context)

    def _by_hand(self, standardisations: list[Op], parts: DataParts, context: Context) -> Iterator[Finding]:
        """``(x_test - x_test.mean()) / x_test.std()`` beside the same for the rows of training."""
        trained: dict[object, Op] = {}
        for op in standardisations:
            found = statistics(op)
            taken = parts.of(found[0].args.get("x")) if found is not None else frozenset()
            splits = {(part.split, part.number) for part in taken}
            if len(splits) != 1:
                continue
            split = splits.pop()
            if not any(part.is_held_out for part in taken):
                trained.setdefault(split, op)
            elif split in trained and all(part.is_held_out for part in taken):
                related = context.related(trained[split], "the data of training are standardised here")
                yield context.finding(
                    self,
                    op,
                    f"{quoted(context.text(op))} standardises held-out data by their own mean and standard deviation",
                    advice="use the mean and the standard deviation of the training data",
                    related=[related] if related else [],
                )

    def _reported(self, first: Fitting, again: Fitting, context: Context) -> Finding:
        same = first.transformer is again.transformer
        who = f"the same `{again.cls}`" if same else f"another `{again.cls}`"
        data = quoted(context.text(again.argument))
        where, before = again.call.site, first.call.site
        while where.node is before.node and where.caller is not None and before.caller is not None:
            where, before = where.caller, before.caller
        related = context.related(before, f"`{first.cls}` is fitted to the data of training here")
        method = again.call.name.rpartition(".")[2]
        return context.finding(
            self,
            where,
            f"`{method}` fits {who} to the held-out {data}, which gets other statistics than the training data",
            advice="fit to the training data only, and call `transform` for the others",
            related=[related] if related else [],
            fixes=_fixes(again, context) if same else (),
        )


def _is_contrast(first: Fitting, again: Fitting, parts: DataParts, context: Context) -> bool:
    """Whether the first is fitted to rows of training and the second, of the same class, to held-out ones."""
    if first.cls != again.cls or (first.call.site.node is again.call.site.node and first.transformer is again.transformer):
        return False
    trained, tested = parts.of(first.data), parts.of(again.data)
    if trained or tested:
        both = {(part.split, part.number) for part in trained} & {(part.split, part.number) for part in tested}
        return bool(both) and not any(part.is_held_out for part in trained) and all(part.is_held_out for part in tested)
    return named_part(context.text(first.argument)) is False and named_part(context.text(again.argument)) is True


@builder
def _fixes(again: Fitting, context: Context) -> tuple[Fix, ...]:
    node = again.call.site.node
    if not again.transforms or not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return ()
    edits = replace_callee(again.call.site, node, f"{context.text(node.func.value)}.transform")
    return (context.fix("Call `transform`", edits, Applicability.UNSAFE),) if edits else ()
