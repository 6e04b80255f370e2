"""What the user names: a reference, a candidate, samples, a metric. A Python file, or TOML that points into modules."""

from __future__ import annotations

import importlib
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from dllint.bisection.errors import BisectionError, wrapped_errors
from dllint.bisection.references import keras_places
from dllint.bisection.samples import Processing
from dllint.bisection.spec_names import unused_names
from dllint.source.regular import read_regular

#: What a spec must name.
REQUIRED: Final = ("reference", "candidate")
#: In TOML, ``module:attribute`` stands for these.
_OBJECTS: Final = (
    "reference",
    "samples",
    "batches",
    "metric",
    "per_sample",
    "preprocess",
    "candidate_preprocess",
    "postprocess",
    "candidate_postprocess",
)

_REPAIRS: Final = {"reference": "check that its weights are there and belong to it"}


@dataclass(frozen=True)
class Spec:
    """The names of a spec.

    ``reference``: a model with its weights, or a function that makes one. ``candidate``: a file, a folder of dumped
    tensors, the name of a variant (``float16``), an object with ``run(inputs, wanted)``, or a function that makes one.
    ``samples``: pairs ``(inputs, target)``, or a function that gives them; ``batches`` the same in batches.
    ``metric(outputs, targets)`` of all samples; ``per_sample(outputs, targets)`` what each contributes, if the metric is
    their mean.
    """

    folder: Path
    reference: Any
    candidate: Any
    samples: Any = None
    batches: Any = None
    metric: Callable[..., Any] | None = None
    per_sample: Callable[..., Any] | None = None
    higher_is_better: bool = True
    #: What the reference is known to reach, within ``slack``.
    expected: float | None = None
    slack: float = 0.01
    #: A drop below it is none.
    margin: float = 0.0
    preprocess: Processing | None = None
    candidate_preprocess: Processing | None = None
    postprocess: Processing | None = None
    candidate_postprocess: Processing | None = None
    batch_size: int = 64
    #: A file with an alignment that was corrected by hand.
    alignment: str | None = None

    def given_samples(self) -> tuple[Iterable[Any], bool]:
        """The samples, and whether they come in batches."""
        given = self.samples if self.samples is not None else self.batches
        return (given() if callable(given) else given), self.samples is None

    def built(self, name: str) -> Any:
        """The reference or the candidate, built if it is a function."""
        value = getattr(self, name)
        plain = (
            callable(value) and not hasattr(value, "run") and not hasattr(value, "parameters") and not hasattr(value, "layers")
        )
        with wrapped_errors(f"`{name}` of the spec", _REPAIRS.get(name, "")):
            return value() if plain else value


def load(path: Path) -> Spec:
    """Read a spec. Raises :class:`BisectionError` with what is missing or unknown, or what the user's code in it raises."""
    if not path.is_file():
        raise BisectionError(f"there is no spec {path}", "write one with `dllint bisect init`")
    keras_places.watch()
    names = _toml(path) if path.suffix == ".toml" else _python(path)
    fields = set(Spec.__dataclass_fields__)
    unknown = sorted(set(names) - fields) if path.suffix == ".toml" else unused_names(path, fields)
    if unknown:
        near = get_close_matches(unknown[0], sorted(fields), 1)
        meant = f"; did you mean `{near[0]}`?" if near else ""
        raise BisectionError(f"{path}: unknown name `{unknown[0]}`{meant}", "`dllint bisect init` writes a spec with all names")
    missing = [name for name in REQUIRED if names.get(name) is None]
    if missing:
        raise BisectionError(f"{path} names no `{missing[0]}`", "`dllint bisect init` writes a spec with all names")
    if names.get("samples") is None and names.get("batches") is None:
        raise BisectionError(f"{path} names neither `samples` nor `batches`", "let `samples` give pairs `(inputs, target)`")
    known = {name: value for name, value in names.items() if name in Spec.__dataclass_fields__}
    return Spec(**{**known, "folder": path.absolute().parent})


def _python(path: Path) -> Mapping[str, Any]:
    sys.path.insert(0, str(path.absolute().parent))
    try:
        return runpy.run_path(str(path.absolute()), run_name="dllint_bisect_spec")
    except Exception as error:
        line = _line_in(path, error)
        raise BisectionError(f"{path}{line} raises {type(error).__name__}: {error}") from error


def _line_in(path: Path, error: BaseException) -> str:
    line, trace = "", error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name == path.name:
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        table = tomllib.loads(read_regular(path).decode("utf-8"))
    except OSError as error:
        raise BisectionError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BisectionError(f"{path} is not TOML: {error}") from error
    sys.path.insert(0, str(path.absolute().parent))
    return {name: _object(path, name, value) if _points(name, value) else value for name, value in table.items()}


def _points(name: str, value: object) -> bool:
    return isinstance(value, str) and (name in _OBJECTS or (name == "candidate" and ":" in value))


def _object(path: Path, name: str, value: str) -> Any:
    module, _, attribute = value.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise BisectionError(f'{path}: `{name} = "{value}"`: {error}', "write `module:attribute`") from error
