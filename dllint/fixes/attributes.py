"""Edits that build an object once, in ``__init__``, and use it as an attribute where it was built before."""

from __future__ import annotations

import libcst as cst

from dllint.edit import Edit
from dllint.fixes.boundary import builder
from dllint.fixes.calls import replace_expression
from dllint.fixes.places import inner
from dllint.fixes.statements import insert_after
from dllint.ir.program import Site


def initializer(cls: cst.ClassDef) -> cst.FunctionDef | None:
    """The ``__init__`` of a class body."""
    body = cls.body.body if isinstance(cls.body, cst.IndentedBlock) else ()
    found = (part for part in body if isinstance(part, cst.FunctionDef) and part.name.value == "__init__")
    return next(found, None)


@builder
def build_once(site: Site, node: cst.CSTNode, cls: cst.ClassDef, attribute: str) -> tuple[Edit, ...]:
    """The expression becomes ``self.attribute``, and the end of ``__init__`` assigns it. No edit without an ``__init__``."""
    init = initializer(cls)
    if init is None or not isinstance(init.body, cst.IndentedBlock) or not init.params.params:
        return ()
    receiver = init.params.params[0].name.value
    start, end = inner(site, node)
    last = init.body.body[-1]
    added = insert_after(Site(site.document, last, last), f"{receiver}.{attribute} = {site.document.text[start:end]}")
    return (*added, *replace_expression(site, node, f"{receiver}.{attribute}")) if added else ()
