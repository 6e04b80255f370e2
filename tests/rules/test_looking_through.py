"""Rules see a cause through whatever keeps what matters, and through nothing else.

Each rule that looks through operations has one program per step: cause, step, effect. A step whose operation has the trait that
the rule goes by keeps the finding. What the rule does with every other step is written down, so that each is a decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import pytest

from dllint.ops.kinds import having, having_any
from dllint.ops.traits import Trait
from dllint.source.document import Document
from tests.rules.harness import PATH, session
from tests.rules.steps import ELEMENTWISE, KERAS_LAYERS, STEPS

_HEAD = (
    "import einops\nimport torch\nfrom keras import Input, layers\nfrom torch import nn\nfrom torch.nn import functional as F\n"
)
_LINEAR = "nn.Linear(8, 8)(torch.randn(4, 8))"


@dataclass(frozen=True)
class Walk:
    """The finding ``code`` on the line of ``cause``, a step and ``effect``.

    ``through`` has the operations that the rule goes by, ``also`` further ones after which there is a finding, with the reason,
    and ``silent`` those of ``through`` after which there is none.
    """

    code: str
    cause: str
    effect: str
    through: frozenset[str]
    also: dict[str, str] = field(default_factory=dict)
    silent: dict[str, str] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=lambda: STEPS)


WALKS = [
    Walk(
        "DLS203",
        f"F.softmax({_LINEAR}, dim=1)",
        "nn.Linear(8, 3)({step})",
        having(Trait.KEEPS_ORDER) | having_any(Trait.DROPS | Trait.STANDARDISES),
        {"linear": "the layer of the step takes the softmax"},
    ),
    Walk(
        "DLS202",
        f"torch.relu({_LINEAR})",
        "torch.sigmoid({step})",
        having(Trait.KEEPS_VALUES) | having_any(Trait.INDEXES | Trait.REPEATS),
        dict.fromkeys(having(Trait.LAYER_ACTIVATION) & STEPS.keys(), "the step follows the first activation itself"),
    ),
    Walk(
        "DLS204",
        f"torch.relu({_LINEAR})",
        "F.cross_entropy({step}, torch.arange(4))",
        having(Trait.KEEPS_VALUES) | having_any(Trait.INDEXES | Trait.REPEATS | Trait.DROPS),
        {"log_softmax": "the step takes the scores itself"},
    ),
    Walk(
        "DLL101",
        f"F.softmax({_LINEAR}, dim=1)",
        "F.cross_entropy({step}, torch.arange(4))",
        having(Trait.KEEPS_VALUES) | having_any(Trait.INDEXES | Trait.REPEATS),
        {
            **dict.fromkeys(("sigmoid", "hardsigmoid"), "the step gives probabilities itself"),
            "log_softmax": "the step gives log-probabilities itself",
        },
    ),
    Walk(
        "DLN106",
        f"torch.relu({_LINEAR})",
        "torch.log({step}).mean().backward()",
        having(Trait.KEEPS_ORDER) | having(Trait.REPEATS),
        {
            **dict.fromkeys(("abs", "clamp", "relu"), "the step is a guard itself"),
            **dict.fromkeys(("log", "log2", "log10"), "the step takes the guarded argument itself"),
        },
    ),
    Walk(
        "DLT105",
        "nn.Conv2d(3, 8, 3, padding=1)(torch.randn(4, 3, 8, 8))",
        "({step}).view(-1, 8 * 8 * 4)",
        having(Trait.POINTWISE | Trait.KEEPS_SHAPE),
        steps=ELEMENTWISE,
    ),
    Walk(
        "DLT113",
        "layers.LSTM(8)(Input((20, 8)))",
        "layers.LSTM(8)({step})",
        having(Trait.KEEPS_SHAPE),
        steps=KERAS_LAYERS,
    ),
]


@cache
def _found(number: int) -> frozenset[str]:
    """The operations after which the finding is there; all steps are in one program, a line each."""
    walk = WALKS[number]
    lines = [walk.effect.format(step=step.format(x=walk.cause)) for step in walk.steps.values()]
    first = _HEAD.count("\n") + 1
    document = Document.from_text(PATH, _HEAD + "\n".join(lines) + "\n")
    told = session().analyser(PATH).analyse(document).findings  # without the fixes, each of which would be tried
    found = {f.location.span.first.line for f in told if f.code == walk.code}
    return frozenset(op for line, op in enumerate(walk.steps, first) if line in found)


@pytest.mark.parametrize("number", range(len(WALKS)), ids=[walk.code for walk in WALKS])
def test_what_keeps_it_keeps_the_finding(number: int) -> None:
    walk = WALKS[number]
    lost = (walk.through & walk.steps.keys()) - _found(number) - walk.silent.keys()
    assert not lost, f"{walk.code} is lost behind {sorted(lost)}"


@pytest.mark.parametrize("number", range(len(WALKS)), ids=[walk.code for walk in WALKS])
def test_every_other_step_is_decided(number: int) -> None:
    walk = WALKS[number]
    assert _found(number) - walk.through == walk.also.keys()
    assert walk.silent.keys() <= walk.through - _found(number)
