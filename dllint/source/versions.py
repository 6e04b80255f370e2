"""Versions and version specifiers, as ``packaging`` reads them. It is imported when the first one is read: most files are
checked without, and it brings along a twentieth of what is imported then.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

_SEPARATORS: Final = re.compile(r"[-_.]+")


@lru_cache(maxsize=1024)
def version(text: str) -> Version:
    """A version such as ``2.13.0``.

    Raises:
        ValueError: it is none.
    """
    from packaging.version import Version

    return Version(text)


def specifiers(text: str) -> SpecifierSet:
    """Version specifiers such as ``>=2.1,<3``.

    Raises:
        ValueError: they are none.
    """
    from packaging.specifiers import SpecifierSet

    return SpecifierSet(text)


def requirement(text: str) -> Requirement:
    """A requirement such as ``torch>=1.8; python_version > "3.6"``.

    Raises:
        ValueError: it is none.
    """
    from packaging.requirements import Requirement

    return Requirement(text)


def normalized(distribution: str) -> str:
    """The name of a distribution as the package index compares names."""
    return _SEPARATORS.sub("-", distribution).lower()
