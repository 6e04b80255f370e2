"""DLA102: a name that today's release of the library no longer has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.removed import Removed, may_use_removed, removed
from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.boundary import offering
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.operations import rename_attribute
from dllint.fixes.places import inner, replacing
from dllint.ir.events import LibraryCall
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.placing import Where
from dllint.rules.rule import Rule


class RemovedOrRenamedSymbol(Rule[LibraryCall | Program]):
    """A function, class or module that a release of the library no longer has.

    ## What it finds
    Uses and imports of removed names: TensorFlow 1 names under TensorFlow 2 (`tf.Session`, `tf.placeholder`,
    `tf.contrib`, `tf.log`), Keras 1 and 2 names (`fit_generator`, `predict_classes`, `np_utils`, `keras.layers.core`),
    PyTorch's old linear algebra (`torch.symeig`, `torch.solve`, `torch.lstsq`).

    Which release the code is for is decided by the setting `target`, the project's pins and lock files, its environment,
    or newer names in the same file. Where a release is admitted that has the name, it is a warning: an upgrade breaks the
    code. Where nothing says which release it is, the old names of a file are told together, for information.

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

    @classmethod
    def may_concern(cls, name: str) -> bool:
        """As of a rule."""
        return is_method(name) and removed(name) is not None

    def check(self, item: LibraryCall | Program, context: Context) -> Iterator[Finding]:
        """The document's names, once; and methods of library objects."""
        if isinstance(item, LibraryCall):
            yield from self._method(item, context)
        elif item.entry == "<module>" and may_use_removed(context.document):
            yield from self._names(context)

    def _names(self, context: Context) -> Iterator[Finding]:
        named = symbol_uses(context.document, lambda name: removed(name) is not None)
        uses = [(use, gone) for use in named if (gone := removed(use.name)) is not None]
        reported = {use.local for use, gone in uses if use.imported and not gone.stub}
        reported_parts = {gone.part for use, gone in uses if use.imported and not gone.stub}
        imports: set[tuple[int, str]] = set()
        for use, gone in uses:
            if use.imported:
                place = (id(use.site.statement), gone.part)
                if place in imports:
                    continue
                imports.add(place)
            if use.imported or (use.local not in reported and gone.part not in reported_parts):
                fixes = moved_imports(uses, use, context) if use.imported else replacement(use, gone, context)
                yield self._finding(use.site, use.name, gone, context, fixes=fixes)

    def _method(self, event: LibraryCall, context: Context) -> Iterator[Finding]:
        name = event.name
        if not is_method(name):
            return
        gone = removed(name)
        if gone is not None and is_method(gone.part):
            fixes = renamed_method(event, gone, context)
            yield self._finding(event, name, gone, context, context.condition_note(event), fixes)

    def _finding(
        self, where: Where, name: str, gone: Removed, context: Context, note: str = "", fixes: Iterable[Fix] = ()
    ) -> Finding:
        confidence = self.confidence if gone.checked else Confidence.LOW
        releases = Releases(gone.library, gone.since, f"`{name}`")
        message = fact(name, gone) + note
        found: Finding = context.finding(
            self, where, message, advice=advice(gone), fixes=fixes, confidence=confidence, releases=releases
        )
        return found


@offering
def renamed_method(event: LibraryCall, gone: Removed, context: Context) -> list[Fix]:
    """A method with a successor of the same class gets its name."""
    node, new = event.site.node, gone.replacement.rpartition(".")[2]
    if not new or not isinstance(node, cst.Call):
        return []
    return offer(context, f"Use {new}", rename_attribute(event.site, node.func, new), Applicability.SAFE)


@offering
def replacement(use: SymbolUse, gone: Removed, context: Context) -> list[Fix]:
    """The use, not the import, is written with today's name."""
    if use.imported or not gone.replacement:
        return []
    at = inner(use.site, use.site.node)[0]
    written, imports = name_for(context.document, gone.replacement, at, use.local)
    edits = (*replace_expression(use.site, use.site.node, written), *imports)
    return offer(context, f"Use {gone.replacement}", edits, Applicability.SAFE)


@offering
def moved_imports(uses: list[tuple[SymbolUse, Removed]], use: SymbolUse, context: Context) -> list[Fix]:
    """``from old.module import a, b`` imports from today's module, where all its names have moved there."""
    statement = use.site.statement
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    if len(parts) != 1 or not isinstance(parts[0], cst.ImportFrom) or parts[0].module is None:
        return []
    homes = {today_module(each, gone) for each, gone in uses if each.imported and each.site.statement is statement}
    home = homes.pop() if len(homes) == 1 and is_wholly_gone(parts[0], uses, statement) else ""
    if not home:
        return []
    start, end = inner(use.site, parts[0].module)
    edits = [replacing(use.site, start, end, spelled_as(use.name, home))]
    return offer(context, "Import from today's module", edits, Applicability.SAFE)


def today_module(use: SymbolUse, gone: Removed) -> str:
    """The module that an imported name has moved to under the same name; empty if there is none."""
    module, _, name = gone.replacement.rpartition(".")
    return module if name == use.name.rpartition(".")[2] else ""


def is_wholly_gone(node: cst.ImportFrom, uses: list[tuple[SymbolUse, Removed]], statement: cst.CSTNode) -> bool:
    """Whether all names of an import are removed ones."""
    gone = sum(use.imported and use.site.statement is statement for use, _ in uses)
    return not isinstance(node.names, cst.ImportStar) and gone == len(node.names)


def spelled_as(name: str, module: str) -> str:
    """Today's module through the package the old name was reached by."""
    return f"tensorflow.{module}" if name.startswith("tensorflow.") and not module.startswith("tensorflow") else module


def is_method(name: str) -> bool:
    """``keras.Sequential.predict_classes``: the part before the last is a class."""
    parts = name.split(".")
    return len(parts) > 2 and parts[-2][:1].isupper()


def fact(name: str, gone: Removed) -> str:
    """The name that is gone, and the release since which it is."""
    return f"`{name}` no longer exists in {title(gone.library)} {gone.since} and later"


def advice(gone: Removed) -> str:
    """The replacement of the name."""
    if gone.replacement:
        return f"use `{gone.replacement}`"
    return f"use {gone.advice}" if gone.advice else "use an older release, or do without it"


TITLES: Final = {"tensorflow": "TensorFlow", "keras": "Keras", "torch": "PyTorch"}


def title(library: str) -> str:
    """A library as people write it."""
    return TITLES.get(library, library)
