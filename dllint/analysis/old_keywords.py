"""Whether a keyword was one of an older release, since when it is rejected, and what it is called today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dllint.frameworks.history.record import rejected_keywords
from dllint.frameworks.keras.renames import KEYWORD_ADVICE, KEYWORDS, LAYER_KEYWORDS, is_taken
from dllint.frameworks.registry import parameters
from dllint.frameworks.torch.renames import KEYWORDS as TORCH_KEYWORDS

_LAYERS: Final = "keras.layers."
_ANY_LAYER: Final = "keras.layers.Layer"
#: The layer that stands for all where a keyword was common to all.
_EXAMPLE: Final = "keras.layers.Dense"


@dataclass(frozen=True, slots=True)
class OldKeyword:
    """A keyword that a library rejects today: its name today, or ``advice`` where it has none. ``since``: the first release to
    reject it; empty if no release took it."""

    new: str
    advice: str
    since: str
    library: str = "keras"


def old_keyword(name: str, keyword: str) -> OldKeyword | None:
    """What is known about a keyword given to a library callable; ``None`` if it is no old one."""
    if (gone := TORCH_KEYWORDS.get(name.rpartition(".")[0], {}).get(keyword)) is not None:
        return OldKeyword("", gone.advice, gone.since, "torch")
    if not name.startswith("keras.") or is_taken(_short(name), keyword):
        return None
    new = _renamed(name, keyword)
    advice = "" if new else _advice(name, keyword)
    return OldKeyword(new, advice, _since(name, keyword)) if new or advice else None


def _renamed(name: str, keyword: str) -> str:
    if name in KEYWORDS:
        return KEYWORDS[name].get(keyword, "")
    if not name.startswith(_LAYERS):
        return ""
    new = LAYER_KEYWORDS.get(_short(name), {}).get(keyword) or LAYER_KEYWORDS["*"].get(keyword, "")
    return new if new != keyword and any(param.name == new for param in parameters(name) or ()) else ""


def _advice(name: str, keyword: str) -> str:
    rows = KEYWORD_ADVICE.get(name) or (KEYWORD_ADVICE[_ANY_LAYER] if name.startswith(_LAYERS) else {})
    return rows.get(keyword, "")


def _since(name: str, keyword: str) -> str:
    rejected = rejected_keywords()
    own = rejected.get(name, {}).get(keyword, "")
    if own or not name.startswith(_LAYERS) or keyword in LAYER_KEYWORDS.get(_short(name), {}):
        return own
    return rejected.get(_EXAMPLE, {}).get(keyword, "")


def _short(name: str) -> str:
    return name.rpartition(".")[2]
