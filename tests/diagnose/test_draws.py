"""Programs that learn from their own draws are told from those that fit densities."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch.distributions import Categorical, Independent, Normal  # noqa: E402

from dllint.diagnose.probes.patching import Patches  # noqa: E402
from dllint.diagnose.probes.torch.draws import Draws  # noqa: E402


@pytest.fixture
def draws():
    patches = Patches()
    followed = Draws(patches)
    followed.install()
    yield followed
    patches.undo()


def normal():
    return Normal(torch.zeros(3), torch.ones(3))


@pytest.mark.parametrize("distribution", [Categorical(torch.ones(4)), normal(), Independent(normal(), 1)])
def test_weighed_draws_are_noticed(draws, distribution):
    action = distribution.sample()
    assert not draws.are_weighed
    distribution.log_prob(action)
    assert draws.are_weighed


def test_densities_of_data_and_reparametrised_draws_are_none(draws):
    normal().log_prob(torch.ones(3))
    normal().sample()
    normal().log_prob(normal().rsample())
    assert not draws.are_weighed


def test_distributions_are_left_as_they_were():
    before = {kind: (kind.sample, kind.log_prob) for kind in (Categorical, Normal)}
    patches = Patches()
    Draws(patches).install()
    patches.undo()
    assert before == {kind: (kind.sample, kind.log_prob) for kind in (Categorical, Normal)}
