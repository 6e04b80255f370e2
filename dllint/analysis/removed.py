"""Whether a qualified library name is gone from some releases, since which, and what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from dllint.frameworks import registry
from dllint.frameworks.history.record import history, upgrades
from dllint.frameworks.keras import renames as keras
from dllint.frameworks.tensorflow import renames as tensorflow
from dllint.frameworks.torch import renames as torch
from dllint.source.document import Document


@dataclass(frozen=True, slots=True)
class Removed:
    """A removed name. ``part``: the shortest part of it that is gone; ``since``: the first release of ``library`` without it.
    ``replacement`` is today's qualified name if the use can stay as it is, else empty; ``advice`` says in words what to use.
    ``checked``: that it is gone is tested by running the library; ``stub``: it can be imported, and raises when called."""

    name: str
    part: str
    library: str
    since: str
    replacement: str = ""
    advice: str = ""
    checked: bool = True
    stub: bool = False


def mention(name: str) -> str:
    """A pattern of the ways in which a text may reach ``a.b.c``: ``b.c``, ``b import c``, or ``b`` under another name."""
    owner, _, last = name.rpartition(".")
    imported = rf"\s+import\b(?:\s*\([^)]*|[^\n]*)\b{last}\b"
    return rf"{owner.rpartition('.')[2]}(?:\s*\.\s*{last}\b|{imported}|\s+as\b(?s:.*)\b{last}\b)"


def by_word(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Patterns by a word that a text has in which they are found."""
    out: dict[str, list[str]] = {}
    for word, pattern in pairs:
        out.setdefault(word, []).append(pattern)
    return out


#: A word and a pattern with that word; a text without any of these uses no removed name. TensorFlow and Keras have too many
#: to look for each. Each pattern begins with plain letters, which is far faster to find than the border of a word.
_MAY_USE: Final = by_word(
    (
        ("tensorflow", r"(?:import|from)\b[^\n]*\btensorflow\b"),
        ("keras", r"(?:import|from)\b[^\n]*\bkeras\b"),
        *((name.rpartition(".")[2], mention(name)) for name in torch.SYMBOLS),
    )
)
_PRIVATE: Final = ("compat.", "python.", "core.", "tools.")


def may_use_removed(document: Document) -> bool:
    """Whether a document may use a removed name at all, by its words."""
    return mentions_any(document, _MAY_USE)


def mentions_any(document: Document, patterns: Mapping[str, Sequence[str]]) -> bool:
    """Whether any of some patterns is found in a text; they are given by a word that it then has."""
    near = [pattern for word in patterns.keys() & document.words for pattern in patterns[word]]
    return bool(near) and any(re.search(pattern, document.text) for pattern in near)


@cache
def removed(name: str) -> Removed | None:
    """What is known about a name that some releases of its library lack."""
    root, _, path = name.partition(".")
    if root in ("torch", "torchvision"):
        return _torch(name, root)
    if root == "tensorflow" and not path.startswith(_PRIVATE):
        return _tensorflow(name, path)
    return _keras(name, path) if root == "keras" else None


def _torch(name: str, library: str) -> Removed | None:
    part = next((known for known in _parts(name) if known in torch.SYMBOLS), None)
    if part is None:
        return None
    row = torch.SYMBOLS.get(name, torch.SYMBOLS[part])
    replacement = row.replacement if name in torch.SYMBOLS else ""
    return Removed(name, part, library, row.since, replacement, row.advice, row.checked, row.stub)


def _tensorflow(name: str, path: str) -> Removed | None:
    gone = history("tensorflow").lacking(path)
    if gone is None:
        return _before_all(name, path)
    part, since = gone
    if path.startswith("keras."):
        replacement, advice = _place_in_keras(path)
        spelled = f"tensorflow.{replacement}" if replacement else ""
        return Removed(name, f"tensorflow.{part}", "tensorflow", since, spelled, advice)
    successor = tensorflow.MOVED.get(path) or tensorflow.ANCIENT.get(path) or upgrades().get(path, "")
    advice = "" if successor else tensorflow.ADVICE.get(path) or tensorflow.ADVICE.get(part) or _compatible(path, part)
    return Removed(name, f"tensorflow.{part}", "tensorflow", since, f"tensorflow.{successor}" if successor else "", advice)


def _before_all(name: str, path: str) -> Removed | None:
    """A name of releases that are older than all that could be run."""
    if path not in tensorflow.BEFORE_ALL:
        return None
    successor = tensorflow.ANCIENT[path]
    return Removed(name, name, "tensorflow", "0.12", f"tensorflow.{successor}" if successor else "")


def _compatible(path: str, part: str) -> str:
    """``tf.compat.v1`` if it has the name."""
    kept = history("tensorflow").kept
    found = path if path in kept else part if part in kept and _is_class(part) else ""
    return f"tf.compat.v1.{found}" if found else ""


def _keras(name: str, path: str) -> Removed | None:
    gone = history("keras").lacking(path) or history("keras").lacking(_of_sequential(path))
    if gone is None:
        part = path.partition(".")[0]
        advice = keras.ANCIENT.get(part, "")
        return Removed(name, f"keras.{part}", "keras", "2.0", advice=advice, checked=False) if advice else None
    part, since = gone
    replacement, advice = _place_in_keras(name)
    return Removed(name, f"keras.{part}", "keras", since, replacement, advice)


def _of_sequential(path: str) -> str:
    """A method of models, as one that only ``Sequential`` had (``predict_classes``): calls are named by the general class."""
    return re.sub(r"^Model\.", "Sequential.", path)


def _place_in_keras(name: str) -> tuple[str, str]:
    """Today's name of what ``keras.…`` was, and what to use in words; at least one of them is empty."""
    advice = _longest(name, keras.ADVICE)
    moved = next((part for part in reversed(_parts(name)) if part in keras.MOVED), None)
    today = keras.MOVED[moved] + name.removeprefix(moved) if moved is not None else ""
    if today and (name == moved or _exists(today)):
        return today, ""
    return "", advice


def _longest(name: str, table: Mapping[str, str]) -> str:
    return next((table[part] for part in reversed(_parts(name)) if part in table), "")


def _exists(name: str) -> bool:
    """Whether today's Keras has a name, by the signatures that are generated from it."""
    registry.load(name)
    return registry.parameters(name) is not None


def _is_class(name: str) -> bool:
    return name.rpartition(".")[2][:1].isupper()


def _parts(name: str) -> list[str]:
    """``a.b.c`` gives ``a``, ``a.b``, ``a.b.c``."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
