"""One operator of both sides on saved values: what a written test runs, and how the test is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np

from dllint.bisection.bench import Bench
from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import RunsSegments
from dllint.bisection.result import Bisection
from dllint.bisection.search.isolation import relative
from dllint.bisection.session import Laid, Options, laid_out, opened
from dllint.bisection.spec import load
from dllint.bisection.steps import POSTPROCESS, PREPROCESS, Step
from dllint.bisection.suspicions.gathering import compared
from dllint.source.neutral import neutral

#: Samples that are saved.
_SAMPLES: Final = 16
#: A relative error that every exact deployment stays below, and how many times as large as those of the other operators one
#: may be in a deployment that is not exact.
_EXACT: Final = 1e-3
_TIMES: Final = 4.0
#: Operators other than the culprit, whose errors show what is usual.
_OTHERS: Final = 5

_TEXT: Final = '''"""Written by `dllint bisect`: {what} of the candidate against the reference's, on saved values."""

from pathlib import Path

from dllint.bisection.reproduction import operator_error

HERE = Path(__file__).parent


def test_{name}() -> None:
    """{suspicion}"""
    assert operator_error(HERE / {spec!r}, {node!r}, HERE / {values!r}) <= {tolerance:.3g}
'''


def operator_error(spec: Path, operator: str, values: Path) -> float:
    """The relative error of the candidate's operator, both sides opened by the spec; infinite if it is not finite.

    ``values`` is a file that :func:`write_tests` has saved. Raises :class:`BisectionError` if the spec has no such operator.
    """
    loaded = load(spec)
    both = opened(loaded, Options())
    with np.load(values) as saved:
        raw = tuple(saved[f"raw {i}"] for i in range(len(both.samples.raw)))
        fed = {name.removeprefix("fed "): saved[name] for name in saved.files if name.startswith("fed ")}
    both = replace(both, samples=replace(both.samples, raw=raw), targets=[0] * len(raw[0]))
    bench = laid_out(loaded, Options(), both, lambda text: None).bench
    positions = np.arange(len(raw[0]))
    if operator == PREPROCESS:
        return _preparation_error(bench, positions)
    if operator not in bench.aligned:
        raise BisectionError(f"the candidate has no value for `{operator}` any more", "bisect again")
    if not isinstance(bench.candidate, RunsSegments):
        found = compared(bench, operator, positions)
        return relative(found.found, found.expected)
    expected = bench.reference.run(bench.samples.reference_inputs(positions), fed, [operator])[operator]
    return relative(bench.segment(fed, [operator], positions)[operator], expected)


def _quoted(text: str) -> str:
    """A text as it may stand in a docstring: it does not end it."""
    return neutral(text).replace("\\", "/").replace('"', "'")


def write_tests(folder: Path, spec: Path, laid: Laid, found: Bisection) -> list[Path]:
    """Write a test and its values for every culprit that is one operator.

    Raises:
        BisectionError: they cannot be written, or the folder is a link.
    """
    steps = [(culprit.steps[0], culprit.suspected) for culprit in found.culprits if len(culprit.steps) == 1]
    if folder.is_symlink():
        raise BisectionError(f"cannot write tests to {folder}: it is a symbolic link")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_write(folder, spec, laid, step, suspicion) for step, suspicion in steps if step.name != POSTPROCESS]
    except OSError as error:
        raise BisectionError(f"cannot write tests to {folder}: {error.strerror or error}") from error


def _write(folder: Path, spec: Path, laid: Laid, step: Step, suspected: str) -> Path:
    bench, samples = laid.bench, laid.samples
    positions = np.arange(min(_SAMPLES, len(samples.raw[0])))
    saved = {f"raw {i}": array[positions] for i, array in enumerate(samples.raw)}
    if step.name == PREPROCESS:
        own = _preparation_error(bench, positions)
    else:
        both = compared(bench, step.nodes[0], positions)
        own = relative(both.found, both.expected)
        saved |= {f"fed {name}": array for name, array in both.fed.items()}
    name = re.sub(r"\W", "_", step.name)
    values = BytesIO()
    np.savez(values, allow_pickle=False, **saved)
    _put(folder / f"{name}.npz", values.getvalue())
    path = folder / f"test_{name}.py"
    text = _TEXT.format(
        what=_quoted(f"`{step.name}`"),
        name=name,
        suspicion=_quoted(suspected or "What it computes is not what the reference computes").rstrip(".") + ".",
        spec=os.path.relpath(spec.absolute(), folder.absolute()),
        node=step.name,
        values=f"{name}.npz",
        tolerance=min(own / 2, max([_EXACT, *(_TIMES * error for error in _usual(laid, step, positions))])),
    )
    _put(path, text.encode())
    return path


def _put(path: Path, content: bytes) -> None:
    """Write a file in the place of whatever stands there: a link, or a pipe, is replaced and not written to."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    with partial.open("xb") as stream:  # nothing is there, not even a link
        stream.write(content)
    try:
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise


def _usual(laid: Laid, culprit: Step, positions: np.ndarray) -> Iterator[float]:
    """The middle one of the errors of some other operators."""
    others = [step for step in laid.profile.steps if step.name in laid.bench.graph and step != culprit]
    few = others[:: max(1, len(others) // _OTHERS)]
    errors = [relative(both.found, both.expected) for both in (compared(laid.bench, s.nodes[0], positions) for s in few)]
    if errors:
        yield float(np.median(errors))


def _preparation_error(bench: Bench, positions: np.ndarray) -> float:
    ours, theirs = bench.samples.reference_inputs(positions), bench.samples.candidate_inputs(positions)
    return max(relative(theirs[bench.named(name)], ours[name]) for name in ours)
