"""The extension for IPython and notebooks: ``%load_ext dllint``, then ``%%diagnose`` above a cell that trains."""

from __future__ import annotations

import sys
from typing import Any

from dllint.diagnose.faces.telling import tell
from dllint.diagnose.watching import Watch


class Diagnose:
    """The magic ``diagnose``. Layers are known by their lines if they are built after the extension was loaded in a diagnosed
    cell; the others by their names."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell

    def run(self, line: str, cell: str | None = None) -> None:
        """Run a cell (or the rest of the line), and say what was found about the training in it."""
        text = self._shell.transform_cell(line if cell is None else cell)
        name = self._shell.compile.cache(text, self._shell.execution_count)
        with Watch() as watch:
            exec(compile(text, name, "exec"), self._shell.user_ns)
        tell(watch.diagnosis(), sys.stdout)


def load_ipython_extension(shell: Any) -> None:
    """Register the magic."""
    shell.register_magic_function(Diagnose(shell).run, magic_kind="line_cell", magic_name="diagnose")


def unload_ipython_extension(shell: Any) -> None:
    """Take the magic away."""
    for magics in shell.magics_manager.magics.values():
        magics.pop("diagnose", None)
