"""Whether a string names an object of a library, and what was meant if it does not."""

from __future__ import annotations

import re
from typing import Final

from dllint.frameworks.history.record import identifiers
from dllint.frameworks.nearest_names import nearest
from dllint.source.document import Document

#: What makes strings of a program's own known to Keras.
_REGISTERED: Final = re.compile(r"custom_?objects?|register_keras_serializable", re.I)
#: Callable of Keras and its parameter → what kind of object the string names.
_PARAMETERS: Final = {"activation": "activation", "recurrent_activation": "activation"}
_SUFFIXES: Final = ("initializer", "regularizer", "constraint")


def kind_of(name: str, parameter: str) -> str:
    """The kind of object that a parameter of a layer takes; empty if it takes none."""
    if not name.startswith("keras.layers."):
        return ""
    suffix = parameter.rpartition("_")[2]
    return _PARAMETERS.get(parameter) or (suffix if suffix in _SUFFIXES and "_" in parameter else "")


def meant(kind: str, written: str) -> str:
    """The object of Keras that a string was to name; empty if it names one, or if nothing is near."""
    today, before = identifiers(kind)
    if not written or written in today or written in before or (kind == "optimizer" and written.lower() in today):
        return ""
    called = re.match(r"\s*([A-Za-z_]\w*)\s*\(", written)
    spelled = called.group(1) if called else written.strip()
    return nearest(spelled, today)


def may_be_own(document: Document, written: str) -> bool:
    """Whether a document may make a string known to Keras itself: it registers objects, or defines something of that name."""
    return document.answer(_registers) or document.answer(_defines, written)


def _registers(text: str) -> bool:
    return _REGISTERED.search(text) is not None


def _defines(text: str, name: str) -> bool:
    return re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b", text) is not None
