"""What environments of Gymnasium and Gym give is known, and programs that learn from them are followed."""

from __future__ import annotations

from itertools import product
from textwrap import indent

import pytest

from dllint.domains.lattice import Unknown, UnknownBool, UnknownFloat
from dllint.frameworks.gymnasium.known import environment
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, Value
from tests.lower.tracing import lower
from tests.rules.harness import findings

#: Identifier → sizes of an observation, number of actions or sizes of an action.
KNOWN = {
    "CartPole-v1": ((4,), 2),
    "MountainCar-v0": ((2,), 3),
    "Acrobot-v1": ((6,), 3),
    "Pendulum-v1": ((3,), (1,)),
    "LunarLander-v2": ((8,), 4),
    "HalfCheetah-v4": ((17,), (6,)),
}


def results(body: str, home: str = "gymnasium") -> tuple[Value, ...]:
    """What a function with this body returns."""
    head = f"import {home} as gym\nimport numpy as np\nimport random\nimport time\nimport torch\n"
    source = f"{head}\ndef f(action):\n{indent(body, '    ')}\n"
    (program,) = [p for p in lower(source).programs if p.entry == "f"]
    assert not any(op.faults for op in program.ops)
    return program.results if isinstance(program.results, tuple) else (program.results,)


@pytest.mark.parametrize(("name", "home"), list(product(KNOWN, ("gymnasium", "gym"))))
def test_spaces_of_the_libraries_environments(name: str, home: str) -> None:
    observation, action = KNOWN[name]
    told = "env.action_space.n" if isinstance(action, int) else "env.action_space.shape"
    found = results(f'env = gym.make("{name}")\nreturn env.observation_space.shape, {told}, env.action_space.sample()', home)
    assert found[:2] == (observation, action)
    drawn = found[2]
    assert not isinstance(drawn, Unknown)
    assert not isinstance(action, tuple) or (isinstance(drawn, TensorVal) and drawn.shape == action)


def test_what_reset_and_step_return() -> None:
    state, info, after, reward, terminated, truncated, more = results(
        'env = gym.make("CartPole-v1", render_mode="human")\nstate, info = env.reset(seed=1)\n'
        "after, reward, terminated, truncated, more = env.step(action)\n"
        "return state, info, after, reward, terminated, truncated, more"
    )
    assert isinstance(state, TensorVal)
    assert isinstance(after, TensorVal)
    assert state.shape == after.shape == (4,)
    assert isinstance(reward, UnknownFloat)
    assert isinstance(terminated, UnknownBool)
    assert isinstance(truncated, UnknownBool)
    assert isinstance(info, DictVal)
    assert isinstance(more, DictVal)


def test_gym_returns_what_the_program_is_written_for() -> None:
    state, _ = results(
        'env = gym.make("Pendulum-v0")\nstate = env.reset()\nstate, reward, done, _ = env.step(action)\nreturn state, reward',
        "gym",
    )
    assert isinstance(state, TensorVal)
    assert state.shape == (3,)
    assert isinstance(state.dtype, Unknown)
    (state,) = results('env = gym.make("Pendulum-v0")\nreturn env.reset()', "gym")
    assert isinstance(state, Unknown)


@pytest.mark.parametrize(
    "made",
    [
        'gym.make("Mine-v0")',
        "gym.make(action)",
        'gym.make("LunarLander-v3", continuous=True)',
        'gym.make("CartPole-v1", **action)',
    ],
)
def test_of_other_environments_nothing_is_said(made: str) -> None:
    state, _ = results(f"env = {made}\nstate, info = env.reset()\nreturn state, env")
    assert isinstance(state, Unknown)


@pytest.mark.parametrize(
    ("made", "shape"),
    [
        ("Box(0, 1, (3, 4))", (3, 4)),
        ("Box(low=-1.0, high=1.0, shape=(5,), dtype=np.float32)", (5,)),
        ("Box(np.zeros(6), np.ones(6))", (6,)),
        ("MultiDiscrete([3, 4])", (2,)),
        ("MultiBinary(7)", (7,)),
        ("Discrete(9)", ()),
    ],
)
def test_spaces_that_a_program_makes(made: str, shape: tuple[int, ...]) -> None:
    size, drawn = results(f"space = gym.spaces.{made}\nreturn space.shape, space.sample()")[-2:]
    assert size == shape
    assert not shape or (isinstance(drawn, TensorVal) and drawn.shape == shape)


@pytest.mark.parametrize("home", ["gymnasium", "gym"])
def test_the_kind_of_a_space_is_asked_for(home: str) -> None:
    actions = 'gym.make("CartPole-v1").action_space'
    numbers = results(
        f"actions = {actions}\nreturn (1 if isinstance(actions, gym.spaces.Discrete) else 2,"
        f' 1 if actions.__class__.__name__ == "Discrete" else 2, 1 if isinstance({actions}, gym.Space) else 2)',
        home,
    )
    assert numbers[:2] == (1, 1)
    assert numbers[2] != 2


def test_an_environment_of_the_programs_own_is_what_it_says() -> None:
    source = """
import gymnasium as gym
import torch

class Field(gym.Env):
    def __init__(self):
        self.observation_space = gym.spaces.Box(0.0, 1.0, (7,))

    def reset(self, seed=None):
        super().reset(seed=seed)
        return self.observation_space.sample()

    def step(self, action):
        return super().step(action)

def f(action):
    env = Field()
    return torch.tensor(env.reset()), env.step(action)[1]
"""
    (program,) = [p for p in lower(source).programs if p.entry == "f"]
    assert isinstance(program.results, tuple)
    state, reward = program.results
    assert isinstance(state, TensorVal)
    assert state.shape == (7,)
    assert isinstance(reward, Unknown)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("random.random()", "float"),
        ("random.uniform(0, 1)", "float"),
        ("random.gauss(0, 1)", "float"),
        ("time.time()", "float"),
        ('gym.make("CartPole-v1").step(action)[1]', "float"),
        ('gym.make("CartPole-v1").step(action)[2]', "bool"),
    ],
)
def test_numbers_of_unknown_value_make_tensors_of_known_type(number: str, kind: str) -> None:
    (tensor,) = results(f"return torch.tensor([{number}, {number}])")
    assert isinstance(tensor, TensorVal)
    assert tensor.shape == (2,)
    assert str(tensor.dtype) == {"float": "float32", "bool": "bool"}[kind]


LEARNING = """
import random
from collections import deque{imports}
import numpy as np
import torch
from torch import nn
import {home} as gym

env = gym.make({name!r})
value = nn.Sequential(nn.Linear(env.observation_space.shape[0], 32), nn.ReLU(), nn.Linear(32, {actions}))
optimizer = torch.optim.Adam(value.parameters(), lr=1e-3)
{memory}

def learn():
    states, actions, rewards, following, over = zip(*random.sample(memory, 32))
    states = torch.tensor(np.array(states), dtype=torch.float32)
    following = torch.tensor(np.array(following), dtype=torch.float32)
    actions = torch.tensor(actions)
    rewards = torch.tensor(rewards, dtype=torch.float32)
    over = torch.tensor(over, dtype=torch.float32)
    taken = value(states).gather(1, {index}){squeezed}
    with torch.no_grad():
        target = rewards + 0.99 * (1 - over) * value(following).max(1)[0]
    loss = nn.functional.mse_loss(taken, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for episode in range(100):
    state{info} = env.reset()
    over = False
    while not over:
        with torch.no_grad():
            scores = value(torch.as_tensor(state, dtype=torch.float32).unsqueeze(0))
        action = env.action_space.sample() if random.random() < 0.1 else scores.argmax(1).item()
        following, reward, {ends}, _ = env.step(action)
        {ended}
        memory.append((state, action, reward, following, over))
        state = following
        if len(memory) >= 32:
            learn()
"""
HOMES = {
    "gymnasium": {"info": ", _", "ends": "terminated, truncated", "ended": "over = terminated or truncated"},
    "gym": {"info": "", "ends": "over", "ended": "pass"},
}
#: What the index and the reduced values are, and the code of the finding.
FORMS = (
    ("actions.unsqueeze(1)", ".squeeze(1)", None),
    ("actions.view(-1, 1)", "[:, 0]", None),
    ("actions", "", "DLT102"),
    ("actions.unsqueeze(1)", "", "DLT108"),
    ("actions[:, None]", "", "DLT108"),
)


@pytest.mark.parametrize(("home", "form", "memory"), list(product(HOMES, FORMS, ("deque(maxlen=1000)", "[]"))))
def test_values_of_actions_against_targets(home: str, form: tuple[str, str, str | None], memory: str) -> None:
    index, squeezed, code = form
    source = LEARNING.format(
        home=home, name="CartPole-v1", actions="env.action_space.n", memory=f"memory = {memory}", imports="", index=index,
        squeezed=squeezed, **HOMES[home],
    )  # fmt: skip
    found = {finding.code for finding in findings(source)}
    assert found == ({code} if code else set())


@pytest.mark.oracle
@pytest.mark.parametrize("name", ["CartPole-v1", "MountainCar-v0", "Acrobot-v1", "Pendulum-v1", "FrozenLake-v1", "Taxi-v4"])
def test_rows_agree_with_the_library(name: str) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    made, row = gymnasium.make(name), environment(name)
    assert row is not None
    for space, known in ((made.observation_space, row.observation), (made.action_space, row.action)):
        assert type(space).__name__ == known.kind
        assert (known.count or None) == (int(space.n) if known.kind == "Discrete" else None)
        assert known.kind == "Discrete" or (space.shape, str(space.dtype)) == (known.shape, known.dtype)
    made.reset(seed=0)
    assert (type(made.step(made.action_space.sample())[1]) is float) == (row.reward == "float")
