"""Environments: what ``make`` gives, and what ``reset`` and ``step`` return.

Gymnasium's ``reset`` returns the observation and a dict, its ``step`` five values; Gym did so from 0.26 on, and returned the
observation alone and four values before. Which of them a program is written for shows in how many names it gives them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from dllint.domains.lattice import Unknown, UnknownBool, UnknownFloat
from dllint.domains.shape import TensorType
from dllint.frameworks.given import given
from dllint.frameworks.gymnasium.known import environment
from dllint.frameworks.gymnasium.spaces import sample, space_of
from dllint.frameworks.machine import Handler, Machine, handler, prop
from dllint.ir.values import Arguments, DictVal, InstanceVal, LibSymbol, Value

#: A method of environments.
Method = Callable[[Machine, InstanceVal, Arguments], Value]

_GYM: Final = "gym"
_HOMES: Final = ("gymnasium", _GYM)
_UNKNOWN: Final = "environment"
_NAME: Final = "identifier"
_OBSERVATIONS: Final = "observation_space"
_ACTIONS: Final = "action_space"
#: Arguments of ``make`` that change neither spaces nor rewards.
_HARMLESS: Final = frozenset(
    {"render_mode", "max_episode_steps", "disable_env_checker", "autoreset", "apply_api_compatibility", "is_slippery"}
)
#: Wrappers that give observations, actions and rewards of the same kind.
_TRANSPARENT: Final = (
    "Autoreset", "HumanRendering", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "RecordVideo", "TimeLimit",
    "Monitor", "monitor.Monitor",
)  # fmt: skip
_STEP: Final = re.compile(r"^[ \t]*([\w \t,.()\[\]*]+?)[ \t]*=[ \t]*[\w.]+\.step\(", re.MULTILINE)
#: How many values ``step`` returns: before Gym 0.26, and since.
_BEFORE: Final = 4
_SINCE: Final = 5


def returned_by_step(text: str) -> int | None:
    """To how many names a file gives what ``step`` returns; ``None`` if it does so nowhere, or not always to as many."""
    counts = {targets.count(",") + 1 for targets in _STEP.findall(text) if "," in targets}
    return counts.pop() if len(counts) == 1 else None


def _make(home: str) -> Handler:
    def make(machine: Machine, _: Value, arguments: Arguments) -> Value:
        """``make(id, **options)``: an environment of the library's by its identifier."""
        options = given("id, max_episode_steps=None, **options", arguments)
        name = options.get("id")
        row = environment(name) if isinstance(name, str) else None
        if (
            row is None
            or arguments.star is not None
            or arguments.double_star is not None
            or not arguments.kwargs.keys() - {"id"} <= _HARMLESS
        ):
            return machine.unknown(_UNKNOWN, str(name) if isinstance(name, str) else "make")
        state = {_NAME: name, _OBSERVATIONS: space_of(machine, row.observation), _ACTIONS: space_of(machine, row.action)}
        return InstanceVal(LibSymbol(f"{home}.Env"), site=machine.site, open=Unknown(_UNKNOWN, str(name)), state=state)

    return make


def _returned(machine: Machine, home: str) -> int | None:
    """How many values ``step`` returns in the file that is executed."""
    document = machine.site.document
    if home != _GYM:
        return _SINCE
    return None if document is None else document.answer(returned_by_step)


def _observation(machine: Machine, environment: InstanceVal, home: str) -> Value:
    return sample(machine, environment.kept(_OBSERVATIONS), "observation", typed=home != _GYM)


def _reward(machine: Machine, env: InstanceVal) -> Value:
    """A float of Python, or a number of a type that not all steps have in common."""
    row = environment(str(env.kept(_NAME)))
    if row is None:  # an object of the program's own class, whose step asks that of its base
        return Unknown(_UNKNOWN, "reward")
    if row.reward == "float":
        return UnknownFloat("random-number", "reward")
    return machine.tensor(TensorType((), Unknown(_UNKNOWN, "reward")), framework="numpy", name="reward")


def _information() -> DictVal:
    return DictVal({}, Unknown(_UNKNOWN, "info"))


def _step(home: str) -> Method:
    def step(machine: Machine, env: InstanceVal, _arguments: Arguments) -> Value:
        """``step(action)``: observation, reward, whether the episode is over, and a dict."""
        count = _returned(machine, home)
        if count not in (_BEFORE, _SINCE):
            return machine.unknown(_UNKNOWN, "step")
        over = (UnknownBool(_UNKNOWN, "terminated"), UnknownBool(_UNKNOWN, "truncated"))[: count - 3]
        return (_observation(machine, env, home), _reward(machine, env), *over, _information())

    return step


def _reset(home: str) -> Method:
    def reset(machine: Machine, env: InstanceVal, arguments: Arguments) -> Value:
        """``reset(*, seed=None, options=None)``: observation and a dict; the observation alone before Gym 0.26."""
        count = _returned(machine, home)
        if count == _BEFORE and not arguments.kwargs:
            return _observation(machine, env, home)
        return (_observation(machine, env, home), _information()) if count == _SINCE else machine.unknown(_UNKNOWN, "reset")

    return reset


def _nothing(_machine: Machine, _environment: Value, _arguments: Arguments) -> Value:
    return Unknown(_UNKNOWN, "shown")


def _wrapped(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A wrapper that changes no value is the environment that it wraps."""
    return given("env, *rest, **more", arguments).get("env", Unknown(_UNKNOWN, "wrapper"))


def _kept(name: str) -> Callable[[Machine, InstanceVal], Value]:
    def read(_machine: Machine, env: InstanceVal) -> Value:
        return env.kept(name)

    return read


def _itself(_machine: Machine, env: InstanceVal) -> Value:
    return env


for _home in _HOMES:
    handler(f"{_home}.make")(_make(_home))
    handler(f"{_home}.Env.step", on=InstanceVal)(_step(_home))
    handler(f"{_home}.Env.reset", on=InstanceVal)(_reset(_home))
    handler(*(f"{_home}.Env.{name}" for name in ("render", "close", "seed")))(_nothing)
    handler(*(f"{_home}.wrappers.{name}" for name in _TRANSPARENT))(_wrapped)
    for _space in (_OBSERVATIONS, _ACTIONS):
        prop(f"{_home}.Env.{_space}", on=InstanceVal)(_kept(_space))
    prop(f"{_home}.Env.unwrapped", on=InstanceVal)(_itself)
