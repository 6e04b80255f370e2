"""DLA109: a form that works, in the place of the one that is recommended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import libcst as cst

from dllint.analysis.symbol_uses import SymbolUse, symbol_uses
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder, offering
from dllint.fixes.places import inner, replacing
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule
from dllint.source.walk import dotted

_PACKAGE: Final = "torchvision"


class RecommendedUsageHint(Rule[Program]):
    """A form that works and is not the usual one.

    ## What it finds
    `import torchvision.models as models`, for which `from torchvision import models` is shorter. It is off unless it is
    selected.

    ## Why it is bad
    The last part is written twice, and a reader has to compare both to see that the name is not another.

    ## Bad
    ```python
    import torchvision.models as models  # info: [DLA109]

    model = models.resnet18()
    ```

    ## Good
    ```python
    from torchvision import models

    model = models.resnet18()
    ```

    ## When it stays silent
    Imports under another name, and those of other packages.
    ```python
    import torch.nn as nn
    import torchvision.models
    import torchvision.transforms as T

    model = torchvision.models.resnet18()
    ```

    ## References
    - TorchFix TOR203.
    """

    code = "DLA109"
    name = "recommended-usage-hint"
    severity = Severity.INFO
    confidence = Confidence.HIGH
    applicability: ClassVar[Applicability | None] = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    default = "off"

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The imports of the document, once."""
        if item.entry != "<module>" or _PACKAGE not in context.document.words:
            return
        for use in symbol_uses(context.document):
            module, last = repeated(use)
            if last:
                message = f"`import {module}.{last} as {last}` writes `{last}` twice"
                advice = f"write `from {module} import {last}`"
                yield context.finding(self, use.site, message, advice=advice, fixes=shorter(use, context))


def repeated(use: SymbolUse) -> tuple[str, str]:
    """The module and the last part of an import that binds the last part; empty if it does not."""
    module, _, last = use.name.rpartition(".")
    alias = _alias(use) if use.imported and use.name.startswith(f"{_PACKAGE}.") and use.local == last else None
    return (module, last) if alias is not None else ("", "")


def _alias(use: SymbolUse) -> cst.ImportAlias | None:
    """The part of an ``import`` statement that a use is."""
    statement = use.site.statement
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    names = [alias for part in parts if isinstance(part, cst.Import) for alias in part.names]
    return next((alias for alias in names if dotted(alias.name) == use.name and alias.asname is not None), None)


@offering
def shorter(use: SymbolUse, context: Context) -> list[Fix]:
    """The import in the shorter form."""
    return offer(context, "Import it from its package", rewritten(use), Applicability.SAFE)


@builder
def rewritten(use: SymbolUse) -> tuple[Edit, ...]:
    """The import, if it is all of its statement."""
    statement = use.site.statement
    parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    module, _, last = use.name.rpartition(".")
    if len(parts) != 1 or not isinstance(parts[0], cst.Import) or len(parts[0].names) != 1:
        return ()
    return (replacing(use.site, *inner(use.site, parts[0]), f"from {module} import {last}"),)
