"""Where the models run."""

from __future__ import annotations

import os


def device_of(wanted: str) -> str:
    """``auto`` is the first GPU if torch sees one, else the CPU; under a launcher each process has its own."""
    if wanted != "auto":
        return wanted
    try:
        import torch
    except ImportError:
        return "cpu"
    return f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if torch.cuda.is_available() else "cpu"
