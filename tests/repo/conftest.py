"""Tests of the repository share its syntax trees, which go when the last of them has run."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.repo import trees


@pytest.fixture(scope="package", autouse=True)
def _trees_that_go() -> Iterator[None]:
    # Parsing makes no garbage, and a collection would visit every node again and again.
    gc.disable()
    yield
    trees.forget()
    gc.enable()
