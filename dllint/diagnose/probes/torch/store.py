"""The store of ``torch.distributed``, by which processes can leave notes without a collective operation."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any, Final, cast

import torch.distributed
from torch.distributed import distributed_c10d

from dllint.diagnose.ranks.mailbox import Store

_PATIENCE: Final = timedelta(seconds=10)
#: Process groups' stores that are in use. The first process's serves the others, and would end with its group.
_kept: Final[list[object]] = []


def open_store() -> Store | None:
    """A connection of dllint's own to the launcher's store, else to that of the program's process group; ``None`` while there
    is neither."""
    try:
        if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True":
            store_kind: Any = vars(torch.distributed)["TCPStore"]
            address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
            return cast("Store", store_kind(address, port, None, False, _PATIENCE, wait_for_workers=False))
        if not is_joined():
            return None
        store: Any = distributed_c10d._get_default_store()
        _kept.append(store)
        return cast("Store", store.clone())
    except (KeyError, ValueError, RuntimeError, OSError):
        return None


def is_joined() -> bool:
    """Whether the program has a process group: its processes are meant to train together."""
    return torch.distributed.is_available() and torch.distributed.is_initialized()
