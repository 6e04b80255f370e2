"""DLA104: a keyword that today's signature does not have."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, ClassVar

import libcst as cst

from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Severity
from dllint.fixes.arguments import keyword_argument, rename_keyword
from dllint.frameworks.keras.renames import KEYWORDS, layer_keyword
from dllint.frameworks.registry import parameters
from dllint.ir.program import Event
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

#: Libraries whose classes have plain Python signatures, so that an unknown keyword certainly raises.
_PLAIN_SIGNATURES = ("torch.nn.", "torch.optim.", "torch.utils.data.", "keras.Sequential.add")


class RenamedKeyword(Rule):
    """A keyword argument that today's release of the library does not accept.

    ## What it finds
    Old keywords of Keras 1 and 2 (`lr`, `nb_epoch`, `init`, `border_mode`, `output_dim`, `subsample`, `input`/`output` of
    `Model`), and keywords that a layer, optimizer or loader of PyTorch, or `Sequential.add`, does not have.

    ## Why it is bad
    The call raises "unexpected keyword argument", or an old keyword is ignored with a warning.

    ## Bad
    ```python
    from keras.optimizers import Adam

    optimizer = Adam(lr=0.001)  # error: [DLA104]
    ```

    ## Good
    ```python
    from keras.optimizers import Adam

    optimizer = Adam(learning_rate=0.001)
    ```

    ## When it stays silent
    Wrappers that pass keywords on.
    ```python
    from keras.layers import Dense


    def dense(units, **kwargs):
        return Dense(units, **kwargs)


    layer = dense(10, kernel_initializer="he_normal")
    ```

    ## References
    - Zhang et al., ISSTA 2018: API change; the Keras 2 and 3 migration guides.
    """

    code = "DLA104"
    name = "renamed-keyword"
    severity = Severity.ERROR
    confidence = Confidence.HIGH
    applicability = Applicability.SAFE
    topics: ClassVar[tuple[str, ...]] = ("event:call",)

    def check(self, item: Event, context: Any) -> Iterator[Finding]:
        """Every keyword of a call that its signature lacks."""
        name, unbound = item.data.get("name"), item.data.get("unbound") or {}
        if not isinstance(name, str):
            return
        for keyword in unbound:
            message = renamed(name, keyword)
            if message is None and is_certain(item, name, keyword, context):
                message = unknown(name, keyword)
            if message:
                node, fixes = keyword_place(item, name, keyword, context)
                yield context.finding(self, item, message + context.condition_note(item), node=node, fixes=fixes)


def keyword_place(event: Event, name: str, keyword: str, context: Any) -> tuple[Any, list[Fix]]:
    """Where the keyword stands, and its renaming; nothing if the call unpacks a dict that holds it."""
    node, new = event.site.node, today(name, keyword)
    arg = keyword_argument(node, keyword) if isinstance(node, cst.Call) else None
    if arg is None or new is None or new == keyword:
        return arg, []
    return arg, offer(context, f"Rename to {new}", rename_keyword(event.site, node, keyword, new), Applicability.SAFE)


def is_certain(event: Event, name: str, keyword: str, context: Any) -> bool:
    """Whether the call names both the class and the keyword: a class that was handed in may be another one in a real
    run, and ``**kwargs`` may hold less."""
    node = event.site.node
    if not isinstance(node, cst.Call) or context.text(node.func).rpartition(".")[2] != short(name):
        return False
    return keyword_argument(node, keyword) is not None


def renamed(name: str, keyword: str) -> str | None:
    """The sentence for an old keyword with a known successor."""
    new = today(name, keyword)
    return f"`{short(name)}` has no keyword `{keyword}`; it is called `{new}` today" if new and new != keyword else None


def today(name: str, keyword: str) -> str | None:
    """Today's name of an old keyword."""
    if name in KEYWORDS:
        return KEYWORDS[name].get(keyword)
    return layer_keyword(short(name), keyword) if name.startswith("keras.layers.") else None


def unknown(name: str, keyword: str) -> str | None:
    """The sentence for a keyword that a plain Python signature does not have."""
    signature = parameters(name) if name.startswith(_PLAIN_SIGNATURES) else None
    if not signature or any(p.kind == "kwargs" for p in signature):
        return None
    near = get_close_matches(keyword, [p.name for p in signature], 1)
    return f"`{short(name)}` has no keyword `{keyword}`{f'; did you mean `{near[0]}`?' if near else ''}"


def short(name: str) -> str:
    """The last part of a qualified name."""
    return name.rpartition(".")[2]
