"""Spreading work over processes: order, errors, and a process that dies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dllint.config.errors import ConfigError
from dllint.engine.parallel import _batches, check_in_processes
from dllint.engine.results import FileResult


def plain(files):
    return [FileResult(path, after=path.name) for path in files]


def dies_on_bad(files):
    if any(path.name == "bad.py" for path in files):
        os._exit(9)
    return plain(files)


def broken_configuration(files):
    raise ConfigError(f"no settings for {files[0].name}")


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / name for name in ("a.py", "bad.py", "c.py", "d.py", "e.py")]
    for number, path in enumerate(paths):
        path.write_text("#" * 100 * number)
    return paths


def test_results_come_in_the_order_of_the_files(files):
    advanced: list[None] = []
    results = check_in_processes(files, plain, plain, 2, lambda: advanced.append(None))
    assert [result.after for result in results] == [path.name for path in files]
    assert len(advanced) == 5


def test_a_process_that_dies_takes_one_file_with_it(files):
    results = check_in_processes(files, dies_on_bad, dies_on_bad, 2, lambda: None)
    assert [result.after for result in results] == ["a.py", "", "c.py", "d.py", "e.py"]
    assert [notice.kind for notice in results[1].notices] == ["internal-error"]


def test_a_broken_configuration_is_passed_on(files):
    with pytest.raises(ConfigError, match="no settings for"):
        check_in_processes(files, broken_configuration, broken_configuration, 2, lambda: None)


def test_no_files():
    assert check_in_processes([], plain, plain, 2, lambda: None) == []


def test_paths_are_not_changed(files, monkeypatch):
    monkeypatch.chdir(files[0].parent)
    results = check_in_processes([Path("a.py")], plain, plain, 1, lambda: None)
    assert results[0].path == Path("a.py")


def test_batches_keep_the_order_and_get_smaller(tmp_path):
    paths = [tmp_path / f"{number:02}.py" for number in range(40)]
    for path in paths:
        path.write_text("x = 1\n")
    batches = _batches(paths, 2)
    assert [path for batch in batches for path in batch] == paths
    sizes = [len(batch) for batch in batches]
    assert sizes[0] == 10
    assert sizes == sorted(sizes, reverse=True)
