"""Measures of predictions against targets."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from dllint.diagnose.probes.measures import Pairs, measure_of  # noqa: E402
from dllint.diagnose.probes.torch.evaluation import Called, in_evaluation  # noqa: E402


def test_rare_classes_count_as_much_as_frequent_ones():
    rare = measure_of([Pairs([0.0] * 100, [0.0] * 95 + [1.0] * 5, True)])
    assert (rare.name, rare.value) == ("balanced accuracy", 0.5)
    assert rare.value < rare.floor
    plain = measure_of([Pairs([0.0] * 100, [0.0] * 60 + [1.0] * 40, True)])
    assert (plain.name, plain.value) == ("accuracy", 0.6)


def test_predictions_are_those_of_evaluation_mode_and_nothing_else_changes():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 2))
    net[2].eval()
    x = torch.randn(16, 4)
    output = net(x)
    before, random = net[1].running_mean.clone(), torch.get_rng_state()
    evaluated = in_evaluation(Called(net, (x,), {}, output), output)
    assert [module.training for module in net] == [True, True, False, True]
    assert torch.equal(net[1].running_mean, before)
    assert torch.equal(torch.get_rng_state(), random)
    assert torch.equal(evaluated, net.eval()(x))
    assert not torch.equal(evaluated, output)


def test_what_is_not_the_models_output_is_left_as_it_is():
    net = nn.Sequential(nn.Linear(4, 2), nn.Dropout(0.5))
    x = torch.randn(16, 4)
    output = net(x)
    other = output * 2
    assert in_evaluation(Called(net, (x,), {}, output), other) is other
