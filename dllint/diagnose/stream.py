"""The events of a run as JSON lines, for an editor or whoever else started it.

Every line is an object with ``event``: ``started`` (with ``version`` of the protocol), ``step``, ``progress`` (a few times per
second: :mod:`dllint.diagnose.pace`), ``fault``, ``note`` (their records under ``record``), ``trial-started``,
``trial-finished`` and ``verdict`` while repairs are tried (records: :mod:`dllint.diagnose.trials.progress`), ``findings``
(under ``record``, as in ``--output-format json``) and ``ended`` (with ``ended`` and ``status``).
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import IO, Any, Final

from dllint.diagnose.serial import to_json

VERSION: Final = 1


class EventStream:
    """Writes events to a file; one that nobody reads any more is no reason to end the run."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream: IO[str] | None = stream
        self.send("started", version=VERSION)

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._stream is not None:
            self._stream.close()

    def tell(self, event: str, record: Any) -> None:
        """An event with a record: a listener for :class:`dllint.diagnose.monitor.Monitor`."""
        self.send(event, record=to_json(record))

    def send(self, event: str, **content: Any) -> None:
        """One line."""
        if self._stream is None:
            return
        try:
            self._stream.write(json.dumps({"event": event, **content}, allow_nan=False) + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None
