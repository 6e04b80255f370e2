"""Plugin of pytest: which blocks of the package each test executes.

The environment variable ``VARIABLE`` names a folder in which ``TABLE`` says how many blocks there are, and where those of each
file begin. Every process of tests writes ``PROCESS.records`` there: one pickled ``Record`` after the other. What a test does in
processes that it starts is not seen.
"""

from __future__ import annotations

import ast
import json
import os
import pickle
import sys
import time
import zlib
from collections.abc import Generator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, NamedTuple

import pytest

from benchmarks.mutation.blocks import PROBES, instrumented

VARIABLE: Final = "DLLINT_MUTATION_RECORDS"
TABLE: Final = "blocks.json"


class Record(NamedTuple):
    """A test, or with the name of a module what happens when that is imported: whether it passed, seconds, blocks executed.

    ``executed`` is one byte a block, compressed by zlib.
    """

    name: str
    passed: bool
    seconds: float
    executed: bytes


class _Loader(SourceFileLoader):
    """Compiles a module with a probe in each block."""

    def __init__(self, name: str, path: str, offset: int, probes: bytearray) -> None:
        super().__init__(name, path)
        self._offset = offset
        self._probes = probes

    def get_code(self, fullname: str) -> CodeType:
        tree = instrumented(ast.parse(self.get_data(self.path)), self._offset)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module)[PROBES] = self._probes
        super().exec_module(module)


class _Finder(MetaPathFinder):
    """Finds the modules of the package that have blocks."""

    def __init__(self, root: Path, first: dict[str, int], probes: bytearray) -> None:
        self._first = {str(root / file): offset for file, offset in first.items()}
        self._probes = probes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith("dllint."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin in self._first:
            spec.loader = _Loader(fullname, spec.origin, self._first[spec.origin], self._probes)
        return spec


class Recorder:
    """Writes what each test executes."""

    def __init__(self, folder: Path) -> None:
        table = json.loads((folder / TABLE).read_text(encoding="utf-8"))
        self._none = bytes(table["count"])
        self._probes = bytearray(self._none)
        self._file = (folder / f"{os.getpid()}.records").open("wb")
        self._passed = True
        early = [name for name in sys.modules if name.startswith("dllint.")]
        assert not early, f"imported before it could be recorded: {early}"
        sys.meta_path.insert(0, _Finder(Path.cwd(), table["first"], self._probes))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, None, None]:
        began = self._begin()
        yield
        if isinstance(collector, pytest.Module):
            self._end(collector.nodeid, began)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        began = self._begin()
        yield
        self._end(item.nodeid, began)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._passed &= report.passed

    def pytest_unconfigure(self) -> None:
        self._file.close()

    def _begin(self) -> float:
        self._probes[:] = self._none
        self._passed = True
        return time.perf_counter()

    def _end(self, name: str, began: float) -> None:
        seconds = time.perf_counter() - began
        pickle.dump(tuple(Record(name, self._passed, seconds, zlib.compress(self._probes, 1))), self._file)


def pytest_configure(config: pytest.Config) -> None:
    """Record, except in the process that only hands out tests."""
    if not getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(os.environ[VARIABLE])))
