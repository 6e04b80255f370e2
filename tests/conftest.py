"""What holds for all tests: the backend of Keras, threads and garbage, that generated cases run as a sample unless all are
asked for, that several processes begin with the longest tests, and that with ``--all-installed`` only tests that need a GPU are
skipped."""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Generator, Hashable
from pathlib import Path

import hypothesis
import pytest

from tests import schedule
from tests.sampling import ASKED, covering, few, is_drawn

pytest_plugins = ["tests.folders", "tests.forks"]

# A case that takes long is no failure: other processes may use the machine.
hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")
# Unless the environment names a backend: with that of TensorFlow some calls end the process.
os.environ.setdefault("KERAS_BACKEND", "torch")
# What is installed in the environment of a terminal changes nothing.
for _name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(_name, None)
# Tensors of tests are small, and several processes of tests share the cores.
for _name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
    os.environ.setdefault(_name, "1")
# Collecting tests makes next to no garbage, and a collection visits all that has been imported.
gc.disable()

ROOT = Path(__file__).parents[1]
#: Objects of the youngest generation, and collections of it and the next one, before a collection.
YOUNG = (10_000, 20, 20)
#: With ``--fast``, one of so many cases of every test runs.
FAST_SAMPLE = 5


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every-case", action="store_true", help="run all cases of tests that run as a sample otherwise")
    parser.addoption("--few-cases", action="store_true", help="run a few cases of every test, of slow ones fewer")
    parser.addoption(
        "--fast", action="store_true", help="leave out the tests of tests/slow_tests.txt; of the cases of others, run a sample"
    )
    parser.addoption(
        "--all-installed", action="store_true", help="all packages are installed: a skipped test fails, unless it needs a GPU"
    )


def pytest_configure(config: pytest.Config) -> None:
    ASKED.every_case = config.getoption("--every-case")
    ASKED.few_cases = config.getoption("--few-cases")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With ``--all-installed``, a module that is skipped as a whole is an error."""
    report = yield
    if collector.config.getoption("--all-installed"):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With ``--all-installed``, a skipped test fails, unless it needs a GPU."""
    report = yield
    if item.config.getoption("--all-installed") and item.get_closest_marker("gpu") is None and not hasattr(report, "wasxfail"):
        _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.CollectReport | pytest.TestReport) -> None:
    if report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, but with --all-installed nothing may be missing: {reason}"


def slow_tests() -> set[str]:
    """Test functions and modules that take long (``python -m benchmarks.test_durations``)."""
    lines = (ROOT / "tests" / "slow_tests.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if not line.startswith("#")}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--fast``, modules that have slow tests only are not imported."""
    if config.getoption("--fast") and collection_path.suffix == ".py":
        return collection_path.relative_to(ROOT).as_posix() in slow_tests() or None
    return None


def pytest_collection_finish() -> None:
    """What is there now stays: collections of garbage need not look at it. Objects of an analysis are many and nearly all live:
    young ones are looked at less often than usual."""
    gc.freeze()
    gc.set_threshold(*YOUNG)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what ``tests.sampling`` does not draw, or every k-th case of a test marked ``sampled(every=k)`` does not; with
    ``--few-cases``, run a sample of every test that is not marked ``thorough``, and with ``--fast``, of every one that is not
    slow. Several processes begin with the longest tests."""
    fast, is_few = config.getoption("--fast"), config.getoption("--few-cases")
    slow = slow_tests() if fast or is_few else set()
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    if not config.getoption("--every-case"):
        for item in items:
            cases[item.nodeid.partition("[")[0]].append(item)
    left_out: set[pytest.Item] = set()
    for function, found in cases.items():
        drawn = drawn_of(found)
        if is_few and found[0].get_closest_marker("thorough") is not None:
            drawn = []
        elif is_few:
            drawn = few(drawn, is_slow=not slow.isdisjoint((function, module_of(found[0]))))
        if fast:
            drawn = [] if function in slow else [item for number, item in enumerate(drawn) if is_drawn(number, FAST_SAMPLE)]
        left_out |= set(found).difference(drawn)
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        lines = schedule.LONG_MODULES.read_text(encoding="utf-8").splitlines()
        items[:] = schedule.in_parts(items, processes, module_of, schedule.read(lines))


def module_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def drawn_of(items: list[pytest.Item]) -> list[pytest.Item]:
    """The cases of one test that run without ``--every-case``."""
    mark = items[0].get_closest_marker("sampled")
    if mark is not None:
        return [item for number, item in enumerate(items) if is_drawn(number, mark.kwargs["every"])]
    if len(items) == 1:
        return items
    drawn = covering([parameters(item) for item in items])
    return [item for number, item in enumerate(items) if number in drawn]


def parameters(item: pytest.Item) -> dict[str, Hashable]:
    """The values of a case, told apart by type, and by identity where they cannot be compared."""
    given = item.callspec.params if isinstance(item, pytest.Function) else {}
    return {name: (type(value), value if is_hashable(value) else id(value)) for name, value in given.items()}


def is_hashable(value: object) -> bool:
    """Whether a value, with all that it is made of, can be a key."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
