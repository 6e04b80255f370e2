"""Starting the analysis process. Nothing that it needs is imported on the side of the one who starts it."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from typing import Any

#: A process, and our end of the connection to it.
Launched = tuple[Any, Connection]


def launch() -> Launched:
    """A new process, and our end of the connection to it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_live, args=(theirs,), name="dllint-analysis", daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _live(connection: Connection) -> None:
    from dllint.engine.endings import end_with_parent
    from dllint.server.worker import work

    end_with_parent()
    work(connection)
