"""The extension for Visual Studio Code: its own checks, and the whole in a real workbench in a real browser."""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks.editor import e2e


@pytest.fixture(scope="module", autouse=True)
def _installed():
    """`make test` installs all of it and tells so by DLLINT_E2E; elsewhere its absence is said, not passed over."""
    if lacks := e2e.missing():
        message = f"not tested, because {', '.join(lacks)} are not installed (`make e2e` installs them)"
        if os.environ.get("DLLINT_E2E"):
            pytest.fail(message)
        pytest.skip(message)


@pytest.mark.e2e
def test_types_style_and_units():
    e2e.npm("check")


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    """The built extension, without a server in it."""
    return e2e.build(tmp_path_factory.mktemp("extension"))


@pytest.mark.e2e
def test_a_finding_is_seen_and_repaired(extension):
    report = e2e.drive("repair", extension)
    assert report["error"] is None
    assert "the file on disk is repaired" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_a_graph_is_drawn_folded_and_followed(extension):
    report = e2e.drive("graph", extension)
    assert report["error"] is None
    assert "a click leads to the line" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_a_summary_is_shown_folded_followed_and_made_anew(extension):
    report = e2e.drive("summary", extension)
    assert report["error"] is None
    assert "saving makes the table anew" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_a_finding_in_a_notebook_is_seen_in_its_cell_and_repaired(extension):
    report = e2e.drive("notebook", extension)
    assert report["error"] is None
    assert "the notebook on disk is repaired" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_the_chosen_interpreter_runs_the_server(extension):
    report = e2e.drive("interpreter", extension)
    assert report["error"] is None
    assert "an interpreter without dllint is complained about" in report["steps"]


@pytest.mark.e2e
def test_the_workspace_is_checked_a_finding_explained_and_a_script_diagnosed(extension):
    report = e2e.drive("workspace", extension)
    assert report["error"] is None
    assert "the walkthrough is open, with its picture" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_two_folders_have_configurations_and_interpreters_of_their_own(extension):
    report = e2e.drive("folders", extension)
    assert report["error"] is None
    assert "a script of the second folder is run by its own interpreter" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_a_server_that_keeps_dying_is_complained_about_once(extension):
    report = e2e.drive("crash", extension)
    assert report["error"] is None
    assert "its button starts the server" in report["steps"]


@pytest.mark.e2e
@pytest.mark.thorough
def test_nothing_of_an_untrusted_workspace_is_run(tmp_path):
    only_for_here = ("--python", f"{sys.version_info.major}.{sys.version_info.minor}", "--unscanned")
    report = e2e.drive("untrusted", e2e.build(tmp_path, *e2e.SCENARIOS["untrusted"], *only_for_here))
    assert report["error"] is None
    assert "once trusted, the workspace's setting counts" in report["steps"]
