"""Steps in programs that compute no gradients: told where they are made once a buffer is full, too, in every form."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

HEAD = "import random\nfrom collections import deque\n\nimport torch\nfrom torch import nn\n{imports}\n\n"
AGENT = """class {owner}:
    def __init__(self, lr=1e-3):
        self.net = nn.Linear(4, 2)
        self.{optimizer} = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.memory = deque(maxlen=500)

    def learn(self, size=8):
        {guard}
        batch = torch.stack(random.sample(self.memory, size))
        loss = nn.functional.smooth_l1_loss(self.net(batch), torch.zeros(size, 2))
        {update}
        return loss.item()


agent = {owner}()
for episode in range(20):
    agent.memory.append(torch.randn(4))
    {call}
"""
#: Where the learning waits until there is enough to learn from, in the loop or in the method.
WAITS = (
    ("pass", "if len(agent.memory) > 10:\n        agent.learn()"),
    ("pass", "if episode >= 10 and episode % 2 == 0:\n        print(agent.learn())"),
    ("if len(self.memory) < size:\n            return None", "agent.learn()"),
    ("pass", "agent.learn() if len(agent.memory) > 10 else None"),
)
NAMES = (("Agent", "optimizer"), ("Learner", "opt"))
FAULT = "self.{0}.zero_grad()\n        self.{0}.step()"
#: Gradients are computed, perhaps by code that is not known, or the step is made under another condition.
SOUND = (
    "self.{0}.zero_grad()\n        loss.backward()\n        self.{0}.step()",
    "self.{0}.zero_grad()\n        differentiate(loss)\n        self.{0}.step()",
    "self.{0}.zero_grad()\n        if differentiate(loss):\n            self.{0}.step()",
)


def program(names: tuple[str, str], wait: tuple[str, str], update: str) -> str:
    imports = "from engine import differentiate\n" if "differentiate" in update else ""
    parts = {"guard": wait[0], "call": wait[1], "update": update.format(names[1])}
    return HEAD.format(imports=imports) + AGENT.format(owner=names[0], optimizer=names[1], **parts)


@pytest.mark.parametrize("number", range(len(WAITS)))
@pytest.mark.parametrize("names", NAMES)
def test_steps_that_wait(names: tuple[str, str], number: int, tmp_path: Path) -> None:
    assert found({"main.py": program(names, WAITS[number], FAULT)}, tmp_path, ["DLO103"])
    for update in SOUND:
        assert found({"main.py": program(names, WAITS[number], update)}, tmp_path, ["DLO103"]) == [], update
