"""DLA101: objects of two packages called Keras meet in one model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.keras_packages import KerasPackages, Meeting, package_of
from dllint.analysis.said_in_files import any_says
from dllint.analysis.symbol_uses import symbol_uses
from dllint.edit import Applicability, Edit
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder
from dllint.fixes.places import inner, replacing
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.rules.wording import quoted

#: The packages beside `keras` and `tf.keras`. A pattern that begins with letters is searched fast.
_OTHERS: Final = re.compile(r"tf_keras\b|tensorflow\.python\b")


class MixedKerasPackages(Rule[Program]):
    """A layer or optimizer of one package called Keras is put into a model of another one.

    ## What it finds
    - A layer of `tensorflow.python.keras` or `tf_keras` that is called on a tensor of `keras`.
    - A layer in a `Sequential` of another one of these packages, if one of them is Keras 3.
    - `compile` with an optimizer of another one of these packages.

    With `tf.keras`, of which layers in a `Sequential` are refused from TensorFlow 2.16 on, the rest from 2.6 on, one finding
    per package in a model. It is for information if nothing says which release is meant.

    ## Why it is bad
    Each package has a class `Layer`, a class `Optimizer` and symbolic tensors of its own, and refuses those of the others:
    "Only instances of `keras.Layer` can be added", "Could not interpret optimizer identifier".

    ## Bad
    ```python
    from keras import Input, Sequential
    from tensorflow.python.keras.layers import Dense

    model = Sequential([Input((8,)), Dense(2)])  # error: [DLA101]
    ```

    ## Good
    ```python
    from keras import Input, Sequential
    from keras.layers import Dense

    model = Sequential([Input((8,)), Dense(2)])
    ```

    ## When it stays silent
    `keras` beside `tf.keras`, which are one package since Keras 2.4; `tf_keras` beside `tf.keras`, which an environment
    variable makes one; helpers, losses, metrics and callbacks, of which many work with models of another package.
    ```python
    import tensorflow as tf
    from keras.layers import Dense
    from tensorflow.python.keras.utils.np_utils import to_categorical

    model = tf.keras.Sequential([tf.keras.Input((8,)), Dense(2)])
    model.compile(tf.keras.optimizers.Adam(), loss="mse")
    labels = to_categorical([0, 1, 1], 2)
    ```

    ## References
    - Keras documentation, "Getting started with Keras": Keras 3 is not meant to be mixed with other packages of that name.
    - Zhang et al., *An Empirical Study on TensorFlow Program Bugs*, ISSTA 2018: confusion of APIs.
    """

    code = "DLA101"
    name = "mixed-keras-packages"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("keras",)
    topics: ClassVar[tuple[str, ...]] = ("program",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The objects of a program that a model of another package gets."""
        calls = context.facts.events(LibraryCall)
        if not any_says([context.document, *(call.site.document for call in calls)], _OTHERS):
            return
        for found in KerasPackages(context.facts).meetings():
            text = quoted(context.text(found.refused.site.node))
            related = context.related(found.owner.site, f"this is made by `{found.other}`")
            yield context.finding(
                self,
                found.refused.site,
                f"{text} is of `{found.package}`, and meets what `{found.other}` makes",
                advice=f"use the class of `{found.other}`",
                related=[related] if related else [],
                fixes=offer(context, f"Import it from {found.other}", _moved(found), Applicability.SAFE),
                releases=found.releases,
            )


#: Modules that all packages have, below their own name.
_SHARED: Final = frozenset({"layers", "models", "optimizers", "losses", "metrics", "callbacks", "regularizers", "initializers"})


@builder
def _moved(found: Meeting) -> tuple[Edit, ...]:
    """The import by which the object is named, from the other package: ``from PACKAGE.layers import Dense``."""
    if "python" in found.other:
        return ()
    for use in symbol_uses(found.refused.site.document):
        node = use.site.node if use.imported and use.local == found.refused.local else None
        parts = use.site.statement.body if isinstance(use.site.statement, cst.SimpleStatementLine) else ()
        statement = next((part for part in parts if isinstance(part, cst.ImportFrom)), None)
        if node is None or statement is None or statement.module is None or package_of(use.name) != found.package:
            continue
        module = use.name.rpartition(".")[0]
        if module.removeprefix(f"{found.package}.") not in _SHARED:
            return ()
        start, end = inner(use.site, statement.module)
        return (replacing(use.site, start, end, module.replace(found.package, found.other, 1)),)
    return ()
