"""Which functions and methods of torch and numpy change the elements of their first argument, by their names."""

from __future__ import annotations

from typing import Final

#: Methods whose names say that they change their receiver, and that leave its elements alone.
_KEEPING: Final = frozenset({
    "requires_grad_", "retain_grad_", "share_memory_", "rename_", "detach_", "coalesce_", "record_stream_",
})  # fmt: skip
#: Functions that are named like such methods, and change something else.
_ELSEWHERE: Final = ("torch.nn.utils.", "torch.nn.Module.", "torch.amp.", "torch.distributed.", "torch.nn.attention.")
#: Functions and methods of numpy that change their first argument and give nothing back.
WRITERS: Final = frozenset({
    "numpy.copyto", "numpy.put", "numpy.place", "numpy.putmask", "numpy.fill_diagonal", "numpy.put_along_axis",
    "numpy.random.shuffle", "numpy.random.RandomState.shuffle", "numpy.ndarray.sort", "numpy.ndarray.partition",
    "numpy.ndarray.put", "numpy.ndarray.itemset", "numpy.ndarray.setfield",
})  # fmt: skip


def is_named_in_place(name: str) -> bool:
    """Whether the name of a function tells that it changes its argument, as those of torch do that end with an underscore."""
    last = name.rpartition(".")[2]
    return last.endswith("_") and not last.endswith("__") and last not in _KEEPING and not name.startswith(_ELSEWHERE)
