"""Arguments without which functions and classes of the installed libraries raise, found by calling them without."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from dllint.frameworks import registry

_SIGNATURES: Final = Path(__file__).parents[1] / "frameworks" / "signatures"
#: Without Keras, whose releases before 3 have defaults for some of what Keras 3 needs (``AveragePooling2D()``).
_LIBRARIES: Final = ("torch", "numpy", "tensorflow")
#: Where no two functions with different signatures are taken for one another, as ``torch.cuda.amp.autocast`` and
#: ``torch.autocast`` are.
_ONE_SIGNATURE: Final = ("torch.nn.", "numpy.", "tensorflow.")
#: How errors about a missing argument begin.
_MISSING: Final = re.compile(r"missing|takes? .*argument.* (?:but|\()|required|got \d+ positional", re.IGNORECASE)


def needed() -> Iterator[tuple[str, list[str]]]:
    """Qualified names of functions and classes with the parameters that have to be given."""
    for library in _LIBRARIES:
        for name in json.loads((_SIGNATURES / f"{library}.json").read_text(encoding="utf-8")):
            if name.startswith(_ONE_SIGNATURE) and (params := _of_all_releases(name)):
                yield name, params


def written_in_python() -> Iterator[str]:
    """The functions of torch whose arguments Python itself binds: it takes none twice."""
    for name in json.loads((_SIGNATURES / "torch.json").read_text(encoding="utf-8")):
        if name.rpartition(".")[0] in ("torch", "torch.nn.functional") and _is_written_in_python(name):
            yield name


def _is_written_in_python(name: str) -> bool:
    """Whether a function is one of Python's with the parameters that its signature here has."""
    found, params = inspect.unwrap(_found(name) or print), registry.parameters(name) or ()
    if not isinstance(found, FunctionType) or not params:
        return False
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    real = inspect.signature(found).parameters.values()
    if any(param.kind is inspect.Parameter.VAR_POSITIONAL for param in real):
        return False
    return [param.name for param in real if param.kind in kinds] == [param.name for param in params if param.kind == "pos"]


def _of_all_releases(name: str) -> list[str]:
    """The parameters that a function needs, in TensorFlow 1 as well if it is there."""
    found = _found(name)
    params = [] if found is None else list(_needed(found, is_method=_is_method(name)))
    library, _, rest = name.partition(".")
    old = _found(f"{library}.compat.v1.{rest}") if library == "tensorflow" else None
    if old is None or old is found:
        return params
    return [param for param in _needed(old, is_method=_is_method(name)) if param in params]


def _found(name: str) -> Any:
    """What a qualified name stands for."""
    first, *rest = name.split(".")
    found: Any = import_module(first)
    for part in rest:
        found = getattr(found, part, None)
    return found if callable(found) else None


def _is_method(name: str) -> bool:
    return name.rpartition(".")[0].rpartition(".")[2][:1].isupper()


def _needed(function: Callable[..., Any], *, is_method: bool) -> Iterator[str]:
    try:
        params = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return
    required = [
        p for p in params if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    for left_out in required[is_method:]:
        before = [p for p in required[: required.index(left_out)] if p.kind is not p.KEYWORD_ONLY]
        named = {
            p.name: object() for p in required if p not in before and p is not left_out and p.kind is not p.POSITIONAL_ONLY
        }
        if _refuses(function, len(before), named) and _refuses(function, len(before), {}):
            yield left_out.name


def _refuses(function: Callable[..., Any], count: int, named: dict[str, Any]) -> bool:
    """Whether a call with some arguments raises for one that is missing."""
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            function(*(object() for _ in range(count)), **named)
    except TypeError as error:
        return bool(_MISSING.search(str(error)))
    except Exception:
        return False
    return False
