"""Standard input and output belong to the protocol; whatever else reads or writes there must not get in between."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO


def claim() -> tuple[BinaryIO, BinaryIO]:
    """The streams of the conversation with the editor.

    From now on a ``print``, of ours, of a library or of a child process, goes to standard error, and standard input is empty.
    """
    sys.stdout.flush()
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return incoming, outgoing
