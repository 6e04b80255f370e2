"""Whether a qualified library name is gone from today's release, and what stands in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from dllint.frameworks.keras import renames as keras
from dllint.frameworks.tensorflow import renames as tensorflow
from dllint.frameworks.torch import renames as torch


@dataclass(frozen=True, slots=True)
class Removed:
    """A removed name. ``replacement`` is today's qualified name if the use can stay as it is, else empty; ``advice`` says
    in words what to use; ``major`` names the old major version whose API it is (``TensorFlow 1``), or is empty."""

    name: str
    replacement: str = ""
    advice: str = ""
    major: str = ""


def _mention(name: str) -> str:
    """A pattern of the ways in which a text may reach ``a.b.c``: ``b.c``, ``b import c``, or ``b`` under another name."""
    owner, _, last = name.rpartition(".")
    imported = rf"\s+import\b(?:\s*\([^)]*|[^\n]*)\b{last}\b"
    return rf"{owner.rpartition('.')[2]}(?:\s*\.\s*{last}\b|{imported}|\s+as\b(?s:.*)\b{last}\b)"


#: A word and a pattern with that word; a text without any of these uses no removed name. TensorFlow and Keras have too many
#: to look for each. Each pattern begins with plain letters, which is far faster to find than the border of a word.
_MAY_USE: Final = (
    ("tensorflow", r"(?:import|from)\b[^\n]*\btensorflow\b"),
    ("keras", r"(?:import|from)\b[^\n]*\bkeras\b"),
    *((name.rpartition(".")[2], _mention(name)) for name in torch.SYMBOLS),
)


def may_use_removed(text: str) -> bool:
    """Whether a text may use a removed name at all, by its words."""
    return any(word in text and re.search(pattern, text) is not None for word, pattern in _MAY_USE)


@cache
def removed(name: str) -> Removed | None:
    """What is known about a name that today's release of its library lacks."""
    root = name.partition(".")[0]
    if root in ("torch", "torchvision"):
        return _torch(name)
    if root == "tensorflow" and not name.startswith(("tensorflow.compat", "tensorflow.keras")):
        return _tensorflow(name.partition(".")[2])
    if root == "keras" or name.startswith("tensorflow.keras."):
        return _keras(name)
    return None


def _torch(name: str) -> Removed | None:
    known = next((n for n in (name, *_prefixes(name)) if n in torch.SYMBOLS), None)
    if known is None:
        return None
    replacement = torch.SYMBOLS[known] if known == name else _moved(name, known, torch.SYMBOLS[known])
    return Removed(name, replacement, torch.ADVICE.get(known, ""))


def _tensorflow(name: str) -> Removed | None:
    if name in tensorflow.ANCIENT:
        replacement = tensorflow.ANCIENT[name]
        return Removed(f"tensorflow.{name}", f"tensorflow.{replacement}" if replacement else "")
    if name in tensorflow.MOVED:
        return Removed(f"tensorflow.{name}", f"tensorflow.{tensorflow.MOVED[name]}", major="TensorFlow 1")
    if name in tensorflow.GONE or any(p in tensorflow.GONE_MODULES for p in (name, *_prefixes(name))):
        known = name.startswith(("contrib", "examples"))
        advice = "" if known else f"tf.compat.v1.{name}"
        return Removed(f"tensorflow.{name}", "", advice, "TensorFlow 1")
    return None


def _keras(name: str) -> Removed | None:
    plain = name.removeprefix("tensorflow.")
    known = next((n for n in (plain, *_prefixes(plain)) if n in keras.SYMBOLS), None)
    if known is None:
        return None
    replacement = keras.SYMBOLS[known]
    today = replacement if known == plain else _moved(plain, known, replacement)
    return Removed(name, today, major="" if plain.rpartition(".")[0].endswith(("Model", "Sequential")) else "Keras 2 or older")


def _prefixes(name: str) -> list[str]:
    """``a.b.c`` gives ``a.b``, ``a``."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


def _moved(name: str, prefix: str, replacement: str) -> str:
    return replacement + name.removeprefix(prefix) if replacement else ""
