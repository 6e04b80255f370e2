"""Learning-rate schedules of Hugging Face transformers: functions that make a ``LambdaLR`` of torch, which counts steps."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, Value

_WARM_UP: Final = "optimizer, num_warmup_steps, num_training_steps"
#: The signatures of ``transformers.optimization`` (5.24), as far as the number of steps goes.
SIGNATURES: Final = {
    "transformers.get_constant_schedule": "optimizer, last_epoch=-1",
    "transformers.get_constant_schedule_with_warmup": "optimizer, num_warmup_steps, last_epoch=-1",
    "transformers.get_cosine_schedule_with_warmup": f"{_WARM_UP}, num_cycles=0.5, last_epoch=-1",
    "transformers.get_cosine_with_hard_restarts_schedule_with_warmup": f"{_WARM_UP}, num_cycles=1, last_epoch=-1",
    "transformers.get_cosine_with_min_lr_schedule_with_warmup": (
        f"{_WARM_UP}, num_cycles=0.5, last_epoch=-1, min_lr=None, min_lr_rate=None"
    ),
    "transformers.get_linear_schedule_with_warmup": f"{_WARM_UP}, last_epoch=-1",
    "transformers.get_polynomial_decay_schedule_with_warmup": f"{_WARM_UP}, lr_end=1e-07, power=1.0, last_epoch=-1",
    "transformers.get_scheduler": (
        "name, optimizer, num_warmup_steps=None, num_training_steps=None, scheduler_specific_kwargs=None"
    ),
}
#: Where the library's own source defines them.
DESCRIBED: Final = {name.replace("transformers.", "transformers.optimization."): name for name in SIGNATURES}


@handler(*SIGNATURES)
def schedule(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A scheduler whose rates are not followed."""
    symbol = LibSymbol("torch.optim.lr_scheduler.LambdaLR")
    return InstanceVal(symbol, site=machine.site, open=Unknown("not-followed", "a schedule of transformers"))
