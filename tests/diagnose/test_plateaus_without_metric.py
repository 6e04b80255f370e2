"""``ReduceLROnPlateau.step`` is watched: a call that torch refuses raises what torch raises."""

from __future__ import annotations

import pytest
import torch

from dllint.diagnose.probes.patching import Patches
from dllint.diagnose.probes.torch.deciders import Deciders


class Inactive:
    """A monitor that notes nothing."""

    active = False


@pytest.mark.parametrize(("given", "named"), [((), {}), ((), {"epoch": 1}), ((0.5,), {}), ((), {"metrics": 0.5})])
def test_a_call_without_the_metric_raises_what_torch_raises(given, named):
    def outcome():
        schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([torch.zeros(1)], 0.1))
        try:
            schedule.step(*given, **named)
        except TypeError as error:
            return str(error)
        return schedule.last_epoch

    alone = outcome()
    patches = Patches()
    Deciders(Inactive(), patches).install()
    try:
        assert outcome() == alone
    finally:
        patches.undo()
