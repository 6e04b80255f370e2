"""Programs run statement by statement, and what each leaves in its names."""

from __future__ import annotations

import ast
import random
import sys
import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import numpy as np

from benchmarks.differential.looking import look
from benchmarks.differential.seen import Observed, Raised, Seen

#: What an error is about that has nothing to do with the program.
_EXHAUSTED: Final = ("memory", "alloc", "too large to", "RESOURCE_EXHAUSTED", "maximum supported dimension")
_FILLS: Final = ("zeros", "ones", "identity", "small", "range")


def run(text: str) -> Observed:
    """Run a program."""
    names: dict[str, Any] = {"__name__": "__main__"}
    after: list[dict[str, Seen]] = []
    known: dict[str, Seen] = {}
    seed_all(0)
    with warnings.catch_warnings(), np.errstate(all="ignore"), modes_kept():
        warnings.simplefilter("ignore")
        for number, statement in enumerate(ast.parse(text).body):
            code = compile(ast.Module([statement], []), "program", "exec")
            try:
                exec(code, names)
            except MemoryError:
                return Observed(text, tuple(after), lost="memory")
            except Exception as error:
                return _ended(text, after, number, error, (code, names))
            seen = {name: look(value) for name, value in _values(names)}
            after.append({name: found for name, found in seen.items() if not _same(known.get(name), found)})
            known = seen
    return Observed(text, tuple(after))


def _same(known: Seen | None, found: Seen) -> bool:
    return known is not None and repr(known) == repr(found)  # NaN is like NaN


def _values(names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a program has bound."""
    for name, value in names.items():
        if not name.startswith("__") and not isinstance(value, types.ModuleType | types.FunctionType | type):
            yield name, value


def _ended(text: str, after: list[dict[str, Seen]], number: int, error: Exception, statement: tuple[Any, Any]) -> Observed:
    message = f"{error}"[:400]
    if any(word in message for word in _EXHAUSTED):
        return Observed(text, tuple(after), lost="memory")
    raised = Raised(number, type(error).__name__, message, False)
    return Observed(text, tuple(after), replace(raised, by_values=_runs_with_others(*statement)))


def _runs_with_others(code: Any, names: dict[str, Any]) -> bool:
    """Whether a statement that raises would run with other elements in the tensors that names hold."""
    return any(_runs(code, _refilled(names, fill)) for fill in _FILLS)


def _runs(code: Any, names: dict[str, Any]) -> bool:
    try:
        exec(code, names)
    except Exception:
        return False
    return True


def _refilled(names: dict[str, Any], fill: str) -> dict[str, Any]:
    memo: dict[int, Any] = {}
    return {name: _with_elements(value, fill, memo) for name, value in names.items()}


def _with_elements(value: Any, fill: str, memo: dict[int, Any]) -> Any:
    """A value with other elements; where tensors share their elements, the copies need not."""
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, tuple | list) and type(value) in (tuple, list):
        made: Any = type(value)(_with_elements(item, fill, memo) for item in value)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        made = value.copy()
        made[...] = _elements(value.shape, fill).astype(value.dtype)
    else:
        made = _of_library(value, fill)
    memo[id(value)] = made
    return made


def _of_library(value: Any, fill: str) -> Any:
    torch, tf = sys.modules.get("torch"), sys.modules.get("tensorflow")
    if torch is not None and isinstance(value, torch.Tensor) and value.layout is torch.strided:
        with torch.no_grad():
            other = torch.from_numpy(_elements(tuple(value.shape), fill)).to(value.dtype)
            if not value.is_contiguous() and 0 not in value.stride():
                other = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype).copy_(other)
            return other.requires_grad_(value.requires_grad)
    if tf is not None and isinstance(value, tf.Tensor) and value.dtype != tf.string and hasattr(value, "numpy"):
        return tf.cast(tf.constant(_elements(tuple(value.shape), fill)), value.dtype)
    return value


def _elements(shape: tuple[int, ...], fill: str) -> np.ndarray:
    count = int(np.prod(shape))
    if fill == "identity":
        made = np.zeros(shape)
        if len(shape) >= 2:
            made[..., range(min(shape[-2:])), range(min(shape[-2:]))] = 2.0
        return made
    if fill == "range":
        return np.arange(1.0, count + 1).reshape(shape)
    if fill == "small":
        return np.array([((3 * n + 1) % 5) / 4 for n in range(count)]).reshape(shape)
    return np.full(shape, float(fill == "ones"))


@contextmanager
def modes_kept() -> Iterator[None]:
    """What a program sets for the whole process, torch's grad mode and its default element type, is as before behind the
    context."""
    torch = sys.modules.get("torch")
    grad = torch is None or torch.is_grad_enabled()
    dtype = torch.get_default_dtype() if torch is not None else None
    try:
        yield
    finally:
        if (torch := sys.modules.get("torch")) is not None:
            torch.set_grad_enabled(grad)
            torch.set_default_dtype(dtype or torch.float32)


def seed_all(seed: int) -> None:
    """Let every library that is loaded draw the same random numbers."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if (torch := sys.modules.get("torch")) is not None:
        torch.manual_seed(seed)
    if (tf := sys.modules.get("tensorflow")) is not None:
        tf.random.set_seed(seed)
    if (keras := sys.modules.get("keras")) is not None:
        keras.utils.set_random_seed(seed % 2**32)
