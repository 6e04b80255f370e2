"""Markup that is escaped by construction: text becomes markup only as the content or an attribute of an element."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def element(name: str, *content: str, **attributes: str | float | None) -> Markup:
    """``<name …>content</name>``. In names of attributes ``_`` stands for ``-``, one at the end is dropped (``class_``);
    attributes that are ``None`` are left out."""
    return Markup(f"<{name}{''.join(map(_attribute, attributes.items()))}>{joined(content)}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Parts one after the other, escaped unless they are markup."""
    return Markup("".join(part if isinstance(part, Markup) else escape(part, quote=False) for part in parts))


def _attribute(item: tuple[str, str | float | None]) -> str:
    name, value = item
    if value is None:
        return ""
    text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
    return f' {name.rstrip("_").replace("_", "-")}="{escape(text)}"'
