"""One canonical name for every spelling of a torch object.

``torch.nn.modules.conv.Conv2d`` is ``torch.nn.Conv2d``; ``torch.functional.einsum`` is ``torch.einsum``. Objects live where the
documentation lists them.
"""

from __future__ import annotations

from typing import Final

#: Module prefix → where its public objects are documented (the submodule that follows is dropped, too).
NESTED: Final = {
    "torch.nn.modules.": "torch.nn.",
    "torch.utils.data.dataloader.": "torch.utils.data.",
    "torch.utils.data.dataset.": "torch.utils.data.",
    "torch.utils.data.sampler.": "torch.utils.data.",
    "torch.utils.data.distributed.": "torch.utils.data.",
    "torch.functional.": "torch.",
    "torch._tensor.": "torch.",
    "torch.nn.parameter.": "torch.nn.",
    "torch.nn.parallel.data_parallel.": "torch.nn.",
    "torch.nn.parallel.distributed.": "torch.nn.parallel.",
    "torch.optim.optimizer.": "torch.optim.",
    "torch.distributions.": "torch.distributions.",
    "torch.autograd.variable.": "torch.autograd.",
    "torch.autograd.grad_mode.": "torch.",
}
#: Objects found under other names.
ALIASES: Final = {
    "torch.concat": "torch.cat", "torch.concatenate": "torch.cat",
    "torch.autograd.no_grad": "torch.no_grad", "torch.autograd.set_grad_enabled": "torch.set_grad_enabled",
    "torch.nn.parallel.DataParallel": "torch.nn.DataParallel",
    "torch.nn.Swish": "torch.nn.SiLU",
    "torch.nn.functional.swish": "torch.nn.functional.silu",
    "torch.optim.lr_scheduler._LRScheduler": "torch.optim.lr_scheduler.LRScheduler",
    "torch.cuda.amp.autocast": "torch.autocast",
    "torch.amp.autocast": "torch.autocast", "torch.amp.autocast_mode.autocast": "torch.autocast",
    "torch.cuda.amp.GradScaler": "torch.amp.GradScaler",
}  # fmt: skip


_WHOLE: Final = ".torch."
_LAYERS: Final = "torch.nn.modules."


def canonical(name: str) -> str | None:
    """The documented name of a torch object, or ``None`` if the given one is it (or not torch's)."""
    if name in ALIASES:
        return ALIASES[name]
    if name.startswith("torch.") and _WHOLE in name:  # modules of torch import torch: ``F.torch.max``
        return "torch." + name.rpartition(_WHOLE)[2]
    if name.startswith(_LAYERS) and name[len(_LAYERS) :].islower() and name.count(".") == _LAYERS.count("."):
        return None  # a module of classes, whose names start with a capital
    for prefix, home in NESTED.items():
        if name.startswith(prefix):
            return home + _without_submodule(name[len(prefix) :])
    return None


def _without_submodule(rest: str) -> str:
    """``conv.Conv2d`` → ``Conv2d``; ``Conv2d.forward`` stays (classes start with a capital)."""
    head, _, tail = rest.partition(".")
    return tail if tail and head[:1].islower() else rest
