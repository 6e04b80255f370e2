"""DLA104: a keyword that today's signature does not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, Final

import libcst as cst

from dllint.analysis.old_keywords import old_keyword
from dllint.edit import Applicability, Fix
from dllint.finding import Confidence, Finding, Releases, Severity
from dllint.fixes.arguments import keyword_argument, rename_keyword
from dllint.frameworks.fitting import lacks_keyword, own_method
from dllint.frameworks.registry import parameters
from dllint.frameworks.releases import CHECKED
from dllint.ir.events import LibraryCall
from dllint.rules.api.removed_or_renamed_symbol import TITLES
from dllint.rules.context import Context
from dllint.rules.offers import offer
from dllint.rules.rule import Rule

#: Libraries whose classes have plain Python signatures, so that an unknown keyword certainly raises.
PLAIN_SIGNATURES: Final = ("torch.nn.", "torch.optim.", "torch.utils.data.", "keras.Sequential.add")


class RenamedKeyword(Rule[LibraryCall]):
    """A keyword argument that a release of the library does not accept.

    ## What it finds
    Old keywords of Keras 1 and 2 (`lr`, `nb_epoch`, `init`, `border_mode`, `output_dim`, `subsample`, `input`/`output` of
    `Model`), and keywords that a layer, optimizer, loader or function of PyTorch, or `Sequential.add`, does not have. Which
    release the code is for is decided as for removed names (DLA102).

    ## Why it is bad
    The call raises "unexpected keyword argument".

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
    Wrappers that pass keywords on, and old keywords that are still taken.
    ```python
    from keras.layers import Dense, LeakyReLU


    def dense(units, **kwargs):
        return Dense(units, **kwargs)


    layer = dense(10, kernel_initializer="he_normal")
    slope = LeakyReLU(alpha=0.2)
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

    def check(self, item: LibraryCall, context: Context) -> Iterator[Finding]:
        """Every keyword of a call that its signature lacks."""
        for keyword in surplus(item):
            found = keyword_report(item, keyword, context)
            if found is not None:
                node, fixes = keyword_place(item, found.new, keyword, context)
                yield context.finding(
                    self,
                    item,
                    found.message + context.condition_note(item),
                    advice=found.advice,
                    node=node,
                    fixes=fixes,
                    releases=found.releases,
                )


#: Those whose callables take any keyword and refuse it inside.
_COLLECTING: Final = ("keras",)


@dataclass(frozen=True, slots=True)
class KeywordReport:
    """What to say about a keyword: the fact, what to do, the keyword to write, the releases that it is about."""

    message: str
    advice: str
    new: str
    releases: Releases | None


def surplus(event: LibraryCall) -> list[str]:
    """The keywords that the signature lacks, and those that only ``**kwargs`` takes."""
    rest = next((p.name for p in parameters(event.name) or () if p.kind == "kwargs"), None)
    collected = event.bound.get(rest) if rest is not None else None
    return [*event.unbound, *(collected if isinstance(collected, Mapping) else ())]


def keyword_report(event: LibraryCall, keyword: str, context: Context) -> KeywordReport | None:
    """What is wrong with a keyword; ``None`` if nothing certain is."""
    name = event.name
    old = old_keyword(name, keyword)
    if old is not None:
        if old.library not in _COLLECTING and not is_certain(event, keyword, context):
            return None
        what = f"`{short(name)}({keyword}=...)`"
        releases = Releases(old.library, old.since, what) if old.since else None
        ending = f" in {TITLES[old.library]} {old.since} and later" if old.since else ""
        advice = old.advice or f"rename it to `{old.new}`"
        return KeywordReport(f"`{short(name)}` has no keyword `{keyword}`{ending}", advice, old.new, releases)
    if keyword not in event.unbound or not is_certain(event, keyword, context):
        return None
    return unknown(own_method(name, event.receiver), keyword)


def keyword_place(event: LibraryCall, new: str, keyword: str, context: Context) -> tuple[Any, list[Fix]]:
    """Where the keyword stands, and its renaming; nothing if the call unpacks a dict that holds it."""
    node = event.site.node
    arg = keyword_argument(node, keyword) if isinstance(node, cst.Call) else None
    if arg is None or not new:
        return arg, []
    return arg, offer(context, f"Rename to {new}", rename_keyword(event.site, node, keyword, new), Applicability.SAFE)


def is_certain(event: LibraryCall, keyword: str, context: Context) -> bool:
    """Whether the call names both the class and the keyword: a class that was handed in may be another one in a real
    run, and ``**kwargs`` may hold less."""
    node = event.site.node
    if not isinstance(node, cst.Call) or context.text(node.func).rpartition(".")[2] != short(event.name):
        return False
    return keyword_argument(node, keyword) is not None


def unknown(name: str, keyword: str) -> KeywordReport | None:
    """What to say about a keyword that a plain Python signature does not have."""
    signature = parameters(name) if name.startswith(PLAIN_SIGNATURES) or lacks_keyword(name, keyword) else None
    if not signature or any(p.kind in ("kwargs", "open") or p.name == keyword for p in signature):
        return None
    library = name.partition(".")[0]
    near = get_close_matches(keyword, [p.name for p in signature], 1)
    releases = Releases(library, minor_release(library), f"`{short(name)}({keyword}=...)`", usual=True)
    return KeywordReport(
        f"`{short(name)}` has no keyword `{keyword}`", f"write `{near[0]}`" if near else "remove it", "", releases
    )


def minor_release(library: str) -> str:
    """The minor release that the signatures were made from."""
    return ".".join(CHECKED[library].split(".")[:2])


def short(name: str) -> str:
    """The last part of a qualified name."""
    return name.rpartition(".")[2]
