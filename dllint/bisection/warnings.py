"""Warnings that frameworks give about their own code, which the user of a bisection can do nothing about."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

#: Where torch's exporter warns from; ``copyreg`` and ``copy`` are what it copies its own objects with.
_LIBRARIES: Final = r"(torch|copyreg|copy|onnxscript)(\.|$)"


@contextmanager
def without_library_warnings() -> Iterator[None]:
    """Hide announcements of changes that concern code of the libraries; those about the user's code are shown."""
    with warnings.catch_warnings():
        for category in (FutureWarning, DeprecationWarning, PendingDeprecationWarning):
            warnings.filterwarnings("ignore", category=category, module=_LIBRARIES)
        yield
