"""DLA110: a name that its library does not have, one slip away from one that it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.misspelt import Misspelt, misspelt
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.boundary import builder, offering
from dllint.fixes.operations import rename_attribute
from dllint.ir.events import Absent
from dllint.ir.program import Program
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule


class MisspeltName(Rule[Program | Absent]):
    """A function, class, module or attribute that the library does not have under this name.

    ## What it finds
    Names below the common modules of PyTorch, Keras and TensorFlow that no release has, and that differ in case or by one slip
    from one that today's release has: `nn.Conv2D`, `nn.Relu`, `layers.Dens`, `F.sofmax`. Likewise attributes of tensors of
    PyTorch, modules, optimizers and schedulers: `x.reshpe(3)`, `model.trian()`, `optimizer.zero_gard()`.

    ## Why it is bad
    The import or the use raises an error.

    ## Bad
    ```python
    from torch import nn

    layer = nn.Conv2D(3, 8, 3)  # error: [DLA110]
    last = nn.Linear(8, 2)
    last.evla()  # error: [DLA110]
    ```

    ## Good
    ```python
    from torch import nn

    layer = nn.Conv2d(3, 8, 3)
    last = nn.Linear(8, 2)
    last.eval()
    ```

    ## When it stays silent
    Names of older releases (DLA102), names that the project puts into the library, uses that are guarded by `hasattr`, by
    try/except or by the library's version, and attributes of classes that name them by computation (`nn.LSTM`,
    `nn.ModuleDict`).
    ```python
    import torch
    from torch import nn

    nn.Relu = nn.ReLU
    layer = nn.Relu()
    if hasattr(torch, "zeross"):
        x = torch.zeross(3)
    ```

    ## References
    - Humbatova et al., *Taxonomy of Real Faults in Deep Learning Systems*, ICSE 2020: wrong API usage.
    """

    code = "DLA110"
    name = "misspelt-name"
    severity = Severity.ERROR
    confidence = Confidence.MEDIUM
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("program", "event:absent")

    def check(self, item: Program | Absent, context: Context) -> Iterator[Finding]:
        """The names of the document, once; attributes of objects."""
        if isinstance(item, Absent):
            yield from self._attribute(item, context)
            return
        if item.entry != "<module>":
            return
        for found in misspelt(context.document):
            message = f"`{found.module}` has no `{found.written}`"
            fixes = spelled(found, context)
            yield context.finding(self, found.use.site, message, advice=f"write `{found.near}`", fixes=fixes)

    def _attribute(self, item: Absent, context: Context) -> Iterator[Finding]:
        yield context.finding(
            self,
            item,
            f"{item.whose} has no `{item.name}`" + context.condition_note(item),
            advice=f"write `{item.meant}`",
            fixes=attribute_spelled(item, context),
        )


@offering
def attribute_spelled(item: Absent, context: Context) -> list[Fix]:
    """The attribute as it was meant."""
    node = item.site.node
    node = node.func if isinstance(node, cst.Call) else node
    edits = rename_attribute(item.site, node, item.meant) if node is not None else ()
    return offer(context, f"Write {item.meant}", edits, Applicability.SAFE)


@offering
def spelled(found: Misspelt, context: Context) -> list[Fix]:
    """The name as the library has it, where it is an attribute; an import binds what the rest of the file uses."""
    if found.use.imported or not found.is_last:
        return []
    return offer(context, f"Write {found.near}", written_right(found), Applicability.SAFE)


@builder
def written_right(found: Misspelt) -> tuple[Edit, ...]:
    """The last part of the name with what was meant."""
    node = found.use.site.node
    return rename_attribute(found.use.site, node, found.near) if isinstance(node, cst.Attribute) else ()
