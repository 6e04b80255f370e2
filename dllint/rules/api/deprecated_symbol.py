"""DLA103: a name or an argument that works and is deprecated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import libcst as cst

from dllint.analysis.deprecated import Notice, notices
from dllint.edit import Applicability, Edit, Fix
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.arguments import add_keyword, add_positional, rename_keyword, replace_value
from dllint.fixes.boundary import builder, offering
from dllint.fixes.calls import replace_expression
from dllint.fixes.imports import name_for
from dllint.fixes.places import inner, outer, replacing
from dllint.frameworks.gone import Rewrite
from dllint.ir.program import Program
from dllint.rules.api.removed_or_renamed_symbol import title
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule


class DeprecatedSymbol(Rule[Program]):
    """A name or argument that works in today's release and is deprecated there.

    ## What it finds
    Deprecated functions of PyTorch (`torch.qr`, `torch.norm`, `torch.range`, `torch.cuda.amp.autocast`, `functorch.vmap`,
    `nn.init.xavier_uniform`), the arguments `size_average` and `reduce` of losses, `pretrained` of torchvision's models, calls
    of `checkpoint` without `use_reentrant`, and names of modules that are not public.

    Code for releases in which the name is not deprecated (by the setting `target`, or the project's pins) is left alone.

    ## Why it is bad
    A later release removes the name; some deprecated functions have defects that their successors do not have.

    ## Bad
    ```python
    import torch

    a, b = torch.randn(3), torch.randn(4)
    product = torch.ger(a, b)  # info: [DLA103]
    ```

    ## Good
    ```python
    import torch

    a, b = torch.randn(3), torch.randn(4)
    product = torch.outer(a, b)
    ```

    ## When it stays silent
    Names of the same kind that are not deprecated, and uses that are guarded by a version check, `hasattr` or try/except.
    ```python
    import torch
    from torch import nn

    values = torch.linalg.norm(torch.randn(3))
    loss = nn.MSELoss(reduction="sum")
    if hasattr(torch, "ger"):
        product = torch.ger(values[None], values[None])
    ```

    ## References
    - TorchFix TOR003, TOR101, TOR103 to TOR105, TOR201 and TOR202.
    - Release notes of PyTorch and torchvision.
    """

    code = "DLA103"
    name = "deprecated-symbol"
    severity = Severity.INFO
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    frameworks = ("torch",)
    topics: ClassVar[tuple[str, ...]] = ("program",)
    suppresses = ("DLA104",)

    def check(self, item: Program, context: Context) -> Iterator[Finding]:
        """The document's names and arguments, once."""
        if item.entry != "<module>":
            return
        for notice in notices(context.document):
            row = notice.row
            releases = Releases(row.library, row.since, f"`{notice.use.name}`", usual=True, deprecated=True)
            yield context.finding(
                self,
                notice.use.site,
                fact(notice),
                advice=advice(notice),
                node=notice.arg,
                fixes=rewritten(notice, context),
                releases=releases,
            )


def fact(notice: Notice) -> str:
    """What is deprecated, and since when."""
    name, row = notice.use.name, notice.row
    short = name.rpartition(".")[2]
    since = f"{title(row.library)} {row.since}"
    if notice.is_missing:
        return f"`{short}` without `{notice.keyword}` is deprecated since {since}"
    if notice.is_private:
        return f"`{name}` is not public, and `{row.replacement}` is the same since {since}"
    what = f"the argument `{notice.keyword}` of `{short}`" if notice.keyword else f"`{name}`"
    return f"{what} is deprecated since {since}"


def advice(notice: Notice) -> str:
    """What to write instead."""
    row = notice.row
    if notice.new[1]:
        return f"write `{notice.new[0]}={notice.new[1]}`"
    return f"use `{row.replacement}`" if row.replacement else f"use {row.advice}"


@offering
def rewritten(notice: Notice, context: Context) -> list[Fix]:
    """The use with what computes the same."""
    if notice.keyword:
        new, value = notice.new
        return offer(context, f"Write {new}={value}", renamed_argument(notice), Applicability.SAFE) if value else []
    new = notice.row.replacement
    if not new or notice.use.imported:
        return []
    return offer(context, f"Use {new}", renamed_use(notice, context), Applicability.SAFE)


@builder
def renamed_argument(notice: Notice) -> tuple[Edit, ...]:
    """The argument with its new name and value."""
    arg, call, site, (new, value) = notice.arg, notice.call, notice.use.site, notice.new
    if arg is None or call is None or any(each.star for each in call.args):
        return ()
    if arg.keyword is None:
        return (replacing(site, *outer(site, arg.value), f"{new}={value}"),) if len(call.args) == 1 else ()
    renaming = rename_keyword(site, call, notice.keyword, new)
    return (*renaming, *replace_value(site, arg, value)) if renaming else ()


@builder
def renamed_use(notice: Notice, context: Context) -> tuple[Edit, ...]:
    """The use under its new name, with what has to become of its arguments."""
    row, site, call = notice.row, notice.use.site, notice.call
    at = inner(site, site.node)[0]
    written, imports = name_for(context.document, row.replacement, at, notice.use.local)
    renaming = (*replace_expression(site, site.node, written), *imports)
    if row.rewrite is Rewrite.NAME:
        return renaming
    if row.rewrite is Rewrite.DEVICE_TYPE and call is None:
        return (*replace_expression(site, site.node, f'{written}(device_type="{device_of(notice)}")'), *imports)
    changed = changed_arguments(notice, call) if call is not None else None
    return (*renaming, *changed) if changed is not None else ()


def changed_arguments(notice: Notice, call: cst.Call) -> tuple[Edit, ...] | None:
    """The edits of the arguments of a call; ``None`` if it cannot be rewritten."""
    site, device = notice.use.site, quoted_device(notice)
    plain = all(arg.keyword is None and not arg.star for arg in call.args)
    match notice.row.rewrite:
        case Rewrite.ONE_ARGUMENT:
            return () if plain and len(call.args) == 1 else None
        case Rewrite.LIST:
            named = sum(arg.keyword is not None for arg in call.args)
            plain = not any(arg.star for arg in call.args) and len(call.args) > named
            return listed(notice, call, len(call.args) - named) if plain else None
        case Rewrite.DEVICE:
            return add_positional(site, call, device) if all(arg.keyword is not None for arg in call.args) else None
        case Rewrite.DEVICE_TYPE:
            return add_keyword(site, call, "device_type", device)
        case _:
            return None


@builder
def listed(notice: Notice, call: cst.Call, count: int) -> tuple[Edit, ...]:
    """So many first arguments of a call within brackets."""
    site = notice.use.site
    start, end = outer(site, call.args[0].value)[0], outer(site, call.args[count - 1].value)[1]
    return replacing(site, start, start, "["), replacing(site, end, end, "]")


def device_of(notice: Notice) -> str:
    """The device in a name: ``torch.cuda.amp.autocast``."""
    return notice.use.name.split(".")[1]


def quoted_device(notice: Notice) -> str:
    """The device as it is written."""
    return f'"{device_of(notice)}"'
