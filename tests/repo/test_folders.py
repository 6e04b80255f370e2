"""The folder of a test: its own, empty, and short enough for the path of a socket in it."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("name", ["a name with spaces/and:more of it than is shown", "é"])
@pytest.mark.parametrize("again", range(2))
def test_each_test_has_an_empty_folder(tmp_path, folder_of_all_tests, name, again):
    assert tmp_path.parent == folder_of_all_tests
    assert list(tmp_path.iterdir()) == []
    assert len(str(tmp_path.relative_to(folder_of_all_tests))) < 32
    assert tmp_path.resolve() == tmp_path
    (tmp_path / "left behind").touch()
