"""Running the server on two streams."""

from __future__ import annotations

import gc
import logging
from pathlib import Path
from typing import BinaryIO

from dllint import __version__
from dllint.server.process import launch

_LOGGER = logging.getLogger(__name__)


def serve(incoming: BinaryIO, outgoing: BinaryIO, log_level: str = "info", log_file: Path | None = None) -> int:
    """Talk with the editor until it says goodbye or goes away; the exit status is 1 if it did not say goodbye.

    Raises:
        OSError: the log file cannot be written.
    """
    launched = launch()  # it gets ready while the protocol is imported, which takes as long
    from dllint.server.features import make_server
    from dllint.server.logs import send_logs

    server = make_server(launched)
    gc.freeze()  # what is there now stays; collections need not look at it
    gc.enable()  # the command line does without; a server lives long
    send_logs(server, log_level, log_file)
    _LOGGER.info("dllint %s", __version__)
    server.start_io(incoming, outgoing)
    server.state.backend.stop()
    server.end_runs()
    return 0 if server.protocol._shutdown else 1
