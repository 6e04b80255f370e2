"""``torch.distributions``: shapes and types of draws, densities, entropies and divergences, against torch."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import pytest
import torch

from dllint.frameworks.torch.protocols.distributions import FAMILIES, HOME
from tests.frameworks.torch.programs import analysed, concrete, faults, plain

SHAPES = ("(5,)", "(4, 5)", "(2, 1, 5)")
#: Pairs of shapes of the two parameters of a distribution; ``None`` stands for a number.
PAIRS = (("(5,)", "(5,)"), ("(4, 1)", "(5,)"), ("(4, 5)", None), ("(2, 1, 5)", "(4, 1)"))
PARAMETERS = {
    "probs": "torch.rand({0}).softmax(-1)",
    "logits": "torch.randn({0})",
    "loc": "torch.randn({0})",
    "low": "torch.zeros({0}) - 1",
    "high": "torch.ones({0})",
}
SAMPLES = ("", "(3,)", "torch.Size([2, 3])", "sample_shape=(6,)")


def constructions() -> list[tuple[str, str]]:
    """Each family with parameters of several shapes."""
    found = []
    for name, family in FAMILIES.items():
        if not family.parameters:
            continue
        for pair in PAIRS if len(family.parameters) == 2 else [(shape,) for shape in SHAPES]:
            for choice in itertools.product(*family.parameters):
                given = [
                    f"{parameter}="
                    + ("0.5" if shape is None else PARAMETERS.get(parameter, "torch.rand({0}) + 0.5").format(shape))
                    for parameter, shape in zip(choice, pair, strict=True)
                ]
                first = ["torch.tensor(0.7)"] if "temperature" in family.signature else []
                found.append((name, f"{HOME}.{name}({', '.join([*first, *given])})"))
    return found


def executed(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"torch": torch}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in text.strip().split("\n"):
            try:
                exec(line, names)
            except NotImplementedError:  # no entropy, no draws that are differentiable
                names.pop(line.partition(" = ")[0], None)
    return names


PROGRAM = """d = {made}
sample = d.sample({shape})
through = d.rsample({shape})
density = d.log_prob(sample)
entropy = d.entropy()
mean = d.mean
stddev = d.stddev
same = torch.distributions.kl_divergence(d, d)
"""


@pytest.mark.parametrize("shape", SAMPLES)
@pytest.mark.parametrize(("name", "made"), constructions())
def test_shapes_and_types_are_those_of_torch(name: str, made: str, shape: str) -> None:
    text = PROGRAM.format(made=made, shape=shape)
    ours, real = analysed(text), executed(text)
    for key in ("sample", "through", "density", "entropy", "mean", "stddev", "same"):
        if key not in real:
            continue
        known = plain(ours[key])
        if key in ("mean", "stddev") and not isinstance(known, tuple):
            assert FAMILIES[name].classes
            continue
        assert known == concrete(real[key]), key


@pytest.mark.parametrize("shape", ["(5,)", "(4, 5)", "(2, 4, 5)"])
@pytest.mark.parametrize("axes", [0, 1])
def test_axes_of_a_draw(shape: str, axes: int) -> None:
    text = f"d = {HOME}.Independent({HOME}.Normal(torch.randn({shape}), 1.0), {axes})\n"
    text += "sample = d.rsample((3,))\ndensity = d.log_prob(sample)\nentropy = d.entropy()\n"
    ours, real = analysed(text), executed(text)
    for key in ("sample", "density", "entropy"):
        assert plain(ours[key]) == concrete(real[key])


VALUES = ("(5,)", "(4, 5)", "(3, 4, 5)", "(4, 1)", "(2,)", "(4, 7)")


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("made", ["Normal(torch.zeros(4, 5), 1.0)", "Categorical(logits=torch.zeros(4, 5, 9))"])
def test_a_value_that_does_not_fit_raises(made: str, value: str) -> None:
    text = f"d = {HOME}.{made}\nout = d.log_prob(torch.ones({value}))\n"
    try:
        real = concrete(executed(text)["out"])
    except (ValueError, RuntimeError):  # the second where arguments are not validated
        assert faults(text) == ["broadcast"]
    else:
        assert faults(text) == []
        assert plain(analysed(text)["out"]) == real


SPELLINGS = ("torch.distributions.normal.Normal", "torch.distributions.Normal", "distributions.Normal", "Normal")


@pytest.mark.parametrize("spelled", SPELLINGS)
def test_every_spelling_is_known(spelled: str) -> None:
    text = "from torch import distributions\nfrom torch.distributions.normal import Normal\nimport torch.distributions.normal\n"
    assert plain(analysed(f"{text}out = {spelled}(torch.zeros(4, 5), 1.0).sample()\n")["out"]) == ((4, 5), "float32")


def test_what_is_not_known_of_a_distribution_claims_nothing() -> None:
    text = """
    class Own(torch.distributions.Normal):
        def __init__(self, loc):
            super().__init__(loc, 1.0)

    own = Own(torch.zeros(4, 5))
    out = own.log_prob(torch.zeros(3, 7))
    def f(loc, shape):
        d = torch.distributions.Normal(loc, 1.0)
        return d.sample(shape), d.log_prob(torch.zeros(3, 7))
    """
    assert faults(text) == []
