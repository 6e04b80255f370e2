"""No module comes from the folder that dllint is started in, or from that of its script: there may be a ``re.py``."""

from __future__ import annotations

import os
import sys

#: Keeps the working directory off the module path of every Python that is started from here, those of
#: :mod:`multiprocessing` included.
SAFE_PATH = "PYTHONSAFEPATH"


def leave_folder_of_script() -> None:
    """Take the folder of the ``dllint`` script off the module path, where Python puts it first."""
    if not sys.flags.safe_path and sys.path[0] == os.path.dirname(os.path.realpath(sys.argv[0])):
        del sys.path[0]


def keep_children_out() -> None:
    """Keep the working directory off the module path of the processes that this one starts."""
    os.environ[SAFE_PATH] = "1"
