"""Collection of a run's conditions: seeds while it runs, everything else at its end."""

from __future__ import annotations

import platform
from pathlib import Path

from dllint.diagnose.launch import Program
from dllint.diagnose.monitor import Monitor
from dllint.diagnose.reproducibility import environment
from dllint.diagnose.reproducibility.circumstances import Reproducibility
from dllint.diagnose.reproducibility.seeding import Seedings
from dllint.diagnose.reproducibility.sources import revision, source_files


class Surroundings:
    """Looks on from now until :meth:`record`. ``from_start``: the program has not begun yet; else what it has done before is
    not known."""

    def __init__(self, monitor: Monitor, *, from_start: bool) -> None:
        self._seedings = Seedings(monitor, from_start=from_start)
        self._seedings.install()

    def record(self, program: Program) -> Reproducibility:
        """The record of this process as it is now; seedings are noted no longer."""
        script = program.source or Path(program.target)
        generators = self._seedings.generators()
        self.end()
        return Reproducibility(
            command=(*(("-m",) if program.is_module else ()), program.target, *program.arguments),
            python=f"{platform.python_implementation()} {platform.python_version()}",
            versions=environment.versions(),
            hardware=environment.hardware(),
            environment=environment.variables(),
            settings=environment.settings(),
            seeds=tuple(self._seedings.found),
            generators=generators,
            sources=source_files(script),
            revision=revision(script.absolute().parent),
        )

    def end(self) -> None:
        """Look on no longer."""
        self._seedings.remove()
