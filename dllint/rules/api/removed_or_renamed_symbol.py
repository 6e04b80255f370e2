"""DLA102: a name that today's release of the library no longer has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import libcst as cst

from dllint.analysis.removed import Removed, may_use_removed, removed
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import rename_attribute
from dllint.fixes.places import inner, replacing
from dllint.ir.program import Event, Program
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

#: That many different names of an old major version make a file one written for it.
_PLAINLY_OLD = 2
#: A program for this version is a whole of its own, which its authors know; it is told once, for information.
_WHOLE = "TensorFlow 1"


class RemovedOrRenamedSymbol(Rule):
    """A function, class or module that today's release of the library no longer has.

    ## What it finds
    Uses and imports of removed names: TensorFlow 1 names under TensorFlow 2 (`tf.Session`, `tf.placeholder`,
    `tf.contrib`, `tf.log`), Keras 1 and 2 names (`fit_generator`, `predict_classes`, `np_utils`, `keras.layers.core`),
    PyTorch's old linear algebra (`torch.symeig`, `torch.solve`, `torch.lstsq`). A file that is plainly written for
    TensorFlow 1 gets one report, for information.

    ## Why it is bad
    The import or the call raises. PyTorch keeps some removed functions as stubs that raise only when called.

    ## Bad
    ```python
    import torch

    a = torch.randn(4, 4)
    values, vectors = torch.symeig(a, eigenvectors=True)  # error: [DLA102]
    ```

    ## Good
    ```python
    import torch

    a = torch.randn(4, 4)
    values, vectors = torch.linalg.eigh(a)
    ```

    ## When it stays silent
    Uses that are guarded by a version check, `hasattr` or try/except, and `tf.compat.v1`.
    ```python
    import torch
    import tensorflow.compat.v1 as tf

    x = tf.placeholder(tf.float32, [None, 4])
    if hasattr(torch, "symeig"):
        values = torch.symeig(torch.eye(3))
    ```

    ## References
    - TorchFix TOR001 and TOR004.
    - Zhang et al., *An Empirical Study on TensorFlow Program Bugs*, ISSTA 2018: API change.
    """

    code = "DLA102"
    name = "removed-or-renamed-symbol"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch", "keras", "tensorflow")
    topics: ClassVar[tuple[str, ...]] = ("program", "event:call")
    suppresses = ("DLA103", "DLA104")

    def check(self, item: Any, context: Any) -> Iterator[Finding]:
        """The document's names, once; and methods of library objects."""
        if isinstance(item, Event):
            yield from self._method(item, context)
        elif isinstance(item, Program) and item.entry == "<module>" and may_use_removed(context.document.text):
            yield from self._names(context)

    def _names(self, context: Any) -> Iterator[Finding]:
        old: dict[str, list[tuple[SymbolUse, Removed]]] = {}
        for use in symbol_uses(context.document):
            gone = removed(use.name)
            if gone is None or is_reexport(use, gone):
                continue
            if gone.major:
                old.setdefault(gone.major, []).append((use, gone))
            else:
                yield context.finding(self, use.site, sentence(use.name, gone), fixes=replacement(use, gone, context))
        for major, uses in old.items():
            if len({gone.name for _, gone in uses}) >= _PLAINLY_OLD:
                severity = Severity.INFO if major == _WHOLE else None
                fixes = moved_imports(uses, context)
                yield context.finding(self, uses[0][0].site, summary(major, uses), fixes=fixes, severity=severity)
            else:
                for use, gone in uses:
                    fixes = moved_imports(uses, context) or replacement(use, gone, context)
                    yield context.finding(self, use.site, sentence(use.name, gone), fixes=fixes)

    def _method(self, event: Event, context: Any) -> Iterator[Finding]:
        name = event.data.get("name")
        if not isinstance(name, str) or not is_method(name):
            return
        gone = removed(name)
        if gone is not None:
            message = sentence(name, gone) + context.condition_note(event)
            yield context.finding(self, event, message, fixes=renamed_method(event, gone, context))


def renamed_method(event: Event, gone: Removed, context: Any) -> list[Fix]:
    """A method with a successor of the same class gets its name."""
    node, new = event.site.node, gone.replacement.rpartition(".")[2]
    if not new or not isinstance(node, cst.Call):
        return []
    return offer(context, f"Use {new}", rename_attribute(event.site, node.func, new), Applicability.SAFE)


def replacement(use: SymbolUse, gone: Removed, context: Any) -> list[Fix]:
    """The use, not the import, is written with today's name."""
    if use.imported or not gone.replacement:
        return []
    written, imports = name_for(context.document, gone.replacement)
    edits = (*replace_expression(use.site, use.site.node, written), *imports)
    return offer(context, f"Use {gone.replacement}", edits, Applicability.SAFE)


def summary(major: str, uses: list[tuple[SymbolUse, Removed]]) -> str:
    """One sentence for a file written for an old major version."""
    names = list(dict.fromkeys(gone.name for _, gone in uses))
    others = len(names) - 1
    way = "; migrate it, or import tensorflow.compat.v1 as tf" if major.startswith("TensorFlow") else ""
    today = next((f", e.g. `{gone.replacement}` in place of `{gone.name}`" for _, gone in uses if gone.replacement), "")
    return (
        f"this file is written for {major}: `{names[0]}` and {others} other name{'s' if others > 1 else ''} it uses do not "
        f"exist in today's release{way or f'; use the names of today{today}'}"
    )


def moved_imports(uses: list[tuple[SymbolUse, Removed]], context: Any) -> list[Fix]:
    """``from old.module import a, b`` imports from today's module, where all its names have moved there."""
    edits: dict[int, Edit] = {}
    for use, gone in uses:
        parts = use.site.statement.body if isinstance(use.site.statement, cst.SimpleStatementLine) else ()
        if not use.imported or len(parts) != 1 or not isinstance(parts[0], cst.ImportFrom):
            return []
        module, _, name = gone.replacement.rpartition(".")
        if name != use.name.rpartition(".")[2] or parts[0].module is None:
            return []
        site = use.site
        start, end = inner(site, parts[0].module)
        known = edits.setdefault(start, replacing(site, start, end, spelled_as(use.name, module)))
        if known.content != spelled_as(use.name, module):
            return []
    return offer(context, "Import from today's module", edits.values(), Applicability.SAFE)


def spelled_as(name: str, module: str) -> str:
    """Today's module through the package the old name was reached by."""
    return f"tensorflow.{module}" if name.startswith("tensorflow.") else module


def is_method(name: str) -> bool:
    """``keras.Sequential.predict_classes``: the part before the last is a class."""
    parts = name.split(".")
    return len(parts) > 2 and parts[-2][:1].isupper()


def is_reexport(use: SymbolUse, gone: Removed) -> bool:
    """A use through a removed module that was already reported where it is imported."""
    return not use.imported and use.local != use.name.partition(".")[0] and use.name.startswith(("keras.", "tensorflow.keras."))


def sentence(name: str, gone: Removed) -> str:
    """What is gone and what stands in its place."""
    short = name.rpartition(".")[2]
    if gone.replacement:
        return f"`{name}` no longer exists; use `{gone.replacement}`"
    if gone.advice:
        return f"`{name}` no longer exists; use {gone.advice}"
    return f"`{name}` no longer exists; {ADVICE.get(short, 'it has no one-to-one replacement')}"


ADVICE = {
    "predict_classes": "use `predict(x).argmax(axis=-1)`, or `predict(x) > 0.5` for one sigmoid unit",
    "predict_proba": "use `predict`",
    "merge": "use the merging layers (`Add`, `Concatenate`, …)",
    "scikit_learn": "use the scikeras package",
    "SummaryWriter": "use `tf.summary.create_file_writer`",
}
