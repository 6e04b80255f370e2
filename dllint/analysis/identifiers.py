"""Whether a string names an object of a library, and what was meant if it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from dllint.frameworks.history.record import identifiers

#: What makes strings of a program's own known to Keras.
_REGISTERED: Final = re.compile(r"custom_?objects?|register_keras_serializable", re.I)
#: Callable of Keras and its parameter → what kind of object the string names.
_PARAMETERS: Final = {"activation": "activation", "recurrent_activation": "activation"}
_SUFFIXES: Final = ("initializer", "regularizer", "constraint")
#: So long a name may have two slips.
_LONG: Final = 10


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


def nearest(written: str, names: Iterable[str]) -> str:
    """The name that differs from what is written in case, or by one slip (two in a long name); empty if none does, or if they
    differ in a digit, which makes another name."""
    known = {name.lower(): name for name in sorted(names)}
    lower = written.lower()
    if lower in known:
        return known[lower]
    near = get_close_matches(lower, known, 3, 0.7)
    slips = 2 if len(lower) >= _LONG else 1
    found = (name for name in near if _digits(name) == _digits(lower) and is_within(lower, name, slips))
    return next((known[name] for name in found), "")


def _digits(name: str) -> str:
    return re.sub(r"\D", "", name)


def is_within(first: str, second: str, slips: int) -> bool:
    """Whether two words differ by no more than some letters that are left out, added, exchanged or swapped with the next."""
    if not slips or not first or not second:
        return first == second or (abs(len(first) - len(second)) <= slips and not (first and second))
    if first[0] == second[0]:
        return is_within(first[1:], second[1:], slips)
    swapped = first[:2] == second[1::-1] and len(first) > 1 and is_within(first[2:], second[2:], slips - 1)
    return (
        swapped
        or is_within(first[1:], second, slips - 1)
        or is_within(first, second[1:], slips - 1)
        or is_within(first[1:], second[1:], slips - 1)
    )


def may_be_own(text: str, written: str) -> bool:
    """Whether a text may make a string known to Keras itself: it registers objects, or defines something of that name."""
    return _REGISTERED.search(text) is not None or re.search(rf"\b(?:def|class)\s+{re.escape(written)}\b", text) is not None
