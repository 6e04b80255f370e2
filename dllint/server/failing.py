"""What is made for an editor may fail in parts; the other parts are made."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_LOGGER = logging.getLogger(__name__)
_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def each(items: Iterable[_Item], make: Callable[[_Item], _Made], what: str) -> Iterator[_Made]:
    """What is made of each item; one of which nothing can be made is left out and logged, ``what`` begins the sentence."""
    for item in items:
        try:
            made = make(item)
        except Exception as error:
            _LOGGER.exception("%s: %s: %s", what, type(error).__name__, error)
            continue
        yield made
