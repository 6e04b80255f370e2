"""Programs that can be run, each with something to fix: where it stands, how it is named and how large things are differ."""

# ruff: noqa: E501 (a program a line)

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

#: Something to fix, as lines that leave their result in ``{y}``. ``{x}`` is the input, of the shape beside it; sizes are letters.
_SAFE: Final = (
    ("({b}, {c})", "{y} = torch.log(torch.softmax({x}, dim=1))"),
    ("({b}, {c})", "{y} = torch.log({x}.softmax(-1))"),
    ("({b}, {c})", "{p} = F.softmax({x}, dim=0)\n{y} = {p}.log()"),
    ("({b}, {c})", "{p} = nn.Softmax(dim=1)({x})\n{y} = torch.log({p})"),
    ("({b}, {c})", "{y} = torch.log(torch.sigmoid({x}))"),
    ("({b}, {c})", "{y} = {x}.sigmoid().log()"),
    ("({b}, {c})", "{y} = torch.log(1 - torch.sigmoid({x}))"),
    ("({b}, {c})", "{y} = torch.log(torch.exp({x}).sum(dim=1))"),
    ("({b}, {c})", "{y} = torch.log(torch.sum(torch.exp({x}), dim=-1, keepdim=True))"),
    ("({b}, {c})", "{y} = torch.exp({x}) / torch.exp({x}).sum(dim=1, keepdim=True)"),
    ("({b}, {c})", "{y} = 1 / (1 + torch.exp(-{x}))"),
    ("({b}, {c})", "{y} = torch.log(1 + torch.exp({x}))"),
    ("({b}, {c})", "{y} = torch.log(1 + {x} ** 2)"),
    ("({b}, {c})", "{y} = torch.exp({x}) - 1"),
    ("({b}, {c})", "{y} = torch.sqrt(torch.sum({x} ** 2, dim=1))"),
    ("({b}, {c})", "{y} = torch.sqrt(({x} ** 2).sum(-1))"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {d})\n{m}.register_forward_hook(lambda *given: None)\n{y} = {m}.forward({x})"),
    ("({b}, {c})", "{m} = nn.Sequential(nn.Linear({c}, {d}), nn.ReLU())\n{y} = {m}.forward({x}) * 2"),
    ("({b}, {c}, {d}, {e})", "{y} = {x}.transpose(1, 2).view({b}, {c} * {d}, {e})"),
    ("({b}, {c}, {d})", "{p} = {x}.permute(0, 2, 1)\n{y} = {p}.view({b}, -1)"),
    ("({b}, {c})", "{y} = {x}.t().view(-1)"),
    ("({b}, {c}, {d})", "{m} = nn.LSTM({d}, {e}, batch_first=True)\n{h} = nn.Linear({e}, {c})\n{p} = {m}({x})\n{y} = {h}({p})"),
    ("({b}, {c}, {d})", "{m} = nn.GRU({d}, {e}, batch_first=True)\n{h} = nn.Linear({e}, 2)\n{p} = {m}({x})\n{y} = {h}({p})"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {d})\n{p} = torch.from_numpy(np.ones(({b}, {c})))\n{y} = {m}({p}) + {x}.sum()"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {d})\n{y} = {m}({x}.double())"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {d})\n{y} = {m}({x}.long().int())"),
    ("({b}, {c})", "{p} = torch.randint(0, {c}, ({b}, 1))\n{y} = nn.CrossEntropyLoss()({x}, {p})"),
    ("({b}, {c})", "{p} = torch.randint(0, {c}, ({b}, 1))\n{y} = F.cross_entropy({x}, {p})"),
    ("({b}, {c})", "{p} = torch.randint(0, {c}, ({b},)).float()\n{y} = F.cross_entropy({x}, {p})"),
    ("({b}, {c})", "{p} = torch.randint(0, {c}, ({b},))\n{y} = nn.CrossEntropyLoss({x}, {p})"),
    ("({b}, {c}, 8, 8)", "{m} = nn.Sequential(nn.Conv2d({c}, {d}, 3, padding=1), nn.ReLU(), nn.Linear({d} * 64, {e}))\n{y} = {m}({x})"),
    ("({b}, {b})", "{p} = {x} @ {x}.t()\n{y}, {h} = torch.symeig({p}, eigenvectors=True)"),
    ("({c}, {c})", "{p} = {x} @ {x}.t() + torch.eye({c}) * 9\n{y} = torch.cholesky({p})"),
    ("({b}, {c})", "{y}, {h} = torch.qr({x})"),
    ("({b}, {c})", "{p} = {x}.half()\n{y} = {p}.masked_fill({p} > 0, -1e9)"),
    ("({b}, {c})", "{p} = {x}.half().masked_fill(torch.ones({b}, {c}) == 0, -1e30)\n{y} = {p}"),
)  # fmt: skip
#: Something whose fix is offered as unsafe, in a program that runs.
_UNSAFE: Final = (
    ("({b}, {c})", "{y} = torch.log(torch.relu({x}) + 0.0)"),
    ("({b}, {c})", "{y} = torch.log(torch.relu({x}))"),
    ("({b}, {c})", "{y} = {x} / {x}.std()"),
    ("({b}, {c})", "{y} = 1 / torch.relu({x})"),
    ("({b}, {c})", "{y} = torch.sqrt(torch.relu({x}))"),
    ("({b}, {c})", "{y} = torch.relu({x}) ** 0.5"),
    ("({b}, {c})", "{y} = torch.exp({x} * 1000)"),
    ("({b}, {c})", "{p} = {x} / {x}.sum(dim=1, keepdim=True)\n{y} = torch.sqrt({p}.abs())"),
    ("({b}, {c})", "{y} = torch.acos(torch.tanh({x}))"),
    ("({b}, {c})", "{y} = {x}.norm(dim=1)\n{y} = {x} / {y}.unsqueeze(1)"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {c})\n{p} = torch.softmax({m}({x}), dim=1)\n{y} = nn.CrossEntropyLoss()({p}, torch.randint(0, {c}, ({b},)))"),
    ("({b}, {c})", "{m} = nn.Linear({c}, 1)\n{p} = torch.sigmoid({m}({x}))\n{y} = nn.BCEWithLogitsLoss()({p}, torch.ones({b}, 1))"),
    ("({b}, {c})", "{m} = nn.Linear({c}, 1)\n{y} = nn.MSELoss()({m}({x}), torch.ones({b}))"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {d})\n{h} = torch.optim.SGD({m}.parameters(), lr=0.1)\nfor {i} in range(3):\n    {y} = {m}({x}).sum()\n    {y}.backward()\n    {h}.step()"),
    ("({b}, {c})", "{m} = nn.Sequential(nn.Linear({c}, {d}), nn.ReLU(), nn.ReLU())\n{y} = {m}({x})"),
    ("({b}, {c})", "{m} = nn.Sequential(nn.Linear({c}, {d}), nn.Dropout(0.5))\nfor {i} in range(2):\n    {m}.eval()\n    {y} = {m}({x})"),
    ("({b}, {c})", "{y} = F.softmax({x})"),
    ("({b}, {c}, {d})", "{m} = nn.MultiheadAttention({d} * 4, 2)\n{p} = {x}.repeat(1, 1, 4)\n{y} = {m}({p}, {p}, {p})[0]"),
    ("({b}, {c}, {d})", "{m} = nn.LSTM({d}, {e})\n{y} = {m}({x})[0]"),
    ("({b}, {c})", "{m} = nn.Linear({c}, {c})\n{h} = [nn.Linear({c}, {c}) for {i} in range(2)]\n{y} = {m}({x})\nfor {p} in {h}:\n    {y} = {p}({y})"),
)  # fmt: skip
#: Where the lines stand; ``{body}`` is filled in with its indentation.
_FRAMES: Final = (
    "{x} = torch.randn{shape}\n{body}\nresult = {y}\n",
    "def {f}({x}):\n{body1}\n    return {y}\n\n\nresult = {f}(torch.randn{shape})\n",
    "class {C}(nn.Module):\n    def forward(self, {x}):\n{body2}\n        return {y}\n\n\nresult = {C}()(torch.randn{shape})\n",
    "def {f}({x}, scale=1.0):\n    if scale > 0:\n{body2}\n        return {y} * scale\n    return {x}\n\n\nresult = {f}(torch.randn{shape})\n",
    "def main():\n    {x} = torch.randn{shape}\n{body1}\n    return {y}\n\n\nif __name__ == '__main__':\n    result = main()\n",
    "for step in range(2):\n    {x} = torch.randn{shape}\n{body1}\nresult = {y}\n",
    "with torch.no_grad():\n    {x} = torch.randn{shape}\nif True:\n{body1}\nresult = {y}\n",
)  # fmt: skip
_HEAD: Final = (
    "import numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\ntorch.manual_seed({seed})\n"
)
_NAMES: Final = (
    "out",
    "value",
    "data",
    "probs",
    "hidden",
    "layer",
    "tmp",
    "scores",
    "feats",
    "net",
    "a1",
    "inputs",
    "acc",
    "encoded",
    "first",
    "state",
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program, and whether its fixes are to be taken as safe ones."""

    text: str
    unsafe: bool


def program(random: Random) -> Program:
    """A program with one thing to fix."""
    unsafe = random.random() < 0.35
    shape, lines = random.choice(_UNSAFE if unsafe else _SAFE)
    letters = list("xypmhif")
    words = dict(zip(letters, random.sample(_NAMES, len(letters)), strict=True))
    words["C"] = random.choice(("Net", "Model", "Head"))
    words |= {letter: str(size) for letter, size in zip("bcde", random.sample((2, 3, 4, 5, 6, 8), 4), strict=True)}
    body = lines.format(**words).splitlines()
    indented = {f"body{depth or ''}": "\n".join("    " * depth + line for line in body) for depth in range(3)}
    frame = random.choice(_FRAMES).format(shape=shape.format(**words), **indented, **words)
    return Program(_HEAD.format(seed=random.randrange(100)) + frame, unsafe)
