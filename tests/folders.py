"""A folder for each test, made at a cost that does not grow with the number of tests.

pytest's own fixture reads all folders of the tests before to number the next one, and links the last of each name: with the
thousands of tests that a process runs here, this takes longer than most of these tests do.
"""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Final

import pytest

#: Characters of a test's name in that of its folder. Paths of sockets, which may lie in it, are at most 107 bytes long.
_SHOWN: Final = 24
_NUMBERS: Final = count()


@pytest.fixture(scope="session")
def folder_of_all_tests(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process makes the folders of its tests; pytest removes it with the others of its run."""
    folder = tmp_path_factory.getbasetemp() / "t"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, folder_of_all_tests: Path) -> Path:
    """An empty folder for one test, in place of pytest's."""
    name = re.sub(r"\W", "_", request.node.name)[:_SHOWN]
    folder = folder_of_all_tests / f"{name}{next(_NUMBERS)}"
    folder.mkdir(mode=0o700)
    return folder
