"""Running ``dllint bisect`` in a process that has torch imported already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.forks import RunInFork

Bisect = Callable[..., CompletedProcess[str]]


@pytest.fixture
def bisect(run_in_fork: RunInFork) -> Bisect:
    """Runs the command with arguments in a folder; ``given`` is what standard input has."""

    def run(folder: Path, *arguments: str, given: str = "") -> CompletedProcess[str]:
        command = ["bisect", *arguments]
        return CompletedProcess(command, *run_in_fork(command, folder, given=given))

    return run
