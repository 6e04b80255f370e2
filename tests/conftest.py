"""What holds for all tests: the backend of Keras, and that generated cases run as a sample unless all are asked for."""

from __future__ import annotations

import os
from collections import defaultdict
from zlib import crc32

import hypothesis
import pytest

# A case that takes long is no failure: other processes may use the machine.
hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")
# Unless the environment names a backend: with that of TensorFlow some calls end the process.
os.environ.setdefault("KERAS_BACKEND", "torch")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-case", action="store_true", help="run all cases of tests that run as a sample otherwise")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of a test marked ``sampled(every=k)``, keep every k-th."""
    if config.getoption("--every-case"):
        return
    cases: defaultdict[str, list[tuple[pytest.Item, int]]] = defaultdict(list)
    for item in items:
        if (mark := item.get_closest_marker("sampled")) is not None:
            cases[item.nodeid.partition("[")[0]].append((item, mark.kwargs["every"]))
    left_out = {item for found in cases.values() for number, (item, every) in enumerate(found) if not is_drawn(number, every)}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def is_drawn(number: int, every: int) -> bool:
    """Whether a case is one of the sample: the first, and one of every further ``every`` that follow each other, which one goes
    by their place, so that each value of two parameters is drawn where both have many."""
    row = number // every
    return number % every == (crc32(b"%d" % row) % every if row else 0)
