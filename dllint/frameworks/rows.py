"""Rows: what a library's public name means. Data only, no arithmetic.

A row maps a canonical qualified name to a canonical operation and says how its parameters are called there. Argument
binding (order, defaults, keyword-only) comes from the signature data generated from the real library
(``dllint/frameworks/signatures/*.json``, made by ``dllint dev signatures``); ``params`` overrides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Never

from dllint.ir.program import Framework
from dllint.ir.values import Value

EMPTY: Mapping[str, Never] = {}


@dataclass(frozen=True, slots=True)
class FunctionRow:
    """A function, operator or tensor method. ``rename`` maps library parameters to canonical ones (on top of the
    framework's common renames), ``const`` fixes canonical parameters, ``params`` is a signature such as
    ``"input, dim=None, *, dtype=None"`` or ``"self, *shape"``."""

    name: str
    op: str
    framework: Framework
    rename: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    const: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    params: str = ""


@dataclass(frozen=True, slots=True)
class LayerRow:
    """A layer class: constructing it binds ``rename``/``const`` onto the canonical parameters of ``op``; calling it
    performs ``op`` with them. ``call`` is the signature of the call (``"input, hx=None"``), ``trainable`` whether it has
    weights, ``activation`` the constructor parameter that names an activation applied to the result (Keras)."""

    name: str
    op: str
    framework: Framework
    rename: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    const: Mapping[str, Value] = field(default_factory=lambda: EMPTY)
    params: str = ""
    call: str = "x"
    trainable: bool = False
    activation: str = ""


def rows(
    prefix: str,
    framework: Framework,
    names: Mapping[str, str],
    rename: Mapping[str, str] = EMPTY,
    const: Mapping[str, Value] = EMPTY,
) -> Iterator[FunctionRow]:
    """Rows for ``{canonical operation: "library names"}``, all under ``prefix``, with the same renames and constants."""
    for op, spelled in names.items():
        for name in spelled.split():
            yield FunctionRow(f"{prefix}.{name}", op, framework, rename, const)
