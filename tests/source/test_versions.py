"""Versions and names of distributions are read as ``packaging`` reads them."""

from __future__ import annotations

from itertools import product

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from dllint.source.versions import normalized, requirement, specifiers, version


def test_names_are_compared_as_the_index_does() -> None:
    for first, separator, last in product(("tensorflow", "Intel", "A1"), ("-", "_", ".", "-_.", "__", ""), ("GPU", "x2", "")):
        name = f"{first}{separator}{last}"
        assert normalized(name) == canonicalize_name(name), name


def test_what_is_read_is_what_packaging_reads() -> None:
    assert version("2.1.0rc1") == Version("2.1.0rc1")
    assert specifiers(">=2,<3") == SpecifierSet("<3,>=2")
    assert requirement("torch[x]>=1.8") == Requirement("torch[x]>=1.8")


@pytest.mark.parametrize("read", [version, specifiers, requirement])
def test_anything_else_is_a_value_error(read: object) -> None:
    assert callable(read)
    for text in ("=", "a b c", ">=2,<"):
        with pytest.raises(ValueError):
            read(text)
