"""Stamps: what the file system says of a file or directory without reading it.

As long as a stamp is the same, so is the content. It has the time of the last change of the node (``ctime``), which nobody can
set, beside size and ``mtime``. The clock of a file system ticks slowly: what was changed in the last seconds may change again
within the same tick, and has no stamp yet.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

#: The stamp of what has to be looked at again.
NO_STAMP: Final = ""
#: The stamp of what is not there.
_ABSENT: Final = "absent"
#: Nanoseconds in which a file may change again without another stamp: two seconds are the coarsest tick of any file system.
YOUNG: Final = 3_000_000_000


def stamp_of(status: os.stat_result) -> str:
    """The stamp of a file or directory with a status, whatever its age: for comparison with one that was kept."""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}.{status.st_dev}"


def lasting(status: os.stat_result) -> str:
    """The stamp to keep of what was read just after its status; :data:`NO_STAMP` if it is too young."""
    return NO_STAMP if last_change(status) > time.time_ns() - YOUNG else stamp_of(status)


def last_change(status: os.stat_result) -> int:
    """When a file was last changed, in nanoseconds since the epoch. On Windows, ``ctime`` is the time of creation."""
    return status.st_mtime_ns if os.name == "nt" else max(status.st_ctime_ns, status.st_mtime_ns)


def present_stamp(path: str) -> str:
    """The stamp of what lies at a path now, to be compared with one that was kept."""
    return _stamped(path, stamp_of)


def folder_stamp(path: str) -> str:
    """The stamp to keep of a directory that is listed afterwards, or of a file that is read afterwards."""
    return _stamped(path, lasting)


def _stamped(path: str, stamp: Callable[[os.stat_result], str]) -> str:
    try:
        return stamp(os.stat(path))
    except (FileNotFoundError, NotADirectoryError):
        return _ABSENT
    except (OSError, ValueError):
        return NO_STAMP
